"""Cholesky factorization by panels of columns; triangle blocks update what is right of each.

Source
------
O. Beaumont, L. Eyraud-Dubois, M. Verite and J. Langou, I/O-optimal algorithms for symmetric linear
algebra kernels, SPAA 2022, "large block Cholesky", with panels of one width; here widths are
chosen for n and M, and a panel is left-looking.
"""

from itertools import pairwise
from math import ceil
from typing import NamedTuple

import numpy as np

from dags.arrays import Int32Array, Int64Array
from schedulers.families.tiles import sorted_by, tile_shapes
from schedulers.families.triangle_blocks import (
    Sides,
    best_cut,
    by_blocks,
    every_side,
    triangle_blocks,
)

WIDTHS = 48  # parts of the columns of which panels are made


class Panels(NamedTuple):
    """The columns at which panels end, and about the words that they move."""

    words: int
    ends: list[int]


def best_panels(n: int, memory: int) -> Panels:
    """Return the panels predicted to move least; a single one is tiles alone."""
    step = ceil(n / WIDTHS)
    best = {0: Panels(0, [])}  # for the columns that are left
    for left in [*range(n % step or step, n, step), n]:
        best[left] = min(
            Panels(words + panel_io(left, left - rest, memory), [n - rest, *ends])
            for rest, (words, ends) in best.items()
        )
    return best[n]


def panel_io(rows: int, width: int, memory: int) -> int:
    """Return about the words that a panel and its update of what is right of it move.

    The panel's tiles of a x b entries are loaded and stored once, and a + b words stream by for
    each column of the panel on their left. The update loads and stores every entry of the lower
    half of what is left, and streams what its triangle blocks take for each column.
    """
    rest = rows - width
    a, b = tile_shapes(memory, rows, width)[0]
    words = width * (rows + rest + 1) + rest * (rest + 1)
    for start in range(0, width, b):
        side, tiles = min(b, width - start), ceil((rows - start) / a)
        words += start * (tiles * side + rows - start) + tiles * side * (side + 1) // 2
    return words + width * best_cut(rest, memory).words if rest else words


def by_panels(n: int, memory: int, ends: list[int]) -> Int32Array:
    """Return the order of Cholesky factorization by panels that end at the given columns."""
    parts = []
    for start, end in pairwise([0, *ends]):
        parts.append(panel_order(n, start, end, tile_shapes(memory, n - start, end - start)[0]))
        if end < n:
            parts.append(update_order(n, start, end, memory))
    return np.concatenate(parts)


def panel_order(n: int, start: int, end: int, shape: tuple[int, int]) -> Int32Array:
    """Return the order by tiles of what columns start..end-1 take from each other.

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
    """Return i, j and k of what step k makes in columns up to end - 1."""
    i, j = np.tril_indices(n - k, 0, end - k)
    return i + k, j + k, np.full(i.size, k)


def update_order(
    n: int, start: int, end: int, memory: int, sides: Sides = every_side
) -> Int32Array:
    """Return the order by triangle blocks of what columns start..end-1 take from those behind.

    Parameters
    ----------
    n
        Rows of the matrix.
    start, end
        The panel's first column, and the first one behind it.
    memory
        Words of fast memory.
    sides
        Of chunks, as for `triangle_blocks`.
    """
    entries = triangle_blocks(n - end, memory, sides)
    i, j = entries.row + end, entries.column + end
    return by_blocks(entries, range(start, end), lambda k: _vertex(n, i, j, k))


def _vertex(n: int, i: Int64Array, j: Int64Array, k: Int64Array | int) -> Int32Array:
    """Return the numbers of what steps k make at (i, j)."""
    size = n - k
    first = (n * (n + 1) // 2) + (n * (n + 1) * (n + 2) - size * (size + 1) * (size + 2)) // 6
    number: Int32Array = (first + (i - k) * (i - k + 1) // 2 + j - k).astype(np.int32)
    return number
