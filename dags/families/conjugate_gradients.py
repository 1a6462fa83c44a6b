"""Conjugate gradients."""

from collections.abc import Mapping
from math import prod
from typing import Any

import numpy as np

from dags.arrays import Int32Array
from dags.cdag.border import require_at_least
from dags.cdag.value import CDAG
from dags.errors import InvalidSpecError
from dags.families.family import Params, Sizes
from dags.families.neighbourhoods import Neighbourhood, all_neighbours
from dags.families.row_writer import RowWriter
from dags.families.sparse import sums_of_products
from dags.families.sparse_patterns import Pattern, SparseRows, laplacian, pattern_of


def conjugate_gradient(
    shape: tuple[int, ...],
    steps: int,
    neighbourhood: Neighbourhood = "star",
    periodic: bool = False,
) -> CDAG:
    """Return `steps` steps of conjugate gradients for A x = b with the Laplacian of a grid.

    Numbering and counts as in `conjugate_gradient_of`, with a row a grid point, row-major.

    Parameters
    ----------
    shape, neighbourhood, periodic
        As in `spmv`.
    steps
        How often x is updated.

    Source
    ------
    M. R. Hestenes and E. Stiefel, Methods of conjugate gradients for solving linear systems,
    1952; P. A. Papp, G. Anegg and A. N. Yzelman, 2023, for the vertices: the "CG" of HyperDAG_DB.

    Examples
    --------
    >>> conjugate_gradient((4, 4), 2)
    <conjugate_gradient(shape=(4, 4), steps=2, neighbourhood=star, periodic=False): 543 vertices, \
894 edges>
    """
    params, _ = conjugate_gradient_sizes(shape, steps, neighbourhood, periodic)
    pattern = laplacian(shape, neighbourhood, periodic)
    return _conjugate_gradient(pattern, steps, "conjugate_gradient", params)


def conjugate_gradient_sizes(
    shape: tuple[int, ...], steps: int, neighbourhood: str, periodic: bool
) -> tuple[Params, Sizes]:
    """Return the parameters and sizes of a member."""
    require_at_least(1, steps=steps)
    nonzeros = all_neighbours(shape, neighbourhood, periodic)
    params = {"steps": steps, "neighbourhood": neighbourhood, "periodic": periodic}
    return {"shape": shape, **params}, _sizes(prod(shape), nonzeros, steps)


def _sizes(rows: int, nonzeros: int, steps: int) -> Sizes:
    """Return the sizes for a matrix of so many rows and nonzeros."""
    inputs = rows + nonzeros
    vertices = nonzeros * (2 * steps + 1) + rows * (9 * steps - 4) - 1
    made = vertices - inputs
    return Sizes(vertices, 2 * made - rows * steps, inputs, rows, made, 2)


def conjugate_gradient_of(matrix: SparseRows, steps: int) -> CDAG:
    """Return `steps` steps of conjugate gradients for A x = b from x = 0.

    Parameters
    ----------
    matrix
        A in compressed sparse rows, SciPy's for one: square, with a nonzero in each row. Only
        the pattern counts.
    steps
        How often x is updated.

    Raises
    ------
    InvalidSpecError
        If the arrays describe no such pattern, or so much cannot be held.

    Notes
    -----
    Every vertex is one operation. Inputs are b, 0..n-1, and the z nonzeros of A, row after row.
    With r = p = b and x = 0, the sum rho = r r comes first; then a step is, block after block,

    - q = A p, as `spmv_of` numbers it: 2z - n vertices;
    - the sum p q: product 0, product 1, sum 1, product 2, ...: 2n - 1;
    - alpha = rho / (p q): 1;
    - x + alpha p, product and sum of each entry in turn: 2n (n products alone in step one);

    and, in every step but the last, which ends with x,

    - r - alpha q: 2n;
    - the sum rho' = r r: 2n - 1;
    - beta = rho' / rho: 1;
    - p = r + beta p: 2n.

    The last x is the outputs. Every operation has two operands, except the n squares of each of
    the `steps` sums r r.
    """
    require_at_least(1, steps=steps)
    pattern = pattern_of(matrix)
    if pattern.rows != pattern.columns or pattern.filled_rows < pattern.rows:
        raise InvalidSpecError(
            f"conjugate gradients need a square matrix with a nonzero in each row, not "
            f"{pattern.rows} x {pattern.columns} with nonzeros in {pattern.filled_rows} rows"
        )
    return _conjugate_gradient(pattern, steps, None, {})


def _conjugate_gradient(
    pattern: Pattern, steps: int, family: str | None, params: Mapping[str, Any]
) -> CDAG:
    n, size = pattern.rows, _sizes(pattern.rows, pattern.nonzeros, steps)
    writer = RowWriter(size.inputs, size.vertices, size.edges)
    matrix = np.arange(n, size.inputs, dtype=np.int32)
    r = p = np.arange(n, dtype=np.int32)
    x = None
    rho = _dot(writer, r, r)
    for step in range(1, steps + 1):
        q = sums_of_products(writer, pattern.indptr, p[pattern.indices], matrix)
        alpha = _elementwise(writer, rho, _dot(writer, p, q))
        x = _elementwise(writer, alpha, p) if x is None else _add_scaled(writer, x, alpha, p)
        if step < steps:
            r = _add_scaled(writer, r, alpha, q)
            before, rho = rho, _dot(writer, r, r)
            p = _add_scaled(writer, r, _elementwise(writer, rho, before), p)
    indptr, indices = writer.finish()
    return CDAG(indptr, indices, work=1, family=family, params=params)


def _elementwise(writer: RowWriter, left: Int32Array, right: Int32Array) -> Int32Array:
    """Write an operation for each pair of `left` and `right`, broadcast; return the results."""
    low, high = np.minimum(left, right), np.maximum(left, right)
    results = writer.upcoming(low.size)
    writer.add(low, high)
    return results


def _add_scaled(
    writer: RowWriter, addend: Int32Array, scalar: Int32Array, vector: Int32Array
) -> Int32Array:
    """Write addend + scalar * vector, entry by entry product and sum; return the sums."""
    results = writer.upcoming(vector.size, 2)
    low, high = np.empty_like(results), np.empty_like(results)
    low[:, 0], high[:, 0] = np.minimum(scalar, vector), np.maximum(scalar, vector)
    low[:, 1], high[:, 1] = addend, results[:, 0]
    writer.add(low, high)
    return results[:, 1]


def _dot(writer: RowWriter, left: Int32Array, right: Int32Array) -> Int32Array:
    """Write the sum of left * right; return it as an array of one."""
    return sums_of_products(writer, np.array([0, left.size]), left, right)
