"""Plays of the generic orders, and of one by bisection, with every eviction; made when chosen."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array, lock
from dags.work import charge
from pebble import ONE_SHOT, Rules, Schedule
from schedulers.eviction import EVICTIONS, schedule
from schedulers.eviction.sliding import sliding_schedule, sliding_traffic
from schedulers.families.plays import digest_of, laid_out, ordered
from schedulers.orders import ORDERS, depth_first
from schedulers.orders.access_order import Accesses
from schedulers.partial.schedules import STORE_AWARE, aggregations
from schedulers.search._kernels import bisection as _kernels

LARGEST = 100_000  # vertices: about a second
FEWEST = 4  # vertices in a part that is still halved
PASSES = 3
MOVES = 60  # in a pass
SLIDING_PRICES = {"belady-clean": 1, "belady-cost": 2}


def bisection_order(dag: CDAG, memory: int) -> Int32Array | None:
    """(N,) the computed vertices, cut in halves until about `memory` of them are left.

    The depth-first order is cut in the middle. Then vertices change sides, as Fiduccia and
    Mattheyses have them do, where no edge comes to lead backwards and neither side has less
    than 35 of 100: the one that saves most words first, even where that is none, and in the end
    only those up to the best cut. The words of a cut are those of the values that are computed
    before it and read behind it, and of older values that are read on both sides.

    None for more than 100,000 vertices.

    Source
    ------
    C. M. Fiduccia and R. M. Mattheyses, A linear-time heuristic for improving network
    partitions, DAC 1982; J. Herrmann et al., Multilevel algorithms for acyclic partitioning of
    directed acyclic graphs, SIAM J. Sci. Comput. 41, 2019, for the acyclic moves.

    Examples
    --------
    >>> from dags import fft
    >>> sorted(bisection_order(fft(8), 4)) == list(fft(8).computed)
    True
    """
    if dag.n > LARGEST:
        return None
    order = depth_first(dag).copy()
    succ_indptr, succ_indices = dag.successors
    sizes = lock(np.array(dag.sizes))
    rows = _kernels.Neighbours(dag.pred_indptr, dag.pred_indices, succ_indptr, succ_indices, sizes)
    sides = _kernels.Sides(*(np.zeros(dag.n, np.int32) for _ in _kernels.Sides._fields))
    _kernels.bisect(order, rows, sides, max(FEWEST, memory), PASSES, MOVES)
    return lock(order)


@dataclass(frozen=True)
class Candidate:
    """A play whose I/O is known and whose moves are made when they are asked for.

    Parameters
    ----------
    name
        Name of its scheduler.
    io
        Words that it moves.
    order
        (N,) the computed vertices, in the order in which it first computes them.
    moves
        Makes its moves.
    """

    name: str
    io: int
    order: Int32Array
    moves: Callable[[], Schedule]


def generic_plays(dag: CDAG, memory: int, *, rules: Rules = ONE_SHOT) -> Iterator[Candidate]:
    """Yield the plays of generic orders with every eviction, as they are counted.

    Among the orders is that of recursive bisection.

    Parameters
    ----------
    dag, memory, rules
        The game.
    """
    for name, order in _orders(dag, memory):
        if order is not None:
            yield from candidates_in(name, (order,), dag, memory, rules)


def _orders(dag: CDAG, memory: int) -> Iterator[tuple[str, Int32Array | None]]:
    """Yield the generic orders by name."""
    for name, order in ORDERS.items():
        yield name, ordered(dag, order)
    yield "bisection", bisection_order(dag, memory)


def candidates_in(
    name: str, orders: Iterable[Int32Array], dag: CDAG, memory: int, rules: Rules
) -> Iterator[Candidate]:
    """Yield the schedules of each order under every eviction policy.

    Parameters
    ----------
    name
        Name of the orders.
    orders
        Each (N,) computed vertices.
    dag, memory, rules
        The game.
    """
    for order in orders:
        charge("step", len(EVICTIONS) * (dag.n + dag.m))
        if rules.partial:
            yield from _aggregations(name, order, dag, memory)
            continue
        layout = laid_out(dag, order, digest_of(order))
        yield from _evictions(name, layout, order, memory, rules)


def _aggregations(name: str, order: Int32Array, dag: CDAG, memory: int) -> Iterator[Candidate]:
    """Yield the plays that aggregate operands one by one, in the orders of edges of one order."""
    for play in aggregations(dag, [order], memory, policies=STORE_AWARE):
        yield Candidate(f"{name}, aggregated", play.io, order, play.moves)


def _evictions(
    name: str, layout: Accesses, order: Int32Array, memory: int, rules: Rules
) -> Iterator[Candidate]:
    """Yield the plays of one order."""
    if rules.sliding:
        for policy_name, price in SLIDING_PRICES.items():
            io = sliding_traffic(layout, memory, price=price).io
            moves = partial(sliding_schedule, layout, memory, price=price)
            yield Candidate(f"{name}+{policy_name}", io, order, moves)
        return
    for policy_name, policy in EVICTIONS.items():
        moves = partial(schedule, layout, memory, policy)
        yield Candidate(f"{name}+{policy_name}", policy(layout, memory).io, order, moves)
