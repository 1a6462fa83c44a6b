"""Chains, trees and pyramids."""

import numpy as np

from dags.arrays import MAX_VERTICES, lock
from dags.cdag.border import require_at_least, require_below, require_room
from dags.cdag.value import CDAG
from dags.families.common.family import Family, Sizes
from dags.families.common.inverse import fact
from dags.families.common.published import Law, Params


def chain(n: int) -> CDAG:
    """Return n vertices in a row: vertex 0 is the input, each other is computed from the last.

    Examples
    --------
    >>> chain(5)
    <chain(n=5): 5 vertices, 4 edges>
    """
    params, size = chain_sizes(n)
    require_room(size.vertices, size.edges)
    indptr = np.maximum(np.arange(n + 1, dtype=np.int64) - 1, 0)
    indices = np.arange(n - 1, dtype=np.int32)
    return CDAG(lock(indptr), lock(indices), work=1, family="chain", params=params)


def chain_sizes(n: int) -> tuple[Params, Sizes]:
    """The parameters and sizes of a member."""
    require_at_least(1, n=n)
    return {"n": n}, Sizes(n, n - 1, 1, 1, n - 1, min(n - 1, 1))


def tree(height: int, arity: int = 2) -> CDAG:
    """The complete in-tree that reduces arity^height inputs to one value.

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
    params, size = tree_sizes(height, arity)
    require_room(size.vertices, size.edges)
    indptr = np.zeros(size.vertices + 1, np.int64)
    indptr[size.inputs :] = arity * np.arange(size.computed + 1)
    indices = np.arange(size.edges, dtype=np.int32)
    return CDAG(lock(indptr), lock(indices), work=1, family="tree", params=params)


def tree_sizes(height: int, arity: int) -> tuple[Params, Sizes]:
    """The parameters and sizes of a member."""
    require_at_least(1, height=height)
    require_at_least(2, arity=arity)
    require_below(MAX_VERTICES.bit_length(), height=height)  # before arity**height takes for ever
    leaves = arity**height
    n = (leaves * arity - 1) // (arity - 1)
    return {"height": height, "arity": arity}, Sizes(n, n - 1, leaves, 1, n - leaves, arity)


def pyramid(height: int) -> CDAG:
    """The pyramid: height + 1 inputs, each next row one shorter, one vertex on top.

    Rows are numbered from the bottom, left to right; a vertex is computed from the two below it.

    Source
    ------
    S. A. Cook, An observation on time-storage trade off, 1974; J. E. Savage, Models of
    Computation, 1998, section 10.2.

    Examples
    --------
    >>> pyramid(3)
    <pyramid(height=3): 10 vertices, 12 edges>
    """
    params, size = pyramid_sizes(height)
    require_room(size.vertices, size.edges)
    base, n = size.inputs, size.vertices
    row = np.repeat(np.arange(1, base), base - np.arange(1, base))  # row of each computed vertex
    left = np.arange(base, n) - (base - row) - 1  # below on the left; the row below is one longer
    indptr = np.zeros(n + 1, np.int64)
    indptr[base:] = 2 * np.arange(n - base + 1)
    indices = np.column_stack((left, left + 1)).astype(np.int32).reshape(-1)
    return CDAG(lock(indptr), lock(indices.copy()), work=1, family="pyramid", params=params)


def pyramid_sizes(height: int) -> tuple[Params, Sizes]:
    """The parameters and sizes of a member."""
    require_at_least(1, height=height)
    computed = height * (height + 1) // 2
    return {"height": height}, Sizes(
        computed + height + 1, 2 * computed, height + 1, 1, computed, 2
    )


TREE_FROM = {"height": fact("depth"), "arity": fact("widest")}
PYRAMID_FROM = {"height": fact("depth")}
FAMILIES = {
    "chain": Family(chain, "n=10", "n=5", chain_sizes, {"n": fact("vertices")}),
    "tree": Family(tree, "height=4", "height=3", tree_sizes, TREE_FROM),
    "pyramid": Family(
        pyramid, "height=5", "height=4", pyramid_sizes, PYRAMID_FROM, law=Law("power", 1.0)
    ),
}
