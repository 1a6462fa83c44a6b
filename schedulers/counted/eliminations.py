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
