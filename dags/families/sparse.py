"""Products and solves with random sparse matrices, and conjugate gradients on a grid."""

from collections.abc import Iterator, Mapping
from itertools import product
from math import prod, sqrt
from typing import Any

import numpy as np

from dags.arrays import Int32Array, Int64Array
from dags.cdag.border import require_at_least
from dags.cdag.value import CDAG
from dags.errors import InvalidSpecError
from dags.families.common.family import MOST_VERTICES, SEEDS, Arguments, Facts, Family, Sizes
from dags.families.common.inverse import exactly, shapes
from dags.families.common.neighbourhoods import Neighbourhood, all_neighbours
from dags.families.common.published import CONSTANT, Params
from dags.families.common.row_writer import NONE, RowWriter
from dags.families.common.sparse_patterns import (
    Pattern,
    SparseRows,
    laplacian,
    pattern_of,
    random_square,
)


def spmv(
    shape: tuple[int, ...], neighbourhood: Neighbourhood = "star", periodic: bool = False
) -> CDAG:
    """The product y = A x of the Laplacian of a grid with a vector.

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
    """The parameters and sizes of a member."""
    points, nonzeros = prod(shape), all_neighbours(shape, neighbourhood, periodic)
    computed, inputs = 2 * nonzeros - points, points + nonzeros
    params = {"shape": shape, "neighbourhood": neighbourhood, "periodic": periodic}
    return params, Sizes(inputs + computed, 2 * computed, inputs, points, computed, 2)


def random_spmv(n: int, density: float = 0.1, seed: int = 0) -> CDAG:
    """The product y = A x of a random n x n matrix with a vector.

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
    """The product y = A x of a sparse matrix with a vector, summed along rows in order.

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
    return product_with(pattern_of(matrix))


def product_with(pattern: Pattern) -> CDAG:
    """The product y = A x of a matrix of some pattern with a vector, as `spmv_of`."""
    return _product(pattern, None, {})


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


def conjugate_gradient(
    shape: tuple[int, ...],
    steps: int,
    neighbourhood: Neighbourhood = "star",
    periodic: bool = False,
) -> CDAG:
    """`steps` steps of conjugate gradients for A x = b with the Laplacian of a grid.

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
    """The parameters and sizes of a member."""
    require_at_least(1, steps=steps)
    nonzeros = all_neighbours(shape, neighbourhood, periodic)
    params = {"steps": steps, "neighbourhood": neighbourhood, "periodic": periodic}
    return {"shape": shape, **params}, _sizes(prod(shape), nonzeros, steps)


def _sizes(rows: int, nonzeros: int, steps: int) -> Sizes:
    """The sizes for a matrix of a given number of rows and nonzeros."""
    inputs = rows + nonzeros
    vertices = nonzeros * (2 * steps + 1) + rows * (9 * steps - 4) - 1
    computed = vertices - inputs
    return Sizes(vertices, 2 * computed - rows * steps, inputs, rows, computed, 2)


def conjugate_gradient_of(matrix: SparseRows, steps: int) -> CDAG:
    """`steps` steps of conjugate gradients for A x = b from x = 0.

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


STEP = 0.01  # densities are looked for in whole percents


def _drawn(facts: Facts) -> Iterator[Arguments]:
    """Yield densities and seeds of the product of a random matrix with a vector."""
    n = facts.sinks
    nonzeros = facts.inputs - n
    counts = (3 * nonzeros, 4 * nonzeros - 2 * n)
    if (facts.vertices, facts.edges) == counts and n >= 2 and facts.vertices <= MOST_VERTICES:
        cells = n * (n - 1)
        share = (nonzeros - n) / cells
        spread = 3 * sqrt(max(share * (1 - share), 1 / cells) / cells)
        for percent, seed in product(range(101), SEEDS):
            density = round(percent * STEP, 2)
            if abs(density - share) <= spread:
                yield {"n": n} | {
                    key: value
                    for key, value, usual in (("density", density, 0.1), ("seed", seed, 0))
                    if value != usual
                }


SPMV_FROM = {
    "shape": shapes(
        lambda facts: facts.sinks if facts.vertices == 3 * (facts.inputs - facts.sinks) else 0
    )
}
FAMILIES = {
    "spmv": Family(spmv, "shape=8x8", "shape=2", spmv_sizes, SPMV_FROM, turned=True, law=CONSTANT),
    "conjugate_gradient": Family(
        conjugate_gradient,
        "shape=6x6,steps=3",
        "shape=2,steps=1",
        conjugate_gradient_sizes,
        {
            # Every operation has two operands, but for the squares of each step.
            "steps": lambda facts, arguments: exactly(
                2 * facts.computed - facts.edges, facts.sinks
            ),
            "shape": shapes(lambda facts: facts.sinks),
        },
        turned=True,
    ),
    "random_spmv": Family(
        random_spmv, "n=20,density=0.2,seed=1", "n=3,density=0.5,seed=1", sought=_drawn
    ),
}
