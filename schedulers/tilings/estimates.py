"""Estimates of the words that many tilings move and hold, as arrays.

The same formulas as `plan`, but for conditions and for intersections of accesses to an array, and
many sizes of chunks at once; results are counted exactly there. Floating point: numbers beyond 2^53
are rounded.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product
from math import gcd, prod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dags.arrays import Int64Array
from dags.programs.box_nests import Access
from dags.programs.tied_loops import Box, Row
from dags.programs.touched import groups
from dags.work import charge
from schedulers.tilings._kernels import add_cheapest
from schedulers.tilings.plan import Counts, Level

Floats = npt.NDArray[np.float64]
WHOLE, CHUNK, POINT = range(3)  # how much of a loop an iteration goes through


class Estimates:
    """Counts plays of one assignment whose levels are all loops in chunks, then all one by one.

    Parameters
    ----------
    counts
        The nest; it has one assignment.
    outer, inner
        The loops in the order of their chunks, and in the order of single values.
    sizes
        (k, loops) sizes of chunks.
    """

    def __init__(
        self,
        counts: Counts,
        outer: Sequence[int],
        inner: Sequence[int],
        sizes: Int64Array,
    ) -> None:
        (self.assignment,) = counts.nest.assignments
        self.counts = counts
        self.levels = [*((loop, CHUNK) for loop in outer), *((loop, POINT) for loop in inner)]
        self.sizes = sizes
        self.extents = [high - low for low, high in self.assignment.box]
        self._ones = np.ones(len(sizes))
        self._known: dict[tuple[Row, tuple[int, ...], Box, float], Floats] = {}
        # Of each loop, whole, in chunks and one by one: values of a chunk, and chunks.
        self._size, self._count = [], []
        for extent, chunk in zip(self.extents, sizes.T.astype(float), strict=True):
            self._size.append((extent * self._ones, chunk, self._ones))
            self._count.append((self._ones, np.ceil(extent / chunk), extent * self._ones))

    def options(self, array: str) -> tuple[list[int], Floats, Floats]:
        """Depths of a hold with (depths, k) the words that it moves, and those it holds.

        Parameters
        ----------
        array
            Whose hold it is.
        """
        accesses = self.counts.arrays[array][self.assignment.name]
        depths = [0, *(d + 1 for d, (loop, _) in enumerate(self.levels) if _reads(accesses, loop))]
        merged = _merged(tuple(accesses))
        moved = np.array([self._sum(self._visits, merged, max(0, depth - 1)) for depth in depths])
        words = np.array([self._sum(self._words, merged, depth) for depth in depths])
        if array == self.assignment.name and self.assignment.sums:
            moved = 2 * moved - moved.min(axis=0)
        return depths, moved, words

    def words_of(self, array: str, depth: int) -> Floats:
        """(k,) the words of a hold of an array with so many levels outside."""
        accesses = self.counts.arrays[array][self.assignment.name]
        return self._words(_Merged(accesses[-1], (0,) * len(accesses[-1].rows)), depth)

    def _sum(self, of: Any, merged: Sequence["_Merged"], depth: int) -> Floats:
        parts = [of(each, depth) for each in merged]
        total: Floats = sum(parts[1:], parts[0])
        return total

    def levels_of(self, place: int) -> list[Level]:
        """The levels with the sizes in a row of `sizes`, without those of one chunk."""
        left, found = list(self.extents), []
        for loop, kind in self.levels:
            chunk = int(self.sizes[place, loop]) if kind == CHUNK else 1
            if chunk < left[loop]:
                found.append(Level(loop, chunk))
                left[loop] = chunk
        return found

    def _kinds(self, depth: int) -> list[int]:
        kinds = [WHOLE] * len(self.extents)
        for loop, kind in self.levels[:depth]:
            kinds[loop] = kind
        return kinds

    def _visits(self, merged: "_Merged", depth: int) -> Floats:
        """(k,) the visits to items from iterations of some levels."""
        kinds, box = self._kinds(depth), merged.access.box
        total = self._ones
        touched = set()
        for mixed, loops, more in merged.groups():
            touched |= {*loops}
            chosen = tuple(kinds[at] for at in loops)
            if mixed is not None:
                total = total * self._visits_of_index(mixed, loops, chosen, box, more)
                continue
            items = prod(float(box[at][1] - box[at][0]) for at in loops)
            total = total * (
                items + more * prod(self._count_of(at, kinds[at], box) for at in loops)
            )
        for at, kind in enumerate(kinds):
            if kind and at not in touched:
                total = total * self._count_of(at, kind, box)
        return total

    def _size_of(self, loop: int, kind: int, box: Box) -> Floats:
        """(k,) values of a chunk of a loop in a box."""
        size: Floats = np.minimum(self._size[loop][kind], box[loop][1] - box[loop][0])
        return size

    def _count_of(self, loop: int, kind: int, box: Box) -> Floats:
        """(k,) the chunks of a loop in a box."""
        extent = box[loop][1] - box[loop][0]
        if extent == self.extents[loop]:
            return self._count[loop][kind]
        count: Floats = np.ceil(extent / self._size[loop][kind])
        return count

    def _visits_of_index(
        self, row: Row, loops: tuple[int, ...], kinds: tuple[int, ...], box: Box, more: float
    ) -> Floats:
        """(k,) the sum of how many values an index takes in each combination of chunks."""
        key = row, kinds, box, more
        if key not in self._known:
            total = np.zeros(len(self.sizes))
            pairs = zip(loops, kinds, strict=True)
            for chosen in product(*(self._parts(at, kind, box) for at, kind in pairs)):
                count = prod(many for _, many in chosen)
                values = _values(row, loops, [size for size, _ in chosen])
                total = total + count * (values + more)
            self._known[key] = total
        return self._known[key]

    def _parts(self, loop: int, kind: int, box: Box) -> list[tuple[Floats, Floats]]:
        """Sizes of chunks of a loop, and how many there are of each."""
        extent = box[loop][1] - box[loop][0]
        if kind != CHUNK:
            return [(self._size_of(loop, kind, box), self._count_of(loop, kind, box))]
        size = self._size_of(loop, CHUNK, box)
        left = extent % size
        return [(size, extent // size), (left, (left > 0).astype(float))]

    def _words(self, merged: "_Merged", depth: int) -> Floats:
        """(k,) the words that a hold inside of some levels has at once."""
        kinds, box = self._kinds(depth), merged.access.box
        last = self.levels[depth - 1][0] if depth else -1
        total = self._ones
        for mixed, loops, more in merged.groups():
            sizes = [self._size_of(at, kinds[at], box) for at in loops]
            if mixed is None:
                total = total * (prod(sizes, start=1.0) + more)
                continue
            values = _values(mixed, loops, sizes)
            if last in loops:
                others = np.any([sizes[at] > 1 for at, loop in enumerate(loops) if loop != last], 0)
                span = 1 + sum(
                    abs(mixed[loop]) * (size - 1) for loop, size in zip(loops, sizes, strict=True)
                )
                values = np.where(others, np.maximum(values, span), values)
            total = total * (values + more)
        return total


class _Merged(NamedTuple):
    """Accesses that differ in constants of indices, as one.

    Attributes
    ----------
    access
        The first, on the least box of all.
    more
        How much more is added to each index, at most.
    """

    access: Access
    more: tuple[int, ...]

    def groups(self) -> list[tuple[Row | None, tuple[int, ...], float]]:
        """The loops of indices that share some, the index if it mixes them, more values."""
        found: list[tuple[Row | None, tuple[int, ...], float]] = []
        for group in groups(self.access.rows, self.access.box):
            if not group.rows:
                continue
            row, more = self.access.rows[group.places[0]], 0.0
            if len(group.rows) == 1:
                more = self.more[group.places[0]] / min(abs(by) for by in row if by)
            alone = len(group.rows) == 1 and len(group.loops) > 1
            found.append((row if alone else None, group.loops, more))
        return found


@lru_cache(maxsize=256)
def _merged(accesses: tuple[Access, ...]) -> list[_Merged]:
    """Accesses with those of the same rows in one; cells at other numbers are others."""
    found: dict[object, list[Access]] = {}
    for each in accesses:
        pairs = zip(each.rows, each.offset, strict=True)
        numbers = tuple(offset for row, offset in pairs if not any(row))
        found.setdefault((each.rows, numbers), []).append(each)
    merged = []
    for some in found.values():
        boxes = zip(*(each.box for each in some), strict=True)
        box = tuple((min(low for low, _ in ends), max(high for _, high in ends)) for ends in boxes)
        offsets = zip(*(each.offset for each in some), strict=True)
        more = tuple(max(each) - min(each) for each in offsets)
        merged.append(_Merged(replace(some[0], box=box, ties=()), more))
    return merged


def cheapest(
    options: Sequence[tuple[Sequence[int], Floats, Floats]], prices: Floats, depth: int, k: int
) -> Floats:
    """(3, p, k) words moved, held outside of some levels, and held inside, by price.

    Parameters
    ----------
    options
        Of each array, as `Estimates.options` gives them.
    prices
        (p,) of a word of memory: at each, every array has the hold that costs least.
    depth
        Of how many levels "outside" speaks.
    k
        How many sizes there are.
    """
    charge("price", k * prices.size * sum(len(depths) for depths, _, _ in options))
    totals = np.zeros((3, prices.size, k))
    for depths, moved, words in options:
        add_cheapest(moved, words, prices, np.array(depths) <= depth, *totals)
    return totals


def _reads(accesses: Sequence[Access], loop: int) -> bool:
    return any(row[loop] for access in accesses for row in access.rows)


def _values(row: Sequence[int], loops: Sequence[int], sizes: Sequence[Floats]) -> Floats:
    """(k,) how many values an index takes; where it is no progression, at most."""
    order = sorted(range(len(loops)), key=lambda at: abs(row[loops[at]]))
    unit, count = abs(row[loops[order[0]]]), sizes[order[0]]
    if len(order) == 2:
        by, size = abs(row[loops[order[1]]]), sizes[order[1]]
        common = gcd(unit, by)
        twice = np.maximum(0.0, count - by // common) * np.maximum(0.0, size - unit // common)
        both: Floats = count * size - twice
        return both
    for at in order[1:]:
        step = abs(row[loops[at]]) / unit
        count = np.minimum(count * sizes[at], count + step * (sizes[at] - 1))
    return count
