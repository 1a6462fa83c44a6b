"""The updates of factorizations and triangular solves, whose operands are computed values.

Each family is here twice: for segments of one-shot plays, with operands of updates; and for
dominators, where a label is a place in a matrix, and its values are those that the place takes in
turn. There a place may be an entry that is updated and, once final, a factor that updates read: the
costs of the two roles add up to one word.

With `finished` the steps that end an entry are points among the updates. A division l(i,k) =
a(i,k) / u(k,k) is the point (i, k, k) of a(i,j) -= l(i,k) u(k,j): it has the same items, reads
those of A and U, and makes that of L (`HEAD`: it reads none). So do x(i,c) = b(i,c) / l(i,i), and
the divisions of Cholesky factorization.
"""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from dags.arrays import Int32Array
from proofs.core.records import CertificateError
from proofs.lemmas.loops.affine_families import (
    HALF,
    Params,
    arrays,
    number,
    require_vertices,
    symmetric_measures,
)
from proofs.lemmas.loops.hbl import Measure, Shape
from proofs.lemmas.loops.iteration_space import HEAD, IterationSpace

Numbers = npt.NDArray[np.integer]
Coordinates = tuple[Int32Array, Int32Array, Int32Array]
Within = Callable[[int], npt.NDArray[np.integer]]  # the (2, p) places of a step, by its size


def lu(n: int, params: Params, *, finished: bool = False) -> IterationSpace:
    """The updates a(i,j) -= l(i,k) u(k,j) of `lu`; with its divisions if `finished`."""
    size = number(params, "n")
    require_vertices(n, size**2 + (size**3 - size) // 3)
    within: Within = _with_division if finished else _square
    i, j, k = _steps(size, within)
    extents = {"i": size, "j": size, "k": size}
    return IterationSpace(
        Shape(extents, arrays(lower="ik", upper="kj", entries="ij")),
        _lu_vertex(size, i, j, k),
        {"i": i, "j": j, "k": k},
        {
            "lower": (np.where(j > k, _lu_vertex(size, i, k, k), HEAD),),
            "upper": (_lu_vertex(size, k, j, k - 1),),
            "entries": (_lu_vertex(size, i, j, k - 1),),
        },
    )


def lu_places(n: int, params: Params) -> IterationSpace:
    """The updates of `lu`, and of each vertex the place in the matrix.

    A place is below, on or above the diagonal, so no place is both lower and upper.
    """
    space = lu(n, params)
    size = number(params, "n")
    extents = space.shape.extents
    label = np.full(n, -1, np.int32)
    label[: size**2] = np.arange(size**2)
    i, j, k = _steps(size, _with_division)
    label[_lu_vertex(size, i, j, k)] = i * size + j
    measures = (
        Measure("lower", ("ik",), Fraction(2, 3)),
        Measure("upper", ("kj",), Fraction(2, 3)),
        Measure("entries", ("ij",), Fraction(1, 3)),
    )
    return replace(space, shape=Shape(extents, measures), label=label)


def cholesky(n: int, params: Params, *, finished: bool = False) -> IterationSpace:
    """The updates a(i,j) -= l(i,k) l(j,k), i > j, of `cholesky`; divisions if `finished`."""
    size = number(params, "n")
    require_vertices(n, size * (size + 1) // 2 + size * (size + 1) * (size + 2) // 6)
    within: Within = _below_with_division if finished else _below
    i, j, k = _steps(size, within)
    extents = {"i": size, "j": size, "k": size}
    return IterationSpace(
        Shape(extents, symmetric_measures("ik", "jk", "ij"), "ij"),
        _cholesky_vertex(size, i, j, k),
        {"i": i, "j": j, "k": k},
        {
            "rows": (
                np.where(j > k, _cholesky_vertex(size, i, k, k), HEAD),
                _cholesky_vertex(size, j, k, k),
            ),
            "entries": (_cholesky_vertex(size, i, j, k - 1),),
        },
    )


def cholesky_places(n: int, params: Params) -> IterationSpace:
    """The updates of `cholesky`, and of each vertex the place in the matrix."""
    space = cholesky(n, params)
    size = number(params, "n")
    label = np.full(n, -1, np.int32)
    for k in range(-1, size):
        i, j = np.tril_indices(size - max(k, 0)) + np.full((2, 1), max(k, 0))
        label[_cholesky_vertex(size, i, j, np.full(i.size, k))] = i * size + j
    places = Measure("places", ("ik", "jk", "ij"), factor=2)
    touched = {"places": (*space.touched["rows"], *space.touched["entries"])}
    shape = Shape(space.shape.extents, (places,), "ijk")
    return replace(space, shape=shape, touched=touched, label=label)


def triangular_solve(n: int, params: Params, *, finished: bool = False) -> IterationSpace:
    """The updates b(i,c) -= l(i,j) x(j,c) of `triangular_solve`; divisions if `finished`."""
    size, sides = number(params, "n"), number(params, "k")
    triangle = size * (size + 1) // 2
    require_vertices(n, triangle + size * sides + sides * triangle)
    pairs = np.tril_indices(size, 0 if finished else -1)
    i, j = (np.repeat(values.astype(np.int32), sides) for values in pairs)
    c = np.tile(np.arange(sides, dtype=np.int32), pairs[0].size)
    update = _solve_vertex(size, sides, i, j, c)
    first = triangle + i * sides + c
    extents = {"i": size, "j": size, "c": sides}
    return IterationSpace(
        Shape(extents, arrays(matrix="ij", solution="jc", sides="ic")),
        update,
        {"i": i, "j": j, "c": c},
        {
            "matrix": (i * (i + 1) // 2 + j,),
            "solution": (np.where(j < i, _solve_vertex(size, sides, j, j, c), HEAD),),
            "sides": (np.where(j > 0, update - 1, first),),
        },
    )


def triangular_solve_places(n: int, params: Params) -> IterationSpace:
    """The updates of `triangular_solve`, and of each vertex the place in L or X."""
    space = triangular_solve(n, params)
    size, sides = number(params, "n"), number(params, "k")
    triangle = size * (size + 1) // 2
    label = np.arange(n, dtype=np.int32)
    i, j = (np.repeat(values.astype(np.int32), sides) for values in np.tril_indices(size))
    c = np.tile(np.arange(sides, dtype=np.int32), triangle)
    label[_solve_vertex(size, sides, i, j, c)] = triangle + i * sides + c
    measures = (
        Measure("matrix", ("ij",)),
        Measure("solution", ("jc",), HALF),
        Measure("sides", ("ic",), HALF),
    )
    return replace(space, shape=Shape(space.shape.extents, measures), label=label)


def _square(left: int) -> npt.NDArray[np.integer]:
    """The places of the updates of a step of `lu`."""
    return np.indices((left, left)).reshape(2, -1)


def _below(left: int) -> npt.NDArray[np.integer]:
    """The places of the updates of a step of `cholesky`."""
    return np.array(np.tril_indices(left, -1))


def _below_with_division(left: int) -> npt.NDArray[np.integer]:
    """The places of a step of `cholesky`, the column of its divisions among them."""
    i, j = np.tril_indices(left)
    return np.stack((i, j - 1))


def _with_division(left: int) -> npt.NDArray[np.integer]:
    """The places of a step of `lu`, the column of its divisions among them."""
    i, j = np.indices((left, left + 1)).reshape(2, -1)
    return np.stack((i, j - 1))


def _steps(size: int, within: Within) -> Coordinates:
    """Return i, j, k of the points of all steps k; `within` gives i and j from k + 1 on."""
    blocks = [(within(size - k - 1) + (k + 1)).astype(np.int32) for k in range(size - 1)]
    i, j = np.concatenate([np.zeros((2, 0), np.int32), *blocks], axis=1)
    steps = np.arange(len(blocks), dtype=np.int32)
    k = np.repeat(steps, [block.shape[1] for block in blocks])
    return i, j, k


def _lu_vertex(size: int, i: Int32Array, j: Int32Array, k: Int32Array) -> Int32Array:
    """The vertex of step k of `lu` at (i, j); the input for k = -1."""
    left = size - np.arange(size)
    begin = (size**2 + (size**3 - size - left**3 + left) // 3).astype(np.int32)
    vertex: Int32Array = begin[k] + (i - k - 1) * (size - k) + j - k
    return np.where(k < 0, i * size + j, vertex)


def _cholesky_vertex(size: int, i: Int32Array, j: Int32Array, k: Int32Array) -> Int32Array:
    """The vertex of step k of `cholesky` at (i, j); the input for k = -1."""
    left = size - np.arange(size)
    entries = size * (size + 1) * (size + 2) - left * (left + 1) * (left + 2)
    begin = (size * (size + 1) // 2 + entries // 6).astype(np.int32)
    vertex: Int32Array = begin[k] + (i - k) * (i - k + 1) // 2 + j - k
    return np.where(k < 0, i * (i + 1) // 2 + j, vertex)


def _solve_vertex(size: int, sides: int, i: Int32Array, j: Int32Array, c: Int32Array) -> Int32Array:
    """Update j of x(i,c), which is x(i,c) itself for j = i."""
    inputs = size * (size + 1) // 2 + size * sides
    vertex: Int32Array = inputs + sides * (i * (i + 1) // 2) + c * (i + 1) + j
    return vertex


def qr_givens(n: int, params: Params, *, finished: bool = False) -> IterationSpace:
    """The new a(j,l) and a(i,l), i > j < l, of `qr_givens`; a(j,j), too, if `finished`."""
    rows, columns = _sides(n, params)
    i, j, column, s = _points(rows, columns, beside=0 if finished else 1)
    pivot_before = np.where(
        i > j + 1,
        _vertex(rows, columns, i - 1, j, column, (column == j).astype(s.dtype)),
        _row_before(rows, columns, j, j, column),
    )
    extents = {"i": rows, "j": columns, "l": columns, "s": 2}
    return IterationSpace(
        Shape(extents, arrays(rotation="ij", pivot="jl", row="il")),
        _vertex(rows, columns, i, j, column, s).astype(np.int32),
        {"i": i, "j": j, "l": column, "s": s},
        {
            "rotation": (_vertex(rows, columns, i, j, j, np.zeros_like(s)).astype(np.int32),),
            "pivot": (pivot_before.astype(np.int32),),
            "row": (_row_before(rows, columns, i, j, column).astype(np.int32),),
        },
    )


def qr_givens_places(n: int, params: Params) -> IterationSpace:
    """The updates of `qr_givens`, and of each vertex the place in the matrix.

    A rotation is kept where the entry was that it annihilates. So a place above the diagonal is
    of a row and then of the pivot row, one below it of a row and then of a rotation.
    """
    space = qr_givens(n, params)
    rows, columns = _sides(n, params)
    label = np.arange(n, dtype=np.int32)
    for j in range(min(columns, rows - 1)):
        i, column = (grid.reshape(-1) for grid in np.mgrid[j + 1 : rows, j:columns])
        column_here, zero = np.full(i.size, j), np.zeros(i.size, np.int64)
        first = _vertex(rows, columns, i, column_here, column, zero)
        label[first] = np.where(column == j, i * columns + j, j * columns + column)
        label[first + 1] = np.where(column == j, j * columns + j, i * columns + column)
    measures = (
        Measure("rotation", ("ij",), Fraction(2, 3)),
        Measure("pivot", ("jl",), Fraction(2, 3)),
        Measure("row", ("il",), Fraction(1, 3)),
    )
    return replace(space, shape=Shape(space.shape.extents, measures), label=label)


def _sides(n: int, params: Params) -> tuple[int, int]:
    """The rows and columns of the matrix, which must be those of a DAG of n vertices."""
    rows, columns = number(params, "m"), number(params, "n")
    if rows < max(columns, 2):
        raise CertificateError("params", f"mean {columns} columns, but only {rows} rows")
    require_vertices(n, rows * columns + columns * (columns + 1) * (3 * rows - columns - 2) // 3)
    return rows, columns


def _points(
    rows: int, columns: int, beside: int
) -> tuple[Int32Array, Int32Array, Int32Array, Int32Array]:
    """Return i, j, l and s of all updates, l from j + `beside` on; for l = j, s is 1."""
    blocks = [np.zeros((4, 0), np.int32)]
    for j in range(min(columns, rows - 1)):
        i, column, s = np.mgrid[j + 1 : rows, j + beside : columns, 0:2].reshape(3, -1)
        point = np.stack([i, np.full(i.size, j), column, s]).astype(np.int32)
        blocks.append(point[:, (column > j) | (s > 0)])
    i, j, column, s = np.concatenate(blocks, axis=1)
    return i, j, column, s


def _vertex(
    rows: int, columns: int, i: Numbers, j: Numbers, column: Numbers, s: Numbers
) -> Numbers:
    """The new a(j,l), or a(i,l) for s = 1, with l = `column`.

    For l = j the first is the rotation, the second the new a(j,j).
    """
    step = np.arange(columns + 1, dtype=np.int64)
    before = np.concatenate([[0], np.cumsum(2 * (rows - 1 - step) * (columns - step))])
    begin: Numbers = rows * columns + before[j] + 2 * (columns - j) * (i.astype(np.int64) - j - 1)
    return begin + 2 * (column - j) + s


def _row_before(rows: int, columns: int, i: Numbers, j: Numbers, column: Numbers) -> Numbers:
    """Return a(i,l), l = `column`, as the rotations with j rows left it."""
    at_first = np.maximum(j - 1, 0)
    vertex = _vertex(rows, columns, i, at_first, column, np.ones_like(i))
    return np.where(j > 0, vertex, i.astype(np.int64) * columns + column)
