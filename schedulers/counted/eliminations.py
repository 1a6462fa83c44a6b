"""Counted plays of LU and QR: tiles stay, what was made before passes."""

import numpy as np

from dags import CDAG
from schedulers.counted.sides import blocks
from schedulers.counted.tiles import Moved, Params, Tiles, tiled


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
