"""Streams of tiles: the points they compute and read, and the words that a play of them moves."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from dags.arrays import Int64Array
from schedulers.families.lattice_patterns import _kernels
from schedulers.families.lattice_patterns.lattices import Frame, Lattice

Times = npt.NDArray[np.float64]
STEPS = 96  # that are played, at least, to see what a period moves


@dataclass(frozen=True, eq=False)
class Stream:
    """A stream of tiles; arrays as in `_kernels`.

    Class c is kind c % kinds at point c // kinds of `Frame.residues`.
    """

    first: Int64Array
    slot: Int64Array
    back: Int64Array
    slots: int
    exported: npt.NDArray[np.uint8]

    @property
    def classes(self) -> int:
        """Vertices a period."""
        return self.exported.size

    @property
    def periods(self) -> int:
        """Number of tiles that are played to see how many words one moves."""
        return max(-(-STEPS // self.classes), 3)

    @property
    def least(self) -> float:
        """Words a vertex that are stored for other streams, and loaded from them once."""
        return (int(self.exported.sum()) + self.slots - self.classes) / self.classes

    @property
    def plain(self) -> Times:
        """(C,) times at which the classes follow each other."""
        return (np.arange(self.classes) + 0.5) / self.classes

    def words(self, due: Times, memory: int) -> float:
        """Return the words a vertex that are moved in the long run."""
        turn = np.arange(self.classes)
        _kernels.ranked(due, turn)
        few, many = (
            int(
                _kernels.traffic(
                    *(self.first, self.slot, self.back, self.slots, self.exported),
                    *(due, turn, periods, memory, _kernels.UNLIMITED),
                )
            )
            for periods in (self.periods, 4 * self.periods)
        )
        return ((many - few) / (3 * self.periods) + int(self.exported.sum())) / self.classes

    def annealed(self, memory: int, moves: int, seed: int = 1) -> Times:
        """Return times at which the classes move less, as found in so many moves."""
        due, best = self.plain, self.plain
        _kernels.anneal(
            *(self.first, self.slot, self.back, self.slots, self.exported),
            *(due, self.periods, memory, moves, np.uint64(seed), best),
        )
        return best


@lru_cache(maxsize=1 << 12)
def stream(lattice: Lattice, frame: Frame) -> Stream:
    """Return the stream of a lattice that is cut so.

    Raises
    ------
    ValueError
        If an operand is ahead in some coordinate, or the frame is not sound.
    """
    if not frame.is_sound:
        raise ValueError(f"a step by a side of {frame} does not lead from point to point")
    points = frame.residues
    number = np.full(frame.sides, -1)
    number[tuple(points.T)] = np.arange(len(points))
    operands: list[list[tuple[int, int]]] = [[] for _ in range(len(points) * lattice.kinds)]
    outside: dict[tuple[int, ...], int] = {}
    exported = np.zeros(len(operands), np.uint8)
    for kind, reads in enumerate(lattice.reads):
        for source, distance in reads:
            step = np.array(frame.system) @ np.array(distance)
            if (step < 0).any():
                raise ValueError(f"operand at distance {distance} is ahead in {frame}")
            tile, residue = np.divmod(points - step, frame.sides)
            read = number[tuple(residue.T)] * lattice.kinds + source
            for reader, (k, slot) in enumerate(zip(tile.tolist(), read.tolist(), strict=True)):
                if any(k[:-1]):
                    exported[slot] = 1
                    slot = len(operands) + outside.setdefault((*k[:-1], slot), len(outside))
                operands[reader * lattice.kinds + kind].append((slot, -k[-1]))
    sizes = [len(each) for each in operands]
    slot, back = np.array([each for row in operands for each in row]).T
    slots = len(operands) + len(outside)
    return Stream(np.cumsum([0, *sizes]), slot.copy(), back.copy(), slots, exported)
