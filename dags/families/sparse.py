"""Products of sparse matrices and vectors."""

from collections.abc import Mapping
from math import prod
from typing import Any

import numpy as np

from dags.arrays import Int32Array, Int64Array
from dags.cdag.value import CDAG
from dags.families.family import Params, Sizes
from dags.families.neighbourhoods import Neighbourhood, all_neighbours
from dags.families.row_writer import NONE, RowWriter
from dags.families.sparse_patterns import Pattern, SparseRows, laplacian, pattern_of, random_square


def spmv(
    shape: tuple[int, ...], neighbourhood: Neighbourhood = "star", periodic: bool = False
) -> CDAG:
    """Return the product y = A x of the Laplacian of a grid with a vector.

    The matrix is data, one input a nonzero, which the `sweep` does without. Numbering and
    counts as in `spmv_of`, with a row and a column a grid point, row-major: the 5-point pattern
    of a p x q grid has 5pq - 2p - 2q nonzeros.

    Parameters
    ----------
    shape
        Side lengths of the grid, 1 to 4 of them.
    neighbourhood
        "star": nonzeros for a point and its 2d neighbours along the axes; "box": for all 3^d
        around.
    periodic
        Wrap around at the borders; every side must then be at least 3.

    Source
    ------
    P. A. Papp, G. Anegg and A. N. Yzelman, DAG scheduling in the BSP model, 2023: the "SpMV" of
    their HyperDAG_DB, in which every nonzero and every value on the way is a vertex.

    Examples
    --------
    >>> spmv((8, 8))
    <spmv(shape=(8, 8), neighbourhood=star, periodic=False): 864 vertices, 1024 edges>
    """
    params, _ = spmv_sizes(shape, neighbourhood, periodic)
    return _product(laplacian(shape, neighbourhood, periodic), "spmv", params)


def spmv_sizes(shape: tuple[int, ...], neighbourhood: str, periodic: bool) -> tuple[Params, Sizes]:
    """Return the parameters and sizes of a member."""
    points, nonzeros = prod(shape), all_neighbours(shape, neighbourhood, periodic)
    made, inputs = 2 * nonzeros - points, points + nonzeros
    params = {"shape": shape, "neighbourhood": neighbourhood, "periodic": periodic}
    return params, Sizes(inputs + made, 2 * made, inputs, points, made, 2)


def random_spmv(n: int, density: float = 0.1, seed: int = 0) -> CDAG:
    """Return the product y = A x of a random n x n matrix with a vector.

    The diagonal is nonzero, and every other entry with the probability `density`,
    independently; numbering and counts as in `spmv_of`.

    Parameters
    ----------
    n
        Rows and columns.
    density
        Probability of a nonzero off the diagonal.
    seed
        Seed of the pattern.

    Source
    ------
    As `spmv`; their random matrices have no diagonal of their own.

    Examples
    --------
    >>> random_spmv(20, density=0.2, seed=1) == random_spmv(20, density=0.2, seed=1)
    True
    """
    params = {"n": n, "density": density, "seed": seed}
    return _product(random_square(n, density, seed), "random_spmv", params)


def spmv_of(matrix: SparseRows) -> CDAG:
    """Return the product y = A x of a sparse matrix with a vector, summed along rows in order.

    Parameters
    ----------
    matrix
        A in compressed sparse rows, SciPy's for one; only the pattern counts. An entry stored
        twice is two nonzeros.

    Raises
    ------
    InvalidSpecError
        If the arrays describe no pattern, or so much cannot be held.

    Notes
    -----
    Let A have c columns, z nonzeros and r rows with a nonzero. x_j is vertex j, nonzero e (row
    after row) is c + e; then y entry after entry: product 0, product 1, sum 1, product 2, sum 2,
    ... of the row, one operation each; a row without a nonzero has no vertex. c + 3z - r
    vertices, 4z - 2r edges.
    """
    return _product(pattern_of(matrix), None, {})


def _product(pattern: Pattern, family: str | None, params: Mapping[str, Any]) -> CDAG:
    inputs = pattern.columns + pattern.nonzeros
    computed = 2 * pattern.nonzeros - pattern.filled_rows
    writer = RowWriter(inputs, inputs + computed, 2 * computed)
    nonzero = np.arange(pattern.columns, inputs, dtype=np.int32)
    sums_of_products(writer, pattern.indptr, pattern.indices.astype(np.int32), nonzero)
    indptr, indices = writer.finish()
    return CDAG(indptr, indices, work=1, family=family, params=params)


def sums_of_products(
    writer: RowWriter, indptr: Int64Array, left: Int32Array, right: Int32Array
) -> Int32Array:
    """Write a sum of left * right for each row that is not empty; return the sums.

    A row is product 0, product 1, sum 1, product 2, sum 2, ...; so a sum is computed from the
    two vertices before it, and product l > 0 of a row is its vertex 2l - 1.

    Parameters
    ----------
    writer
        Takes the rows.
    indptr
        (r+1,) row pointers into `left` and `right`.
    left, right
        Vertices that are multiplied, row after row; equal ones are a square.
    """
    lengths = np.diff(indptr)
    filled = np.flatnonzero(lengths)
    filled_before = np.searchsorted(filled, np.arange(lengths.size))
    number = np.arange(left.size)
    row = np.repeat(np.arange(lengths.size), lengths)
    product = 2 * number - filled_before[row] - (number > indptr[row])
    vertex = writer.upcoming(2 * left.size - filled.size)
    low, high = vertex - 2, vertex - 1
    low[product] = np.minimum(left, right)
    high[product] = np.where(left == right, NONE, np.maximum(left, right))
    writer.add(low, high)
    sums: Int32Array = vertex[2 * indptr[filled + 1] - np.arange(filled.size) - 2]
    return sums
