"""Counts in loops that conditions tie together: triangles, and windows cut off at a border.

Loops of a group are tied by conditions, integer combinations of them that are at least 0. Counted
are the different (chunks of some loops, values of some indices) over all points of the group. Two
ways, both exact:

- **Differences.** Where each condition limits the difference of two loops, and each index is one
  loop, the least limits between all pairs (shortest paths) say for any intervals of some loops
  whether points have them, and the rest for the others: an interval, or the pairs of two intervals
  of limited difference, which a formula counts.
- **Intervals.** Otherwise, for each combination of values of all loops but the longest, that one
  runs through an interval. Chunks of it in which no condition cuts anything off are alike.
"""

from collections.abc import Sequence
from math import isqrt, prod
from typing import Any, NamedTuple

import numpy as np

from dags.arrays import Int64Array
from dags.programs.instances import NotReadError
from dags.work import charge, charged

MOST_CELLS = 1 << 22  # of an array that is counted
MOST_WHOLE = 1 << 60  # points that numbers of 64 bits count
PAIR = 2  # loops
Row = tuple[int, ...]  # coefficients of the loops
Box = tuple[tuple[int, int], ...]  # of each loop the first value, and the one behind the last
Span = tuple[Any, ...]  # what tells the values of several indices


class NotCountedError(NotReadError):
    """Items that are not counted by formulas."""


class Tie(NamedTuple):
    """A condition on loops: `row` times them plus `constant` is at least 0."""

    row: Row
    constant: int


class Chunked(NamedTuple):
    """A loop that goes on in chunks of so many values, the first of which begins at `first`."""

    loop: int
    size: int
    first: int


@charged(maxsize=1 << 14)
def count_of(
    box: Box, ties: tuple[Tie, ...], rows: tuple[Row, ...], chunks: tuple[Chunked, ...] = ()
) -> int:
    """How many different combinations of chunks and of values of indices there are.

    Parameters
    ----------
    box, ties
        The points: ends of each loop, and conditions.
    rows
        Indices, as coefficients of the loops.
    chunks
        Loops of which it counts in which chunk a point is, each once.

    Raises
    ------
    NotCountedError
        If arrays would be too large, or several indices mix loops.
    """
    if any(high <= low for low, high in box):
        return 0
    single = [
        row.index(coefficient)
        for row in rows
        for coefficient in row
        if coefficient and sum(map(bool, row)) == 1
    ]
    if len(single) == len(rows) and ties:
        box, ties, rows, chunks = turned_round(box, ties, rows, chunks)
    limits = differences_of(box, ties) if len(single) == len(rows) else None
    if limits is None:
        return _Intervals(box, ties, rows, chunks).count()
    if (limits.diagonal() < 0).any():
        return 0
    points = dict.fromkeys(single, (1, 0))
    return _by_differences(limits, {chunk.loop: chunk[1:] for chunk in chunks} | points)


@charged(maxsize=1 << 10)
def values_of(box: Box, ties: tuple[Tie, ...], row: Row) -> Int64Array:
    """The values of one index over some points, rising."""
    values = _Intervals(box, ties, (), ()).values(np.array(row, np.int64))
    charge("tied cell", values.size)
    return values


def span_of(
    box: Box, ties: tuple[Tie, ...], rows: tuple[Row, ...], offset: tuple[int, ...]
) -> Span:
    """A key of the values of several indices: the same for the same ones.

    Parameters
    ----------
    box, ties, rows
        As for `count_of`.
    offset
        The constant of each index.
    """
    image, turned, forms, _ = turned_round(box, ties, rows)
    loops = [row.index(1) for row in forms if sum(map(abs, row)) == 1 and 1 in row]
    limits = differences_of(image, turned) if len(loops) == len(rows) else None
    if limits is None:
        return box, ties, rows, offset
    shift = (*offset, 0)
    points = [*loops, len(box)]
    return tuple(
        limits[left, right] + shift[i] - shift[j]
        for i, left in enumerate(points)
        for j, right in enumerate(points)
    )


@charged(maxsize=1 << 10)
def common_of(spans: tuple[Span, ...]) -> int:
    """How many values of several indices some spans have in common.

    Raises
    ------
    NotCountedError
        If they are told by no differences.
    """
    if not all(isinstance(limit, int) for span in spans for limit in span):
        raise NotCountedError("an array is touched along loops that its indices mix")
    width = isqrt(len(spans[0]))
    limits = _closed(np.array(spans, object).min(0).reshape(width, width))
    if (limits.diagonal() < 0).any():
        return 0
    return _by_differences(limits, dict.fromkeys(range(width - 1), (1, 0)))


def turned_round(
    box: Box, ties: tuple[Tie, ...], rows: tuple[Row, ...], chunks: tuple[Chunked, ...] = ()
) -> tuple[Box, tuple[Tie, ...], tuple[Row, ...], tuple[Chunked, ...]]:
    """The same points with some loops turned round, so that sums of two are differences."""
    sign = _signs(len(box), ties, rows)
    turned = [(1 - high, 1 - low) for low, high in box]

    def signed(row: Row) -> Row:
        return tuple(coefficient * sign[loop] for loop, coefficient in enumerate(row))

    return (
        tuple(ends if sign[loop] < 0 else box[loop] for loop, ends in enumerate(turned)),
        tuple(Tie(signed(row), constant) for row, constant in ties),
        tuple(map(signed, rows)),
        tuple(
            chunk._replace(first=1 - chunk.size - chunk.first) if sign[chunk.loop] < 0 else chunk
            for chunk in chunks
        ),
    )


def _signs(count: int, ties: Sequence[Tie], rows: Sequence[Row]) -> dict[int, int]:
    """Return of each loop 1, or -1 if it is turned round: if an index goes down with it, or others.

    Parameters
    ----------
    count, ties, rows
        Loops, conditions, and indices.
    """
    sign: dict[int, int] = {}
    for start in range(count):
        if start in sign:
            continue
        sign[start], reached = -1 if any(row[start] < 0 for row in rows) else 1, [start]
        for loop in reached:
            for row, _ in ties:
                for neighbour in (
                    place for place, coefficient in enumerate(row) if coefficient and row[loop]
                ):
                    if neighbour not in sign and sum(map(bool, row)) == PAIR:
                        sign[neighbour] = (
                            sign[loop] if row[loop] * row[neighbour] < 0 else -sign[loop]
                        )
                        reached.append(neighbour)
    return sign


def differences_of(box: Box, ties: tuple[Tie, ...]) -> Any:
    """(loops + 1, loops + 1) the most that a loop is beyond another; 0 is the last of them.

    None if some condition is of no difference of two loops, and of no loop alone.
    """
    zero = len(box)
    limits = np.full((zero + 1, zero + 1), 1 << 256, object)  # more than any loop is long
    for loop, (low, high) in enumerate(box):
        limits[loop, zero], limits[zero, loop], limits[loop, loop] = high - 1, -low, 0
    limits[zero, zero] = 0
    for row, constant in ties:
        signs = {coefficient: loop for loop, coefficient in enumerate(row) if coefficient}
        if not signs or not {*signs} <= {1, -1} or sum(map(bool, row)) != len(signs):
            return None
        negative, positive = signs.get(-1, zero), signs.get(1, zero)
        limits[negative, positive] = min(limits[negative, positive], constant)
    return _closed(limits)


def _closed(limits: Any) -> Any:
    """The least limits that follow from some."""
    for over in range(len(limits)):
        limits = np.minimum(limits, limits[:, over, None] + limits[None, over])
    return limits


def _by_differences(limits: Any, kept: dict[int, tuple[int, int]]) -> int:
    """How many combinations of chunks of some loops there are; chunks of 1 are values."""
    zero = len(limits) - 1
    ends = {loop: (-int(limits[zero, loop]), int(limits[loop, zero])) for loop in kept}
    count = {
        loop: (ends[loop][1] - first) // size - (ends[loop][0] - first) // size + 1
        for loop, (size, first) in kept.items()
    }
    single = [loop for loop, (size, _) in kept.items() if size == 1]
    order = sorted(kept, key=lambda loop: count[loop])
    last = single[-2:] if len(single) > 1 else order[-1:]
    grid = [loop for loop in order if loop not in last]
    if np.prod([float(count[loop]) for loop in grid]) > MOST_CELLS:
        raise NotCountedError("chunks are too many to be counted")
    charge("tied count")
    charge("tied cell", int(np.prod([float(count[loop]) for loop in grid])) * len(kept))
    exact = prod(high - low + 1 for low, high in ends.values()) < MOST_WHOLE
    kind: Any = np.int64 if exact else object  # integers of Python, which do not overflow
    limit = limits.astype(kind)
    axes = [
        (ends[loop][0] - kept[loop][1]) // kept[loop][0] + np.arange(count[loop]).astype(kind)
        for loop in grid
    ]
    chosen = [axis.ravel() for axis in np.meshgrid(*axes, indexing="ij")]
    cells = len(chosen[0]) if chosen else 1
    low = {zero: np.zeros(cells, kind)}
    high = dict(low)
    for loop, place in zip(grid, chosen, strict=True):
        size, first = kept[loop]
        low[loop], high[loop] = first + size * place, first + size * place + size - 1
    fits: Any = np.ones(cells, bool)
    for left in low:
        for right in low:
            fits &= low[left] - high[right] <= limit[left, right]
    lowest = [np.max([low[fixed] - limit[fixed, loop] for fixed in low], 0) for loop in last]
    highest = [np.min([high[fixed] + limit[loop, fixed] for fixed in low], 0) for loop in last]
    if not last:
        return int(fits.sum())
    if len(last) == 1:
        size, first = kept[last[0]]
        pairs = (highest[0] - first) // size - (lowest[0] - first) // size + 1
    else:
        u, v = last
        bound = _pairs_up_to(lowest, highest, limit[u, v])
        pairs = bound - _pairs_up_to(lowest, highest, -limit[v, u] - 1)
    return int(np.where(fits, np.maximum(pairs, 0), 0).sum())


def _pairs_up_to(lows: Sequence[Any], highs: Sequence[Any], limit: Any) -> Any:
    """How many pairs of two intervals have a difference of at most so much."""
    (a, c), (b, d) = lows, highs
    pairs = np.maximum(0, np.minimum(b, c + limit) - a + 1) * np.maximum(0, d - c + 1)
    first = np.maximum(a, c + limit + 1)
    count = np.maximum(0, np.minimum(b, d + limit) - first + 1)
    return pairs + count * (d + limit + 1 - first) - count * (count - 1) // 2


class _Intervals:
    """For each combination of values of all loops but the longest the interval of that one."""

    def __init__(
        self, box: Box, ties: tuple[Tie, ...], rows: tuple[Row, ...], chunks: tuple[Chunked, ...]
    ) -> None:
        extents = [high - low for low, high in box]
        self.long = max(range(len(box)), key=lambda loop: extents[loop])
        other_loops = [loop for loop in range(len(box)) if loop != self.long]
        steps = max(
            (
                abs(coefficient)
                for row in (*rows, *(tie.row for tie in ties))
                for coefficient in row
            ),
            default=1,
        )
        if (
            prod(extents[loop] for loop in other_loops) > MOST_CELLS
            or steps * prod(extents) >= MOST_WHOLE
        ):
            raise NotCountedError("tied loops are too long to be counted")
        charge("tied count")
        charge("tied cell", prod(extents[loop] for loop in other_loops) * len(box))
        axes = [np.arange(*box[loop]) for loop in other_loops]
        self.points = np.zeros(
            (int(np.prod([extents[loop] for loop in other_loops])), len(box)), np.int64
        )
        for loop, axis in zip(other_loops, np.meshgrid(*axes, indexing="ij"), strict=True):
            self.points[:, loop] = axis.ravel()
        size = len(self.points)
        first, last = np.full(size, box[self.long][0]), np.full(size, box[self.long][1] - 1)
        for row, constant in ties:
            sums, coefficient = self.points @ np.array(row) + constant, row[self.long]
            if coefficient > 0:
                first = np.maximum(first, -(sums // coefficient))
            elif coefficient < 0:
                last = np.minimum(last, sums // -coefficient)
            else:
                last = np.where(sums < 0, first - 1, last)
        nonempty = first <= last
        self.points, self.first, self.last = self.points[nonempty], first[nonempty], last[nonempty]
        self.rows = self._reduced(rows)
        self.chunks = chunks

    def _reduced(self, rows: tuple[Row, ...]) -> list[Int64Array]:
        """Indices that say the same, of which one at most has the longest loop."""
        reduced = [np.array(row, np.int64) for row in rows]
        reduced.sort(key=lambda row: abs(int(row[self.long])) or 1 << 60)
        lead = reduced[0] if reduced else None
        if lead is None or not lead[self.long]:
            return reduced
        reduced_rows = []
        for row in reduced[1:]:
            if row[self.long] % lead[self.long]:
                raise NotCountedError("several indices mix loops")
            reduced_rows.append(row - row[self.long] // lead[self.long] * lead)
        return [lead if lead[self.long] > 0 else -lead, *reduced_rows]

    def _keys(self) -> tuple[Int64Array, Int64Array]:
        """(points,) numbers of the values beside the longest loop, and its shifts."""
        columns = [
            (self.points[:, chunk.loop] - chunk.first) // chunk.size
            for chunk in self.chunks
            if chunk.loop != self.long
        ]
        shift = np.zeros(len(self.points), np.int64)
        for row in self.rows:
            values = self.points @ row
            if coefficient := int(row[self.long]):
                columns.append(values % coefficient)
                shift = values // coefficient
            else:
                columns.append(values)
        if not columns:
            return np.zeros(len(self.points), np.int64), shift
        known = np.unique(np.stack(columns, 1), axis=0, return_inverse=True)[1]
        return known.reshape(-1), shift

    def count(self) -> int:
        """How many different combinations of chunks and values of indices there are."""
        if not len(self.points):
            return 0
        if self.rows and int(np.linalg.matrix_rank(np.stack(self.rows))) == self.points.shape[1]:
            return int((self.last - self.first + 1).sum())  # the values tell the point
        keys, shift = self._keys()
        total = 0
        for low, high, alike in self._cuts():
            if len(low) * len(keys) > MOST_CELLS:
                raise NotCountedError("chunks are too many to be counted")
            first = np.maximum(self.first, low[:, None])
            last = np.minimum(self.last, high[:, None])
            place, point = np.nonzero(first <= last)
            key = place * (keys.max() + 1) + keys[point]
            if self.rows and self.rows[0][self.long]:
                ends = first[place, point] + shift[point], last[place, point] + shift[point]
                total += alike * _covered(key, *ends)
            else:
                total += alike * int(np.unique(key).size)
        return total

    def values(self, row: Int64Array) -> Int64Array:
        """The values of an index, rising."""
        coefficient, sums = int(row[self.long]), self.points @ row
        if not coefficient:
            return np.unique(sums)
        count = self.last - self.first + 1
        if int(count.sum()) > MOST_CELLS:
            raise NotCountedError("an index takes too many values")
        points = np.repeat(np.arange(len(sums)), count)
        within = np.arange(points.size) - np.repeat(np.cumsum(count) - count, count)
        sorted_values = np.sort(coefficient * (self.first[points] + within) + sums[points])
        return sorted_values[np.diff(sorted_values, prepend=sorted_values[:1] - 1) > 0]

    def _cuts(self) -> list[tuple[Int64Array, Int64Array, int]]:
        """First and last values of chunks of the longest loop, and how many are alike."""
        low, high = int(self.first.min()), int(self.last.max())
        own_chunks = [chunk for chunk in self.chunks if chunk.loop == self.long]
        if not own_chunks:
            return [(np.array([low]), np.array([high]), 1)]
        (_, size, first) = own_chunks[0]
        begin, end = (low - first) // size, (high - first) // size + 1
        inner = (
            -((first - int(self.first.max())) // size),
            (int(self.last.min()) + 1 - first) // size,
        )
        if inner[1] - inner[0] < 2:
            inner = end, end + 1
        if inner[0] - begin + end - inner[1] > MOST_CELLS:
            raise NotCountedError("chunks are too many to be counted")
        single = [np.arange(begin, min(inner[0], end)), np.arange(inner[1], end)]
        border = first + size * np.concatenate(single)
        parts = [(border, border + size - 1, 1)]
        if inner[0] < end:
            middle = np.array([first + size * inner[0]])
            parts.append((middle, middle + size - 1, inner[1] - inner[0]))
        return parts


def _covered(key: Int64Array, first: Int64Array, last: Int64Array) -> int:
    """How many pairs of a key and a number some intervals cover, those of a key together."""
    if not key.size:
        return 0
    order = np.lexsort((first, key))
    key, first, last = key[order], first[order], last[order]
    rank = np.cumsum(np.diff(key, prepend=key[0]) != 0)
    far = int(last.max() - first.min()) + 2
    first, last = first - first.min() + rank * far, last - first.min() + rank * far
    reached = np.maximum.accumulate(last)
    before = np.concatenate((first[:1] - 1, reached[:-1]))
    return int(np.maximum(0, last - np.maximum(first - 1, before)).sum())
