"""Decides in which order a sparse symmetric matrix is eliminated, and in which dense blocks."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dags.arrays import Int64Array
from proofs.certificates.spectra.elimination import _kernels

if TYPE_CHECKING:
    from scipy.sparse import csr_array

SMALL = 48


@dataclass(frozen=True)
class DenseBlocks:
    """The dense blocks in which a matrix is eliminated, children before parents.

    Parameters
    ----------
    order
        (n,) the row of the matrix that is eliminated at each step.
    starts
        (b+1,) the first step of each block.
    above
        (b,) the block that takes what each block leaves over; -1 for none.
    ptr, rows
        (b+1,) and the border of each block: the later steps that its elimination changes, rising.
    """

    order: Int64Array
    starts: Int64Array
    above: Int64Array
    ptr: Int64Array
    rows: Int64Array


def plan(matrix: "csr_array") -> DenseBlocks:
    """Return in which order and in which blocks to eliminate `matrix`.

    Any order is right; this one keeps the blocks small.

    Source
    ------
    J. W. H. Liu, The role of elimination trees in sparse factorization, 1990, and The multifrontal
    method for sparse matrix solution, 1992.
    """
    order = minimum_degree(matrix)
    parent = _tree(matrix, order)
    after = np.empty(order.size, np.int64)
    _kernels.postorder(parent, after)
    order = order[after]
    pattern = permuted(matrix, order)
    indptr, indices = pattern.indptr.astype(np.int64), pattern.indices.astype(np.int64)
    parent = _tree(matrix, order)
    count = np.empty(order.size, np.int64)
    _kernels.column_counts(indptr, indices, parent, count)
    starts = np.empty(order.size + 1, np.int64)
    blocks = _kernels.group_columns(parent, count, SMALL, starts)
    starts[blocks] = order.size
    starts = starts[: blocks + 1].copy()
    tops = parent[starts[1:] - 1]
    above = np.where(tops < 0, -1, np.searchsorted(starts, tops, side="right") - 1)
    ptr, rows = _borders(indptr, indices, starts, above, int(count[starts[:-1]].sum()))
    return DenseBlocks(order, starts, above, ptr, rows)


def minimum_degree(matrix: "csr_array") -> Int64Array:
    """Return an order in which elimination keeps `matrix` sparse.

    SuperLU orders by multiple minimum degree before it factors; an incomplete factor of the
    pattern, made dominant by its diagonal and with everything dropped, costs nothing more.
    """
    from scipy.sparse import csc_matrix, csr_array, eye_array
    from scipy.sparse.linalg import spilu

    pattern = csr_array((np.full(matrix.nnz, -1.0), matrix.indices, matrix.indptr), matrix.shape)
    dominant = csc_matrix(pattern + 2.0 * matrix.shape[0] * eye_array(matrix.shape[0]))
    factor = spilu(
        dominant,
        drop_tol=1e100,
        fill_factor=1,
        diag_pivot_thresh=0,
        permc_spec="MMD_AT_PLUS_A",
        options={"SymmetricMode": True},
    )
    return np.argsort(factor.perm_c).astype(np.int64)


def permuted(matrix: "csr_array", order: Int64Array) -> "csr_array":
    """Return `matrix` with rows and columns in `order`."""
    return matrix[order][:, order].tocsr()


def _tree(matrix: "csr_array", order: Int64Array) -> Int64Array:
    pattern = permuted(matrix, order)
    parent = np.empty(order.size, np.int64)
    _kernels.elimination_tree(
        pattern.indptr.astype(np.int64), pattern.indices.astype(np.int64), parent
    )
    return parent


def _borders(
    indptr: Int64Array, indices: Int64Array, starts: Int64Array, above: Int64Array, room: int
) -> tuple[Int64Array, Int64Array]:
    """Return the borders of all blocks, as row pointers and steps."""
    ptr = np.empty(starts.size, np.int64)
    while True:
        rows = np.empty(room + indices.size, np.int64)
        if _kernels.borders(indptr, indices, starts, above, ptr, rows) == 0:
            return ptr, rows[: ptr[-1]].copy()
        room *= 2
