"""Schedulers side by side, on several DAGs: how far each is from the best bound, and why."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from dags import CDAG, Computation, InvalidSpecError
from dags.arguments import checked
from pebble import ONE_SHOT, MemoryTooSmallError, Rules, min_memory, require_memory
from redblue.answers.comparison.comparison import Comparison
from redblue.answers.curves.curve import io_curve
from redblue.answers.results import IOCurve, describe
from redblue.answers.sources import (
    Memories,
    RulesLike,
    Source,
    label_of,
    load,
    rules_of,
)
from redblue.answers.words import memories_of
from redblue.limits.deadline import Deadline
from redblue.limits.progress import Progress
from schedulers import OrderAndEviction, scheduler_named

if TYPE_CHECKING:
    from redblue.sweeps import SweepOptions

ORDER_EDGES = 20_000  # largest DAG, in edges, for which the least I/O of an order is proved
ORDER_SECONDS = 10.0  # for each of them, roughly


@checked
def compare(
    specs: Source | Sequence[Source],
    memories: Memories | None = None,
    *,
    schedulers: Sequence[str] | None = None,
    bounds: Sequence[str] | None = None,
    rules: RulesLike = ONE_SHOT,
    seed: int = 0,
    jobs: int = 1,
    order_loss: bool = False,
    effort: str = "quick",
    progress: Progress | None = None,
    sweep: "SweepOptions | None" = None,
    reading: Callable[[Source], Computation] = load,
    deadline: Deadline | None = None,
    price_of_work: float = 0.0,
    counted: bool = False,
) -> Comparison:
    """Return the I/O of schedulers on several DAGs, beside the best bounds.

    Parameters
    ----------
    specs
        The DAGs, as `redblue.load` takes them, in a list or a tuple; or one of them.
    memories, schedulers, bounds, rules, seed, jobs, sweep, effort, price_of_work
        As `io_curve` takes them.
    order_loss
        Whether to prove the least I/O of each order, for DAGs of up to `ORDER_EDGES` edges.
    progress
        As for `io_curve`, over the cells of all DAGs.
    reading
        Makes a computation of a specification.
    deadline
        As for `io_curve`, for all DAGs together. Those for which no time is left are left out.
    counted
        Whether closed formulas answer alone, and no DAG is built, whatever its size.

    Raises
    ------
    InvalidSpecError
        If there is no DAG, one stands twice, or all sizes are too small for one; and as `io_curve`.

    Examples
    --------
    >>> found = compare(["fft:n=16"], [4], schedulers=["lru", "belady"], order_loss=True)
    >>> [(play.method, play.io, play.order, play.bound) for play in found.plays]
    [('natural+lru', 175, 159, 66), ('natural+belady', 160, 159, 66)]
    """
    sources = list(specs) if isinstance(specs, list | tuple) else [specs]
    game = rules_of(rules)
    sizes = None if memories is None else memories_of(memories, *sources)
    named = [name for name in map(label_of, sources) if name]
    if not sources or len(set(named)) < len(named):
        raise InvalidSpecError("a comparison takes memory sizes, and DAGs, each once")
    curves: list[IOCurve] = []
    order_io: dict[tuple[str, str, int], int] = {}
    how: dict[str, Any] = {"schedulers": schedulers, "bounds": bounds, "rules": game, "seed": seed}
    how["price_of_work"] = price_of_work
    for place, source in enumerate(sources):
        share = None if deadline is None else deadline.share(len(sources) - place)
        try:
            computation = reading(source)
            spec = label_of(source) or describe(computation.dag, rules=game)["spec"]
            if any(spec == curve.dag["spec"] for curve in curves):
                raise InvalidSpecError(f"two DAGs of a comparison are called {spec!r}")
            if sizes is not None:
                _require_memory(computation, sizes[-1], game, spec)
            shown = _shifted(progress, place, len(sources))
            told: dict[str, Any] = {
                "jobs": jobs,
                "sweep": sweep,
                "effort": effort,
                "deadline": share,
                "counted": counted,
            }
            curves.append(io_curve(computation, sizes, spec=spec, progress=shown, **how, **told))
            if order_loss and computation.sizes.edges <= ORDER_EDGES:
                least = least_by_order(computation.dag, curves[-1], game, seed, deadline)
                order_io |= {(spec, method, memory): io for (method, memory), io in least.items()}
        except KeyboardInterrupt:  # as the limit of a command ends what takes no notice
            if deadline is None or deadline.left or not curves:
                raise
        if deadline is not None and not deadline.left:
            break
    return Comparison(game, tuple(curves), order_io)


def _require_memory(computation: Computation, memory: int, rules: Rules, spec: str) -> None:
    """Raise InvalidSpecError, with the name of the computation, if the memory is too small."""
    try:
        if computation.is_built:
            require_memory(computation.dag, memory, rules=rules)
        elif memory < (least := computation.min_memory(sliding=rules.sliding)):
            raise MemoryTooSmallError(memory, least, f"of {computation.name}")
    except MemoryTooSmallError as error:
        raise InvalidSpecError(f"{spec}: {error}") from error


def _shifted(progress: Progress | None, place: int, places: int) -> Progress | None:
    """Return `progress` for one of several curves of as many cells."""
    if progress is None:
        return None
    tell = progress
    return lambda done, total, failed: tell(place * total + done, places * total, failed)


def least_by_order(
    dag: CDAG, curve: IOCurve, rules: Rules, seed: int, deadline: Deadline | None = None
) -> dict[tuple[str, int], int]:
    """Return the least I/O of the schedulers' orders, by (method, memory).

    Parameters
    ----------
    dag, curve
        The computation, and its record.
    rules, seed
        The game.
    deadline
        When to leave out the others; None for never.
    """
    from schedulers.exact import optimal_eviction

    least = min_memory(dag, rules=rules)
    sizes = [memory for memory in curve.memories if memory >= least]
    found: dict[tuple[str, int], int] = {}
    known: dict[tuple[object, int], int] = {}
    for method in curve.methods("upper"):
        player = scheduler_named(method)
        if not isinstance(player, OrderAndEviction):
            continue
        for memory in sizes:
            if (player.order, memory) not in known:
                if deadline is not None and not deadline.left:
                    return found
                best = optimal_eviction(
                    dag,
                    player.order(dag),
                    memory,
                    rules=rules,
                    seed=seed,
                    time_limit=ORDER_SECONDS
                    if deadline is None
                    else min(ORDER_SECONDS, deadline.left),
                )
                known[player.order, memory] = best.order_bound
            found[method, memory] = known[player.order, memory]
    return found
