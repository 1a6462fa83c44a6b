"""LU and Cholesky factorization by several processors: blocks dealt out in turn."""

from collections.abc import Iterator
from math import ceil, isqrt

import numpy as np

from dags import CDAG
from dags.arrays import Int64Array
from schedulers.orders import ORDERS
from schedulers.parallel.assignment import Assignment, numbered
from schedulers.parallel.butterflies import family_order
from schedulers.parallel.products import grids_of


def cyclic_blocks(dag: CDAG, processors: int, memory: int) -> Iterator[Assignment]:
    """Yield assignments of a factorization's entries, block-cyclic in two dimensions.

    Entry (i, j) belongs to processor (i/b mod r, j/b mod s) of r x s: the more blocks, the more
    even is the work of what is left, and the more operands are read by several.

    Parameters
    ----------
    dag
        An LU or a Cholesky factorization.
    processors
        Number of them.
    memory
        Words of fast memory of each.

    Source
    ------
    J. Choi et al., ScaLAPACK: a portable linear algebra library for distributed memory computers,
    Comput. Phys. Commun. 1996, section 2: block-cyclic distribution.
    """
    n = dag.params["n"]
    row, column = entries_of(dag)
    rows = min((grid for grid in grids_of(processors, 2) if grid[0] <= grid[1]), key=_squareness)
    orders = (ORDERS["natural"](dag), family_order(dag, memory))
    for blocks in (1, 2, 4):
        side = max(ceil(n / (blocks * max(rows))), 1)
        owner = row // side % rows[0] * rows[1] + column // side % rows[1]
        name = f"block-cyclic {rows[0]}x{rows[1]} of {side}"
        for order in orders:
            yield numbered(name, owner, order)
        if side <= isqrt(max(memory, 1)) // 2:
            break


def _squareness(grid: tuple[int, ...]) -> int:
    return grid[1] - grid[0]


def entries_of(dag: CDAG) -> tuple[Int64Array, Int64Array]:
    """Return (n,) the row and the column of the entry that each vertex is a value of."""
    n, lower = dag.params["n"], dag.family == "cholesky"
    rows, columns = [], []
    first = np.tril_indices(n) if lower else np.divmod(np.arange(n * n), n)
    rows.append(first[0])
    columns.append(first[1])
    for k in range(n if lower else n - 1):
        left = n - k
        if lower:
            i, j = np.tril_indices(left)
        else:
            i, j = np.divmod(np.arange((left - 1) * left), left)
            i = i + 1
        rows.append(k + i)
        columns.append(k + j)
    return np.concatenate(rows), np.concatenate(columns)
