"""I/O curves: the I/O of schedulers and lower bounds, against the memory size."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, TypeVar

from dags import InvalidSpecError
from dags.arguments import checked
from dags.spec import Plugged, called
from pebble import ONE_SHOT, Budget, require_memory
from proofs import BoundMethod, as_bound
from redblue.answers.building import is_known_by_formulas
from redblue.answers.counted.curves import closed_curve
from redblue.answers.curves.cells import kept_curve
from redblue.answers.curves.swept import Grid, swept_rows
from redblue.answers.envelope import with_best
from redblue.answers.memories import is_range
from redblue.answers.planning.ranges import found_memories
from redblue.answers.prices import require_price
from redblue.answers.references import references
from redblue.answers.refining import refined
from redblue.answers.results import BEST, IOCurve, describe
from redblue.answers.sources import (
    Memories,
    RulesLike,
    Source,
    label_of,
    load,
    rules_of,
)
from redblue.answers.words import memories_of
from redblue.limits.progress import Progress
from redblue.racing.proving import DEFAULT_BOUNDS
from redblue.sweeps.options import SweepOptions
from schedulers import (
    EVICTIONS,
    SCHEDULERS,
    OrderAndEviction,
    Scheduler,
    as_scheduler,
    default_schedulers,
    full_name,
)

T = TypeVar("T")


@checked
def io_curve(
    source: Source,
    memories: Memories | None = None,
    *,
    schedulers: Iterable[str | Scheduler] | None = None,
    bounds: Iterable[str | BoundMethod] | None = None,
    rules: RulesLike = ONE_SHOT,
    seed: int = 0,
    time_limit: float | None = None,
    jobs: int = 1,
    spec: str = "",
    progress: Progress | None = None,
    sweep: SweepOptions | None = None,
    whole: bool = False,
    effort: str | float = "quick",
    deadline: Budget | None = None,
    price_of_work: float = 0.0,
    counted: bool = False,
) -> IOCurve:
    """The I/O curve of a computation, at any size.

    Where the DAG is not built, schedules are counted by closed formulas
    (`redblue.answers.counted`). Elsewhere every schedule is replayed by the engine, and the curve
    has the counts of the engine. Of many large plays of LRU and furthest next use most are counted
    without their moves, and some are replayed and compared with the count
    (`redblue.answers.counts`). A memory size that is too small gives "infeasible" rows.

    Parameters
    ----------
    source
        The computation, as `redblue.load` takes it.
    memories
        Words of fast memory, one point of the curve each, as numbers or as a text like "8:512";
        by default from the least memory to where only compulsory I/O is left.
    schedulers, bounds
        Names from `SCHEDULERS` and `BOUNDS`, or functions like them; by default four generic
        schedulers, "structured" for a family that it knows, "tiled" for a program, and the
        quick ones of the bounds that apply.
    rules
        The rules of the game, or their name.
    seed
        Seed of random schedulers.
    time_limit
        Seconds that each method is given at each size of memory. Where worker processes compute,
        one that ignores them is ended.
    jobs
        Number of cells (a method at a memory size) that are computed side by side: on threads,
        with `sweep` in worker processes.
    spec
        Label of the DAG in results; by default its family and parameters.
    progress
        Called with (cells done, cells in all, failures among them) after every cell.
    sweep
        Where the cells are computed by processes, and kept; None for threads, and nowhere.
    whole
        Whether LRU and furthest next use are counted at every memory size of the range, in one
        pass, where values have one size; so they are where `memories` is a range "a:b" or None.
    effort
        One of `redblue.answers.efforts.EFFORTS`: how hard to search, beyond these methods, where
        the best schedule and the best bound have not met. Results count in the rows "best" alone;
        nothing is searched where methods are named and the effort is quick.
    deadline
        The end of all of it; cells not done by then have rows that are "timed-out".
    price_of_work
        Words that a recomputed operation costs, under rules that allow it.
    counted
        Whether closed formulas answer alone, and no DAG is built if it is large.

    Raises
    ------
    MemoryTooSmallError
        If all of `memories` are too small.
    UnknownNameError
        If a name is in no registry.
    InvalidSpecError
        If there is nothing to do, two methods have one name, or there is a price where nothing
        may be computed again.
    NotApplicableError
        If one of `bounds` proves nothing for such a DAG or under such rules.

    Examples
    --------
    >>> from dags import fft
    >>> curve = io_curve(fft(16), [4, 16, 64], schedulers=["least-live+belady"])
    >>> curve.envelope("upper"), curve.envelope("lower")
    (((4, 84), (16, 36), (64, 32)), ((4, 66), (16, 33), (64, 32)))
    """
    game, effort = rules_of(rules), str(effort)
    require_price(price_of_work, game)
    computation = load(source)
    taken: dict[str, object] = {"schedulers": schedulers, "bounds": bounds}
    taken["price_of_work"] = price_of_work or None
    taken["keep"] = None if sweep is None else sweep.keep
    given = None if memories is None else memories_of(memories, source)
    if sweep is not None and not any(taken.values()) and is_known_by_formulas(computation):
        how: dict[str, Any] = {"effort": effort, "counted": counted, "seed": seed}
        label = label_of(source, spec) or computation.name
        limits: dict[str, Any] = {
            "time_limit": time_limit,
            "progress": progress,
            "deadline": deadline,
        }
        return kept_curve(computation, label, given, game, sweep, how, **limits)
    closed = closed_curve(
        computation, given, game, effort, counted=counted, taken=taken, progress=progress
    )
    if closed is not None:
        return closed if not spec else replace(closed, dag={**closed.dag, "spec": spec})
    dag = computation.dag
    chosen = list(default_schedulers(dag) if schedulers is None else schedulers)
    players = _named("scheduler", chosen, full_name, as_scheduler)
    provers = _named("bound", DEFAULT_BOUNDS if bounds is None else bounds, str, as_bound)
    sizes = found_memories(dag, chosen, rules=game) if given is None else given
    if not sizes or not (players or provers):
        raise InvalidSpecError("a curve needs a memory size, and a scheduler or bound")
    require_memory(dag, sizes[-1], rules=game)
    name = describe(dag, label_of(source, spec), rules=game)
    every = whole or given is None or is_range(memories)
    asked = {"strict": bounds is not None, "whole": every}
    grid = Grid(dag, name["spec"], sizes, game, seed, time_limit, **asked, deadline=deadline)
    rows, passes = swept_rows(grid, players, provers, options=sweep, jobs=jobs, progress=progress)
    told: dict[str, Any] = {"jobs": jobs, "progress": progress, "deadline": deadline}
    told["price_of_work"] = price_of_work
    named = schedulers is not None or bounds is not None
    alone = named and effort == "quick"
    best, spent = (
        (with_best(rows, sizes, price_of_work=price_of_work), None)
        if alone
        else refined(dag, rows, sizes, {"rules": game, "seed": seed}, name=effort, **told)
    )
    known = dag.as_generated
    family = None if dag.words is None and known.words is not None else known.family
    published = references(family, known.params, sizes)
    is_text = computation.is_program and not computation.is_graph
    whole_rows = tuple(passes)
    return IOCurve(name, game, best, whole_rows, spent, published, price_of_work, is_text=is_text)


def _named(
    kind: str,
    methods: Iterable[str | T],
    full: Callable[[str], str],
    made: Callable[[str | T], T],
) -> dict[str, T]:
    """`methods` by their names, each once."""
    named: dict[str, T] = {}
    for entry in methods:
        name = full(entry) if isinstance(entry, str) else _name_of(entry)
        method = made(name if isinstance(entry, str) else entry)
        if name == BEST or named.setdefault(name, method) != method:
            raise InvalidSpecError(f"the name {name!r} of a {kind} is taken by another")
    return named


def _name_of(method: object) -> str:
    if isinstance(method, OrderAndEviction):
        registered = (name for name, known in SCHEDULERS.items() if known == method)
        evictions = (name for name, known in EVICTIONS.items() if known is method.policy)
        policy = next(evictions, _name_of(method.policy))
        return next(registered, f"{_name_of(method.order)}+{policy}")
    return method.name if isinstance(method, Plugged) else called(method)
