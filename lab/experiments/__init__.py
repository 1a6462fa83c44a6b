"""Experiments of the source papers: each is a function of a `Bench` that returns an `Experiment`.

- `result` is what they return: claims, tables, figures and plays, as data.
- `bench` is where they run: the size that was asked for, and what is kept between runs.
- `EXPERIMENTS` lists them, one file each.
"""

from collections.abc import Callable

from lab.experiments.bench import Bench
from lab.experiments.communication_density import communication_density
from lab.experiments.dirac import dirac
from lab.experiments.factorizations import factorizations
from lab.experiments.gaps import gaps
from lab.experiments.grids import grids
from lab.experiments.laws import laws
from lab.experiments.many_core import many_core
from lab.experiments.matrix_products import matmul
from lab.experiments.memory_bound import memory_bound
from lab.experiments.mesh import mesh
from lab.experiments.order_loss import order_loss
from lab.experiments.peak_memory import peak_memory
from lab.experiments.policies import policies
from lab.experiments.qcd_chips import qcd_chips
from lab.experiments.recomputation import recomputation
from lab.experiments.result import Experiment
from lab.experiments.sorting import sorting
from lab.experiments.transforms import fft

EXPERIMENTS: dict[str, Callable[[Bench], Experiment]] = {
    "matmul": matmul,
    "factorizations": factorizations,
    "grids": grids,
    "fft": fft,
    "sorting": sorting,
    "memory-bound": memory_bound,
    "laws": laws,
    "dirac": dirac,
    "recomputation": recomputation,
    "policies": policies,
    "order-loss": order_loss,
    "gaps": gaps,
    "peak-memory": peak_memory,
    "many-core": many_core,
    "communication-density": communication_density,
    "mesh": mesh,
    "qcd-chips": qcd_chips,
}

__all__ = ["EXPERIMENTS", "Bench", "Experiment"]
