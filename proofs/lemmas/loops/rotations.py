"""The updates of QR factorization by rotations, whose operands are computed values (N4).

They are here twice: for segments of one-shot plays, with operands of updates; and for dominators,
where a label is a place in a matrix, and its values are those that the place takes in turn. There a
place may be an entry that is updated and, once final, a factor that updates read: the costs of the
two roles add up to one word.

With `finished` the steps that end an entry are points among the updates: the new a(j,j) of a
rotation, which reads the same items.
"""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from dags.arrays import Int32Array
from proofs.core.records import CertificateError
from proofs.lemmas.loops.affine_families import Params, arrays, number, require_vertices
from proofs.lemmas.loops.hbl import Measure, Shape
from proofs.lemmas.loops.iteration_space import IterationSpace

Numbers = npt.NDArray[np.integer]


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
