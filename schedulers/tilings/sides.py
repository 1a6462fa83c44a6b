"""Sizes of chunks to choose from, and orders of loops in which one array or another can stay."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import permutations
from math import ceil, isqrt
from typing import overload

import numpy as np

from dags.arrays import Int64Array, lock
from schedulers.tilings.plan import Counts

GROWTH = 1.2  # between sides that are always tried
MOST_ARRAYS = 4  # of different loops, that one order or another is for
NEAR = 10  # sides next to one that are tried beside those


class EvenSides(Sequence[int]):
    """The sides that cut a length into parts as equal as can be, rising; none of them is stored.

    They are all numbers up to about the root of the length, and then the lengths of its last parts
    where it is cut into fewer and fewer.

    Parameters
    ----------
    extent
        The length.
    """

    def __init__(self, extent: int) -> None:
        root = isqrt(extent) + 1
        self._extent, self._small = extent, min(root, extent)
        self._parts = max(0, -(-extent // root) - 1)  # the most that are longer than the root

    def __len__(self) -> int:
        return self._small + self._parts

    @overload
    def __getitem__(self, place: int) -> int: ...

    @overload
    def __getitem__(self, place: slice) -> list[int]: ...

    def __getitem__(self, place: int | slice) -> int | list[int]:
        if isinstance(place, slice):
            return [self[at] for at in range(*place.indices(len(self)))]
        if not 0 <= place < len(self):
            raise IndexError(f"{place} is no place among {len(self)} sides")
        if place < self._small:
            return place + 1
        return -(-self._extent // (len(self) - place))

    def place(self, side: float) -> int:
        """How many sides are less than a number."""
        least = ceil(side)
        if least <= self._small:
            return max(0, least - 1)
        longer = -(-self._extent // (least - 1))  # parts of a side that is less
        return len(self) - min(self._parts, longer - 1)


@lru_cache(maxsize=64)
def few_sides(extent: int) -> Int64Array:
    """Return even sides in about equal ratios, rising."""
    every, kept = EvenSides(extent), [1]
    while (place := every.place(GROWTH * kept[-1])) < len(every):
        kept.append(every[place])
    return lock(np.unique([*kept, extent]))


def sides_near(extent: int, side: int) -> Int64Array:
    """Return some even sides in equal ratios, and those next to one."""
    every = EvenSides(extent)
    place = every.place(side)
    near = every[max(0, place - NEAR) : place + NEAR]
    found: Int64Array = np.union1d(few_sides(extent), near)
    return found


def stationary_orders(counts: Counts) -> Iterator[tuple[int, ...]]:
    """Yield orders of the loops of a nest's only assignment, for one array after the other.

    Those come last that the first array does not depend on, so that it can stay; before them, and
    among them, those that the next one does not depend on; and so on.
    """
    (assignment,) = counts.nest.assignments
    loops = [at for at, (low, high) in enumerate(assignment.box) if high - low > 1]
    depends = {
        frozenset(
            at for at in loops if any(row[at] for each in by[assignment.name] for row in each.rows)
        )
        for by in counts.arrays.values()
    }
    some = sorted(map(sorted, depends - {frozenset(loops)}), key=len)[:MOST_ARRAYS]
    for order in permutations(some):
        key = {at: [at not in each for each in order] for at in loops}
        yield tuple(sorted(loops, key=lambda at: (key[at], at)))
