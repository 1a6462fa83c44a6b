"""Counted plays of products, solves, LU, QR by resident blocks; SYRK, Cholesky by triangles."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from math import isqrt, sqrt
from typing import NamedTuple

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array, Int64Array
from schedulers.counted.tiles import Moved, Params, Tiles, blocks, evened, tiled
from schedulers.families.factorizations import resident_rows
from schedulers.families.matmul import blocked
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
MANY = 256  # tiles of a panel from which their shape is not counted out
FEW_NUMBERS = 3  # of panels, that are counted out


def matmul(p: Params, memory: int) -> Moved | None:
    """The words of a product by blocks of C, a tile each, all k updates in turn.

    For each l a entries of A stay while b entries of B pass, or the other way round, beside the
    block and a new value: ab + min(a, b) + 2 words, one more where products are vertices. Each
    column of A is loaded in every block column, each row of B in every block row, and C is stored
    once. Sums by trees are not counted.
    """
    block = _product_block(p, memory)
    if block is None:
        return None
    m, n, k = p["m"], p["n"], p["k"]
    return Moved(predicted(m, n, k, block.rows, block.columns) - m * n, m * n)


def predicted(m: int, n: int, k: int, a: int, b: int) -> int:
    """The words that blocks of a x b entries of an m x n product move."""
    return m * n + k * (m * -(-n // b) + n * -(-m // a))


def matmul_tiles(dag: CDAG, memory: int) -> Tiles:
    """The tiles that `matmul` counts."""
    block = _product_block(dag.params, memory)
    assert block is not None
    n, m, k, form = (dag.params[key] for key in ("n", "m", "k", "form"))
    a, b, turned = block
    order = blocked(n, m, k, 1 if form == "fma" else 2, a, b, turned=turned)
    entry = (order - (m * k + k * n)) // (k if form == "fma" else 2 * k - 1)
    return tiled(order, entry // n // a, entry % n // b)


class _Block(NamedTuple):
    """Rows and columns of a block of C, and whether entries of B stay while those of A pass."""

    rows: int
    columns: int
    turned: bool


def _product_block(p: Params, memory: int) -> _Block | None:
    """The block of C; none by trees. Of an outer product one entry at a time is kept."""
    m, n, k, form = (p[key] for key in ("m", "n", "k", "form"))
    if form == "tree" and k > 2:
        return None
    if k == 1:
        several = _Block(min(m, memory - 2), n, False), _Block(m, min(n, memory - 2), True)
        return min(several, key=lambda block: predicted(m, n, k, block.rows, block.columns))
    room = memory - (2 if form == "fma" else 3)
    if memory < 4:
        return None
    a, b = blocks(
        m,
        n,
        lambda a: max((room - a) // a, room // (a + 1)),
        lambda a, b: predicted(m, n, k, a, b),
    )
    return _Block(a, b, a * b + a > room)


def matvec(p: Params, memory: int) -> Moved:
    """The words of blocks of r = M - 3 rows of y = Ax: nm + m ceil(n/r) + n words.

    Beside r sums there are one entry of A, one of x and a new sum.
    """
    n, m = p["n"], p["m"]
    return Moved(n * m + m * -(-n // _rows(n, memory)), n)


def matvec_tiles(dag: CDAG, memory: int) -> Tiles:
    """The tiles that `matvec` counts."""
    n, m = dag.params["n"], dag.params["m"]
    i, j = (index.reshape(-1) for index in np.indices((n, m)))
    block = i // _rows(n, memory)
    order = np.lexsort((i, j, block))
    return tiled((dag.n - n * m + order).astype(np.int32), block[order])


def _rows(n: int, memory: int) -> int:
    return min(max(memory - 3, 1), n)


def triangular_solve(p: Params, memory: int) -> Moved:
    """The words of LX = B by blocks of a rows and b columns of X, left-looking.

    A block takes a entries of a column of L, one of a row of X, and a new value beside itself: ab
    + a + 2 words, or a + 3 with one right-hand side, where an entry of L is done with at once. It
    loads its rows of L, the rows of X above it, and its part of B.
    """
    n, k = p["n"], p["k"]
    return Moved(_solve_loads(n, k, *_solve_block(n, k, memory)), n * k)


def triangular_solve_tiles(dag: CDAG, memory: int) -> Tiles:
    """The tiles that `triangular_solve` counts."""
    n, k = dag.params["n"], dag.params["k"]
    a, b = _solve_block(n, k, memory)
    first = n * (n + 1) // 2 + n * k
    i = np.repeat(np.arange(n), k * np.arange(1, n + 1))
    c, j = np.divmod(np.arange(dag.n - first) - k * i * (i + 1) // 2, i + 1)
    order = np.lexsort((i, c, j, i // a, c // b))
    return tiled((first + order).astype(np.int32), (c // b)[order], (i // a)[order])


def _solve_block(n: int, k: int, memory: int) -> tuple[int, int]:
    if k == 1:
        return evened(n, min(max(memory - 3, 1), n)), 1
    return blocks(n, k, lambda a: (memory - 2 - a) // a, lambda a, b: _solve_loads(n, k, a, b))


def _solve_loads(n: int, k: int, a: int, b: int) -> int:
    """The words loaded: L for each block of columns, and X above each block of rows."""
    parts = -(-n // a)
    return n * (n + 1) // 2 * -(-k // b) + k * a * parts * (parts - 1) // 2 + n * k


def lu(p: Params, memory: int) -> Moved:
    """The words of LU by a x b tiles, each with all its updates, step k outermost.

    In step k there are at most a entries of column k of L, one of row k of U and a new value
    beside the tile: ab + a + 2 words. A tile with first row r and first column c loads its rows
    of L up to column min(i, c), of its columns of U those above row min(j + 1, r), and its part of
    A; row 0 of that is U already, and read by nobody but other tiles if tiles have one row.
    """
    n = p["n"]
    return Moved(_lu_loads(n, *_tile(n, memory)), n * n - n)


def lu_tiles(dag: CDAG, memory: int) -> Tiles:
    """The tiles that `lu` counts."""
    n = dag.params["n"]
    a, b = _tile(n, memory)
    steps = [[index.reshape(-1) for index in np.mgrid[k + 1 : n, k:n, k : k + 1]] for k in range(n)]
    i, j, k = (np.concatenate(column) for column in zip(*steps, strict=True))
    order = np.lexsort((i, j, k, j // b, i // a))
    return tiled((n * n + order).astype(np.int32), (i // a)[order], (j // b)[order])


def _tile(n: int, memory: int) -> tuple[int, int]:
    return blocks(n, n, lambda a: (memory - 2 - a) // a, lambda a, b: _lu_loads(n, a, b))


def _lu_loads(n: int, a: int, b: int) -> int:
    """The words that a x b tiles load."""
    starts, squares = _starts(n, b)
    of_l = n * starts - (squares + starts) // 2  # sum over c of sum over i of min(i, c)
    starts, squares = _starts(n, a)
    of_u = n * starts - (squares - starts) // 2  # sum over r of sum over j of min(j + 1, r)
    return of_l + of_u + n * n - (n if a == 1 else 0)


def _starts(n: int, side: int) -> tuple[int, int]:
    """The sum of 0, side, 2 side, ... below n, and the sum of their squares."""
    parts = -(-n // side)
    first_sum = parts * (parts - 1) // 2
    return side * first_sum, side**2 * first_sum * (2 * parts - 1) // 3


def qr_givens(p: Params, memory: int) -> Moved | None:
    """Words of Givens rotations by tiles of a pivot rows and b columns; None for 4 words.

    Below a tile, which stays, rows stream past: b entries of a row, a rotation, and a new value in
    each of both rows: ab + b + 3 words. With first column j of its pivots a tile loads its part of
    all rows from j on, and the rotations that were made left of it; it stores the rest of the rows
    below its pivots, and its part of the results.
    """
    n, m = p["n"], p["m"]
    return None if memory < 5 else _qr_words(n, m, *_pivots(n, m, memory))


def qr_givens_tiles(dag: CDAG, memory: int) -> Tiles:
    """The tiles that `qr_givens` counts."""
    n, m = dag.params["n"], dag.params["m"]
    a, b = _pivots(n, m, memory)
    steps = [np.mgrid[j + 1 : m, j:n].reshape(2, -1) for j in range(min(n, m - 1))]
    i, columns = np.repeat(np.concatenate(steps, axis=1), 2, axis=1)
    j = np.repeat(np.arange(len(steps)), [2 * step.shape[1] for step in steps])
    order = np.lexsort((columns, j, i, columns // b, j // a))
    return tiled((n * m + order).astype(np.int32), (j // a)[order], (columns // b)[order])


def _pivots(n: int, m: int, memory: int) -> tuple[int, int]:
    """The pivot rows and the columns of a tile."""
    pivots = min(n, m - 1)
    return blocks(
        pivots, n, lambda a: (memory - 3) // (a + 1), lambda a, b: sum(_qr_words(n, m, a, b))
    )


def _qr_words(n: int, m: int, a: int, b: int) -> Moved:
    """The words that tiles of a pivot rows and b columns move."""
    pivots, parts = min(n, m - 1), -(-n // b)
    first, squares = _starts(pivots, a)
    blocks_of_rows = -(-pivots // a)
    rows = m * n * blocks_of_rows - (m + n) * first + squares  # sum over j of (m - j)(n - j)
    inside = min(parts, -(-pivots // b))  # blocks of columns that begin at a pivot
    starts, twice = _starts(b * inside, b)
    rotations = (m - 1) * starts - (twice - starts) // 2  # of the columns left of each block
    rotations += (parts - inside) * ((m - 1) * pivots - pivots * (pivots - 1) // 2)
    return Moved(rows + rotations, rows - m * n + m * n)


def syrk(p: Params, memory: int) -> Moved:
    """The words of AA^T by triangle blocks, the words that pass for each of k columns.

    Or by b rows of A that stay while those below pass, where that is less: each block of them loads
    all rows from its first one on, with k (b + 1) + 2 words.
    """
    n, k = p["n"], p["k"]
    return Moved(k * min(streamed(n, memory), _passing(n, k, memory)), n * (n + 1) // 2)


def _passing(n: int, k: int, memory: int) -> int:
    """How many rows are loaded by all blocks of rows that stay."""
    rows = resident_rows(n, k, memory)
    if not rows:
        return n * n
    blocks = -(-n // rows)
    return blocks * n - rows * blocks * (blocks - 1) // 2


def syrk_tiles(dag: CDAG, memory: int) -> Tiles:
    """The tiles that `syrk` counts."""
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
    """The sides of chunks that are tried: small ones, and some around 2 M / n.

    Chunks are to be as few as there are blocks that share one, n / sqrt(2 M), or more.
    """
    near = 2 * memory / rows
    lengths = {1, 2, 3, 4, *(round(near * share) for share in (0.5, 0.75, 1, 1.25, 1.5, 2, 3))}
    return sorted(side for side in lengths if 1 <= side <= isqrt(memory))


@lru_cache(maxsize=1 << 16)
def streamed(rows: int, memory: int) -> int:
    """The words of a column that triangle blocks of a given number of rows take in all.

    Each row is in a block for each chunk of a group, and the groups have blocks of their own.
    Where there is one whole group and a part of another, the rows of the first one are only in
    the blocks that have a chunk of the second.
    """
    cut = cut_by(rows, memory, few_sides)
    if not cut.side:
        return rows
    size = cut.side * cut.apart
    groups, remainder = divmod(rows, size)
    words = rows * cut.apart
    if groups == 1:
        words = size * -(-remainder // cut.side) + remainder * cut.apart
    return (
        words + groups * streamed(size, memory) + (streamed(remainder, memory) if remainder else 0)
    )


def cholesky(p: Params, memory: int) -> Moved:
    """The words of Cholesky factorization by panels, made by tiles, and triangle blocks.

    A panel of columns is made by a x b tiles, left-looking: ab + a + 2 words. The columns on its
    right are then updated by triangle blocks, each entry coming in and going out for each panel.
    """
    n = p["n"]
    return _panel_words(n, memory, panel_ends(n, memory))


def _panel_words(n: int, memory: int, ends: Sequence[int]) -> Moved:
    """The words of Cholesky factorization by panels that end at some columns."""
    loads, stores, start = 0, 0, 0
    for end in ends:
        rows, rows_below = n - start, n - end
        entries = (end - start) * (rows + rows_below + 1) // 2
        left = rows_below * (rows_below + 1) // 2
        loads += entries + _tile_loads(rows, end - start, *tile_shape(memory, rows, end - start))
        loads += left + (end - start) * (streamed(rows_below, memory) if rows_below else 0)
        stores += entries + left
        start = end
    return Moved(loads, stores)


def cholesky_tiles(dag: CDAG, memory: int) -> Tiles:
    """The tiles that `cholesky` counts."""
    n = dag.params["n"]
    parts: list[Int32Array] = []
    numbers: list[Int64Array] = []
    for start, end in pairwise([0, *panel_ends(n, memory)]):
        rows, width = n - start, end - start
        a, b = tile_shape(memory, rows, width)
        parts.append(panel_order(n, start, end, (a, b)))
        i, j = (np.concatenate(index) for index in zip(*_places(rows, width), strict=True))
        tile = i // a * (width // b + 1) + j // b
        numbers.append(np.sort(tile))
        if end < n:
            block = triangle_blocks(n - end, memory, few_sides).block
            parts.append(update_order(n, start, end, memory, few_sides))
            numbers.append(np.repeat(block, width))
    owner = np.repeat(np.arange(len(parts)), [part.size for part in parts])
    return tiled(np.concatenate(parts), owner, np.concatenate(numbers))


def _places(rows: int, width: int) -> Iterator[tuple[Int64Array, Int64Array]]:
    """Yield i and j, from the panel's first column on, of the results of each of its columns."""
    for k in range(width):
        i, j = np.tril_indices(rows - k, 0, width - k)
        yield i + k, j + k


@lru_cache(maxsize=1 << 10)
def panel_ends(n: int, memory: int) -> list[int]:
    """The columns at which panels end: the best of a few numbers that are predicted best.

    Of very many tiles it is the best number by prediction.
    """
    numbers = sorted((parts for parts in PANELS if parts <= n), key=_predicted(n, memory))
    panel_counts = [*numbers[:FEW_NUMBERS], 1] if n // isqrt(memory) < MANY else numbers[:1]
    tried = [_equal_parts(n, parts) for parts in dict.fromkeys(panel_counts)]
    return min(tried, key=lambda ends: sum(_panel_words(n, memory, ends)))


def _equal_parts(n: int, parts: int) -> list[int]:
    return [n * (part + 1) // parts for part in range(parts)]


def _predicted(n: int, memory: int) -> Callable[[int], float]:
    """Return about the words that a number of panels move, as a function of it."""

    def words(parts: int) -> float:
        total, start = 0.0, 0
        for end in _equal_parts(n, parts):
            rows, width, rows_below = n - start, end - start, n - end
            total += width * width * (rows - 2 * width / 3) / sqrt(memory)
            if rows_below:
                total += rows_below * rows_below + max(
                    width * rows_below * rows_below / sqrt(2 * memory), width * rows_below
                )
            start = end
        return total

    return words


@lru_cache(maxsize=1 << 12)
def tile_shape(memory: int, rows: int, width: int) -> tuple[int, int]:
    """The a x b tile with ab + a + 2 <= memory that loads least.

    Of very many tiles it is that which reuses most: least 1/a + 1/b.

    Parameters
    ----------
    memory
        Words of fast memory.
    rows, width
        Of the panel; tiles are no larger.
    """
    root, shapes = isqrt(memory), {(1, 1)}
    even = {-(-width // parts) for parts in range(1, MANY) if width <= root * 2 * parts}
    near = {*range(max(1, root - NEAR), root + NEAR)}
    for side in {min(width, b) for b in near | {b for b in even if 2 * b >= root}}:
        a = min(rows, (memory - 2) // (side + 1))
        if a >= 1:
            shapes |= {(a, side), (evened(rows, a), side)}
    if width // root >= MANY:
        return min(shapes, key=lambda shape: (1 / shape[0] + 1 / shape[1], shape))
    return min(shapes, key=lambda shape: (_tile_loads(rows, width, *shape), shape))


def _tile_loads(rows: int, width: int, a: int, b: int) -> int:
    """The words of L that the tiles of a panel load, but for their own entries.

    A tile with first column c reads, of columns 0..c-1, the rows of its entries and those of its
    columns, each once; and where its rows lie below, the triangle of L in its own columns.
    """
    words = 0
    for first in range(0, width, b):
        side = min(b, width - first)
        row = first // a * a  # the first row of tiles that has entries
        while row < min(rows, first + side):
            last, above = min(row + a, rows), max(row - first, 0)
            words += first * (last - first) + above * (above + 1) // 2
            row += a
        if row < rows:
            tiles = -(-(rows - row) // a)
            words += first * (rows - row + tiles * side) + tiles * (side * (side + 1) // 2)
    return words
