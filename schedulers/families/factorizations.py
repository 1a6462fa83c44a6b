"""LU, Cholesky, symmetric updates, solves: tiles, triangle blocks; QR: rows stream past tiles."""

from collections.abc import Iterator
from itertools import product
from math import ceil

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array, Int64Array
from schedulers.families.tiles import sorted_by, tile_shapes, tilings
from schedulers.families.triangle_blocks import (
    best_cut,
    best_panels,
    by_blocks,
    by_panels,
    panel_io,
    triangle_blocks,
)

TRIED = 1 << 20  # edges of all orders of more tiles together
CLEAR = 0.1  # predicted gain of triangle blocks from which only the best tiles are tried beside


def matvec_orders(dag: CDAG, memory: int) -> Iterator[Int32Array]:
    """Yield orders of y = Ax, A n x m, by blocks of rows.

    With r = M - 3 rows' sums in fast memory, beside one entry of A, one of x and a new sum, A and
    y are moved once and x once for each block: nm + m ceil(n/r) + n words. Blocks as equal as can
    be leave room, in which entries of x stay from block to block.
    """
    n, m = dag.params["n"], dag.params["m"]
    sums = np.arange(dag.n - n * m, dag.n, dtype=np.int32).reshape(n, m)
    largest = min(max(memory - 3, 1), n)
    for rows in dict.fromkeys((largest, ceil(n / ceil(n / largest)))):
        yield np.concatenate([sums[i : i + rows].T.reshape(-1) for i in range(0, n, rows)])


def triangular_solve_orders(dag: CDAG, memory: int) -> Iterator[Int32Array]:
    """Yield orders of LX = B by blocks of a rows and b columns of X, left-looking.

    For each earlier row j of X, in its turn, column j of the block of L and row j of X update the
    resident block: ab + a + 2 words. L is moved once for each block of columns, and each row of X
    once for each later block of rows: about n^2/2 (ceil(k/b) + k/a) + 2nk words. With one
    right-hand side an entry of L is done with at once, and a = M - 3 rows fit.
    """
    n, k = dag.params["n"], dag.params["k"]
    inputs = n * (n + 1) // 2 + n * k
    i = np.repeat(np.arange(n), k * np.arange(1, n + 1))
    place = np.arange(dag.n - inputs) - k * i * (i + 1) // 2
    c, j = place // (i + 1), place % (i + 1)
    vertices = np.arange(inputs, dag.n, dtype=np.int32)
    for a, b in _block_shapes(n, k, memory):
        yield sorted_by(vertices, c // b, i // a, j, c, i)


def _block_shapes(n: int, k: int, memory: int) -> list[tuple[int, int]]:
    """The best shapes of resident blocks of X."""
    shapes = {(min(max(memory - 3, 1), n), 1)} if k == 1 else {(1, 1)}
    for b in range(1, k + 1):
        a = min((memory - 2) // (b + 1), n)
        if a >= 1:
            shapes.add((a, b))

    def io(shape: tuple[int, int]) -> float:
        a, b = shape
        return n * n / 2 * (ceil(k / b) + k / a)

    return sorted(shapes, key=io)[:3]


def lu_orders(dag: CDAG, memory: int) -> Iterator[Int32Array]:
    """Yield orders of LU by a x b tiles, row of tiles after row of tiles.

    A tile stays while all its updates are done: for each k, a entries of L and b of U stream by.
    About n^3 / 3 (1/a + 1/b) words with ab + a + 2 <= M: for squares 2 n^3 / (3 sqrt(M)), the
    leading term of the lower bound. Of small members more ways to cut them are tried (`tilings`).

    Source
    ------
    G. Kwasniewski et al., On the parallel I/O optimality of linear algebra kernels, SC 2021, for
    the bound.
    """
    n = dag.params["n"]
    steps = [_lu_step(n, k) for k in range(n - 1)]
    i, j, k = (np.concatenate(column) for column in zip(*steps, strict=True))
    vertices = np.arange(n * n, dag.n, dtype=np.int32)
    for a, b in tile_shapes(memory, n, n):
        yield sorted_by(vertices, i // a, j // b, k, j, i)
    yield from _small_orders(dag, memory, i, j, k)


def _small_orders(
    dag: CDAG, memory: int, i: Int64Array, j: Int64Array, k: Int64Array
) -> Iterator[Int32Array]:
    """Yield orders of a factorization by more tiles, the fewer the larger it is.

    Parameters
    ----------
    dag, memory
        The DAG, and words of fast memory.
    i, j, k
        Row, column and step of its computed vertices.
    """
    n = dag.params["n"]
    vertices = dag.computed
    for a, b, down, right, by_columns in tilings(memory, n, n, TRIED // dag.m):
        tile = (i + down) // a, (j + right) // b
        if by_columns:
            yield sorted_by(vertices, tile[1], tile[0], k, i, j)
        else:
            yield sorted_by(vertices, *tile, k, j, i)


def cholesky_orders(dag: CDAG, memory: int) -> Iterator[Int32Array]:
    """Yield orders of Cholesky factorization by a x b tiles, and by panels with triangle blocks.

    - *Tiles*, as for LU, with L on both sides: about n^3 / (3 sqrt(M)) words for squares.
    - *Panels.* p panels of columns are made by tiles, one after the other; it updates the rest by
      triangle blocks. That is n^3 / (3 sqrt(2) sqrt(M)) in the leading term, but p n^2 / 3 for
      loading and storing the rest, and a share of about 3 / (2p) of all updates stays with the
      tiles of the panels: it is tried where it is predicted to move less.

    Of small members more ways to cut them into tiles are tried (`tilings`).

    Source
    ------
    O. Beaumont et al., I/O-optimal algorithms for symmetric linear algebra kernels, SPAA 2022, for
    panels, and for the proof that nothing moves less in the leading term.
    """
    n = dag.params["n"]
    panels = best_panels(n, memory)
    gain = panel_io(n, n, memory) / panels.words - 1
    steps = [_cholesky_step(n, k) for k in range(n)]
    i, j, k = (np.concatenate(column) for column in zip(*steps, strict=True))
    vertices = np.arange(n * (n + 1) // 2, dag.n, dtype=np.int32)
    for a, b in tile_shapes(memory, n, n)[: 1 if gain > CLEAR else None]:
        yield sorted_by(vertices, i // a, j // b, k, j, i)
    yield from _small_orders(dag, memory, i, j, k)
    if len(panels.ends) > 1:
        yield by_panels(n, memory, panels.ends)


def syrk_orders(dag: CDAG, memory: int) -> Iterator[Int32Array]:
    """Yield orders of AA^T by a x b tiles of the lower half, by triangle blocks, and by rows.

    - *Tiles* move about n^2 k / sqrt(M) words for squares.
    - *Rows* of few columns stay, b at a time, while all rows below pass: n (n + 1) / 2 + k sum over
      blocks of the rows from their first one on, with k (b + 1) + 2 words.
    - *Triangle blocks* move n (n + 1) / 2 + k w words, w the words streamed by the best cut of the
      rows, or fewer: about n^2 k / (sqrt(2) sqrt(M)) for many rows. They are tried where that is
      less.

    Source
    ------
    O. Beaumont et al., I/O-optimal algorithms for symmetric linear algebra kernels, SPAA 2022, for
    triangle blocks, and for the proof that nothing moves less in the leading term.
    """
    n, k = dag.params["n"], dag.params["k"]
    shapes = tile_shapes(memory, n, n)
    gain = streamed_by_tiles(n, *shapes[0]) / best_cut(n, memory).words - 1
    i, j = (np.repeat(index, k) for index in np.tril_indices(n))
    columns = np.tile(np.arange(k), n * (n + 1) // 2)
    vertices = np.arange(n * k, dag.n, dtype=np.int32)
    for a, b in shapes[: 1 if gain > CLEAR else None]:
        yield sorted_by(vertices, i // a, j // b, columns, j, i)
    if rows := resident_rows(n, k, memory):
        yield sorted_by(vertices, j // rows, i, j, columns)
    if gain >= 0:
        entries = triangle_blocks(n, memory)
        first = n * k + (entries.row * (entries.row + 1) // 2 + entries.column) * k
        yield by_blocks(entries, range(k), lambda step: first + step)


def resident_rows(n: int, k: int, memory: int) -> int:
    """How many rows of A stay beside one that passes, in parts as equal as can be; or 0."""
    limit = (memory - 2) // k - 1
    return ceil(n / ceil(n / limit)) if limit > 0 else 0


def streamed_by_tiles(n: int, a: int, b: int) -> int:
    """The words of a column that a x b tiles of the lower half of n rows take in all.

    A tile takes its rows and columns once each, those that are both once, and a row is both in
    one tile.
    """
    words = 0
    for start in range(0, n, a):
        end = min(start + a, n)
        words += end + (end - start) * (ceil(end / b) - 1)
    return words


def qr_givens_orders(dag: CDAG, memory: int) -> Iterator[Int32Array]:
    """Yield orders of QR by Givens rotations, by blocks of columns that stream past rows of R.

    Rotation (i, j) changes entries l >= j of rows i and j. For a block of a rows j and b columns
    l, the a x b unfinished entries of R stay while the rows i below stream by: b entries of row
    i come in and go out, after a rotations, which come in unless they are computed here. That
    is 2/a + 1/b words for each of the n^2 (m - n/3) / 2 rotated pairs with ab + b + 3 <= M: for a =
    2b about sqrt(2) n^2 (m - n/3) / sqrt(M).

    Source
    ------
    The law is that of H. T. Kung, 1986, section 3.2, for triangularization; the constant is that of
    this order.
    """
    n, m = dag.params["n"], dag.params["m"]
    steps = [_givens_step(n, m, j) for j in range(min(n, m - 1))]
    i, j, columns = (np.concatenate(column) for column in zip(*steps, strict=True))
    vertices = np.arange(n * m, dag.n, dtype=np.int32)
    for a, b in givens_shapes(n, memory):
        yield sorted_by(vertices, j // a, columns // b, i, j, columns)
    # Of small members more is tried: blocks of columns outermost, the first one cut short.
    shapes = givens_shapes(n, memory, TRIED // (3 * dag.m))
    for (a, b), shifted in product(shapes, (False, True)):
        block = (columns + shifted * (-n % b)) // b
        yield sorted_by(vertices, block, j // a, i, j, columns)
        if shifted:
            yield sorted_by(vertices, j // a, block, i, j, columns)


def givens_shapes(n: int, memory: int, count: int = 3) -> list[tuple[int, int]]:
    """The shapes with ab + b + 3 <= memory that reuse most: least 2/a + 1/b.

    Parameters
    ----------
    n, memory
        Columns, and words of fast memory.
    count
        Shapes to return.
    """
    shapes = {(1, 1)}
    for b in range(1, min(n, max((memory - 3) // 2, 1)) + 1):
        a = min(n, (memory - 3 - b) // b)
        if a >= 1:
            shapes.add((a, b))
    return sorted(shapes, key=lambda shape: (2 / shape[0] + 1 / shape[1], shape))[:count]


def _givens_step(n: int, m: int, j: int) -> tuple[Int64Array, Int64Array, Int64Array]:
    """Return i, j and l of the vertices of column j, in their numbering."""
    i, columns = (index.reshape(-1) for index in np.mgrid[j + 1 : m, j:n])
    return np.repeat(i, 2), np.full(2 * i.size, j), np.repeat(columns, 2)


def _lu_step(n: int, k: int) -> tuple[Int64Array, Int64Array, Int64Array]:
    """Return i, j and k of the vertices of step k, in their numbering."""
    i, j = (index.reshape(-1) for index in np.mgrid[k + 1 : n, k:n])
    return i, j, np.full(i.size, k)


def _cholesky_step(n: int, k: int) -> tuple[Int64Array, Int64Array, Int64Array]:
    """Return i, j and k of the vertices of step k, in their numbering."""
    i, j = np.tril_indices(n - k)
    return i + k, j + k, np.full(i.size, k)
