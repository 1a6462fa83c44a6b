"""CP-SAT model of a one-shot play: its order, and the stays of its values.

Each computation has a place in the order. Each value has stays, intervals of time in fast memory,
and each use lies in one of them; a stay but the first costs a load, and the first of those a store.
At any time the sizes of the stays add up to no more than the memory.

With placing, a computation is one moment: its operands and its result are there together. With
sliding it is two, before and after; the result is there from the second on, and the stay of one
operand may end with the first.

Source
------
B. Bartan et al., Moccasin: efficient tensor rematerialization for neural networks, 2023: retention
intervals, for recomputation.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from dags import CDAG
from pebble import Move, Schedule
from schedulers.exact.fixed_order.use_gaps import moves_of
from schedulers.orders.access_order import accesses

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
    """The operands of every vertex."""
    operands = dag.pred_indices.tolist()
    return [operands[a:b] for a, b in pairwise(dag.pred_indptr.tolist())]


def play_of(dag: CDAG, schedule: Schedule) -> Play | None:
    """The order and the loads of a legal schedule; None if it computes a value again."""
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
    """The moves of a play: values leave and come back at uses, and nowhere else."""
    layout = accesses(dag, np.array(order, np.int32))
    reader = [int(v) for v in order]
    steps, names = layout.step_of.tolist(), layout.name.tolist()
    following, touched = layout.following.tolist(), layout.touched.tolist()
    absent = {
        position
        for position, x in enumerate(touched)
        if x >= 0 and (names[x], reader[steps[following[position]]]) in loaded
    }
    return moves_of(layout, absent)


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
        Words that the old play moves for these decisions: loads but first ones, and stores of
        values that are no outputs.
    """

    order: tuple[int, ...]
    values: tuple[Value, ...]
    cost: int


def decisions(dag: CDAG, play: Play) -> Decisions:
    """The decisions of a play."""
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
    """The stay of each use; the first stay is number 0."""
    stays, stay = [], 0 if computed else -1
    for v in readers:
        stay += (u, v) in loaded
        stays.append(stay)
    return tuple(stays)


def _cost(value: Value) -> int:
    extra = max(value.stays, default=0)
    return value.words * extra + (value.store if extra else 0)


@dataclass(frozen=True)
class Model:
    """The model and its variables.

    Parameters
    ----------
    model
        For CP-SAT; it minimises `Decisions.cost`.
    place
        Of each computation.
    stay
        For each value, for each use, for each stay, whether the use lies in it.
    """

    model: Any
    place: dict[int, Any]
    stay: list[list[list[Any]]]


def build(
    dag: CDAG,
    asked: Decisions,
    memory: int,
    *,
    sliding: bool,
    between: tuple[int, int],
    twins: Sequence[tuple[int, int]],
) -> Model:
    """The model of a play, with the old one as a hint.

    Parameters
    ----------
    dag, asked, memory, sliding
        The decisions.
    between
        Least and largest cost of interest.
    twins
        Pairs of vertices that are the same: the first is to come first.
    """
    return _Builder(dag, asked, memory, sliding).build(between, twins)


class _Builder:
    def __init__(self, dag: CDAG, asked: Decisions, memory: int, sliding: bool) -> None:
        from ortools.sat.python import cp_model

        self.cp = cp_model
        self.model = cp_model.CpModel()
        self.asked, self.memory = asked, memory
        self.moments = 2 if sliding else 1
        self.end = self.moments * len(asked.order)
        self.rows = rows_of(dag)
        self.old = {v: step for step, v in enumerate(asked.order)}
        self.place: dict[int, Any] = {}
        self.turns: dict[int, list[Any]] = {v: [] for v in asked.order}
        self.intervals: list[Any] = []
        self.sizes: list[int] = []
        self.costs: list[Any] = []
        self.slid = _largest_leaving(asked) if sliding else set()

    def build(self, between: tuple[int, int], twins: Sequence[tuple[int, int]]) -> Model:
        self._order()
        stay = [self._value(value) for value in self.asked.values]
        for turns in self.turns.values():
            if len(turns) > 1:
                self.model.add_at_most_one(turns)
        self.model.add_cumulative(self.intervals, self.sizes, self.memory)
        cost = sum(self.costs)
        if self.costs:
            self.model.add(cost >= between[0])
            self.model.add(cost <= between[1])
        for a, b in twins:
            self.model.add(self.place[a] < self.place[b])
        self.model.minimize(cost)
        return Model(self.model, self.place, stay)

    def _order(self) -> None:
        """Give each computation a place behind its operands, no two the same."""
        order = self.asked.order
        above, below = self._related(order)
        for v in order:
            earliest, latest = above[v].bit_count(), below[v].bit_count()
            self.place[v] = self.model.new_int_var(earliest, len(order) - 1 - latest, "")
            self.model.add_hint(self.place[v], self.old[v])
        self.model.add_all_different([self.place[v] for v in order])
        for v in order:
            for u in self.rows[v]:
                if u in above:
                    between = (below[u] & above[v]).bit_count()
                    self.model.add(self.place[v] >= self.place[u] + 1 + between)

    def _related(self, order: tuple[int, ...]) -> tuple[dict[int, int], dict[int, int]]:
        """The sets of computations above and below each."""
        above, below = dict.fromkeys(order, 0), dict.fromkeys(order, 0)
        for v in order:
            for u in self.rows[v]:
                if u in above:
                    above[v] |= above[u] | 1 << self.old[u]
        for v in reversed(order):
            for u in self.rows[v]:
                if u in below:
                    below[u] |= below[v] | 1 << self.old[v]
        return above, below

    def _value(self, value: Value) -> list[list[Any]]:
        """Add a value and its stays; return the stays of its uses."""
        count = value.most_stays
        begins, ends, present = self._stays(value, count)
        chosen = []
        for use, old in zip(value.readers, value.stays, strict=True):
            moment = self.moments * self.place[use]
            until = moment + self.moments - self._turn((value.vertex, use))
            within = [self.model.new_bool_var("") for _ in range(count)]
            self.model.add_exactly_one(within)
            for k, inside in enumerate(within):
                self.model.add_hint(inside, k == old)
                self.model.add_implication(inside, present[k])
                self.model.add(begins[k] <= moment).only_enforce_if(inside)
                self.model.add(ends[k] >= until).only_enforce_if(inside)
            chosen.append(within)
        for k in range(count):  # a stay is for some use, except that of a result just computed
            if k or not value.computed:
                self.model.add_bool_or([*(within[k] for within in chosen), ~present[k]])
        self._price(value, present)
        return chosen

    def _turn(self, use: Use) -> Any:
        """Whether the result takes the operand's place."""
        if self.moments == 1:
            return 0
        turn = self.model.new_bool_var("")
        self.model.add_hint(turn, use in self.slid)
        self.turns[use[1]].append(turn)
        return turn

    def _old_span(self, value: Value, stay: int) -> tuple[int, int]:
        """Return when a stay began and ended in the old play; twice the same if it was none."""
        begins, ends = [], []
        for use, old in zip(value.readers, value.stays, strict=True):
            if old == stay:
                begins.append(self.moments * self.old[use])
                slid = (value.vertex, use) in self.slid
                ends.append(begins[-1] + self.moments - slid)
        begin = min(begins, default=0)
        if stay == 0 and value.computed:
            begin = self.moments * (self.old[value.vertex] + 1) - 1
            ends.append(begin + 1)
        return begin, max(ends, default=begin)

    def _stays(self, value: Value, count: int) -> tuple[list[Any], list[Any], list[Any]]:
        """Beginning, end and presence of each stay."""
        begins: list[Any] = []
        ends: list[Any] = []
        presence: list[Any] = []
        for k in range(count):
            old_begin, old_end = self._old_span(value, k)
            begin: Any
            if k == 0 and value.computed:
                begin = self.moments * self.place[value.vertex] + self.moments - 1
            else:
                begin = self._number(old_begin)
            end, size = self._number(old_end), self._number(old_end - old_begin)
            present = self.model.new_bool_var("")
            if k == 0:
                self.model.add(present == 1)
            if k == 0 and value.computed:
                self.model.add(size >= 1)
            self.model.add_hint(present, k in value.stays or k == 0)
            self.intervals.append(
                self.model.new_optional_interval_var(begin, size, end, present, "")
            )
            self.sizes.append(value.words)
            if k:
                self.model.add(begin >= ends[-1]).only_enforce_if(present)
            if k > 1:
                self.model.add_implication(present, presence[-1])
            begins.append(begin)
            ends.append(end)
            presence.append(present)
        return begins, ends, presence

    def _number(self, old: int) -> Any:
        """A moment, or a number of moments."""
        number = self.model.new_int_var(0, self.end, "")
        self.model.add_hint(number, old)
        return number

    def _price(self, value: Value, presence: list[Any]) -> None:
        """Add the costs of the stays."""
        self.costs += [value.words * present for present in presence[1:]]
        if value.store and len(presence) > 1:
            self.costs.append(value.store * presence[1])


def _largest_leaving(asked: Decisions) -> set[Use]:
    """Return for each computation the largest operand that leaves with it in the old play."""
    best: dict[int, tuple[int, int]] = {}
    for value in asked.values:
        following = [*value.stays[1:], -1]
        for use, stay, after in zip(value.readers, value.stays, following, strict=False):
            if stay != after:
                best[use] = max(best.get(use, (0, -1)), (value.words, value.vertex))
    return {(u, v) for v, (_, u) in best.items()}
