"""Moves of the Dirac operator's plays, collected in any order, each with its time."""

from typing import Final

import numpy as np

from dags.arrays import Int64Array, lock
from dags.families.dirac_numbers import DiracNumbers
from dags.families.hop_order import HopOrder
from pebble import Move, Schedule
from schedulers.families.stable_sort import in_turn

LOAD: Final = Move.LOAD
STORE: Final = Move.STORE
COMPUTE: Final = Move.COMPUTE
DELETE: Final = Move.DELETE


class TimedMoves:
    """The moves of a play, collected in any order, each block of them with its times.

    Parameters
    ----------
    numbers
        The vertex numbers of the operator.
    hops
        The order in which its sums grow.
    """

    def __init__(self, numbers: DiracNumbers, hops: HopOrder) -> None:
        self.numbers = numbers
        self.hops = hops
        self.site = np.arange(numbers.sites)
        self._times: list[Int64Array] = []
        self._codes: list[Int64Array] = []
        self._vertices: list[Int64Array] = []

    def schedule(self) -> Schedule:
        """Return all moves in the order of their times, those of one time as they were added."""
        order = in_turn(np.concatenate(self._times))
        codes, vertices = np.concatenate(self._codes), np.concatenate(self._vertices)
        return Schedule(lock(codes[order]), lock(vertices[order]))

    def add(self, time: Int64Array, *moves: tuple[Move, Int64Array]) -> None:
        """Add a sequence of moves at each of the times."""
        codes = np.array([code for code, _ in moves], np.uint8)
        self._codes.append(np.tile(codes, time.size))
        self._vertices.append(np.stack([v for _, v in moves], 1).reshape(-1).astype(np.int32))
        self._times.append(np.repeat(time, len(moves)))

    def grow(self, x: Int64Array, d: int) -> list[tuple[Move, Int64Array]]:
        """Return the moves that add a hop to Phi; the new version slides onto the old one."""
        before = self.hops.place[x, d]
        old, new = self.numbers.phi(x, before), self.numbers.phi(x, before + 1)
        return [(COMPUTE, new), (DELETE, old)]

    def neighbour(self, x: Int64Array, d: int) -> tuple[Int64Array, Int64Array]:
        """Return the neighbours of `x` and the links between."""
        y = self.hops.neighbour[x, d]
        return y, self.numbers.link(x if d % 2 else y, d // 2)
