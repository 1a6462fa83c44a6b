"""Estimates of the words that many tilings move and hold, as arrays.

The same formulas as `plan`, but for conditions and for intersections of accesses to an array, and
many sizes of chunks at once; results are counted exactly there. Floating point: numbers beyond 2^53
are rounded.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
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
Kinds = tuple[int, ...]
WHOLE, CHUNK, POINT = range(3)  # how much of a loop an iteration goes through


class Chunks:
    """Sizes of chunks of an assignment's loops, and the words that a few loops give at each.

    Orders of loops share these words: they depend only on which loops are whole, in chunks or one
    by one.

    Parameters
    ----------
    counts
        The nest; it has one assignment.
    sizes
        (k, loops) sizes of chunks.
    """

    def __init__(self, counts: Counts, sizes: Int64Array) -> None:
        (self.assignment,) = counts.nest.assignments
        self.counts, self.sizes = counts, sizes
        self.extents = [high - low for low, high in self.assignment.box]
        self.ones = np.ones(len(sizes))
        self._visits: dict[tuple[_Factor, Kinds], Floats] = {}
        self._words: dict[tuple[_Factor, Kinds, int], Floats] = {}
        # Of each loop, whole, in chunks and one by one: values of a chunk, and chunks.
        self._size, self._count = [], []
        for extent, chunk in zip(self.extents, sizes.T.astype(float), strict=True):
            self._size.append((extent * self.ones, chunk, self.ones))
            self._count.append((self.ones, np.ceil(extent / chunk), extent * self.ones))

    def visits(self, factor: "_Factor", kinds: Kinds) -> Floats:
        """(k,) the visits to items of a factor from iterations of its loops."""
        key = factor, kinds
        if key not in self._visits:
            self._visits[key] = (
                self._visits_of_items(factor, kinds)
                if factor.row is None
                else self._visits_of_index(factor, factor.row, kinds)
            )
        return self._visits[key]

    def words(self, factor: "_Factor", kinds: Kinds, last: int) -> Floats:
        """(k,) the words of a factor that a hold inside of some levels has at once.

        Parameters
        ----------
        factor, kinds
            The factor, and how much of each of its loops an iteration goes through.
        last
            The loop of the last level.
        """
        key = factor, kinds, last if factor.row is not None and last in factor.loops else -1
        if key not in self._words:
            self._words[key] = self._words_at_once(*key)
        return self._words[key]

    def count(self, loop: int, kind: int, ends: tuple[int, int]) -> Floats:
        """(k,) the chunks of a loop between two ends."""
        extent = ends[1] - ends[0]
        if extent == self.extents[loop]:
            return self._count[loop][kind]
        count: Floats = np.ceil(extent / self._size[loop][kind])
        return count

    def _visits_of_items(self, factor: "_Factor", kinds: Kinds) -> Floats:
        items = prod(float(high - low) for low, high in factor.box)
        counts = map(self.count, factor.loops, kinds, factor.box)
        return self.ones * (items + factor.more * prod(counts))

    def _visits_of_index(self, factor: "_Factor", row: Row, kinds: Kinds) -> Floats:
        """(k,) the sum of how many values an index takes in each combination of chunks."""
        total = np.zeros(len(self.sizes))
        for chosen in product(*map(self._parts, factor.loops, kinds, factor.box)):
            count = prod(many for _, many in chosen)
            values = _values(row, factor.loops, [size for size, _ in chosen])
            total = total + count * (values + factor.more)
        return total

    def _words_at_once(self, factor: "_Factor", kinds: Kinds, last: int) -> Floats:
        sizes = [*map(self._size_of, factor.loops, kinds, factor.box)]
        if factor.row is None:
            return self.ones * (prod(sizes) + factor.more)
        values = _values(factor.row, factor.loops, sizes)
        if last in factor.loops:
            pairs = [*zip(factor.loops, sizes, strict=True)]
            is_repeated = np.any([size > 1 for loop, size in pairs if loop != last], 0)
            span = 1 + sum(abs(factor.row[loop]) * (size - 1) for loop, size in pairs)
            values = np.where(is_repeated, np.maximum(values, span), values)
        return values + factor.more

    def _size_of(self, loop: int, kind: int, ends: tuple[int, int]) -> Floats:
        """(k,) values of a chunk of a loop between two ends."""
        size: Floats = np.minimum(self._size[loop][kind], ends[1] - ends[0])
        return size

    def _parts(self, loop: int, kind: int, ends: tuple[int, int]) -> list[tuple[Floats, Floats]]:
        """Sizes of chunks of a loop, and how many there are of each."""
        if kind != CHUNK:
            return [(self._size_of(loop, kind, ends), self.count(loop, kind, ends))]
        extent, size = ends[1] - ends[0], self._size_of(loop, CHUNK, ends)
        left = extent % size
        return [(size, extent // size), (left, (left > 0).astype(float))]


class Estimates:
    """Counts plays of one assignment whose levels are all loops in chunks, then all one by one.

    Parameters
    ----------
    chunks
        The assignment, and sizes of chunks of its loops.
    outer, inner
        The loops in the order of their chunks, and in the order of single values.
    """

    def __init__(self, chunks: Chunks, outer: Sequence[int], inner: Sequence[int]) -> None:
        self.chunks = chunks
        self.levels = [*((loop, CHUNK) for loop in outer), *((loop, POINT) for loop in inner)]
        # Of each number of levels, how much of each loop an iteration goes through.
        self._kinds = [[WHOLE] * len(chunks.extents)]
        for loop, kind in self.levels:
            self._kinds.append([*self._kinds[-1]])
            self._kinds[-1][loop] = kind

    def options(self, array: str) -> tuple[list[int], Floats, Floats]:
        """Depths of a hold with (depths, k) the words that it moves, and those it holds.

        Parameters
        ----------
        array
            Whose hold it is.
        """
        assignment = self.chunks.assignment
        accesses = self.chunks.counts.arrays[array][assignment.name]
        depths = [0, *(d + 1 for d, (loop, _) in enumerate(self.levels) if _reads(accesses, loop))]
        merged = _merged(tuple(accesses))
        moved = np.array([self._sum(self._visits, merged, max(0, depth - 1)) for depth in depths])
        words = np.array([self._sum(self._words, merged, depth) for depth in depths])
        if array == assignment.name and assignment.sums:
            moved = 2 * moved - moved.min(axis=0)
        return depths, moved, words

    def words_of(self, array: str, depth: int) -> Floats:
        """(k,) the words of a hold of an array with so many levels outside."""
        accesses = self.chunks.counts.arrays[array][self.chunks.assignment.name]
        return self._words(_Merged(accesses[-1], (0,) * len(accesses[-1].rows)), depth)

    def _sum(self, of: Any, merged: Sequence["_Merged"], depth: int) -> Floats:
        parts = [of(each, depth) for each in merged]
        total: Floats = sum(parts[1:], parts[0])
        return total

    def levels_of(self, place: int) -> list[Level]:
        """The levels with the sizes in a row of the chunks, without those of one chunk."""
        left, levels = list(self.chunks.extents), []
        sizes = self.chunks.sizes[place].tolist()
        for loop, kind in self.levels:
            chunk = sizes[loop] if kind == CHUNK else 1
            if chunk < left[loop]:
                levels.append(Level(loop, chunk))
                left[loop] = chunk
        return levels

    def _visits(self, merged: "_Merged", depth: int) -> Floats:
        """(k,) the visits to items from iterations of some levels."""
        kinds, total = self._kinds[depth], self.chunks.ones
        for factor in merged.factors:
            total = total * self.chunks.visits(
                factor, tuple([kinds[loop] for loop in factor.loops])
            )
        for loop in merged.others:
            if kinds[loop]:
                total = total * self.chunks.count(loop, kinds[loop], merged.access.box[loop])
        return total

    def _words(self, merged: "_Merged", depth: int) -> Floats:
        """(k,) the words that a hold inside of some levels has at once."""
        kinds, total = self._kinds[depth], self.chunks.ones
        last = self.levels[depth - 1][0] if depth else -1
        for factor in merged.factors:
            chosen = tuple([kinds[loop] for loop in factor.loops])
            total = total * self.chunks.words(factor, chosen, last)
        return total


class _Factor(NamedTuple):
    """Loops of indices that share some: what they give is a factor of words.

    Attributes
    ----------
    row
        The index, if it alone mixes several loops.
    loops, box
        By their places, and their ends.
    more
        How many more values the index takes.
    """

    row: Row | None
    loops: tuple[int, ...]
    box: Box
    more: float


@dataclass(frozen=True)
class _Merged:
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

    @cached_property
    def factors(self) -> list[_Factor]:
        """The loops of indices that share some."""
        box, factors = self.access.box, list[_Factor]()
        for group in groups(self.access.rows, box):
            if not group.rows:
                continue
            row, more = self.access.rows[group.places[0]], 0.0
            if len(group.rows) == 1:
                more = self.more[group.places[0]] / min(abs(by) for by in row if by)
            alone = len(group.rows) == 1 and len(group.loops) > 1
            ends = tuple(box[loop] for loop in group.loops)
            factors.append(_Factor(row if alone else None, group.loops, ends, more))
        return factors

    @cached_property
    def others(self) -> list[int]:
        """The loops that no index has."""
        loops = {loop for factor in self.factors for loop in factor.loops}
        return [loop for loop in range(len(self.access.box)) if loop not in loops]


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
