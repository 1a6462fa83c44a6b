"""Schedulers under the rules of partial computation, and a search for orders of the edges."""

from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from math import inf
from typing import ParamSpec

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array, Int64Array, lock
from dags.work import charge
from pebble import (
    ONE_SHOT,
    PARTIAL,
    Budget,
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
LONGEST = 8  # edges that move together


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
    """The best schedule that aggregates operands in an order of the vertices.

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
    return min(plays, key=lambda play: play.io).moves()


def aggregating(scheduler: Callable[P, Schedule]) -> Callable[P, Schedule]:
    """A scheduler that plays by the rules of partial computation too.

    Under these it takes the orders of its one-shot schedules for as much memory, and for so much
    more that placing has as much room; and the best of these schedules, where they fit, and of
    `partial_schedule` of their orders.
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
    """The memories in which placed plays are made whose orders are tried, rising."""
    return sorted({max(memory, min_memory(dag)), placing_memory(dag, memory, rules=PARTIAL)})


def better_aggregated(dag: CDAG, placed: Iterable[Schedule], memory: int) -> Schedule:
    """The best of one-shot schedules that fit, and of partial ones in their orders.

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
    orders = [lock(schedule.vertex[schedule.op == Move.COMPUTE]) for schedule in schedules]
    plays = aggregations(dag, orders, memory, policies=STORE_AWARE)
    aggregated = min(plays, key=lambda candidate: candidate.io)
    lowest, best = aggregated.io, aggregated.moves()
    for schedule in schedules:
        io = _io(dag, schedule, memory)
        if io is not None and io <= lowest:
            lowest, best = io, schedule
    return best


def _io(dag: CDAG, schedule: Schedule, memory: int) -> int | None:
    """The words that a one-shot schedule moves, None if it does not fit."""
    try:
        return play(dag, schedule, memory, rules=PARTIAL).io
    except IllegalMoveError:
        return None


def better_order(
    dag: CDAG,
    schedule: Schedule,
    memory: int,
    *,
    budget: Budget,
    iterations: int | None,
    goal: int,
) -> tuple[Schedule, int]:
    """A schedule that moves no more than the one given, and how many orders were tried.

    A few edges that follow each other move to another place, as far as the order stays one in which
    values are complete before they are read; a move that costs more words is taken back.

    Parameters
    ----------
    dag, schedule, memory
        A play of partial computation.
    budget
        Of the changes.
    iterations
        Changes that may be tried; None for no limit.
    goal
        Words of a play at which to stop.
    """
    random = budget.rng()
    operand, result = order_of_edges(dag, schedule)
    lowest = play(dag, schedule, memory, rules=PARTIAL).io
    policy = min(
        STORE_AWARE,
        key=lambda candidate: edge_play(dag, (operand, result), memory, policy=candidate).io,
    )
    best, io, tried = None, lowest, 0
    limit = inf if iterations is None else iterations
    while tried < limit and io > goal and not budget.over:
        tried += 1
        changed = _changed(operand, result, random)
        if changed is None:
            continue
        candidate = edge_play(dag, changed, memory, policy=policy)
        charge("edge play", dag.m)
        if best is None or candidate.io <= best.io:
            (operand, result), best = changed, candidate
            io = min(io, candidate.io)
    return (schedule if best is None or best.io >= lowest else best.moves()), tried


def order_of_edges(dag: CDAG, schedule: Schedule) -> tuple[Int32Array, Int32Array]:
    """The operands and results, (m,) each, in the order in which a play aggregates them."""
    operands: list[int] = []
    results: list[int] = []
    aggregated: list[set[int]] = [set() for _ in range(dag.n)]
    for (move, v), u in zip(schedule, schedule.operands.tolist(), strict=True):
        if move is Move.COMPUTE:
            row = dag.pred_indices[dag.pred_indptr[v] : dag.pred_indptr[v + 1]].tolist()
            new = [u] if u >= 0 else [w for w in row if w not in aggregated[v]]
            aggregated[v].update(new)
            operands += new
            results += [v] * len(new)
    return lock(np.array(operands, np.int32)), lock(np.array(results, np.int32))


def _changed(
    operand: Int32Array, result: Int32Array, random: np.random.Generator
) -> tuple[Int32Array, Int32Array] | None:
    """The order with some edges moved, or None if they cannot move where chance sends them.

    Edges move past others only where none of these makes an operand complete that they read, or
    reads one that they complete: where results of the first are no operands of the second.
    """
    m = operand.size
    length = int(random.integers(1, min(LONGEST, m) + 1))
    start = int(random.integers(0, m - length + 1))
    target = int(random.integers(0, m - length + 1))
    low, high = min(start, target), max(start, target) + length
    moved = np.arange(start, start + length)
    passed = np.setdiff1d(np.arange(low, high), moved, assume_unique=True)
    first, second = (passed, moved) if target < start else (moved, passed)
    if not passed.size or np.isin(result[first], operand[second]).any():
        return None
    order: Int64Array = np.arange(m)
    order[low:high] = np.concatenate((second, first))
    return lock(operand[order]), lock(result[order])
