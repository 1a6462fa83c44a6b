"""One-shot plays as an order and the uses that are loaded for."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from dags import CDAG
from pebble import Move, Schedule
from schedulers.access_order import accesses
from schedulers.exact.fixed_order.moves import moves_of

Use = tuple[int, int]  # an operand and its reader


@dataclass(frozen=True)
class Play:
    """A play in which every value is computed once.

    Parameters
    ----------
    order
        The computed vertices.
    loaded
        Uses for which the operand comes from slow memory, first uses of inputs among them; for
        the others it has stayed since the access before.
    """

    order: tuple[int, ...]
    loaded: frozenset[Use]


def rows_of(dag: CDAG) -> list[list[int]]:
    """Return the operands of every vertex."""
    operands = dag.pred_indices.tolist()
    return [operands[a:b] for a, b in pairwise(dag.pred_indptr.tolist())]


def play_of(dag: CDAG, schedule: Schedule) -> Play | None:
    """Return the order and the loads of a legal schedule; None if it computes a value again."""
    rows = rows_of(dag)
    fresh = [False] * dag.n
    order: list[int] = []
    loaded: list[Use] = []
    for move, v in schedule:
        if move is Move.LOAD:
            fresh[v] = True
        elif move is Move.COMPUTE:
            order.append(v)
            loaded += [(u, v) for u in rows[v] if fresh[u]]
            for u in rows[v]:
                fresh[u] = False
    if len(order) != dag.computed.size:
        return None
    return Play(tuple(order), frozenset(loaded))


def schedule_of(dag: CDAG, order: Sequence[int], loaded: frozenset[Use]) -> Schedule:
    """Return the moves of a play: values leave and come back at uses, and nowhere else."""
    layout = accesses(dag, np.array(order, np.int32))
    reader = [int(v) for v in order]
    steps, names = layout.step_of.tolist(), layout.name.tolist()
    following, touched = layout.following.tolist(), layout.touched.tolist()
    away = {
        at
        for at, x in enumerate(touched)
        if x >= 0 and (names[x], reader[steps[following[at]]]) in loaded
    }
    return moves_of(layout, away)


def words_moved(dag: CDAG, play: Play) -> int:
    """Return the words that the moves of a play load and store."""
    sizes: list[int] = dag.sizes.tolist()
    inputs = set(dag.inputs.tolist())
    stored = {u for u, _ in play.loaded} - inputs | set(dag.outputs.tolist())
    return sum(sizes[u] for u, _ in play.loaded) + sum(sizes[u] for u in stored)
