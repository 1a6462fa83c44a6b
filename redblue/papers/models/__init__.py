"""Hardware models of five papers: the machine that an I/O law asks for.

- `decompositions` are Kung's; his machines and arrays are in `redblue.answers.hardware`.
- `latency_hiding` and `many_core` say how many cores a bandwidth and an on-chip memory keep busy.
- `mesh` is Moreira's: which processing elements build equivalent meshes.
- `density` (with `density_integrals` and `density_profile`) is Glasser and Zukowski's: how
  much communication passes through the middle of a machine.
- `qcd`, `dirac_operator` and `qcd_processors` are Bilardi et al.'s: chips for
  lattice QCD; `area_split` splits a chip between memory and arithmetic for any computation.
"""

from redblue.papers.models.area_split import (
    AreaBudget,
    Split,
    best_measured_split,
    best_split,
    law_split,
)
from redblue.papers.models.decompositions import (
    Costs,
    fft_costs,
    grid_costs,
    matmul_costs,
    matvec_costs,
    merge_sort_costs,
    triangular_solve_costs,
)
from redblue.papers.models.density import ball_flux, endless_flux, largest_radius, sphere_constant
from redblue.papers.models.density_integrals import (
    central_flux,
    uniform_flux,
    uniform_radius,
    volume_growth,
)
from redblue.papers.models.density_profile import (
    ball_flux_at,
    breakdown_flux,
    energy_density,
    lattice_ball,
    thermal_bit,
    wire_metres,
    wired_flux,
)
from redblue.papers.models.dirac_operator import local_words, neighbour_words, small_memory
from redblue.papers.models.latency_hiding import (
    Pipeline,
    matmul_convergence,
    matmul_emcr,
    matmul_pipeline,
)
from redblue.papers.models.many_core import ManyCore, memory_ratio, most_cores
from redblue.papers.models.mesh import GridProblem, MeshElement, quality, submesh
from redblue.papers.models.qcd import Chip, Die, best_chip
from redblue.papers.models.qcd_processors import QCDProcessor, qcd_processor

__all__ = [
    "AreaBudget",
    "Chip",
    "Costs",
    "Die",
    "GridProblem",
    "ManyCore",
    "MeshElement",
    "Pipeline",
    "QCDProcessor",
    "Split",
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
    "law_split",
    "local_words",
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
