"""Plays that the engine replays, as rows of a curve."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from dags import CDAG
from pebble import (
    IOCount,
    MemoryTooSmallError,
    Rules,
    Schedule,
    computed_again,
    play,
    require_memory,
)
from redblue.answers.results import Row
from redblue.answers.tilings import tiling_in
from schedulers import (
    Accesses,
    Order,
    OrderAndEviction,
    Scheduler,
    Structured,
    accesses,
    blocks,
    in_order_of_play,
)
from schedulers.tilings.shown import ShownTiling

# Renumbering a DAG in the order of play takes about as long as four replays gain from it.
PLAYS_WORTH_RENUMBERING = 4


def order_of(scheduler: object) -> Order | None:
    """The order of `scheduler`, if that is the same for every memory size."""
    return scheduler.order if isinstance(scheduler, OrderAndEviction) else None


def lay_out(dag: CDAG, order: Order, plays: int) -> Accesses:
    """The accesses of `order`, prepared for so many plays."""
    layout = accesses(dag, order(dag))
    return layout if plays < PLAYS_WORTH_RENUMBERING else in_order_of_play(layout)


@dataclass(frozen=True)
class Player:
    """Plays schedules on one DAG; each play is a row of a curve.

    Parameters
    ----------
    dag, rules
        The game.
    seed
        Seed of random schedulers.
    time_limit
        Seconds for schedulers that search; None for no limit.
    """

    dag: CDAG
    rules: Rules
    seed: int = 0
    time_limit: float | None = None

    def play(self, name: str, scheduler: Scheduler, layout: Accesses | None, memory: int) -> Row:
        """The row of a schedule that the engine has replayed.

        Parameters
        ----------
        name, scheduler
            The method.
        layout
            Accesses of the scheduler's order, if it has one.
        memory
            Words of fast memory.
        """
        began = time.perf_counter()
        try:
            moves = self._moves(scheduler, layout, memory)
            dag = self.dag if layout is None or self.rules.partial else layout.dag
            count = play(dag, moves, memory, rules=self.rules)
        except MemoryTooSmallError:
            return infeasible(name, memory)
        tiling = tiling_in(self.dag, moves) if isinstance(moves, Schedule) else None
        return self._row(name, memory, count, time.perf_counter() - began, tiling)

    def keep(self, name: str, scheduler: Scheduler, memory: int) -> tuple[Row, Schedule | None]:
        """The row of a schedule that the engine has replayed, and the schedule."""
        began = time.perf_counter()
        try:
            moves = self._schedule(scheduler, memory)
            count = play(self.dag, moves, memory, rules=self.rules)
        except MemoryTooSmallError:
            return infeasible(name, memory), None
        seconds = time.perf_counter() - began
        return self._row(name, memory, count, seconds, tiling_in(self.dag, moves)), moves

    def _row(
        self, name: str, memory: int, count: IOCount, seconds: float, tiling: ShownTiling | None
    ) -> Row:
        words = (count.io, count.loads, count.stores)
        again = computed_again(self.dag, count).operations if self.rules.recompute else None
        return Row("upper", name, memory, *words, "feasible", seconds, tiling, again)

    def _schedule(self, scheduler: Scheduler, memory: int) -> Schedule:
        """All moves of `scheduler`, by the numbers of the DAG."""
        limit: dict[str, Any] = {} if self.time_limit is None else {"time_limit": self.time_limit}
        return scheduler(self.dag, memory, rules=self.rules, seed=self.seed, **limit)

    def _moves(
        self, scheduler: Scheduler, layout: Accesses | None, memory: int
    ) -> Schedule | Iterator[Schedule]:
        """The moves of `scheduler`, a block at a time where it can make them so."""
        if self.rules.partial:
            return self._schedule(scheduler, memory)
        if isinstance(scheduler, Structured):
            return scheduler.blocks(self.dag, memory, rules=self.rules)
        if layout is None or not isinstance(scheduler, OrderAndEviction):
            return self._schedule(scheduler, memory)
        require_memory(self.dag, memory)
        return blocks(layout, memory, scheduler.policy)


def infeasible(name: str, memory: int) -> Row:
    """The row of a scheduler that cannot play with so little memory."""
    return Row("upper", name, memory, None, None, None, "infeasible", 0.0)
