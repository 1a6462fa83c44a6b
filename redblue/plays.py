"""Plays that the engine replays: the rows of schedulers, a schedule a memory size."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from dags import CDAG
from pebble import MemoryTooSmallError, Rules, Schedule, play, require_memory
from redblue.results import Row
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

# Renumbering a DAG in the order of play takes about as long as four replays gain from it.
PLAYS_WORTH_RENUMBERING = 4


def order_of(player: Scheduler) -> Order | None:
    """Return the order that `player` computes in, if that is the same for every memory size."""
    return player.order if isinstance(player, OrderAndEviction) else None


def lay_out(dag: CDAG, order: Order | None, plays: int) -> Accesses | None:
    """Return what `order` touches, for so many plays; None where there is no order to lay out."""
    if order is None:
        return None
    layout = accesses(dag, order(dag))
    return layout if plays < PLAYS_WORTH_RENUMBERING else in_order_of_play(layout)


@dataclass(frozen=True)
class Table:
    """Where schedules are played.

    Parameters
    ----------
    dag, rules
        The game.
    seed
        Seed for schedulers that draw at random.
    time_limit
        Seconds for schedulers that search; None for as long as they like.
    """

    dag: CDAG
    rules: Rules
    seed: int = 0
    time_limit: float | None = None

    def play(self, name: str, player: Scheduler, layout: Accesses | None, memory: int) -> Row:
        """Return the row of a schedule that the engine has replayed."""
        began = time.perf_counter()
        try:
            moves = self._moves(player, layout, memory)
            dag = self.dag if layout is None else layout.dag
            count = play(dag, moves, memory, rules=self.rules)
        except MemoryTooSmallError:
            return Row("upper", name, memory, None, None, None, "infeasible", 0.0)
        seconds = time.perf_counter() - began
        return Row("upper", name, memory, count.io, count.loads, count.stores, "feasible", seconds)

    def schedule(self, player: Scheduler, memory: int) -> Schedule:
        """Return all moves of `player`, by the numbers of the DAG."""
        limit: dict[str, Any] = {} if self.time_limit is None else {"time_limit": self.time_limit}
        return player(self.dag, memory, rules=self.rules, seed=self.seed, **limit)

    def _moves(
        self, player: Scheduler, layout: Accesses | None, memory: int
    ) -> Schedule | Iterator[Schedule]:
        """Return the moves of `player`, a block at a time where it can make them so."""
        if isinstance(player, Structured):
            return player.blocks(self.dag, memory, rules=self.rules)
        if layout is None or not isinstance(player, OrderAndEviction):
            return self.schedule(player, memory)
        require_memory(self.dag, memory)
        return blocks(layout, memory, player.policy)
