"""Local search for an order of the edges, from that of a schedule."""

import time
from math import inf

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array, Int64Array, lock
from pebble import PARTIAL, Move, Schedule, play
from schedulers.partial.edge_plays import edge_play
from schedulers.partial.schedules import STORE_AWARE

LONGEST = 8  # edges that move together


def better_order(
    dag: CDAG,
    schedule: Schedule,
    memory: int,
    *,
    seed: int,
    end: float | None,
    iterations: int | None,
    goal: int,
) -> tuple[Schedule, int]:
    """Return a schedule that moves no more than the one given, and how many orders were tried.

    A few edges that follow each other move to another place, as far as the order stays one in
    which values are complete before they are read; what moves more words is taken back.

    Parameters
    ----------
    dag, schedule, memory
        A play of partial computation.
    seed
        Of the random changes.
    end
        When to stop, on the clock `time.perf_counter`; None for no limit.
    iterations
        Changes that may be tried; None for no limit.
    goal
        Words of a play at which to stop.
    """
    random = np.random.default_rng(seed)
    operand, result = order_of_edges(dag, schedule)
    least = play(dag, schedule, memory, rules=PARTIAL).io
    policy = min(
        STORE_AWARE, key=lambda one: edge_play(dag, (operand, result), memory, policy=one).io
    )
    best, io, tried = None, least, 0
    most, until = inf if iterations is None else iterations, inf if end is None else end
    while tried < most and io > goal and time.perf_counter() < until:
        tried += 1
        changed = _changed(operand, result, random)
        if changed is None:
            continue
        found = edge_play(dag, changed, memory, policy=policy)
        if best is None or found.io <= best.io:
            (operand, result), best = changed, found
            io = min(io, found.io)
    return (schedule if best is None or best.io >= least else best.moves()), tried


def order_of_edges(dag: CDAG, schedule: Schedule) -> tuple[Int32Array, Int32Array]:
    """Return the operands and results, (m,) each, in the order in which a play aggregates them."""
    operands: list[int] = []
    results: list[int] = []
    done: list[set[int]] = [set() for _ in range(dag.n)]
    for (move, v), u in zip(schedule, schedule.operands.tolist(), strict=True):
        if move is Move.COMPUTE:
            row = dag.pred_indices[dag.pred_indptr[v] : dag.pred_indptr[v + 1]].tolist()
            new = [u] if u >= 0 else [w for w in row if w not in done[v]]
            done[v].update(new)
            operands += new
            results += [v] * len(new)
    return lock(np.array(operands, np.int32)), lock(np.array(results, np.int32))


def _changed(
    operand: Int32Array, result: Int32Array, random: np.random.Generator
) -> tuple[Int32Array, Int32Array] | None:
    """Return the order with some edges moved, or None if they cannot move where chance sends them.

    Edges move past others only where none of these makes an operand complete that they read, or
    reads what they complete: where results of the first are no operands of the second.
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
