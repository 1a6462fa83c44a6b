"""Decisions in a window of a one-shot play, the rest of the play being as it is."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np

from dags import CDAG
from pebble import Move, Schedule
from schedulers.access_order import accesses
from schedulers.exact.fixed_order.moves import moves_of

Use = tuple[int, int]  # an operand and its reader

# How a value enters: it has stayed, it is computed here, or its first use here loads it.
Entry = Literal["stayed", "computed", "loaded"]


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


@dataclass(frozen=True)
class Value:
    """A value that is in fast memory at some time in a window.

    Parameters
    ----------
    vertex, words
        The vertex, and its size.
    entry
        Kind of its entry.
    readers
        Its readers in the window, in their old order.
    beyond
        Its next reader behind the window, if it stays until then; otherwise None.
    store
        Words that a store costs, 0 if there is one in any case, or none is needed.
    stays
        Old plays: for each reader, and `beyond` at the end, in which of its stays the value is:
        it comes in once for each stay.
    """

    vertex: int
    words: int
    entry: Entry
    readers: tuple[int, ...]
    beyond: int | None
    store: int
    stays: tuple[int, ...]

    @property
    def uses(self) -> int:
        """Number of uses, at each of which it must be there."""
        return len(self.readers) + (self.beyond is not None)

    @property
    def most_stays(self) -> int:
        """Largest number of stays: the one that costs nothing, and one for each use."""
        return max(self.uses + (self.entry != "loaded"), 1)


@dataclass(frozen=True)
class Window:
    """Consecutive computations of a play, and the values there.

    Parameters
    ----------
    order
        The computations, in their old order.
    values
        The values.
    cost
        Words that the old play moves for what is to be decided: loads but first ones, and
        stores.
    """

    order: tuple[int, ...]
    values: tuple[Value, ...]
    cost: int


def window(dag: CDAG, play: Play, first: int, last: int) -> Window:
    """Return the computations from number `first` to before `last`, and what they need."""
    when = {v: step for step, v in enumerate(play.order)}
    readers: list[list[int]] = [[] for _ in range(dag.n)]
    rows = rows_of(dag)
    for v in play.order:
        for u in rows[v]:
            readers[u].append(v)
    outputs, sizes = set(dag.outputs.tolist()), dag.sizes.tolist()
    values = []
    for u in range(dag.n):
        born = when.get(u, -1)
        if born >= last or (readers[u] and when[readers[u][-1]] < first):
            continue
        steps = [when[v] for v in readers[u]]
        inside = [v for v, step in zip(readers[u], steps, strict=True) if first <= step < last]
        after = [v for v, step in zip(readers[u], steps, strict=True) if step >= last]
        before = [v for v, step in zip(readers[u], steps, strict=True) if step < first]
        known = first > born >= 0 or bool(before)
        beyond = after[0] if after and (u, after[0]) not in play.loaded else None
        entry: Entry = "computed" if born >= first else "stayed" if known else "loaded"
        if entry == "stayed" and inside and (u, inside[0]) in play.loaded:
            entry = "loaded"
        if not inside and entry != "computed" and (beyond is None or not known):
            continue
        outside = [*before, *after, *(inside[:1] if entry == "loaded" else [])]
        settled = born < 0 or u in outputs or any((u, v) in play.loaded for v in outside)
        values.append(
            Value(
                vertex=u,
                words=sizes[u],
                entry=entry,
                readers=tuple(inside),
                beyond=beyond,
                store=0 if settled else sizes[u],
                stays=_stays(u, entry, inside, beyond, play.loaded),
            )
        )
    return Window(play.order[first:last], tuple(values), sum(map(_cost, values)))


def _stays(
    u: int, entry: Entry, inside: list[int], beyond: int | None, loaded: frozenset[Use]
) -> tuple[int, ...]:
    """Return the stay of each use; the first stay is number 0."""
    stays, stay = [], -1 if entry == "loaded" else 0
    for v in [*inside, *([] if beyond is None else [beyond])]:
        stay += (u, v) in loaded
        stays.append(stay)
    return tuple(stays)


def _cost(value: Value) -> int:
    extra = max(value.stays, default=0)
    return value.words * extra + (value.store if extra else 0)
