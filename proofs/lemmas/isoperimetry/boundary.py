"""Least boundaries of sets of vertices."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from proofs.core.windows import FAR

KEPT = 2**14  # least boundaries that are remembered: bounds for other memories ask for the same


@dataclass(frozen=True)
class Inverse:
    """The least boundary of a set as a function of its size.

    Parameters
    ----------
    most
        The most vertices of a set with so many values in its boundary; it must not fall. It need
        not hold for sets with a boundary of `limit` values or more.
    limit
        The largest boundary that is returned.
    """

    most: Callable[[int], int]
    limit: int = FAR

    def __call__(self, size: int) -> int:
        """The least boundary, in values, of a set of `size` vertices."""
        return self._known(size)

    @cached_property
    def _known(self) -> Callable[[int], int]:
        return lru_cache(maxsize=KEPT)(self._found)

    def _found(self, size: int) -> int:
        low, high = 0, 1  # most(high) is enough, most(low) is not
        if size <= self.most(0):
            return 0
        while self.most(high) < size and high < self.limit:
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            if self.most(middle) < size:
                low = middle
            else:
                high = middle
        return min(high, self.limit)


def inverse(most_vertices: Callable[[int], int], limit: int = FAR) -> Inverse:
    """The least boundary as a function of the size; parameters as for `Inverse`."""
    return Inverse(most_vertices, limit)
