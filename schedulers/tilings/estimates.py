"""Estimates of the words that many tilings move and hold, as arrays.

The same formulas as `plan`, for arrays with one access, many sizes of chunks at once; what is
found is counted exactly there. Floating point: numbers beyond 2^53 are rounded.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from math import gcd, prod

import numpy as np
import numpy.typing as npt

from dags.arrays import Int64Array
from dags.programs.box_nests import Access, Box
from dags.programs.touched import components
from schedulers.tilings.plan import Counts, Hold, Level, Tiling

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
        self._known: dict[tuple[tuple[int, ...], tuple[int, ...]], Floats] = {}
        # Of each loop, whole, in chunks and one by one: values of a chunk, and chunks.
        self._size, self._count = [], []
        for extent, chunk in zip(self.extents, sizes.T.astype(float), strict=True):
            self._size.append((extent * self._ones, chunk, self._ones))
            self._count.append((self._ones, np.ceil(extent / chunk), extent * self._ones))

    def options(self, array: str) -> tuple[list[int], Floats, Floats]:
        """Return depths of a hold with (depths, k) the words that it moves, and those it holds.

        Parameters
        ----------
        array
            Whose hold it is.
        """
        accesses = self.counts.arrays[array][self.assignment.name]
        depths = [0, *(d + 1 for d, (loop, _) in enumerate(self.levels) if _reads(accesses, loop))]
        if len(accesses) > 1 or accesses[0].box != self.assignment.box:
            moved, words = self._exactly(array, depths)
        else:
            moved = np.array([self._visits(accesses[0], max(0, depth - 1)) for depth in depths])
            words = np.array([self._words(accesses[0], depth) for depth in depths])
            if array == self.assignment.name:
                moved = 2 * moved - moved.min(axis=0)
        return depths, moved, words

    def words_of(self, array: str, depth: int) -> Floats:
        """Return (k,) the words of a hold of an array with so many levels outside."""
        return self._words(self.counts.arrays[array][self.assignment.name][-1], depth)

    def levels_of(self, place: int) -> list[Level]:
        """Return the levels with the sizes in a row of `sizes`, without those of one chunk."""
        left, found = list(self.extents), []
        for loop, kind in self.levels:
            chunk = int(self.sizes[place, loop]) if kind == CHUNK else 1
            if chunk < left[loop]:
                found.append(Level(loop, chunk))
                left[loop] = chunk
        return found

    def _exactly(self, array: str, depths: list[int]) -> tuple[Floats, Floats]:
        """Return what `options` does, by exact counts of each play."""
        found = np.empty((2, len(depths), len(self.sizes)))
        name, sizes = self.assignment.name, self.sizes.tolist()
        for place, mine in enumerate(sizes):
            levels = [Level(at, mine[at] if kind == CHUNK else 1) for at, kind in self.levels]
            path: list[int | Level] = [0]
            for level in levels:
                path += [level, 0]
            tree = Tiling({name: tuple(path)})
            for row, depth in enumerate(depths):
                hold = Hold(array, (name,), depth, (0,) * depth)
                moved = self.counts.moved(tree, hold)
                found[:, row, place] = moved.io, moved.words
        return found[0], found[1]

    def _kinds(self, depth: int) -> list[int]:
        kinds = [WHOLE] * len(self.extents)
        for loop, kind in self.levels[:depth]:
            kinds[loop] = kind
        return kinds

    def _visits(self, access: Access, depth: int) -> Floats:
        """Return (k,) the visits to items from iterations of some levels."""
        kinds = self._kinds(depth)
        total = self._ones
        for mixed, loops in _groups(access, self.assignment.box):
            if mixed is None:
                total = total * prod(float(self.extents[at]) for at in loops)
            else:
                chosen = tuple(kinds[at] for at in loops)
                total = total * self._visits_of_index(mixed, loops, chosen)
        touched = {at for _, loops in _groups(access, self.assignment.box) for at in loops}
        for at, kind in enumerate(kinds):
            if kind and at not in touched:
                total = total * self._count[at][kind]
        return total

    def _visits_of_index(
        self, row: tuple[int, ...], loops: tuple[int, ...], kinds: tuple[int, ...]
    ) -> Floats:
        """Return (k,) the sum of how many values an index takes in each combination of chunks."""
        key = row, kinds
        if key not in self._known:
            total = np.zeros(len(self.sizes))
            pairs = zip(loops, kinds, strict=True)
            for chosen in product(*(self._parts(at, kind) for at, kind in pairs)):
                count = prod(many for _, many in chosen)
                total = total + count * _values(row, loops, [size for size, _ in chosen])
            self._known[key] = total
        return self._known[key]

    def _parts(self, loop: int, kind: int) -> list[tuple[Floats, Floats]]:
        """Return sizes of chunks of a loop, and how many there are of each."""
        extent = self.extents[loop]
        if kind != CHUNK:
            return [(self._size[loop][kind], self._count[loop][kind])]
        size = self._size[loop][CHUNK]
        left = extent % size
        return [(size, extent // size), (left, (left > 0).astype(float))]

    def _words(self, access: Access, depth: int) -> Floats:
        """Return (k,) the words that a hold inside of some levels has at once."""
        kinds = self._kinds(depth)
        last = self.levels[depth - 1][0] if depth else -1
        total = self._ones
        for mixed, loops in _groups(access, self.assignment.box):
            sizes = [self._size[at][kinds[at]] for at in loops]
            if mixed is None:
                total = total * prod(sizes, start=1.0)
                continue
            values = _values(mixed, loops, sizes)
            if last in loops:
                others = np.any([sizes[at] > 1 for at, loop in enumerate(loops) if loop != last], 0)
                span = 1 + sum(
                    abs(mixed[loop]) * (size - 1) for loop, size in zip(loops, sizes, strict=True)
                )
                values = np.where(others, np.maximum(values, span), values)
            total = total * values
        return total


@lru_cache(maxsize=256)
def _groups(access: Access, box: Box) -> tuple[tuple[tuple[int, ...] | None, tuple[int, ...]], ...]:
    """Return the loops of indices that share some, with the index if it mixes several."""
    found = []
    for rows in components(access, box):
        extents = [high - low for low, high in box]
        loops = tuple(
            at
            for at, extent in enumerate(extents)
            if extent > 1 and any(access.rows[row][at] for row in rows)
        )
        mixed = access.rows[rows[0]] if len(rows) == 1 and len(loops) > 1 else None
        found.append((mixed, loops))
    return tuple(found)


def _reads(accesses: Sequence[Access], loop: int) -> bool:
    return any(row[loop] for access in accesses for row in access.rows)


def _values(row: Sequence[int], loops: Sequence[int], sizes: Sequence[Floats]) -> Floats:
    """Return (k,) how many values an index takes; where it is no progression, at most."""
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
