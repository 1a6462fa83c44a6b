"""I/O curves: what schedulers move and bounds prove, against the memory size."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from itertools import product
from typing import TYPE_CHECKING, Any, TypeVar

from dags import CDAG, InvalidSpecError
from pebble import ONE_SHOT, Rules, require_memory
from proofs import BoundMethod, NotApplicableError, bound_named
from redblue.envelope import with_best
from redblue.plays import Table, lay_out, order_of
from redblue.results import BEST, IOCurve, Row, describe
from schedulers import (
    FAMILIES,
    SCHEDULERS,
    Accesses,
    Order,
    OrderAndEviction,
    Scheduler,
    full_name,
    scheduler_named,
)

if TYPE_CHECKING:
    from redblue.sweeps import Place

GENERIC_SCHEDULERS = (
    "natural+lru",
    "natural+belady",
    "depth-first+belady-cost",
    "least-live+belady-cost",
)
# The bounds that take little time, for they search nothing.
DEFAULT_BOUNDS = (
    "compulsory",
    "attention",
    "dirac",
    "dominators",
    "forests",
    "projections",
    "segments",
)

# Edges up to which an order is laid out while the one before it is played: half a gigabyte.
LAYOUTS_SIDE_BY_SIDE = 1 << 25

Progress = Callable[..., None]  # takes (done, in all); of a sweep, (done, in all, failed)
T = TypeVar("T")


def io_curve(
    dag: CDAG,
    memories: Iterable[int],
    *,
    schedulers: Iterable[str | Scheduler] | None = None,
    bounds: Iterable[str | BoundMethod] | None = None,
    rules: Rules = ONE_SHOT,
    seed: int = 0,
    time_limit: float | None = None,
    jobs: int = 1,
    spec: str = "",
    progress: Progress | None = None,
    sweep: "Place | None" = None,
) -> IOCurve:
    """Return the I/O curve of `dag`.

    Every schedule is replayed by the engine, and what the engine counts is what the curve says.
    A memory size that is too small gives "infeasible" rows.

    Parameters
    ----------
    dag
        The computation.
    memories
        Words of fast memory, one point of the curve each.
    schedulers, bounds
        Names from `SCHEDULERS` and `BOUNDS`, or functions like them; by default four generic
        schedulers, "structured" for a family that it knows, and the quick ones of the bounds that
        apply.
    rules
        The rules of the game.
    seed
        Seed for schedulers that draw at random.
    time_limit
        Seconds that each method is given at each size of memory. Where worker processes compute,
        one that ignores them is ended.
    jobs
        Threads to play on; worker processes in a sweep.
    spec
        How to call the DAG; by default its family and parameters.
    progress
        Called with (cells done, cells in all) after every cell; in a sweep, with those that
        failed behind them.
    sweep
        Where the cells are computed and kept, if not on threads and nowhere.

    Raises
    ------
    MemoryTooSmallError
        If all of `memories` are too small.
    UnknownNameError
        If a name is in no registry.
    InvalidSpecError
        If there is nothing to do, or two methods have one name.
    NotApplicableError
        If one of `bounds` proves nothing for such a DAG or under such rules.

    Examples
    --------
    >>> from dags import fft
    >>> curve = io_curve(fft(16), [4, 16, 64], schedulers=["least-live+belady"])
    >>> curve.envelope("upper"), curve.envelope("lower")
    (((4, 84), (16, 36), (64, 32)), ((4, 37), (16, 32), (64, 32)))
    """
    sizes = sorted(set(memories))
    chosen = default_schedulers(dag) if schedulers is None else schedulers
    players = _named("scheduler", chosen, full_name, scheduler_named)
    provers = _named("bound", DEFAULT_BOUNDS if bounds is None else bounds, str, bound_named)
    if not sizes or not (players or provers):
        raise InvalidSpecError("a curve needs a memory size, and a scheduler or bound")
    if sizes[0] < 1 or jobs < 1:
        raise InvalidSpecError(f"memory and jobs must be at least 1, not {min(sizes[0], jobs)}")
    require_memory(dag, sizes[-1], rules=rules)
    name = describe(dag, spec, rules=rules)
    if sweep is not None:
        from redblue.curves.swept import Grid, swept_rows

        grid = Grid(dag, name["spec"], sizes, rules, seed, time_limit, strict=bounds is not None)
        rows = swept_rows(grid, players, provers, place=sweep, jobs=jobs, progress=progress)
        return IOCurve(name, rules, with_best(rows, sizes))
    done = _Counter(progress, len(sizes) * (len(players) + len(provers)))
    table = Table(dag, rules, seed, time_limit)
    rows = list(_lower_rows(table, provers, sizes, done, strict=bounds is not None))
    with ThreadPoolExecutor(jobs) as pool:
        rows += _upper_rows(table, players, sizes, pool, done)
    return IOCurve(name, rules, with_best(rows, sizes))


def default_schedulers(dag: CDAG) -> tuple[str, ...]:
    """Return the schedulers that a curve of `dag` shows where nobody chose any."""
    return (*GENERIC_SCHEDULERS, *(("structured",) if dag.family in FAMILIES else ()))


class _Counter:
    """Tells how many rows are done as they pass."""

    def __init__(self, progress: Progress | None, total: int) -> None:
        self._progress = progress
        self._total = total
        self._done = 0

    def __call__(self, row: Row) -> Row:
        self.skip()
        return row

    def skip(self) -> None:
        """Count a row that there will not be."""
        self._done += 1
        if self._progress is not None:
            self._progress(self._done, self._total)


def _named(
    kind: str,
    methods: Iterable[str | T],
    full: Callable[[str], str],
    registered: Callable[[str], T],
) -> dict[str, T]:
    """Return `methods` by their names, each once."""
    named: dict[str, T] = {}
    for entry in methods:
        name = full(entry) if isinstance(entry, str) else _name_of(entry)
        method = registered(name) if isinstance(entry, str) else entry
        if name == BEST or named.setdefault(name, method) != method:
            raise InvalidSpecError(f"the name {name!r} of a {kind} is taken by another")
    return named


def _name_of(method: object) -> str:
    if isinstance(method, OrderAndEviction):
        registered = (name for name, known in SCHEDULERS.items() if known == method)
        return next(registered, f"{_name_of(method.order)}+{_name_of(method.policy)}")
    return str(getattr(method, "__name__", type(method).__name__))


def _lower_rows(
    table: Table,
    provers: dict[str, BoundMethod],
    sizes: Sequence[int],
    done: _Counter,
    *,
    strict: bool,
) -> Iterator[Row]:
    """Yield a row per bound and size; unless `strict`, without those that do not apply."""
    limit: dict[str, Any] = {}
    if table.time_limit is not None:  # functions of one's own need not know limits
        limit["time_limit"] = table.time_limit
    for (name, method), memory in product(provers.items(), sizes):
        began = time.perf_counter()
        try:
            io = method(table.dag, memory, rules=table.rules, **limit).io
        except NotApplicableError:
            if strict:
                raise
            done.skip()
            continue
        seconds = time.perf_counter() - began
        yield done(Row("lower", name, memory, io, None, None, "bound", seconds))


def _upper_rows(
    table: Table,
    players: dict[str, Scheduler],
    sizes: Sequence[int],
    pool: ThreadPoolExecutor,
    done: _Counter,
) -> list[Row]:
    """Return a row per scheduler and size; what an order touches is laid out once."""
    by_order: dict[Order | None, list[str]] = {}
    for name, player in players.items():
        by_order.setdefault(order_of(player), []).append(name)
    rows: dict[tuple[str, int], Row] = {}
    playing: list[Future[Row]] = []
    layout: Accesses | None = None

    def collect() -> None:
        for future in as_completed(playing):
            row = done(future.result())
            rows[row.method, row.memory] = row
        playing.clear()

    try:
        for order, names in by_order.items():
            if table.dag.m > LAYOUTS_SIDE_BY_SIDE:
                collect()
                layout = None
            layout = lay_out(table.dag, order, plays=len(names) * len(sizes))
            collect()
            for name in names:
                for memory in sizes:
                    play = pool.submit(table.play, name, players[name], layout, memory)
                    playing.append(play)
        collect()
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    return [rows[name, memory] for name in players for memory in sizes]
