"""What an I/O law means for hardware: the models of five papers.

- `balance`, `arrays` and `decompositions` are Kung's: when neither arithmetic nor I/O waits for
  the other, how memory must grow, alone and in arrays.
- `latency_hiding`, `many_core`, `memory_ratio` and `matmul_pipeline` say how many cores a
  bandwidth and an on-chip memory keep busy.
- `mesh` is Moreira's: which processing elements build equivalent meshes.
- `catalogue` reads `MACHINES`, named machines with a source for every number; `units` has what
  they are written in.
"""

from dags import UnknownNameError
from machines.arrays import ProcessorArray
from machines.balance import ProcessingElement, balancing_memory, law_memory, rebalanced
from machines.catalogue import Machine, read_catalogue
from machines.errors import InvalidMachineError
from machines.latency_hiding import Pipeline
from machines.many_core import ManyCore, most_cores
from machines.matmul_pipeline import matmul_convergence, matmul_emcr, matmul_pipeline
from machines.memory_ratio import memory_ratio
from machines.mesh import GridProblem, MeshElement, quality, submesh

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
    "GridProblem",
    "InvalidMachineError",
    "Machine",
    "ManyCore",
    "MeshElement",
    "Pipeline",
    "ProcessingElement",
    "ProcessorArray",
    "balancing_memory",
    "law_memory",
    "machine_named",
    "matmul_convergence",
    "matmul_emcr",
    "matmul_pipeline",
    "memory_ratio",
    "most_cores",
    "quality",
    "read_catalogue",
    "rebalanced",
    "submesh",
]
