"""Predecessor rows of DAGs whose sizes are known, written by blocks, or repeated for each entry."""

from math import prod
from typing import Final

import numpy as np

from dags.arrays import BLOCK, Int32Array, Int64Array, lock
from dags.cdag.border import require_room

NONE: Final = -1
FMA: Final = 2  # operations of a vertex that multiplies and adds


class RowWriter:
    """The CSR of a DAG that grows by blocks of rows: all inputs first, then all computed vertices.

    Parameters
    ----------
    inputs
        Number of inputs; the first row that is added belongs to vertex `inputs`.
    vertices, edges
        Counts of the DAG when the last row is written, by the closed form of its family.

    Raises
    ------
    InvalidSpecError
        If so much cannot be held; nothing has been allocated then.
    """

    def __init__(self, inputs: int, vertices: int, edges: int) -> None:
        require_room(vertices, edges)
        self._indptr = np.zeros(vertices + 1, np.int64)
        self._indices = np.empty(edges, np.int32)
        self._next = inputs
        self._edges = 0

    def upcoming(self, *shape: int) -> Int32Array:
        """The numbers of the vertices whose rows come next, row-major in `shape`."""
        count = int(np.prod(shape))
        return np.arange(self._next, self._next + count, dtype=np.int32).reshape(shape)

    def add(self, *operands: Int32Array) -> None:
        """Write a block of rows, one for each place of the arrays that `operands` broadcast to.

        At every place the operands are given in rising order; NONE is no operand.
        """
        rows = np.stack(np.broadcast_arrays(*operands), axis=-1).reshape(-1, len(operands))
        kept = rows.reshape(-1)
        ends = self._indptr[self._next + 1 : self._next + len(rows) + 1]
        if (kept != NONE).all():
            ends[:] = np.arange(1, len(rows) + 1)
            ends *= len(operands)
        else:
            kept = rows[rows != NONE]
            np.cumsum(np.count_nonzero(rows != NONE, axis=1), out=ends)
        ends += self._edges
        self._indices[self._edges : self._edges + kept.size] = kept
        self._next += len(rows)
        self._edges += kept.size

    def finish(self) -> tuple[Int64Array, Int32Array]:
        """The locked row pointers and predecessors."""
        assert (self._next + 1, self._edges) == (self._indptr.size, self._indices.size)
        return lock(self._indptr), lock(self._indices)


def fused_work(inputs: int, vertices: int) -> Int64Array:
    """(vertices,) operations: 0 for inputs and one multiply-add for all others."""
    work = np.full(vertices, FMA, np.int64)
    work[:inputs] = 0
    return work


def fma_chains(inputs: int, a: Int32Array, b: Int32Array) -> tuple[Int64Array, Int32Array]:
    """The CSR of sums of products, one chain of fused multiply-adds an entry.

    Parameters
    ----------
    inputs
        Number of inputs; link l of entry e is vertex inputs + e*k + l.
    a, b
        (..., k) numbers of the inputs that are multiplied, a before b, broadcast together; all
        axes but the last are the entries, row-major. Link l is computed from a[..., l],
        b[..., l] and link l - 1 where there is one.
    """
    *entries, k = np.broadcast_shapes(a.shape, b.shape)
    count = prod(entries)
    first = (inputs + k * np.arange(count, dtype=np.int32)).reshape(*entries, 1)
    indices = np.empty(count * (3 * k - 1), np.int32)
    rows = indices.reshape(*entries, 3 * k - 1)
    a, b = (np.broadcast_to(factor, (*entries, k)) for factor in (a, b))
    link = np.arange(k - 1, dtype=np.int32)
    several = max(1, BLOCK * entries[0] // (count * k))  # what is written stays in the cache
    for start in range(0, entries[0], several):
        block = slice(start, start + several)
        rows[block, ..., 0] = a[block, ..., 0]
        rows[block, ..., 1] = b[block, ..., 0]
        rows[block, ..., 2::3] = a[block, ..., 1:]
        rows[block, ..., 3::3] = b[block, ..., 1:]
        np.add(first[block], link, out=rows[block, ..., 4::3])
    degrees = np.full(k, 3, np.int64)
    degrees[0] = 2
    return repeated_pointers(inputs, degrees, count), lock(indices)


def repeated_pointers(inputs: int, degrees: Int64Array, repeats: int) -> Int64Array:
    """Row pointers of `inputs` empty rows and then `degrees`, `repeats` times over.

    Parameters
    ----------
    inputs
        Number of empty rows at the front.
    degrees
        (d,) entries in each row of the repeated block.
    repeats
        Number of blocks.
    """
    per_entry = np.concatenate(([0], np.cumsum(degrees)[:-1]))
    before = degrees.sum() * np.arange(repeats, dtype=np.int64)[:, None]
    indptr = np.zeros(inputs + repeats * degrees.size + 1, np.int64)
    np.add(per_entry, before, out=indptr[inputs:-1].reshape(repeats, degrees.size))
    indptr[-1] = degrees.sum() * repeats
    return lock(indptr)
