"""Sweeps: grids of independent cells, on one process, several, or a cluster."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from dags import CDAG, InvalidSpecError
from redblue.store import Store, key_of, versions
from redblue.store.cells import FAILURES, Cell, Outcome
from redblue.sweeps.engine import Engine, InProcess
from redblue.sweeps.errors import SweepInterrupted
from redblue.sweeps.kinds import affinity, kind_named
from redblue.sweeps.queue import Queue
from redblue.sweeps.sources import identified, to_send
from redblue.sweeps.task import GRACE, Job, Task

Progress = Callable[[int, int, int], None]


def sweep(
    cells: Iterable[Cell],
    *,
    dags: Mapping[str, CDAG] | None = None,
    store: Store | None = None,
    jobs: int = 1,
    dask: str | None = None,
    keep: bool = False,
    retry: bool = False,
    progress: Progress | None = None,
    grace: float = GRACE,
) -> list[Outcome]:
    """Return what comes of each cell, in the order of `cells`.

    A cell that fails or goes beyond its limits is an outcome like another. A worker that dies
    loses the cell that it was at, which is computed again; a cell that ends two workers failed.

    Parameters
    ----------
    cells
        What to compute; equal cells are computed once.
    dags
        DAGs by the names that cells call them; other names are specifications.
    store
        Where results are kept; what is there is not computed again.
    jobs
        Worker processes, each with one thread; 1 computes in this process, which no limit ends.
    dask
        Address of a Dask scheduler, "tcp://host:8786", whose workers compute instead.
    keep
        Whether the store, or without one the outcomes, hold schedules and certificates too.
    retry
        Whether cells that failed, as the store has it, are tried again.
    progress
        Called with (cells done, cells in all, failures among them).
    grace
        Seconds beyond its time limit after which a cell is ended.

    Raises
    ------
    SweepError
        If workers cannot start, do not answer, or run another version.
    StoreError
        If the store cannot be written.
    SweepInterrupted
        On Ctrl-C; what is done is in the store.

    Examples
    --------
    >>> cells = [Cell("lower", "fft:n=8", "compulsory", memory) for memory in (4, 8)]
    >>> [outcome.result["io"] for outcome in sweep(cells)]
    [16, 16]
    """
    if jobs < 1:
        raise InvalidSpecError(f"jobs must be at least 1, not {jobs}")
    wanted = list(cells)
    known, kept = identified((cell.dag for cell in wanted), dags or {})
    work = _jobs(wanted, known, keep=keep, grace=grace)
    desk = _Desk(len(wanted), store, progress, keep=keep, retry=retry)
    todo = Queue(job for job in work if not desk.knows(job))
    if todo:
        _drive(todo, desk, lambda: _engine(min(jobs, max(len(work), 2)), dask, kept))
    return desk.outcomes()


def _jobs(
    cells: Sequence[Cell], known: Mapping[str, str], *, keep: bool, grace: float
) -> list[Job]:
    """Return what is to be done, equal cells once."""
    for kind in {cell.kind for cell in cells}:
        kind_named(kind)  # raises before any work is done
    shared = [affinity(cell, known[cell.dag]) for cell in cells]
    plays = Counter(shared)
    work: dict[str, Job] = {}
    for place, (cell, group) in enumerate(zip(cells, shared, strict=True)):
        dag = known[cell.dag]
        about = {"spec": cell.dag, "dag": dag, "versions": dict(versions())}
        configuration = cell.configuration() | about
        key = key_of(configuration)
        if key not in work:
            task = Task(cell, dag, plays=plays[group], keep=keep, grace=grace)
            work[key] = Job(task, key, configuration, group)
        work[key].places.append(place)
    return list(work.values())


class _Desk:
    """Where outcomes come in: they go to the store and into the list that is returned."""

    def __init__(
        self, total: int, store: Store | None, progress: Progress | None, *, keep: bool, retry: bool
    ) -> None:
        self._found: list[Outcome | None] = [None] * total
        self._store, self._progress = store, progress
        self._keep, self._retry = keep, retry
        self._done = self._failed = 0

    def knows(self, job: Job) -> bool:
        """Return whether the store has the outcome of a job, after putting it into the list."""
        outcome = None if self._store is None else self._store.get(job.key)
        if outcome is None or (self._retry and outcome.status in FAILURES):
            return False
        if self._keep and outcome.status == "done" and self._artefact(job) is None:
            return False
        self._enter(job, outcome)
        return True

    def take(self, job: Job, outcome: Outcome) -> None:
        """Keep the outcome of a job, and its artefact in the store alone, if there is one."""
        if self._store is not None:
            self._store.put(job.configuration, outcome)
            outcome = replace(outcome, artefact=None)
        self._enter(job, outcome)

    def settle(self) -> None:
        """Let the store write what it has, once in a while."""
        if self._store is not None:
            self._store.commit_when_due()

    def leave(self) -> None:
        """Let the store write what it has."""
        if self._store is not None:
            self._store.commit()

    def outcomes(self) -> list[Outcome]:
        """Return all outcomes."""
        assert all(outcome is not None for outcome in self._found)
        return [outcome for outcome in self._found if outcome is not None]

    def how_to_go_on(self) -> str:
        """Return what to say when the sweep is ended."""
        done = f"{self._done:,} of {len(self._found):,} cells are done"
        if self._store is None:
            return f"interrupted: {done}; a store (--store FILE) would have kept them"
        return f"interrupted: {done} and in {self._store.path}; the same command goes on from there"

    def _artefact(self, job: Job) -> object:
        assert self._store is not None
        return self._store.artefact(job.key)

    def _enter(self, job: Job, outcome: Outcome) -> None:
        for place in job.places:
            self._found[place] = outcome
        self._done += len(job.places)
        self._failed += len(job.places) * (outcome.status in FAILURES)
        if self._progress is not None:
            self._progress(self._done, len(self._found), self._failed)


def _drive(todo: Queue, desk: _Desk, engine_of: Callable[[], Engine]) -> None:
    """Let an engine do all jobs; what is done is kept whatever happens."""
    now = True
    engine: Engine | None = None
    try:
        engine = engine_of()
        _run(todo, desk, engine)
        now = False
    except KeyboardInterrupt:
        raise SweepInterrupted(desk.how_to_go_on()) from None
    finally:
        try:
            if engine is not None:
                engine.close(now=now)
        finally:
            desk.leave()


def _run(todo: Queue, desk: _Desk, engine: Engine) -> None:
    while todo or engine.busy:
        while (seat := engine.seat()) is not None:
            job = todo.take(seat.affinity)
            if job is None:
                break
            if not desk.knows(job):  # another sweep on the same store may have done it since
                seat.start(job)
        for job, outcome in engine.collect():
            desk.take(job, outcome)
        desk.settle()


def _engine(jobs: int, dask: str | None, kept: dict[str, CDAG]) -> Engine:
    if dask is not None:
        from redblue.sweeps.cluster import Cluster

        return Cluster(dask, to_send(kept))
    if jobs == 1:
        return InProcess(kept)
    from redblue.sweeps.pool import Pool

    return Pool(jobs, to_send(kept))
