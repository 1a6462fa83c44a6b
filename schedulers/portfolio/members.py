"""Portfolio: the plays of all generic orders and evictions, and those of the DAG's family."""

from collections.abc import Iterator

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array, lock
from pebble import ONE_SHOT, Move, Rules, Schedule
from schedulers.eviction.moves import joined
from schedulers.families import FAMILIES, structured
from schedulers.nests.scheduler import tiled_orders
from schedulers.search import Candidate, candidates_in, generic_candidates


def portfolio(dag: CDAG, memory: int, *, rules: Rules = ONE_SHOT) -> list[Candidate]:
    """Return the plays of all orders and evictions, of family and program, the best first.

    Parameters
    ----------
    dag, memory, rules
        The game; every vertex must fit.
    """
    members = [
        *_family(dag, memory, rules),
        *candidates_in("tiled", tiled_orders(dag, memory, rules=rules), dag, memory, rules),
        *generic_candidates(dag, memory, rules=rules),
    ]
    return sorted(members, key=lambda member: member.io)


def _family(dag: CDAG, memory: int, rules: Rules) -> Iterator[Candidate]:
    """Yield the structured play, where the family has one."""
    family = dag.as_generated.family
    if family in FAMILIES or family in structured.plays:
        play = structured.plan(dag, memory, rules=rules)
        made = joined(play.blocks())
        yield Candidate("structured", play.io, first_computes(dag, made), lambda: made)


def first_computes(dag: CDAG, schedule: Schedule) -> Int32Array:
    """Return (N,) the computed vertices in the order in which `schedule` first computes them."""
    computed = schedule.vertex[schedule.op == Move.COMPUTE]
    _, places = np.unique(computed, return_index=True)
    return lock(computed[np.sort(places)])
