"""Matrix-vector products and triangular solves: accumulators stay, the matrix streams by once."""

from collections.abc import Iterator
from math import ceil

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array
from schedulers.families.tiles import sorted_by


def matvec_orders(dag: CDAG, memory: int) -> Iterator[Int32Array]:
    """Yield orders of y = Ax, A n x m, by blocks of rows.

    With r = M - 3 rows' sums in fast memory, beside one entry of A, one of x and a new sum, A and
    y are moved once and x once for each block: nm + m ceil(n/r) + n words.
    """
    n, m = dag.params["n"], dag.params["m"]
    sums = np.arange(dag.n - n * m, dag.n, dtype=np.int32).reshape(n, m)
    rows = min(max(memory - 3, 1), n)
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
    """Return the best shapes of resident blocks of X."""
    shapes = {(min(max(memory - 3, 1), n), 1)} if k == 1 else {(1, 1)}
    for b in range(1, k + 1):
        a = min((memory - 2) // (b + 1), n)
        if a >= 1:
            shapes.add((a, b))

    def io(shape: tuple[int, int]) -> float:
        a, b = shape
        return n * n / 2 * (ceil(k / b) + k / a)

    return sorted(shapes, key=io)[:3]
