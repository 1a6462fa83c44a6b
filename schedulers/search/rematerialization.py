"""Computing a value again where that is cheaper than to store and load it."""

from collections import defaultdict
from dataclasses import dataclass, field
from itertools import pairwise

from dags import CDAG
from dags.work import charge, seconds_of
from pebble import UNLIMITED, Budget, Move, Schedule

MOST_ROUNDS = 10


@dataclass
class _Value:
    """The loads of a computed value: those that could be computations, and the cost of these."""

    stored: int = -1  # the move that stores it
    loads: list[int] = field(default_factory=list)
    missing: dict[int, tuple[int, ...]] = field(default_factory=dict)  # operands to load, by move


def rematerialize(
    dag: CDAG,
    schedule: Schedule,
    memory: int,
    *,
    price_of_work: float = 0.0,
    budget: Budget = UNLIMITED,
) -> Schedule:
    """`schedule` with loads replaced by computations wherever that moves fewer words.

    A value can be computed again instead of being loaded if its operands are in fast memory then,
    or can be loaded for the moment; where all its loads go and it is no output, so does its store.
    Repeated as long as it gains. Legal under rules that allow to compute again.

    Parameters
    ----------
    dag
        The computation.
    schedule
        A play of it, legal under the default rules or with recomputation.
    memory
        Words of fast memory that it may use.
    price_of_work
        Words that an operation counts as which is done again; an operation a value where the DAG
        does not say how many.
    budget
        Of all of it: no round is begun that would last longer.

    Source
    ------
    P. Briggs, K. D. Cooper and L. Torczon, Rematerialization, PLDI 1992.
    """
    if seconds_of("move", len(schedule) + dag.m) > budget.left:
        return schedule
    rounds = _Rounds(dag, memory, price_of_work)
    for _ in range(MOST_ROUNDS):
        if seconds_of("move", len(schedule)) > budget.left:
            break
        charge("move", len(schedule))
        better = rounds.improve(schedule)
        if better is None:
            break
        schedule = better
    return schedule


class _Rounds:
    """The DAG as lists, for rounds of improvement."""

    def __init__(self, dag: CDAG, memory: int, price_of_work: float) -> None:
        bounds = dag.pred_indptr.tolist()
        indices = dag.pred_indices.tolist()
        self.preds = [indices[a:b] for a, b in pairwise(bounds)]
        self.words: list[int] = dag.sizes.tolist()
        work = [1] * dag.n if dag.work is None else dag.work.tolist()
        self.again = [price_of_work * operations for operations in work]
        self.outputs = set(dag.outputs.tolist())
        self.memory = memory

    def improve(self, schedule: Schedule) -> Schedule | None:
        """A schedule that moves less, or None."""
        moves = list(schedule)
        values = self._values(moves)
        dropped: set[int] = set()
        replaced: dict[int, tuple[int, ...]] = {}
        pinned: set[int] = set()  # values that some recomputation will load
        unstored: set[int] = set()  # values that are not stored any more
        for v, value in values.items():
            chosen, all_gone = self._choice(v, value, v in pinned, unstored)
            for move in chosen:
                replaced[move] = value.missing[move]
                pinned.update(value.missing[move])
            if all_gone:
                dropped.add(value.stored)
                unstored.add(v)
        return self._rebuilt(moves, replaced, dropped) if replaced or dropped else None

    def _values(self, moves: list[tuple[Move, int]]) -> dict[int, _Value]:
        """The values that are stored, with the cost of computing them again."""
        red: set[int] = set()
        blue = {v for v, row in enumerate(self.preds) if not row}
        occupied = 0
        values: dict[int, _Value] = defaultdict(_Value)
        for place, (move, v) in enumerate(moves):
            if move is Move.STORE:
                blue.add(v)
                values[v].stored = place
            elif move is Move.DELETE:
                red.remove(v)
                occupied -= self.words[v]
            else:
                if move is Move.LOAD and self.preds[v]:
                    values[v].loads.append(place)
                    missing = tuple(u for u in self.preds[v] if u not in red)
                    room = sum(self.words[u] for u in missing) + self.words[v]
                    if blue.issuperset(missing) and occupied + room <= self.memory:
                        values[v].missing[place] = missing
                red.add(v)
                occupied += self.words[v]
        return values

    def _choice(
        self, v: int, value: _Value, pinned: bool, unstored: set[int]
    ) -> tuple[list[int], bool]:
        """The loads of v to replace, and whether its store goes too."""
        price = {
            move: sum(self.words[u] for u in missing) + self.again[v]
            for move, missing in value.missing.items()
            if unstored.isdisjoint(missing)
        }
        cheaper = [move for move, cost in price.items() if cost < self.words[v]]
        if pinned or v in self.outputs or len(price) < len(value.loads):
            return cheaper, False
        saved = sum(self.words[v] - price[move] for move in cheaper)
        saved_by_all = sum(self.words[v] - price[move] for move in value.loads) + self.words[v]
        return (value.loads, True) if saved_by_all > saved else (cheaper, False)

    def _rebuilt(
        self, moves: list[tuple[Move, int]], replaced: dict[int, tuple[int, ...]], dropped: set[int]
    ) -> Schedule:
        """The moves with the choices made."""
        made: list[tuple[Move, int]] = []
        for place, (move, v) in enumerate(moves):
            if place in replaced:
                made += [(Move.LOAD, u) for u in replaced[place]]
                made.append((Move.COMPUTE, v))
                made += [(Move.DELETE, u) for u in replaced[place]]
            elif place not in dropped:
                made.append((move, v))
        return Schedule.from_moves(made)
