"""Least boundaries of sets of vertices."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

FAR = 2**40  # no boundary that matters is larger
KEPT = 2**14  # least boundaries that are remembered: bounds for other memories ask for the same


@dataclass(frozen=True)
class Boundary:
    """Least values that sets of so many counted vertices of a piece exchange with the rest.

    Parameters
    ----------
    vertices
        How many vertices of the piece are counted: some or all of those that are computed.
    least
        The least boundary, in values, of a set of so many counted vertices.
    waived
        Values that the boundaries of disjoint sets count at most, all of them together, though
        moving them is compulsory, or though they do not exist: the piece is thought of as a part
        of a larger one without borders.
    copies
        How many disjoint pieces there are like this one.
    reach
        The largest size for which `least` can be asked.
    """

    vertices: int
    least: Callable[[int], int]
    waived: int = 0
    copies: int = 1
    reach: int = FAR


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
        """Return the least boundary, in values, of a set of `size` vertices."""
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


def inverse(most: Callable[[int], int], limit: int = FAR) -> Inverse:
    """Return the least boundary as a function of the size; parameters as for `Inverse`."""
    return Inverse(most, limit)
