"""Schedulers under the rules of partial computation."""

from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from typing import ParamSpec

from dags import CDAG
from dags.arrays import Int32Array, lock
from pebble import (
    ONE_SHOT,
    PARTIAL,
    IllegalMoveError,
    Move,
    Schedule,
    min_memory,
    placing_memory,
    play,
    require_memory,
)
from schedulers.eviction import EVICTIONS, Policy
from schedulers.partial.edge_plays import EDGE_ORDERS, POLICIES, EdgePlay, edge_play, edges_in

P = ParamSpec("P")
STORE_AWARE = tuple(EVICTIONS[name] for name in ("belady", "belady-cost"))


def aggregations(
    dag: CDAG, orders: Iterable[Int32Array], memory: int, *, policies: Iterable[Policy]
) -> Iterator[EdgePlay]:
    """Yield the plays of all orders of edges that some orders of vertices give.

    Parameters
    ----------
    dag
        The computation.
    orders
        Orders of its computed vertices.
    memory
        Words of fast memory.
    policies
        Members of `POLICIES`; others count as those that know the next use.

    Raises
    ------
    MemoryTooSmallError
        If some value and one of its operands do not fit into `memory`.
    """
    require_memory(dag, memory, rules=PARTIAL)
    known = [policy for policy in policies if policy in POLICIES] or list(STORE_AWARE)
    for order in orders:
        for name in EDGE_ORDERS:
            edges = edges_in(dag, order, name)
            for policy in known:
                yield edge_play(dag, edges, memory, policy=policy)


def partial_schedule(
    dag: CDAG, order: Int32Array, memory: int, *, policies: Iterable[Policy] = STORE_AWARE
) -> Schedule:
    """Return the best schedule that aggregates operands in an order of the vertices.

    Parameters
    ----------
    dag
        The computation.
    order
        (N,) its computed vertices, operands before results.
    memory
        Words of fast memory.
    policies
        Members of `POLICIES`, the best of which plays; another policy counts as the furthest next
        use.
    """
    plays = aggregations(dag, [order], memory, policies=policies)
    return min(plays, key=lambda one: one.io).moves()


def aggregating(scheduler: Callable[P, Schedule]) -> Callable[P, Schedule]:
    """Return a scheduler that plays by the rules of partial computation too.

    Under these it takes the orders of its one-shot schedules for as much memory, and for so much
    more that placing has as much room; and the best of these schedules, where they fit, and of
    what `partial_schedule` makes of their orders.
    """

    @wraps(scheduler)
    def played(*args: P.args, **options: P.kwargs) -> Schedule:
        rules = options.get("rules", ONE_SHOT)
        if rules != PARTIAL:
            return scheduler(*args, **options)
        *method, dag, memory = args
        assert isinstance(dag, CDAG)
        assert isinstance(memory, int)
        require_memory(dag, memory, rules=PARTIAL)
        placing: Callable[..., Schedule] = scheduler
        plays = (
            placing(*method, dag, room, **{**options, "rules": ONE_SHOT})
            for room in rooms(dag, memory)
        )
        return better_aggregated(dag, plays, memory)

    return played


def rooms(dag: CDAG, memory: int) -> list[int]:
    """Return the memories in which placed plays are made whose orders are tried, rising."""
    return sorted({max(memory, min_memory(dag)), placing_memory(dag, memory, rules=PARTIAL)})


def better_aggregated(dag: CDAG, placed: Iterable[Schedule], memory: int) -> Schedule:
    """Return the best of one-shot schedules that fit, and of partial ones in their orders.

    Parameters
    ----------
    dag
        The computation.
    placed
        One-shot schedules, for some memories.
    memory
        Words of fast memory.
    """
    schedules = list(placed)
    orders = [lock(one.vertex[one.op == Move.COMPUTE]) for one in schedules]
    plays = aggregations(dag, orders, memory, policies=STORE_AWARE)
    made = min(plays, key=lambda one: one.io)
    least, best = made.io, made.moves()
    for schedule in schedules:
        io = _io(dag, schedule, memory)
        if io is not None and io <= least:
            least, best = io, schedule
    return best


def _io(dag: CDAG, schedule: Schedule, memory: int) -> int | None:
    """Return the words that a one-shot schedule moves, None if it does not fit."""
    try:
        return play(dag, schedule, memory, rules=PARTIAL).io
    except IllegalMoveError:
        return None
