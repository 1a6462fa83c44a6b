"""Counted plays of products and triangular solves: a block of results stays, operands pass."""

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
