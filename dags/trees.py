"""Chains, trees and pyramids."""

import numpy as np

from dags.arrays import MAX_VERTICES, lock
from dags.cdag import CDAG
from dags.errors import InvalidSpecError
from dags.limits import require_at_least, require_room


def chain(n: int) -> CDAG:
    """Return n vertices in a row: vertex 0 is the input, each other is computed from the last.

    Examples
    --------
    >>> chain(5)
    <chain(n=5): 5 vertices, 4 edges>
    """
    require_at_least(1, n=n)
    require_room(n, n - 1)
    indptr = np.maximum(np.arange(n + 1, dtype=np.int64) - 1, 0)
    indices = np.arange(n - 1, dtype=np.int32)
    return CDAG(lock(indptr), lock(indices), work=1, family="chain", params={"n": n})


def tree(height: int, arity: int = 2) -> CDAG:
    """Return the complete in-tree that reduces arity^height inputs to one value.

    Leaves are 0..L-1, L = arity^height; then level after level, so that vertex L + j is
    computed from vertices arity*j .. arity*j + arity - 1.

    Source
    ------
    J. E. Savage, Models of Computation, 1998, chapter 10: a complete binary tree of 2^h leaves
    takes 2^h + 1 words of I/O exactly if h + 2 pebbles are there (h + 1 where they slide).

    Examples
    --------
    >>> tree(3)
    <tree(height=3, arity=2): 15 vertices, 14 edges>
    """
    require_at_least(1, height=height)
    require_at_least(2, arity=arity)
    if height >= MAX_VERTICES.bit_length():  # before arity**height takes for ever
        raise InvalidSpecError(f"height must be below {MAX_VERTICES.bit_length()}, not {height}")
    leaves = arity**height
    n = (leaves * arity - 1) // (arity - 1)
    require_room(n, n - 1)
    indptr = np.zeros(n + 1, np.int64)
    indptr[leaves:] = arity * np.arange(n - leaves + 1)
    return CDAG(
        lock(indptr),
        lock(np.arange(n - 1, dtype=np.int32)),
        work=1,
        family="tree",
        params={"height": height, "arity": arity},
    )


def pyramid(height: int) -> CDAG:
    """Return the pyramid: height + 1 inputs, each next row one shorter, one vertex on top.

    Rows are numbered from the bottom, left to right; a vertex is computed from the two below
    it. (h + 1)(h + 2)/2 vertices, h (h + 1) edges.

    Source
    ------
    S. A. Cook, An observation on time-storage trade off, 1974; J. E. Savage, Models of
    Computation, 1998, section 10.2.

    Examples
    --------
    >>> pyramid(3)
    <pyramid(height=3): 10 vertices, 12 edges>
    """
    require_at_least(1, height=height)
    base = height + 1
    n = base * (base + 1) // 2
    require_room(n, height * base)
    row = np.repeat(np.arange(1, base), base - np.arange(1, base))  # row of each computed vertex
    left = np.arange(base, n) - (base - row) - 1  # below on the left; the row below is one longer
    indptr = np.zeros(n + 1, np.int64)
    indptr[base:] = 2 * np.arange(n - base + 1)
    indices = np.column_stack((left, left + 1)).astype(np.int32).reshape(-1)
    return CDAG(
        lock(indptr), lock(indices.copy()), work=1, family="pyramid", params={"height": height}
    )
