"""I/O as a function of the memory size, for every size."""

from dataclasses import dataclass

import numpy as np

from dags.arrays import Int64Array, lock
from pebble import MemoryTooSmallError


@dataclass(frozen=True, eq=False)
class MemoryCurve:
    """Words moved at every memory size from the smallest that works.

    Parameters
    ----------
    minimum
        The smallest memory, in words.
    loads
        (K,) words loaded with ``minimum + i`` words; what holds for the last size holds for
        every larger one.
    stores
        (K,) words stored, those of outputs among them; None where only loads are counted.
    """

    minimum: int
    loads: Int64Array
    stores: Int64Array | None

    @property
    def memories(self) -> Int64Array:
        """(K,) the memory sizes."""
        return self.minimum + np.arange(self.loads.size)

    @property
    def io(self) -> Int64Array:
        """(K,) words moved both ways.

        Raises
        ------
        ValueError
            If stores are not counted.
        """
        if self.stores is None:
            raise ValueError("this curve counts loads alone")
        return self.loads + self.stores

    def loads_at(self, memory: int) -> int:
        """Return the words loaded with `memory` words; raises MemoryTooSmallError below all."""
        return int(self.loads[self._place(memory)])

    def stores_at(self, memory: int) -> int:
        """Return the words stored with `memory` words, like `loads_at`."""
        if self.stores is None:
            raise ValueError("this curve counts loads alone")
        return int(self.stores[self._place(memory)])

    def _place(self, memory: int) -> int:
        if memory < self.minimum:
            raise MemoryTooSmallError(memory, self.minimum, "with most operands")
        return min(memory - self.minimum, self.loads.size - 1)


def beyond(histogram: Int64Array, minimum: int, size: int) -> Int64Array:
    """Return (size,) how much of `histogram` lies beyond ``minimum + i``."""
    total = np.cumsum(histogram[::-1])[::-1]  # from each place on
    padded = np.zeros(minimum + size + 1, np.int64)
    kept = min(padded.size, total.size)
    padded[:kept] = total[:kept]
    return lock(padded[minimum + 1 :].copy())
