"""CP-SAT model of a one-shot play.

Each computation has a place in the order. Each value has stays, intervals of time in fast memory,
and each use lies in one of them; a stay but the first costs a load, and the first of those a store.
At any time the sizes of what stays add up to no more than the memory.

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
from typing import Any

from dags import CDAG
from schedulers.exact.cpsat.decisions import Decisions, Use, Value, rows_of


@dataclass(frozen=True)
class Model:
    """The model and its variables.

    Parameters
    ----------
    model
        For CP-SAT; what it minimises is `Decisions.cost`.
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
    """Return the model of a play, with the old one as a hint.

    Parameters
    ----------
    dag, asked, memory, sliding
        What is to be decided.
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
        """Return the sets of computations above and below each."""
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
        begins, ends, there = self._stays(value, count)
        chosen = []
        for use, old in zip(value.readers, value.stays, strict=True):
            moment = self.moments * self.place[use]
            until = moment + self.moments - self._turn((value.vertex, use))
            within = [self.model.new_bool_var("") for _ in range(count)]
            self.model.add_exactly_one(within)
            for k, inside in enumerate(within):
                self.model.add_hint(inside, k == old)
                self.model.add_implication(inside, there[k])
                self.model.add(begins[k] <= moment).only_enforce_if(inside)
                self.model.add(ends[k] >= until).only_enforce_if(inside)
            chosen.append(within)
        for k in range(count):  # a stay is for some use, except that of a result just computed
            if k or not value.computed:
                self.model.add_bool_or([*(within[k] for within in chosen), ~there[k]])
        self._price(value, there)
        return chosen

    def _turn(self, use: Use) -> Any:
        """Return whether the result takes the operand's place."""
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
        """Return beginning, end and presence of each stay."""
        begins: list[Any] = []
        ends: list[Any] = []
        there: list[Any] = []
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
                self.model.add_implication(present, there[-1])
            begins.append(begin)
            ends.append(end)
            there.append(present)
        return begins, ends, there

    def _number(self, old: int) -> Any:
        """Return a moment, or a number of moments."""
        number = self.model.new_int_var(0, self.end, "")
        self.model.add_hint(number, old)
        return number

    def _price(self, value: Value, there: list[Any]) -> None:
        """Add what the stays cost."""
        self.costs += [value.words * present for present in there[1:]]
        if value.store and len(there) > 1:
            self.costs.append(value.store * there[1])


def _largest_leaving(asked: Decisions) -> set[Use]:
    """Return for each computation the largest operand that leaves with it in the old play."""
    best: dict[int, tuple[int, int]] = {}
    for value in asked.values:
        following = [*value.stays[1:], -1]
        for use, stay, after in zip(value.readers, value.stays, following, strict=False):
            if stay != after:
                best[use] = max(best.get(use, (0, -1)), (value.words, value.vertex))
    return {(u, v) for v, (_, u) in best.items()}
