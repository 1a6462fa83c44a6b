"""Exact counts of plays whose moves are not laid out: LRU and furthest next use."""

import time
from collections.abc import Callable
from threading import Lock

import numpy as np

from pebble import MemoryTooSmallError, require_memory
from redblue.answers.plays import infeasible
from redblue.answers.results import Row, WholeRow
from schedulers import (
    EVICTIONS,
    Accesses,
    MemoryCurve,
    OrderAndEviction,
    Policy,
    belady_curve,
    lru_curve,
)

CURVES: dict[Policy, Callable[[Accesses], MemoryCurve]] = {
    EVICTIONS["lru"]: lru_curve,
    EVICTIONS["belady"]: belady_curve,
}
# Plays of an order from which one pass for all memory sizes takes less time than a count for each.
PLAYS_WORTH_A_PASS: dict[Policy, int] = {EVICTIONS["lru"]: 16, EVICTIONS["belady"]: 100}
# Accesses, over all memory sizes, from which the plays of a scheduler are counted: a few seconds.
MANY_ACCESSES = 1 << 25


def countable(scheduler: object, accesses: int, sizes: int) -> bool:
    """Whether plays of `scheduler` are worth counting instead of laying out.

    Parameters
    ----------
    scheduler
        The method.
    accesses
        Number of accesses of a play.
    sizes
        Number of memory sizes.
    """
    known = isinstance(scheduler, OrderAndEviction) and scheduler.policy in CURVES
    return known and sizes > 2 and accesses * sizes >= MANY_ACCESSES


class Counts:
    """Exact counts of the plays of one order, without their moves.

    Parameters
    ----------
    layout
        Accesses of the order, values of one size.
    plays
        Number of plays of the order: some by LRU, some by furthest next use, perhaps others.
    """

    def __init__(self, layout: Accesses, plays: int) -> None:
        self._layout, self._plays = layout, plays
        self._curves: dict[Policy, MemoryCurve] = {}
        self._counting = Lock()

    def row(self, name: str, policy: Policy, memory: int) -> Row:
        """The row of a play, with status "counted".

        Parameters
        ----------
        name
            The scheduler.
        policy
            Its eviction policy, one of `CURVES`.
        memory
            Words of fast memory.
        """
        began = time.perf_counter()
        try:
            require_memory(self._layout.dag, memory)
        except MemoryTooSmallError:
            return infeasible(name, memory)
        loads, stores = self._words(policy, memory)
        seconds = time.perf_counter() - began
        return Row("upper", name, memory, loads + stores, loads, stores, "counted", seconds)

    def _words(self, policy: Policy, memory: int) -> tuple[int, int]:
        """The words loaded and stored."""
        if policy not in self._curves and self._plays < PLAYS_WORTH_A_PASS[policy]:
            single = policy(self._layout, memory)
            return int(single.loads), int(single.stores)
        curve = self._curve(policy)
        return curve.loads_at(memory), curve.stores_at(memory)

    def _curve(self, policy: Policy) -> MemoryCurve:
        """The I/O at every memory size, in one pass unless it is known."""
        with self._counting:
            if policy not in self._curves:
                self._curves[policy] = CURVES[policy](self._layout)
        return self._curves[policy]

    def whole(self, name: str, policy: Policy, first: int, last: int) -> WholeRow | None:
        """The I/O at every memory size of a range; None where none of it can be played.

        Parameters
        ----------
        name, policy
            As for `row`.
        first, last
            Ends of the range, in words; sizes below the smallest that can be played are left out.
        """
        curve = self._curve(policy)
        start = max(first, curve.minimum)
        if last < start:
            return None
        assert curve.stores is not None
        places = np.minimum(np.arange(start, last + 1) - curve.minimum, curve.loads.size - 1)
        moved = (tuple(words[places].tolist()) for words in (curve.loads, curve.stores))
        return WholeRow(name, start, *moved)
