"""Predecessor rows of DAGs whose sizes are known beforehand, written block by block."""

from typing import Final

import numpy as np

from dags.arrays import Int32Array, Int64Array, lock
from dags.cdag.border import require_room

NONE: Final = -1
FMA: Final = 2  # operations of a vertex that multiplies and adds


class RowWriter:
    """The CSR of a DAG that grows by blocks of rows: all inputs first, then what is computed.

    Parameters
    ----------
    inputs
        Number of inputs; the first row that is added belongs to vertex `inputs`.
    vertices, edges
        What the DAG will have when the last row is written, by the closed form of its family.

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
        """Return the numbers of the vertices whose rows come next, row-major in `shape`."""
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
        """Return the locked row pointers and predecessors."""
        assert (self._next + 1, self._edges) == (self._indptr.size, self._indices.size)
        return lock(self._indptr), lock(self._indices)


def fused_work(inputs: int, vertices: int) -> Int64Array:
    """Return (vertices,) operations: 0 for inputs and one multiply-add for all others."""
    work = np.full(vertices, FMA, np.int64)
    work[:inputs] = 0
    return work
