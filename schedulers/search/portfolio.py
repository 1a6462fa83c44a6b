"""All orders with all evictions, and what is known for the family: counted first, then made."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array, lock
from pebble import ONE_SHOT, Move, Rules, Schedule
from schedulers.access_order import Accesses, accesses
from schedulers.eviction import EVICTIONS, schedule
from schedulers.eviction.moves import joined
from schedulers.families import FAMILIES, structured
from schedulers.orders import ORDERS
from schedulers.search.bisection import bisection_order
from schedulers.search.dask_order import dask_order
from schedulers.sliding import sliding_schedule, sliding_traffic

SLIDING_PRICES = {"belady-clean": 1, "belady-cost": 2}


@dataclass(frozen=True)
class Candidate:
    """A play that can be made.

    Parameters
    ----------
    name
        Which scheduler's it is.
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


def portfolio(dag: CDAG, memory: int, *, rules: Rules = ONE_SHOT) -> list[Candidate]:
    """Return the plays of all orders and evictions, and of the DAG's family, the best first.

    Among the orders are that of recursive bisection and, where Dask is installed, Dask's.

    Parameters
    ----------
    dag, memory, rules
        The game; every vertex must fit.
    """
    members = list(_family(dag, memory, rules))
    for name, order in ORDERS.items():
        members += _evictions(name, accesses(dag, order(dag)), order(dag), memory, rules)
    for name, found in (("bisection", bisection_order(dag, memory)), ("dask", dask_order(dag))):
        if found is not None:
            members += _evictions(name, accesses(dag, found), found, memory, rules)
    return sorted(members, key=lambda member: member.io)


def _family(dag: CDAG, memory: int, rules: Rules) -> Iterator[Candidate]:
    """Yield the structured play, where the family has one."""
    if dag.family in FAMILIES or dag.family in structured.plays:
        play = structured.plan(dag, memory, rules=rules)
        made = joined(play.blocks())
        yield Candidate("structured", play.io, first_computes(dag, made), lambda: made)


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


def first_computes(dag: CDAG, schedule: Schedule) -> Int32Array:
    """Return (N,) the computed vertices in the order in which `schedule` first computes them."""
    computed = schedule.vertex[schedule.op == Move.COMPUTE]
    _, places = np.unique(computed, return_index=True)
    return lock(computed[np.sort(places)])
