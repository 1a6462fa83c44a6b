"""The bench of an experiment: its size, seed, workers and store; and runs of several."""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar

from dags import load
from pebble import ONE_SHOT, Rules
from redblue.answers.curves.curve import io_curve
from redblue.answers.results import IOCurve
from redblue.limits.progress import Message, silent
from redblue.show.model import Experiment
from redblue.show.reporting.as_data import from_data, to_data
from redblue.show.reporting.report import Run
from redblue.show.reporting.scenes import scene_player
from redblue.sweeps import Cell, Outcome, SweepError, SweepOptions, Task, sweep
from redblue.sweeps.store import Store, remembered
from redblue.sweeps.store.cells import FAILURES

T = TypeVar("T")


@dataclass(frozen=True)
class Bench:
    """Size, seed and workers of an experiment, and the store of its results.

    Parameters
    ----------
    quick
        Small sizes: all experiments about the papers in two minutes on two cores.
    seed
        Seed of whatever draws at random.
    jobs
        Number of cells of a curve that are computed side by side.
    progress
        Called with the work at hand.
    store
        File where results are kept, to be read when they are asked for again; None for none.
    effort
        How hard curves are searched where their methods leave a gap: one of the efforts of
        `redblue.io_curve`.
    time_limit
        Seconds for searches at one memory of one DAG, where an experiment searches; None for its
        own.
    """

    quick: bool = False
    seed: int = 0
    jobs: int = 1
    progress: Message = field(default=silent, compare=False)
    store: Path | None = None
    effort: str = "quick"
    time_limit: float | None = None

    def pick(self, quick: T, full: T) -> T:
        """`quick` in a quick run, otherwise `full`."""
        return quick if self.quick else full

    def curve(
        self,
        spec: str,
        memories: Iterable[int],
        *,
        schedulers: Iterable[str] | None = None,
        bounds: Iterable[str] | None = None,
        rules: Rules = ONE_SHOT,
    ) -> IOCurve:
        """The I/O curve of a DAG; results that the store has are not computed again.

        Parameters
        ----------
        spec
            Specification of the DAG.
        memories
            Sizes of fast memory, in words.
        schedulers, bounds
            Names of methods; by default those of `io_curve`.
        rules
            The rules of the game.

        Raises
        ------
        SweepError
            If a cell of a stored sweep failed.
        """
        self.progress(spec)
        dag = load(spec)
        play = partial(
            io_curve,
            dag,
            memories,
            schedulers=schedulers,
            bounds=bounds,
            rules=rules,
            seed=self.seed,
            spec=spec,
            effort=self.effort,
        )
        if self.store is None:
            return play(jobs=self.jobs)
        with Store(self.store) as store:
            curve = play(sweep=SweepOptions(store=store, retry=True))
        failed = [row for row in curve.rows if row.status in FAILURES]
        if failed:
            raise SweepError(f"{failed[0].method} of {spec} at M = {failed[0].memory} failed")
        return curve

    def remembered(self, configuration: Mapping[str, Any], compute: Callable[[], Any]) -> Any:
        """The result of `compute` as plain JSON, from the store if it is there.

        Tuples become lists and all keys text. `configuration`, plain JSON too, has all that the
        result depends on except the code.
        """
        self.progress(" ".join(map(str, configuration.values())))
        if self.store is None:
            return json.loads(json.dumps(compute()))
        with Store(self.store) as store:
            return remembered(store, {**configuration, "redblue": sources()}, compute)


@cache
def sources() -> str:
    """A digest of the source of `redblue`, which makes the keys of stored results."""
    home = Path(__file__).resolve().parents[2]
    state = hashlib.sha256()
    for path in sorted(home.rglob("*.py")):
        state.update(f"{path.relative_to(home).as_posix()}:".encode() + path.read_bytes())
    return state.hexdigest()[:8]


Function = Callable[[Bench], Experiment]
KIND = "redblue.papers.experiments.bench:experiment"


def run_experiments(
    functions: Mapping[str, Function],
    bench: Bench,
    *,
    jobs: int = 1,
    dask: str | None = None,
    ended: Callable[[Run], None] | None = None,
) -> tuple[Run, ...]:
    """The runs of `functions`, in their order.

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
    settings = replace(bench, jobs=jobs if single else 1)
    if dask is not None:  # a worker elsewhere has neither our terminal nor our files
        settings = replace(settings, jobs=1, store=None, progress=silent)
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
            functions={
                (KIND, name): partial(function, settings) for name, function in functions.items()
            },
            store=store,
            jobs=1 if single else jobs,
            dask=dask,
            retry=True,
            arrived=arrived,
        )
    return tuple(map(run_of, names, outcomes))


def experiment(_dag: None, task: Task) -> Any:
    """The findings of an experiment as JSON: the kind of its cell."""
    assert task.function is not None
    experiment_: Experiment = task.function()
    for scene in experiment_.players:
        scene_player(scene)  # the referee replays it: an illegal play is no result
    return to_data(experiment_)


def run_of(name: str, outcome: Outcome) -> Run:
    """The run of an experiment from the outcome of its cell."""
    experiment = None if outcome.result is None else from_data(outcome.result)
    return Run(name, experiment, " ".join((outcome.error or "").split()), outcome.seconds)
