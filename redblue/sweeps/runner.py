"""Sweeps: grids of independent cells, on threads, processes, or a cluster, and their outcomes."""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from dags import CDAG, GENERATORS, Computation, InvalidSpecError, RedBlueError
from dags.families.common.members import member_of
from pebble import Budget
from redblue.limits.interrupts import noticed_interrupts
from redblue.limits.progress import Progress
from redblue.sweeps.engine import Engine, InProcess, Sharing, Threads
from redblue.sweeps.kinds import affinity, kind_named
from redblue.sweeps.options import SweepInterrupted
from redblue.sweeps.store import Store, key_of, versions
from redblue.sweeps.store.cells import FAILURES, Cell, Outcome, canonical, identity
from redblue.sweeps.task import GRACE, Task

Arrived = Callable[[int, Outcome], None]
PLAIN = ("whole",)  # kinds of cells that have neither schedules nor certificates
LATE = "not done in the time of the command"


def configuration(cell: Cell, identity: str) -> dict[str, Any]:
    """All that decides the result of a cell of the DAG with this identity."""
    about = {"spec": cell.dag, "dag": identity, "versions": dict(versions())}
    return cell.configuration() | about


class Collector:
    """Takes the outcomes of tasks, keeps them in the store, and counts them.

    Parameters
    ----------
    places
        The tasks, with the numbers of their cells.
    total
        Number of cells.
    store, progress, arrived, keep, retry
        As for `redblue.sweeps.sweep`.
    """

    def __init__(
        self,
        places: Mapping[Task, list[int]],
        total: int,
        store: Store | None,
        progress: Progress | None,
        arrived: Arrived | None,
        *,
        keep: bool,
        retry: bool,
    ) -> None:
        self._places, self._total = places, total
        self._store, self._progress, self._arrived = store, progress, arrived
        self._keep, self._retry = keep, retry
        self._found: dict[int, Outcome] = {}
        self._done = self._failed = 0

    def knows(self, task: Task) -> bool:
        """Whether the store has the outcome of a task, which is taken then."""
        outcome = None if self._store is None else self._store.get(task.key)
        if outcome is None or (self._retry and outcome.status in FAILURES):
            return False
        kept = not self._keep or task.cell.kind in PLAIN or self._artefact(task) is not None
        if outcome.status == "done" and not kept:
            return False
        self._enter(task, outcome)
        return True

    def take(self, task: Task, outcome: Outcome) -> None:
        """Keep the outcome of a task, and its artefact in the store alone, if there is one."""
        if self._store is not None:
            self._store.put(configuration(task.cell, task.identity), outcome)
            outcome = replace(outcome, artefact=None)
        self._enter(task, outcome)

    @property
    def played(self) -> bool:
        """True if some cell is done."""
        return any(outcome.status == "done" for outcome in self._found.values())

    def outcomes(self) -> list[Outcome]:
        """The outcomes of all cells; cells not done in the time are "timed-out"."""
        late = Outcome("timed-out", error=LATE)
        return [self._found.get(place, late) for place in range(self._total)]

    def commit_when_due(self) -> None:
        """Let the store write its results, once in a while."""
        if self._store is not None:
            self._store.commit_when_due()

    def commit(self) -> None:
        """Let the store write its results."""
        if self._store is not None:
            self._store.commit()

    def how_to_go_on(self) -> str:
        """The sentence that ends an interrupted sweep."""
        progress = f"{self._done:,} of {self._total:,} cells are done"
        if self._store is None:
            return f"interrupted: {progress}; a store (--store FILE) would have kept them"
        return (
            f"interrupted: {progress} and in {self._store.path}; the same command goes on "
            f"from there"
        )

    def _artefact(self, task: Task) -> object:
        assert self._store is not None
        return self._store.artefact(task.key)

    def _enter(self, task: Task, outcome: Outcome) -> None:
        places = self._places[task]
        self._found |= dict.fromkeys(places, outcome)
        self._done += len(places)
        self._failed += len(places) * (outcome.status in FAILURES)
        if self._progress is not None:
            self._progress(self._done, self._total, self._failed)
        if self._arrived is not None:
            for place in places:
                self._arrived(place, outcome)


class Queue:
    """Tasks that wait, in groups that share a DAG and an order.

    A worker goes on with the group of its last task, begins the next group otherwise, and helps
    with the longest one when all are begun.
    """

    def __init__(self, tasks: Iterable[Task]) -> None:
        self._groups: dict[str, deque[Task]] = {}
        for task in tasks:
            self._groups.setdefault(task.affinity, deque()).append(task)
        self._begun: set[str] = set()

    def __len__(self) -> int:
        return sum(map(len, self._groups.values()))

    def __bool__(self) -> bool:
        return bool(self._groups)

    def take(self, affinity: str | None) -> Task | None:
        """The next task for a worker, None if there is none."""
        if not self._groups:
            return None
        name = affinity if affinity in self._groups else self._next()
        assert name is not None
        self._begun.add(name)
        task = self._groups[name].popleft()
        if not self._groups[name]:
            del self._groups[name]
        return task

    def _next(self) -> str:
        fresh = (name for name in self._groups if name not in self._begun)
        return next(fresh, None) or max(self._groups, key=lambda name: len(self._groups[name]))


Functions = Mapping[tuple[str, str], Callable[..., Any]]


def sweep(
    cells: Iterable[Cell],
    *,
    dags: Mapping[str, Computation | CDAG] | None = None,
    functions: Functions | None = None,
    store: Store | None = None,
    jobs: int = 1,
    threads: bool = False,
    dask: str | None = None,
    keep: bool = False,
    retry: bool = False,
    progress: Progress | None = None,
    arrived: Arrived | None = None,
    grace: float = GRACE,
    deadline: Budget | None = None,
) -> list[Outcome]:
    """The outcome of each cell, in the order of `cells`.

    A cell that fails or goes beyond its limits is an outcome like another. A worker that dies
    loses the cell that it was at, which is computed again; a cell that ends two workers failed.

    Parameters
    ----------
    cells
        The cells to compute; equal ones are computed once.
    dags
        Computations by the names that cells call them; other names are specifications.
    functions
        Methods of one's own, by kind and name of method; worker processes import them.
    store
        Where results are kept; those there are not computed again.
    jobs
        Number of cells that are computed side by side: in worker processes with one thread each,
        or on threads. One without `threads` is computed in this process, in its main thread.
    threads
        Whether to compute on threads of this process, which share the DAGs and the layouts of
        orders. No limit ends a cell then, and the exception of one ends the sweep.
    dask
        Address of a Dask scheduler, "tcp://host:8786", whose workers compute instead.
    keep
        Whether the store, or without one the outcomes, hold schedules and certificates too.
    retry
        Whether cells that failed, as the store has it, are tried again.
    progress
        Called with (cells done, cells in all, failures among them) after every cell.
    arrived
        Called with (number of the cell, outcome) after every cell.
    grace
        Seconds beyond its time limit after which a cell is ended.
    deadline
        Ends all of it; cells not done by then are "timed-out", and not in the store. On threads
        each cell is given its share of the time that is left.

    Raises
    ------
    SweepError
        If workers cannot start, do not answer, or run another version.
    StoreError
        If the store cannot be written.
    SweepInterrupted
        On Ctrl-C; finished cells are in the store.

    Examples
    --------
    >>> cells = [Cell("lower", "fft:n=8", "compulsory", memory) for memory in (4, 8)]
    >>> [outcome.result["io"] for outcome in sweep(cells)]
    [16, 16]
    """
    if jobs < 1:
        raise InvalidSpecError(f"jobs must be at least 1, not {jobs}")
    wanted = list(cells)
    in_threads = threads and dask is None and store is None
    computations = {name: Computation.of(source) for name, source in (dags or {}).items()}
    names = [cell.dag for cell in wanted if cell.dag]
    known, kept = _held(names, computations) if in_threads else identified(names, computations)
    work = _tasks(wanted, known, functions or {}, keep=keep, grace=grace, lasting=not in_threads)
    tell = (progress, arrived)
    collector = Collector(work, len(wanted), store, *tell, keep=keep, retry=retry)
    todo = Queue(task for task in work if not collector.knows(task))
    if todo:
        workers = min(jobs, max(len(work), 2))
        shared = Sharing(deadline, len(todo))

        def engine_of() -> Engine:
            return _engine(workers, dask, kept, shared, threads=threads)

        _drive(todo, collector, engine_of, deadline)
    return collector.outcomes()


def _held(
    names: Iterable[str], computations: Mapping[str, Computation]
) -> tuple[dict[str, str], dict[str, Computation]]:
    """Names as identities, and all computations: threads need no others."""
    kept = {
        name: computations[name] if name in computations else Computation.of(name)
        for name in dict.fromkeys(names)
    }
    return {name: name for name in kept}, kept


def _tasks(
    cells: Sequence[Cell],
    known: Mapping[str, str],
    functions: Functions,
    *,
    keep: bool,
    grace: float,
    lasting: bool,
) -> dict[Task, list[int]]:
    """The tasks to be done, equal cells once, with the numbers of the cells."""
    for kind in {cell.kind for cell in cells}:
        kind_named(kind)  # raises before any work is done
    own_functions = [functions.get((cell.kind, cell.method)) for cell in cells]
    identities = [known.get(cell.dag, "") for cell in cells]
    shared = list(map(affinity, cells, identities, own_functions))
    plays = Counter(shared)
    keys: dict[str, Task] = {}
    places: dict[Task, list[int]] = {}
    for place, (cell, group) in enumerate(zip(cells, shared, strict=True)):
        dag = identities[place]
        about = configuration(cell, dag) if lasting else cell.configuration() | {"dag": dag}
        key = key_of(about) if lasting else canonical(about)
        if key not in keys:
            keys[key] = Task(
                cell,
                dag,
                key,
                group,
                plays=plays[group],
                keep=keep,
                grace=grace,
                function=own_functions[place],
            )
        places.setdefault(keys[key], []).append(place)
    return places


def _drive(
    todo: Queue,
    collector: Collector,
    engine_of: Callable[[], Engine],
    deadline: Budget | None,
) -> None:
    """Let an engine do all tasks, or as many as there is time for; finished ones are kept."""
    at_once = True
    engine: Engine | None = None
    try:
        with noticed_interrupts() as pressed:
            engine = engine_of()
            at_once = not _run(todo, collector, engine, deadline, pressed)
    except KeyboardInterrupt:
        raise SweepInterrupted(collector.how_to_go_on()) from None
    finally:
        try:
            if engine is not None:
                engine.close(now=at_once)
        finally:
            collector.commit()


def _run(
    todo: Queue,
    collector: Collector,
    engine: Engine,
    deadline: Budget | None,
    pressed: Callable[[], bool],
) -> bool:
    """Let an engine do the tasks; return whether all of them are done."""
    while todo or engine.busy:
        if deadline is not None and deadline.late(answered=collector.played):
            deadline.cut()
            return False
        while (slot := engine.slot()) is not None:
            task = todo.take(slot.affinity)
            if task is None:
                break
            if not collector.knows(task):  # another sweep on the same store may have done it since
                slot.start(task)
        if pressed():  # and caught: a search then returns its best so far, C code goes on
            raise KeyboardInterrupt
        for task, outcome in engine.collect():
            collector.take(task, outcome)
        collector.commit_when_due()
    return True


def _engine(
    jobs: int, dask: str | None, kept: dict[str, Computation], sharing: Sharing, *, threads: bool
) -> Engine:
    if dask is not None:
        from redblue.sweeps.cluster import Cluster

        return Cluster(dask, to_send(kept))
    if threads:
        return Threads(jobs, kept, sharing)
    if jobs == 1 and sharing.deadline is None:
        return InProcess(kept)
    from redblue.sweeps.pool import Pool  # whose processes can be ended

    return Pool(jobs, to_send(kept))


def identified(
    names: Iterable[str], computations: Mapping[str, Computation]
) -> tuple[dict[str, str], dict[str, Computation]]:
    """The identity of each computation, and those to keep: given ones and those from files.

    A generated DAG is not kept: it may be large, and it is made again where it is needed.

    Parameters
    ----------
    names
        Specifications, or names in `computations`.
    computations
        Computations by name.
    """
    known: dict[str, str] = {}
    kept = dict(computations)
    for name in dict.fromkeys(names):
        source = computations[name] if name in computations else Computation.of(name)
        known[name] = identity(source)
        if not _generated(name, source):
            kept[name] = source
    return known, kept


def to_send(kept: Mapping[str, Computation]) -> dict[str, Computation]:
    """The computations that workers cannot make: those that are called by no generator."""
    return {name: source for name, source in kept.items() if not _generated(name, source)}


def _generated(name: str, source: Computation) -> bool:
    """Whether workers make it by its name; they check that it is the same one.

    A name of one's own, as kernels of a table have, may be that of a family.
    """
    family = name.partition(":")[0]
    own = source.dag.family if source.is_built else source.family
    if family not in GENERATORS or own != family:
        return False
    if name == source.spec:
        return True
    try:
        return member_of(name).params == source.params
    except RedBlueError:
        return False
