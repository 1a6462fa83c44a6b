"""Decisions of a one-shot play: its order, and the stays of its values."""

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


@dataclass(frozen=True)
class Value:
    """A value that is in fast memory at some time.

    Parameters
    ----------
    vertex, words
        The vertex, and its size.
    computed
        Whether it is computed; otherwise its first use loads it.
    readers
        Its readers, in their old order.
    store
        Words that a store costs, 0 if there is one in any case, or none is needed.
    stays
        Old plays: for each reader, in which of its stays the value is: it comes in once for each.
    """

    vertex: int
    words: int
    computed: bool
    readers: tuple[int, ...]
    store: int
    stays: tuple[int, ...]

    @property
    def most_stays(self) -> int:
        """Largest number of stays: the one that costs nothing, and one for each use."""
        return max(len(self.readers) + self.computed, 1)


@dataclass(frozen=True)
class Decisions:
    """The choices that make a play: the order, and how long values stay.

    Parameters
    ----------
    order
        The computations, in their old order.
    values
        The values.
    cost
        Words that the old play moves for what is to be decided: loads but first ones, and
        stores of what is no output.
    """

    order: tuple[int, ...]
    values: tuple[Value, ...]
    cost: int


def decisions(dag: CDAG, play: Play) -> Decisions:
    """Return what is to be decided of a play."""
    readers: list[list[int]] = [[] for _ in range(dag.n)]
    rows = rows_of(dag)
    for v in play.order:
        for u in rows[v]:
            readers[u].append(v)
    outputs, sizes = set(dag.outputs.tolist()), dag.sizes.tolist()
    values = [
        Value(
            vertex=u,
            words=sizes[u],
            computed=bool(rows[u]),
            readers=tuple(readers[u]),
            store=0 if not rows[u] or u in outputs else sizes[u],
            stays=_stays(u, bool(rows[u]), readers[u], play.loaded),
        )
        for u in range(dag.n)
        if rows[u] or readers[u]
    ]
    return Decisions(play.order, tuple(values), sum(map(_cost, values)))


def _stays(u: int, computed: bool, readers: list[int], loaded: frozenset[Use]) -> tuple[int, ...]:
    """Return the stay of each use; the first stay is number 0."""
    stays, stay = [], 0 if computed else -1
    for v in readers:
        stay += (u, v) in loaded
        stays.append(stay)
    return tuple(stays)


def _cost(value: Value) -> int:
    extra = max(value.stays, default=0)
    return value.words * extra + (value.store if extra else 0)
