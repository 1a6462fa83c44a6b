"""Algorithms on the predecessor rows of a DAG, or of a piece of one, as arrays in CSR."""

from typing import Any

import numpy as np
import numpy.typing as npt

from dags import _kernels
from dags.arrays import Int32Array, Int64Array, lock

Pointers = npt.NDArray[np.signedinteger[Any]]


def successor_rows(
    indptr: Int64Array,
    indices: Int32Array,
    *,
    pointers: type[np.signedinteger[Any]] = np.int64,
) -> tuple[Pointers, Int32Array]:
    """The successor CSR: row pointers and successors, rising in each row; both locked.

    Parameters
    ----------
    indptr, indices
        (n+1,) and (m,) predecessor CSR.
    pointers
        Type of the (n+1,) row pointers of the result; it must hold m.
    """
    succ_indptr = np.zeros(indptr.size, pointers)
    succ_indices = np.empty(indices.size, np.int32)
    _kernels.transpose(indptr, indices, succ_indptr, succ_indices)
    return lock(succ_indptr), lock(succ_indices)


def reader_counts(
    indices: Int32Array, n: int, *, dtype: type[np.signedinteger[Any]] = np.int64
) -> npt.NDArray[Any]:
    """(n,) how often each of n vertices occurs among the (m,) predecessors `indices`.

    Parameters
    ----------
    indices
        (m,) predecessors.
    n
        Number of vertices.
    dtype
        Integer type of the result.
    """
    readers = np.zeros(n, dtype)
    _kernels.count_readers(indices, readers)
    return readers


def path_lengths(indptr: Int64Array, indices: Int32Array) -> Int32Array:
    """(n,) the edges on a longest path to each vertex of a predecessor CSR, locked."""
    length = np.zeros(indptr.size - 1, np.int32)
    _kernels.longest_paths(indptr, indices, length)
    return lock(length)


def without_dead(
    indptr: Int64Array,
    indices: Int32Array,
    made_by: npt.NDArray[np.integer[Any]],
    points: Int32Array,
    n: int,
    outputs: Int32Array,
) -> tuple[int, Int32Array]:
    """Move the outputs' ancestors together, in place; return how many they are, and the outputs.

    Parameters
    ----------
    indptr, indices
        Predecessors of the first n vertices, in a topological order; both may be longer.
    made_by, points
        A field of each vertex: its first axis goes over the vertices.
    n
        Number of vertices.
    outputs
        The vertices that are needed whatever reads them, rising.
    """
    needed = np.zeros(n, np.bool_)
    needed[outputs] = True
    _kernels.mark_needed(indptr, indices, n, needed)
    if needed.all():
        return n, outputs
    number = np.empty(n, np.int32)
    rows = points.reshape(len(points), -1)
    count = int(_kernels.keep_marked(indptr, indices, made_by, rows, n, needed, number))
    return count, number[outputs]
