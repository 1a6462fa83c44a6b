"""Counted plays of symmetric updates and of Cholesky factorization, by triangle blocks."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import pairwise
from math import isqrt, sqrt

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array, Int64Array
from schedulers.counted.tiles import Moved, Params, Tiles, tiled
from schedulers.families.factorizations import resident_rows
from schedulers.families.tiles import in_turn_by
from schedulers.families.triangle_blocks import (
    by_blocks,
    cut_by,
    panel_order,
    triangle_blocks,
    update_order,
)

PANELS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 40, 48, 64, 80, 96, 128)

NEAR = 8  # sides of tiles on either side of sqrt(M)


def syrk(p: Params, memory: int) -> Moved:
    """Return what AA^T moves by triangle blocks, the words that pass for each of k columns.

    Or by b rows of A that stay while those below pass, where that is less: each block of them loads
    all rows from its first one on, with k (b + 1) + 2 words.
    """
    n, k = p["n"], p["k"]
    return Moved(k * min(streamed(n, memory), _passing(n, k, memory)), n * (n + 1) // 2)


def _passing(n: int, k: int, memory: int) -> int:
    """Return how many rows are loaded by all blocks of rows that stay."""
    rows = resident_rows(n, k, memory)
    if not rows:
        return n * n
    blocks = -(-n // rows)
    return blocks * n - rows * blocks * (blocks - 1) // 2


def syrk_tiles(dag: CDAG, memory: int) -> Tiles:
    """Return the tiles that `syrk` counts."""
    n, k = dag.params["n"], dag.params["k"]
    if _passing(n, k, memory) < streamed(n, memory):
        i, j = (np.repeat(index, k) for index in np.tril_indices(n))
        block = j // resident_rows(n, k, memory)
        turn = in_turn_by((block, i, j))
        return tiled((n * k + turn).astype(np.int32), block[turn])
    entries = triangle_blocks(n, memory, few_sides)
    first = n * k + (entries.row * (entries.row + 1) // 2 + entries.column) * k
    order = by_blocks(entries, range(k), lambda step: first + step)
    return tiled(order, np.repeat(entries.block, k))


def few_sides(rows: int, memory: int) -> list[int]:
    """Return the sides of chunks that are tried: small ones, and some around 2 M / n.

    Chunks are to be as few as there are blocks that share one, n / sqrt(2 M), or more.
    """
    near = 2 * memory / rows
    found = {1, 2, 3, 4, *(round(near * share) for share in (0.5, 0.75, 1, 1.25, 1.5, 2, 3))}
    return sorted(side for side in found if 1 <= side <= isqrt(memory))


@lru_cache(maxsize=1 << 16)
def streamed(rows: int, memory: int) -> int:
    """Return the words of a column that triangle blocks of so many rows take in all.

    Each row is in a block for each chunk of a group, and the groups have blocks of their own.
    Where there is one whole group and a part of another, the rows of the first one are only in
    the blocks that have a chunk of the second.
    """
    cut = cut_by(rows, memory, few_sides)
    if not cut.side:
        return rows
    size = cut.side * cut.apart
    groups, rest = divmod(rows, size)
    words = rows * cut.apart
    if groups == 1:
        words = size * -(-rest // cut.side) + rest * cut.apart
    return words + groups * streamed(size, memory) + (streamed(rest, memory) if rest else 0)


def cholesky(p: Params, memory: int) -> Moved:
    """Return what Cholesky factorization moves by panels, made by tiles, and triangle blocks.

    A panel of columns is made by a x b tiles, left-looking: ab + a + 2 words. What is right of it
    is then updated by triangle blocks, each entry coming in and going out for each panel.
    """
    n = p["n"]
    ends, loads, stores = panel_ends(n, memory), 0, 0
    start = 0
    for end in ends:
        rows, rest = n - start, n - end
        entries = (end - start) * (rows + rest + 1) // 2
        left = rest * (rest + 1) // 2
        loads += entries + _tile_loads(rows, end - start, *tile_shape(memory, rows, end - start))
        loads += left + (end - start) * (streamed(rest, memory) if rest else 0)
        stores += entries + left
        start = end
    return Moved(loads, stores)


def cholesky_tiles(dag: CDAG, memory: int) -> Tiles:
    """Return the tiles that `cholesky` counts."""
    n = dag.params["n"]
    parts: list[Int32Array] = []
    numbers: list[Int64Array] = []
    for start, end in pairwise([0, *panel_ends(n, memory)]):
        rows, width = n - start, end - start
        a, b = tile_shape(memory, rows, width)
        parts.append(panel_order(n, start, end, (a, b)))
        i, j = (np.concatenate(each) for each in zip(*_places(rows, width), strict=True))
        tile = i // a * (width // b + 1) + j // b
        numbers.append(np.sort(tile))
        if end < n:
            block = triangle_blocks(n - end, memory, few_sides).block
            parts.append(update_order(n, start, end, memory, few_sides))
            numbers.append(np.repeat(block, width))
    which = np.repeat(np.arange(len(parts)), [part.size for part in parts])
    return tiled(np.concatenate(parts), which, np.concatenate(numbers))


def _places(rows: int, width: int) -> Iterator[tuple[Int64Array, Int64Array]]:
    """Yield i and j, from the panel's first column on, of what each of its columns makes."""
    for k in range(width):
        i, j = np.tril_indices(rows - k, 0, width - k)
        yield i + k, j + k


def panel_ends(n: int, memory: int) -> list[int]:
    """Return the columns at which panels end: the number of panels that is predicted best."""
    return _equal_parts(
        n, min((parts for parts in PANELS if parts <= n), key=_predicted(n, memory))
    )


def _equal_parts(n: int, parts: int) -> list[int]:
    return [n * (part + 1) // parts for part in range(parts)]


def _predicted(n: int, memory: int) -> Callable[[int], float]:
    """Return about the words that a number of panels move, as a function of it."""

    def words(parts: int) -> float:
        total, start = 0.0, 0
        for end in _equal_parts(n, parts):
            rows, width, rest = n - start, end - start, n - end
            total += width * width * (rows - 2 * width / 3) / sqrt(memory)
            if rest:
                total += rest * rest + max(width * rest * rest / sqrt(2 * memory), width * rest)
            start = end
        return total

    return words


def tile_shape(memory: int, rows: int, width: int) -> tuple[int, int]:
    """Return the a x b tile with ab + a + 2 <= memory that reuses most: least 1/a + 1/b.

    Parameters
    ----------
    memory
        Words of fast memory.
    rows, width
        Of the panel; tiles are no larger.
    """
    found = {(1, 1)}
    for b in range(max(1, isqrt(memory) - NEAR), isqrt(memory) + NEAR):
        side = min(b, width)
        a = min(rows, (memory - 2) // (side + 1))
        if a >= 1:
            found.add((a, side))
    return min(found, key=lambda shape: (1 / shape[0] + 1 / shape[1], shape))


def _tile_loads(rows: int, width: int, a: int, b: int) -> int:
    """Return the words of L that the tiles of a panel load, but for their own entries.

    A tile with first column c reads, of columns 0..c-1, the rows of its entries and those of its
    columns, each once; and where its rows lie below, the triangle of L in its own columns.
    """
    words = 0
    for first in range(0, width, b):
        side = min(b, width - first)
        at = first // a * a  # the first row of tiles that has entries
        while at < min(rows, first + side):
            last, above = min(at + a, rows), max(at - first, 0)
            words += first * (last - first) + above * (above + 1) // 2
            at += a
        if at < rows:
            tiles = -(-(rows - at) // a)
            words += first * (rows - at + tiles * side) + tiles * (side * (side + 1) // 2)
    return words
