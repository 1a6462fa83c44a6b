"""Hardware models of five papers: the machine that an I/O law asks for.

- `balance`, `arrays` and `decompositions` are Kung's: when neither arithmetic nor I/O waits for
  the other, how memory must grow, alone and in arrays.
- `latency_hiding`, `many_core`, `traffic_ratio` and `product_pipeline` say how many cores a
  bandwidth and an on-chip memory keep busy.
- `mesh` is Moreira's: which processing elements build equivalent meshes.
- `density` (with `density_scaling`, `density_integrals`, `density_profile` and `density_wires`) is
  Glasser and Zukowski's: how much communication passes through the middle of a machine.
- `qcd`, `dirac_operator`, `chip_layout` and `qcd_processors` are Bilardi et al.'s: chips for
  lattice QCD; `area_split` splits a chip between memory and arithmetic for any computation.
- `catalogue` reads `MACHINES`, named machines with a source for every number; `units` has what
  they are written in.
"""

from dags import UnknownNameError
from machines.area_split import AreaBudget, Split, best_measured_split, best_split, law_split
from machines.arrays import ProcessorArray
from machines.balance import ProcessingElement, balancing_memory, law_memory, rebalanced
from machines.catalogue import Machine, read_catalogue
from machines.decompositions import (
    Costs,
    fft_costs,
    grid_costs,
    matmul_costs,
    matvec_costs,
    merge_sort_costs,
    triangular_solve_costs,
)
from machines.density import ball_flux, endless_flux, largest_radius, sphere_constant
from machines.density_integrals import central_flux
from machines.density_profile import ball_flux_at, breakdown_flux, energy_density, thermal_bit
from machines.density_scaling import uniform_flux, uniform_radius, volume_growth
from machines.density_wires import lattice_ball, wire_metres, wired_flux
from machines.dirac_operator import local_words, neighbour_words, small_memory
from machines.errors import InvalidMachineError
from machines.latency_hiding import Pipeline
from machines.many_core import ManyCore, most_cores
from machines.mesh import GridProblem, MeshElement, quality, submesh
from machines.product_pipeline import matmul_convergence, matmul_emcr, matmul_pipeline
from machines.qcd import Chip, Die, best_chip
from machines.qcd_processors import QCDProcessor, qcd_processor
from machines.traffic_ratio import memory_ratio

MACHINES: dict[str, Machine] = read_catalogue()


def machine_named(name: str) -> Machine:
    """Return the machine called `name`, in whatever case.

    Raises
    ------
    UnknownNameError
        If there is none.
    """
    known = {key.casefold(): machine for key, machine in MACHINES.items()}
    if name.casefold() not in known:
        raise UnknownNameError("machine", name, MACHINES)
    return known[name.casefold()]


__all__ = [
    "MACHINES",
    "AreaBudget",
    "Chip",
    "Costs",
    "Die",
    "GridProblem",
    "InvalidMachineError",
    "Machine",
    "ManyCore",
    "MeshElement",
    "Pipeline",
    "ProcessingElement",
    "ProcessorArray",
    "QCDProcessor",
    "Split",
    "balancing_memory",
    "ball_flux",
    "ball_flux_at",
    "best_chip",
    "best_measured_split",
    "best_split",
    "breakdown_flux",
    "central_flux",
    "endless_flux",
    "energy_density",
    "fft_costs",
    "grid_costs",
    "largest_radius",
    "lattice_ball",
    "law_memory",
    "law_split",
    "local_words",
    "machine_named",
    "matmul_convergence",
    "matmul_costs",
    "matmul_emcr",
    "matmul_pipeline",
    "matvec_costs",
    "memory_ratio",
    "merge_sort_costs",
    "most_cores",
    "neighbour_words",
    "qcd_processor",
    "quality",
    "read_catalogue",
    "rebalanced",
    "small_memory",
    "sphere_constant",
    "submesh",
    "thermal_bit",
    "triangular_solve_costs",
    "uniform_flux",
    "uniform_radius",
    "volume_growth",
    "wire_metres",
    "wired_flux",
]
