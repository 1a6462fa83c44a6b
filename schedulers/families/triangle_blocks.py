"""Triangle blocks: sets of rows such that the entries between them make up the lower half.

A block of rows R serves the entries (i, j) with i > j both in R. A column restricted to R, |R|
words, updates |R| (|R| - 1) / 2 of them: for many rows sqrt(2) fewer words than a square tile of
the same size.

Panels of columns of a Cholesky factorization are made one after the other, left-looking; triangle
blocks update the columns on the right of each.

Source
------
O. Beaumont, L. Eyraud-Dubois, M. Verite and J. Langou, I/O-optimal algorithms for symmetric linear
algebra kernels, SPAA 2022, for sets of single rows, one from each of r groups of c rows, where c
has no divisor from 2 to r - 1. Here sets are of chunks of rows, so that few rows suffice, and the
last group may have fewer. "Large block Cholesky" there has panels of one width;
here widths are chosen for n and M.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import accumulate, pairwise
from math import ceil, gcd, isqrt
from typing import NamedTuple

import numpy as np

from dags.arrays import Int32Array, Int64Array
from schedulers.families.tiles import in_turn_by, sorted_by, tile_shapes

# The product of all primes up to 0, 1, 2, ...
PRIMORIALS = (
    1,
    *accumulate(range(2, 100), lambda p, i: p if gcd(p, i) > 1 else p * i, initial=1),
)
Sides = Callable[[int, int], Iterable[int]]  # of chunks, for rows and words of fast memory
WIDTHS = 48  # parts of the columns of which panels are made


class Cut(NamedTuple):
    """Cut of the rows: groups of `apart` chunks of `side` rows, 0 for one triangle.

    Until every entry is updated, `words` of a column pass in all.
    """

    words: int
    side: int
    apart: int


class Entries(NamedTuple):
    """The entries of a lower half, block after block, and the number of each one's block."""

    row: Int64Array
    column: Int64Array
    block: Int64Array


def best_cut(rows: int, memory: int) -> Cut:
    """The cut that streams least, of all sides of chunks; see `cut_by`."""
    return cut_by(rows, memory, every_side)


def every_side(rows: int, memory: int) -> Iterable[int]:
    """The sides that chunks of rows may have."""
    del rows
    return range(1, isqrt(memory) + 1)


@lru_cache(maxsize=1 << 16)
def cut_by(rows: int, memory: int, sides: Sides) -> Cut:
    """The cut that streams least.

    - One triangle of n rows takes n (n + 1) / 2 words for its entries, n for the column and one
      for a new value, and streams n words.
    - Blocks of a chunk of s rows from each of g groups take g (g - 1) s^2 / 2 words for their
      entries, (g - 1) s for the column, one for the column on its left, passing word by word, and
      one for a new value. With c chunks in a group, every row is in c blocks: n c words, and the
      streams of the groups, each by a cut of its own. With s = 1 and n = gc that is n^2 / g for the
      blocks, n^2 / (g - 1) in all: for g (g + 1) / 2 + 1 = M about n^2 / sqrt(2M).

    Parameters
    ----------
    rows
        How many there are.
    memory
        Words of fast memory.
    sides
        Returns the sides of chunks that are tried, 1 among them.
    """
    if rows == 1 or rows * (rows + 3) // 2 + 1 <= memory:
        return Cut(rows, 0, 0)
    cuts = []
    for side in sides(rows, memory):
        chunks = _chunks_of_a_group(ceil(rows / side), side, memory)
        if chunks * side < rows:
            groups, remainder = divmod(rows, chunks * side)
            words = rows * chunks + groups * cut_by(chunks * side, memory, sides).words
            if remainder:
                words += cut_by(remainder, memory, sides).words
            cuts.append(Cut(words, side, chunks))
    return min(cuts)


def triangle_blocks(rows: int, memory: int, sides: Sides = every_side) -> Entries:
    """The entries (i, j), j <= i, by the blocks of the best cut, row by row in each.

    Blocks that follow each other share a chunk.

    Parameters
    ----------
    rows, memory, sides
        As for `cut_by`.
    """
    row, column, block = _numbered(rows, memory, sides)
    order = in_turn_by((block, row, column))
    return Entries(row[order], column[order], block[order])


def by_blocks(
    entries: Entries, steps: range, made_at: Callable[[int], Int32Array | Int64Array]
) -> Int32Array:
    """The order that takes a block through all steps before the next block.

    `made_at` returns the values of a step at the entries, in their order.
    """
    sizes = np.bincount(entries.block)
    size = sizes[entries.block]
    before = (np.cumsum(sizes) - sizes)[entries.block]
    place = before * (len(steps) - 1) + np.arange(entries.block.size)
    order = np.empty(entries.block.size * len(steps), np.int32)
    for number, step in enumerate(steps):
        order[place + number * size] = made_at(step)
    return order


def _chunks_of_a_group(chunks: int, side: int, memory: int) -> int:
    """The fewest chunks c of a group so that blocks of a chunk of each group fit.

    Two chunks of different groups are together in exactly one block if c has no divisor in
    common with the distance of their groups, for all distances.
    """
    fewest = 2 if side == 1 else 1  # any memory that serves at all serves pairs of rows
    # Of g + 1 groups a block takes g (g + 1) s^2 / 2 words, g s for the column, and two.
    half = side * (side + 2)
    quotient = (isqrt(half**2 + 8 * side**2 * max(memory - 2, 0)) - half) // (2 * side**2)
    chunks_of_group = -(-chunks // max(fewest, quotient + 1))
    while _is_divisible(chunks_of_group, -(-chunks // chunks_of_group) - 1):
        chunks_of_group += 1
    return chunks_of_group


def _is_divisible(number: int, limit: int) -> bool:
    """Whether some prime up to `limit` divides a positive number."""
    if gcd(number, PRIMORIALS[min(limit, len(PRIMORIALS) - 1)]) > 1:
        return True
    if number <= limit:
        return number > 1
    return any(not number % d for d in range(len(PRIMORIALS) | 1, min(limit, isqrt(number)) + 1, 2))


def _numbered(rows: int, memory: int, sides: Sides) -> Entries:
    """The entries of the best cut in any order: those of the groups come last."""
    cut = cut_by(rows, memory, sides)
    if cut.side == 0:
        row, column = np.tril_indices(rows)
        return Entries(row, column, np.zeros_like(row))
    size = cut.side * cut.apart
    parts = [_between_groups(rows, cut)]
    for start in range(0, rows, size):
        inner = _numbered(min(size, rows - start), memory, sides)
        number = inner.block + parts[-1].block.max() + 1
        parts.append(Entries(inner.row + start, inner.column + start, number))
    return Entries(*(np.concatenate(index) for index in zip(*parts, strict=True)))


def _between_groups(rows: int, cut: Cut) -> Entries:
    """The entries between rows of different groups.

    Block (p, q) has chunk (p + q u) mod c of group u. Chunks x of group u and y of group v are
    thus together in that of q = (x - y) / (u - v) mod c, p = x - q u mod c.
    """
    side, chunks = cut.side, cut.apart
    size = side * chunks
    row, column = np.tril_indices(rows, -1)
    between = row // size > column // size
    row, column = row[between], column[between]
    u, v = row // size, column // size
    inverse = np.array([pow(d, -1, chunks) if d else 0 for d in range(ceil(rows / size))])
    q = (row // side - column // side) * inverse[u - v] % chunks
    p = (row // side - q * u) % chunks
    return Entries(row, column, p * chunks + q)


class Panels(NamedTuple):
    """The columns at which panels end, and about the words that they move."""

    words: int
    ends: list[int]


def best_panels(n: int, memory: int) -> Panels:
    """The panels predicted to move least; a single one is tiles alone."""
    step = ceil(n / WIDTHS)
    best = {0: Panels(0, [])}  # for the columns that are left
    for left in [*range(n % step or step, n, step), n]:
        best[left] = min(
            Panels(words + panel_io(left, left - rows_left, memory), [n - rows_left, *ends])
            for rows_left, (words, ends) in best.items()
        )
    return best[n]


def panel_io(rows: int, width: int, memory: int) -> int:
    """Return about the words that a panel and its update of the columns on its right move.

    The panel's tiles of a x b entries are loaded and stored once, and a + b words stream by for
    each column of the panel on their left. The update loads and stores every entry of the lower
    half of the rest, and streams the operands of its triangle blocks for each column.
    """
    rows_below = rows - width
    a, b = tile_shapes(memory, rows, width)[0]
    words = width * (rows + rows_below + 1) + rows_below * (rows_below + 1)
    for start in range(0, width, b):
        side, tiles = min(b, width - start), ceil((rows - start) / a)
        words += start * (tiles * side + rows - start) + tiles * side * (side + 1) // 2
    return words + width * best_cut(rows_below, memory).words if rows_below else words


def by_panels(n: int, memory: int, ends: list[int]) -> Int32Array:
    """The order of Cholesky factorization by panels that end at the given columns."""
    parts = []
    for start, end in pairwise([0, *ends]):
        parts.append(panel_order(n, start, end, tile_shapes(memory, n - start, end - start)[0]))
        if end < n:
            parts.append(update_order(n, start, end, memory))
    return np.concatenate(parts)


def panel_order(n: int, start: int, end: int, shape: tuple[int, int]) -> Int32Array:
    """Return the order by tiles of updates among columns start..end-1.

    Parameters
    ----------
    n
        Rows of the matrix.
    start, end
        The panel's first column, and the first one behind it.
    shape
        Rows and columns of a tile.
    """
    a, b = shape
    i, j, k = (
        np.concatenate(index)
        for index in zip(*(_step(n, k, end) for k in range(start, end)), strict=True)
    )
    return sorted_by(_vertex(n, i, j, k), (i - start) // a, (j - start) // b, k, j, i)


def _step(n: int, k: int, end: int) -> tuple[Int64Array, Int64Array, Int64Array]:
    """Return i, j and k of the values of step k in columns up to end - 1."""
    i, j = np.tril_indices(n - k, 0, end - k)
    return i + k, j + k, np.full(i.size, k)


def update_order(
    n: int, start: int, end: int, memory: int, sides: Sides = every_side
) -> Int32Array:
    """Return the order by triangle blocks of updates from columns start..end-1 behind.

    Parameters
    ----------
    n, start, end
        As for `panel_order`.
    memory
        Words of fast memory.
    sides
        Of chunks, as for `triangle_blocks`.
    """
    entries = triangle_blocks(n - end, memory, sides)
    i, j = entries.row + end, entries.column + end
    return by_blocks(entries, range(start, end), lambda k: _vertex(n, i, j, k))


def _vertex(n: int, i: Int64Array, j: Int64Array, k: Int64Array | int) -> Int32Array:
    """The numbers of the values of steps k at (i, j)."""
    size = n - k
    first = (n * (n + 1) // 2) + (n * (n + 1) * (n + 2) - size * (size + 1) * (size + 2)) // 6
    number: Int32Array = (first + (i - k) * (i - k + 1) // 2 + j - k).astype(np.int32)
    return number
