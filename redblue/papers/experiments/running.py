"""Runs of experiments: cells of a sweep, one after the other or several side by side."""

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from typing import Any

from redblue.papers.experiments.bench import Bench, sources
from redblue.progress import silent
from redblue.show.model import Experiment
from redblue.show.reporting.as_data import from_data, to_data
from redblue.show.reporting.report import Run
from redblue.show.reporting.scenes import scene_player
from redblue.store import Store
from redblue.sweeps import Cell, Outcome, Task, sweep

Function = Callable[[Bench], Experiment]
KIND = "redblue.papers.experiments.running:experiment"


def run_experiments(
    functions: Mapping[str, Function],
    bench: Bench,
    *,
    jobs: int = 1,
    dask: str | None = None,
    ended: Callable[[Run], None] | None = None,
) -> tuple[Run, ...]:
    """Return the runs of `functions`, in their order.

    An experiment that raises, or whose process is killed, is a run with a problem; it never ends
    the others. Results in the bench's store are not computed again; failures are.

    Parameters
    ----------
    functions
        Experiments by name.
    bench
        Size, seed, and the file of the store.
    jobs
        Number of experiments that run side by side, each in a process with one thread. A single
        experiment runs in this process and plays on as many threads.
    dask
        Address of a Dask scheduler whose workers run them instead.
    ended
        Called with each run when it ends.
    """
    single = len(functions) == 1
    here = replace(bench, jobs=jobs if single else 1)
    if dask is not None:  # a worker elsewhere has neither our terminal nor our files
        here = replace(here, jobs=1, store=None, progress=silent)
    parameters = {"quick": bench.quick, "redblue": sources()}
    cells = [
        Cell(KIND, "", name, seed=bench.seed, parameters=parameters, memory=0) for name in functions
    ]
    names = list(functions)

    def arrived(place: int, outcome: Outcome) -> None:
        if ended is not None:
            ended(run_of(names[place], outcome))

    with nullcontext() if bench.store is None else Store(bench.store) as store:
        outcomes = sweep(
            cells,
            functions={(KIND, name): partial(one, here) for name, one in functions.items()},
            store=store,
            jobs=1 if single else jobs,
            dask=dask,
            retry=True,
            arrived=arrived,
        )
    return tuple(map(run_of, names, outcomes))


def experiment(_dag: None, task: Task) -> Any:
    """Return the findings of an experiment as JSON: the kind of its cell."""
    assert task.function is not None
    found: Experiment = task.function()
    for scene in found.players:
        scene_player(scene)  # the referee replays it: an illegal play is no result
    return to_data(found)


def run_of(name: str, outcome: Outcome) -> Run:
    """Return the run of an experiment from the outcome of its cell."""
    found = None if outcome.result is None else from_data(outcome.result)
    return Run(name, found, " ".join((outcome.error or "").split()), outcome.seconds)
