"""Counted plays of products, solves, LU and QR: a block of results stays, operands pass."""

import numpy as np

from dags import CDAG
from schedulers.counted.sides import blocks, evened
from schedulers.counted.tiles import Moved, Params, Tiles, tiled
from schedulers.families.matmul import blocked


def matmul(p: Params, memory: int) -> Moved | None:
    """Return what a product by blocks of C moves, a tile each, all k updates in turn.

    For each l a entries of A stay while b entries of B pass, beside the block and a new value: ab
    + a + 2 words, one more where products are vertices. Each column of A is loaded in every block
    column, each row of B in every block row, and C is stored once. Sums by trees are not counted.
    """
    shape = _product_block(p, memory)
    if shape is None:
        return None
    m, n, k = p["m"], p["n"], p["k"]
    return Moved(predicted(m, n, k, *shape) - m * n, m * n)


def predicted(m: int, n: int, k: int, a: int, b: int) -> int:
    """Return the words that blocks of a x b entries of an m x n product move."""
    return m * n + k * (m * -(-n // b) + n * -(-m // a))


def matmul_tiles(dag: CDAG, memory: int) -> Tiles:
    """Return the tiles that `matmul` counts."""
    shape = _product_block(dag.params, memory)
    assert shape is not None
    n, m, k, form = (dag.params[key] for key in ("n", "m", "k", "form"))
    order = blocked(n, m, k, 1 if form == "fma" else 2, *shape)
    entry = (order - (m * k + k * n)) // (k if form == "fma" else 2 * k - 1)
    return tiled(order, entry // n // shape[0], entry % n // shape[1])


def _product_block(p: Params, memory: int) -> tuple[int, int] | None:
    """Return the block of C; none by trees. Of an outer product one entry at a time is kept."""
    m, n, k, form = (p[key] for key in ("m", "n", "k", "form"))
    if form == "tree" and k > 2:
        return None
    if k == 1:
        return min(m, memory - 2), n
    room = memory - (2 if form == "fma" else 3)
    if memory < 4:
        return None
    return blocks(m, n, lambda a: (room - a) // a, lambda a, b: predicted(m, n, k, a, b))


def matvec(p: Params, memory: int) -> Moved:
    """Return what blocks of r = M - 3 rows of y = Ax move: nm + m ceil(n/r) + n words.

    Beside r sums there are one entry of A, one of x and a new sum.
    """
    n, m = p["n"], p["m"]
    return Moved(n * m + m * -(-n // _rows(n, memory)), n)


def matvec_tiles(dag: CDAG, memory: int) -> Tiles:
    """Return the tiles that `matvec` counts."""
    n, m = dag.params["n"], dag.params["m"]
    i, j = (index.reshape(-1) for index in np.indices((n, m)))
    block = i // _rows(n, memory)
    order = np.lexsort((i, j, block))
    return tiled((dag.n - n * m + order).astype(np.int32), block[order])


def _rows(n: int, memory: int) -> int:
    return min(max(memory - 3, 1), n)


def triangular_solve(p: Params, memory: int) -> Moved:
    """Return what LX = B moves by blocks of a rows and b columns of X, left-looking.

    A block takes a entries of a column of L, one of a row of X, and a new value beside itself: ab
    + a + 2 words, or a + 3 with one right-hand side, where an entry of L is done with at once. It
    loads its rows of L, the rows of X above it, and its part of B.
    """
    n, k = p["n"], p["k"]
    return Moved(_solve_loads(n, k, *_solve_block(n, k, memory)), n * k)


def triangular_solve_tiles(dag: CDAG, memory: int) -> Tiles:
    """Return the tiles that `triangular_solve` counts."""
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
    """Return the words loaded: L for each block of columns, and X above each block of rows."""
    parts = -(-n // a)
    return n * (n + 1) // 2 * -(-k // b) + k * a * parts * (parts - 1) // 2 + n * k


def lu(p: Params, memory: int) -> Moved:
    """Return what LU by a x b tiles moves, each with all its updates, step k outermost.

    In step k there are at most a entries of column k of L, one of row k of U and a new value
    beside the tile: ab + a + 2 words. A tile with first row r and first column c loads its rows
    of L up to column min(i, c), of its columns of U those above row min(j + 1, r), and its part of
    A; row 0 of that is U already, and read by nobody but other tiles if tiles have one row.
    """
    n = p["n"]
    return Moved(_lu_loads(n, *_tile(n, memory)), n * n - n)


def lu_tiles(dag: CDAG, memory: int) -> Tiles:
    """Return the tiles that `lu` counts."""
    n = dag.params["n"]
    a, b = _tile(n, memory)
    steps = [[each.reshape(-1) for each in np.mgrid[k + 1 : n, k:n, k : k + 1]] for k in range(n)]
    i, j, k = (np.concatenate(column) for column in zip(*steps, strict=True))
    order = np.lexsort((i, j, k, j // b, i // a))
    return tiled((n * n + order).astype(np.int32), (i // a)[order], (j // b)[order])


def _tile(n: int, memory: int) -> tuple[int, int]:
    return blocks(n, n, lambda a: (memory - 2 - a) // a, lambda a, b: _lu_loads(n, a, b))


def _lu_loads(n: int, a: int, b: int) -> int:
    """Return the words that a x b tiles load."""
    starts, squares = _starts(n, b)
    of_l = n * starts - (squares + starts) // 2  # sum over c of sum over i of min(i, c)
    starts, squares = _starts(n, a)
    of_u = n * starts - (squares - starts) // 2  # sum over r of sum over j of min(j + 1, r)
    return of_l + of_u + n * n - (n if a == 1 else 0)


def _starts(n: int, side: int) -> tuple[int, int]:
    """Return the sum of 0, side, 2 side, ... below n, and the sum of their squares."""
    parts = -(-n // side)
    ones = parts * (parts - 1) // 2
    return side * ones, side**2 * ones * (2 * parts - 1) // 3


def qr_givens(p: Params, memory: int) -> Moved | None:
    """Return what Givens rotations move by tiles of a pivot rows and b columns; None for 4 words.

    Below a tile, which stays, rows stream past: b entries of a row, a rotation, and a new value in
    each of both rows: ab + b + 3 words. With first column j of its pivots a tile loads its part of
    all rows from j on, and the rotations that were made left of it; it stores what is left of the
    rows below its pivots, and its part of the results.
    """
    n, m = p["n"], p["m"]
    return None if memory < 5 else _qr_words(n, m, *_pivots(n, m, memory))


def qr_givens_tiles(dag: CDAG, memory: int) -> Tiles:
    """Return the tiles that `qr_givens` counts."""
    n, m = dag.params["n"], dag.params["m"]
    a, b = _pivots(n, m, memory)
    steps = [np.mgrid[j + 1 : m, j:n].reshape(2, -1) for j in range(min(n, m - 1))]
    i, along = np.repeat(np.concatenate(steps, axis=1), 2, axis=1)
    j = np.repeat(np.arange(len(steps)), [2 * step.shape[1] for step in steps])
    order = np.lexsort((along, j, i, along // b, j // a))
    return tiled((n * m + order).astype(np.int32), (j // a)[order], (along // b)[order])


def _pivots(n: int, m: int, memory: int) -> tuple[int, int]:
    """Return the pivot rows and the columns of a tile."""
    pivots = min(n, m - 1)
    return blocks(
        pivots, n, lambda a: (memory - 3) // (a + 1), lambda a, b: sum(_qr_words(n, m, a, b))
    )


def _qr_words(n: int, m: int, a: int, b: int) -> Moved:
    """Return the words that tiles of a pivot rows and b columns move."""
    pivots, parts = min(n, m - 1), -(-n // b)
    first, squares = _starts(pivots, a)
    blocks_of_rows = -(-pivots // a)
    rows = m * n * blocks_of_rows - (m + n) * first + squares  # sum over j of (m - j)(n - j)
    inside = min(parts, -(-pivots // b))  # blocks of columns that begin at a pivot
    starts, twice = _starts(b * inside, b)
    rotations = (m - 1) * starts - (twice - starts) // 2  # of the columns left of each block
    rotations += (parts - inside) * ((m - 1) * pivots - pivots * (pivots - 1) // 2)
    return Moved(rows + rotations, rows - m * n + m * n)
