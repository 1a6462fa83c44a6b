"""Experiments of the source papers: each is a function of a `Bench` that returns an `Experiment`.

- They return claims, tables, figures and plays, as data: `redblue.show.model`.
- `bench` is where they run: the size that was asked for, and the results kept between runs.
- `run_experiments` runs them, several at once, and survives those that fail.
- `EXPERIMENTS` lists them, one file each; those of `ON_REQUEST` run by name only.
"""

from collections.abc import Callable, Sequence

from redblue.papers.experiments import (
    communication_density,
    dirac,
    factorizations,
    fft,
    gaps,
    grids,
    laws,
    many_core,
    matmul,
    memory_bound,
    mesh,
    order_loss,
    peak_memory,
    policies,
    polybench,
    processors,
    qcd_chips,
    recomputation,
    sorting,
)
from redblue.papers.experiments.bench import Bench, run_experiments
from redblue.show.model import Experiment

EXPERIMENTS: dict[str, Callable[[Bench], Experiment]] = {
    "laws": laws.experiment,
    "matmul": matmul.experiment,
    "factorizations": factorizations.experiment,
    "grids": grids.experiment,
    "fft": fft.experiment,
    "sorting": sorting.experiment,
    "memory-bound": memory_bound.experiment,
    "dirac": dirac.experiment,
    "recomputation": recomputation.experiment,
    "policies": policies.experiment,
    "order-loss": order_loss.experiment,
    "gaps": gaps.experiment,
    "polybench": polybench.experiment,
    "peak-memory": peak_memory.experiment,
    "many-core": many_core.experiment,
    "communication-density": communication_density.experiment,
    "mesh": mesh.experiment,
    "qcd-chips": qcd_chips.experiment,
    "processors": processors.experiment,
}

# Not about the source papers: a report without names leaves them out.
ON_REQUEST = frozenset({"polybench"})


def chosen_experiments(names: Sequence[str]) -> dict[str, Callable[[Bench], Experiment]]:
    """The experiments of these names; without any, those that are about the papers."""
    return {
        name: EXPERIMENTS[name] for name in names or EXPERIMENTS if names or name not in ON_REQUEST
    }


__all__ = [
    "EXPERIMENTS",
    "ON_REQUEST",
    "Bench",
    "Experiment",
    "chosen_experiments",
    "run_experiments",
]
