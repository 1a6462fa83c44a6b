"""Rows of flat arrays: ``A[i*n + j]`` with 0 <= j < n for all references is ``A[i][j]``.

Cell f of an array becomes cell (f div a, f mod a), for one a: no two cells become one, so that the
DAG is the same. Where an index is a*q + r with 0 <= r < a wherever it is used, those are q and r.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from dags.programs.affine import Affine, combination, variable
from dags.programs.canonical.mapping import (
    Cells,
    Ranges,
    interval,
    own_cells,
    ranged_references,
    with_references,
)
from dags.programs.nest import Program, Reference

Index = tuple[Affine, Ranges]


@dataclass(frozen=True)
class RowedArray:
    """An array whose cells lie in rows.

    Parameters
    ----------
    array
        The array.
    sides
        The extents of all indices but the first.
    cells
        Where its cells are without rows.
    """

    array: str
    sides: tuple[int, ...]
    cells: Cells


def rows(program: Program) -> tuple[Program, tuple[RowedArray, ...]]:
    """A program whose flat arrays have rows, and the arrays.

    Parameters
    ----------
    program
        A loop nest whose sizes are numbers.
    """
    matrices: list[RowedArray] = []
    for array, dimensions in program.dimensions.items():
        sides: list[int] = [0] * dimensions
        place, cells = 0, own_cells(array, dimensions)
        while place < len(sides):
            side = _side(program, array, place)
            if side is None:
                place += 1
            else:
                program = _split(program, array, place, side)
                row = variable(f"i{place}").times(side) + variable(f"i{place + 1}")
                behind = (variable(f"i{index + 1}") for index in range(place + 1, len(sides)))
                before = (variable(f"i{index}") for index in range(place))
                cells = Cells(array, cells.of((*before, row, *behind)))
                sides[place : place + 1] = [sides[place] // side if sides[place] else 0, side]
        if len(sides) > dimensions:
            matrices.append(RowedArray(array, tuple(side for side in sides if side), cells))
    return program, tuple(matrices)


def _side(program: Program, array: str, place: int) -> int | None:
    """The largest extent of rows along one index of an array; None if it has none."""
    known: list[Index] = []
    for reference, ranges in ranged_references(program.body, {}):
        if reference.array == array:
            form = reference.indices[place]
            index = form, {name: ranges[name] for name in form.names}
            if index not in known:
                known.append(index)
    factors = {abs(factor) for form, _ in known for _, factor in form.terms} - {1}
    for side in sorted(factors, reverse=True):
        if all(_parts(form, ranges, side) is not None for form, ranges in known):
            return side
    return None


def _parts(form: Affine, ranges: Ranges, side: int) -> tuple[Affine, Affine] | None:
    """Return q and r of a form that is side * q + r with 0 <= r < side; None if none are found.

    A factor leaves a rest from 0 on, or one next to 0: a diagonal, ``201*i``, is i in row i of 200.
    """
    for below in (0, (side - 1) // 2):
        rows = {name: (factor + below) // side for name, factor in form.terms}
        rest = {name: factor - side * rows[name] for name, factor in form.terms}
        whole = combination({name: row for name, row in rows.items() if row}, 0)
        inner = combination(
            {name: factor for name, factor in rest.items() if factor}, form.constant
        )
        low, high = interval(inner, ranges)
        row = low // side
        if high < side * (row + 1):
            return whole.plus(row), inner.plus(-side * row)
    return None


def _split(program: Program, array: str, place: int, side: int) -> Program:
    """A program with rows along one index of an array."""

    def change(reference: Reference, ranges: Ranges | None) -> Reference:
        if reference.array != array:
            return reference
        form = reference.indices[place]
        parts = None if ranges is None else _parts(form, ranges, side)
        before, after = reference.indices[:place], reference.indices[place + 1 :]
        return Reference(array, (*before, *(parts or (form, Affine())), *after))

    changed = with_references(program, change)
    extents = {name: each for name, each in program.extents.items() if name != array}
    return replace(changed, extents=extents)


def shown(arrays: Sequence[RowedArray]) -> list[str]:
    """A sentence on each array."""
    return [
        f"{matrix.array} is flat: its cells lie in rows of {' x '.join(map(str, matrix.sides))}"
        for matrix in arrays
    ]
