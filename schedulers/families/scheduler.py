"""The scheduler that knows the family of a DAG."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dags import CDAG
from dags.arrays import Int32Array
from pebble import ONE_SHOT, UNLIMITED, Budget, Rules, Schedule, placing_memory, require_memory
from schedulers.eviction.policies import MOST_WORDS, joined
from schedulers.families.plays import FamilyPlays, Play, ordered, plays_in_orders, relabelled
from schedulers.orders import ORDERS
from schedulers.partial import aggregating

if TYPE_CHECKING:
    from schedulers.families.formula_plays import FormulaPlay

FamilyOrders = Callable[[CDAG, int], Iterator[Int32Array]]
SMALL = 1 << 20  # vertices up to which the generic orders are tried too


@dataclass(frozen=True)
class Structured:
    """Plays a DAG by the literature on its family.

    It counts the words that each candidate moves with the given memory, orders with both
    store-aware evictions, and plays the best. The play that a formula counts is a candidate, and so
    is its order. The generic orders are candidates too where nothing else is known, and up to a
    million vertices: at the edges of small DAGs they sometimes win. In an order every value is
    computed once; results slide onto operands where the rules allow it.

    Parameters
    ----------
    families
        The orders to try for each family, given the memory; the first is the literature's.
    plays
        Families' plays that are more than an order, or legal only under some of the rules.
    """

    families: Mapping[str, FamilyOrders]
    plays: Mapping[str, FamilyPlays] = field(default_factory=dict)

    def plan(
        self, dag: CDAG, memory: int, *, rules: Rules = ONE_SHOT, budget: Budget = UNLIMITED
    ) -> Play:
        """The play that moves least, of those that are counted within a budget.

        A DAG that was recognised is played as its generator numbers it.

        Parameters
        ----------
        dag
            The computation.
        memory
            Words of fast memory.
        rules
            The rules of the game.
        budget
            Of all plays but that of a formula, and the first one beside it.

        Raises
        ------
        MemoryTooSmallError
            If some vertex cannot be computed with `memory` words.
        """
        rules = ONE_SHOT if rules.partial else rules  # a placed play is one of both
        require_memory(dag, memory, rules=rules)
        # Imported here, as formulas count what modules of this package play.
        from schedulers.families.formula_plays import formula_play

        generated, recognised = dag.as_generated, dag.recognised
        is_other = recognised is not None and bool(recognised.own)
        formula = None if is_other else formula_play(generated, memory, rules)
        plays = [] if formula is None else [formula.play]
        for play in self._candidates(generated, memory, rules, formula):
            plays.append(play)
            if budget.over:
                break
        best = min(plays, key=lambda play: play.io)
        return best if recognised is None else relabelled(best, recognised.vertex)

    def _candidates(
        self, dag: CDAG, memory: int, rules: Rules, formula: "FormulaPlay | None"
    ) -> Iterator[Play]:
        """Yield the family's own plays, and those of all orders that move less.

        Parameters
        ----------
        dag, memory, rules
            The game.
        formula
            The play that a formula counts; None where there is none.
        """
        family, limit = dag.family or "", MOST_WORDS if formula is None else formula.words - 1
        if family in self.plays:
            for play in self.plays[family](dag, memory, rules):
                limit = min(limit, play.io - 1)
                yield play
        orders = self._orders(dag, placing_memory(dag, memory, rules=rules), formula)
        yield from plays_in_orders(dag, orders, memory, rules, limit=limit)

    def _orders(
        self, dag: CDAG, memory: int, formula: "FormulaPlay | None"
    ) -> Iterator[Int32Array]:
        """Yield the family's orders, that of its formula, and the generic ones that may win.

        Parameters
        ----------
        dag
            The computation.
        memory
            Words of fast memory where results are placed.
        formula
            The play that a formula counts; None where there is none.
        """
        is_only = formula is None
        for order in self.families.get(dag.family or "", _none)(dag, memory):
            is_only = False
            yield order
        if formula is not None:
            yield formula.tiles().order
        if is_only or dag.n <= SMALL:
            for generic in ORDERS.values():
                yield ordered(dag, generic)

    def blocks(self, dag: CDAG, memory: int, *, rules: Rules = ONE_SHOT) -> Iterator[Schedule]:
        """Yield the schedule a block of moves at a time.

        Parameters
        ----------
        dag, memory, rules
            As for `plan`.

        Raises
        ------
        MemoryTooSmallError
            If some vertex cannot be computed with `memory` words.
        """
        if rules.partial:
            return iter([self(dag, memory, rules=rules)])
        return iter(self.plan(dag, memory, rules=rules).blocks())

    @aggregating
    def __call__(
        self,
        dag: CDAG,
        memory: int,
        *,
        rules: Rules = ONE_SHOT,
        seed: int = 0,
        time_limit: float | None = None,
    ) -> Schedule:
        """The schedule; raises as `plan`."""
        return joined(self.blocks(dag, memory, rules=rules))


def _none(dag: CDAG, memory: int) -> Iterator[Int32Array]:
    """Yield no order: as for a DAG of no family."""
    del dag, memory
    return iter(())
