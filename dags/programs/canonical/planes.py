"""Planes of an array: ``w[0][i]`` and ``w[1][i]`` are cells of two arrays.

Where one index of an array that is written is a number in all references, each of its numbers is
an array of its own: cells get other names, one each, so that the DAG is the same.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Final

from dags.programs.affine import number as number_form
from dags.programs.affine import variable
from dags.programs.canonical.mapping import Cells, Ranges, with_references
from dags.programs.nest import Clear, Program, Reference, references

MOST: Final = 64  # planes of an array


@dataclass(frozen=True)
class Planes:
    """A program whose arrays have no planes.

    Parameters
    ----------
    program
        The program.
    parts
        The arrays that each array has become.
    cells
        Where the cells of these are.
    """

    program: Program
    parts: Mapping[str, tuple[str, ...]]
    cells: Mapping[str, Cells]

    def names(self, some: Collection[str] | None) -> tuple[str, ...] | None:
        """The arrays that some arrays of the text have become."""
        if some is None:
            return None
        return tuple(part for name in some for part in self.parts.get(name, (name,)))


def planes(program: Program, among: Collection[str] | None = None) -> Planes:
    """A program, planes of its arrays as arrays of their own.

    Parameters
    ----------
    program
        A loop nest whose sizes are numbers.
    among
        The arrays that are looked at; None for those that are written.
    """
    division = Planes(program, {}, {})
    cleared = {statement.array for statement in program.body if isinstance(statement, Clear)}
    for array in program.written if among is None else among:
        place = None if array in cleared else _constant_index(program, array)
        if place is not None:
            division = _apart(division, array, place)
    return division


def _numbers(program: Program, array: str, place: int) -> set[int] | None:
    """The numbers at one index of an array; None if it is no number somewhere."""
    forms = {
        reference.indices[place]
        for assign, _ in program.statements
        for reference in (*references(assign.expression), assign.target)
        if reference.array == array
    }
    if any(form.terms or form.constant < 0 for form in forms):
        return None
    return {form.constant for form in forms}


def _constant_index(program: Program, array: str) -> int | None:
    for place in range(program.dimensions[array]):
        numbers = _numbers(program, array, place)
        if numbers is not None and 1 < len(numbers) <= MOST:
            return place
    return None


def _apart(division: Planes, array: str, place: int) -> Planes:
    """A program with the planes of one array as arrays."""
    program = division.program
    numbers = sorted(_numbers(program, array, place) or ())
    names = {number: f"{array}_{number}" for number in numbers}
    taken = {*program.dimensions, *program.sizes, *(program.parameters or ())}
    if taken & {*names.values()}:
        return division

    def change(reference: Reference, ranges: Ranges | None) -> Reference:
        del ranges
        if reference.array != array:
            return reference
        inner = (*reference.indices[:place], *reference.indices[place + 1 :])
        return Reference(names[reference.indices[place].constant], inner)

    changed = with_references(program, change)
    sides = program.extents.get(array)
    extents = {name: extent for name, extent in program.extents.items() if name != array}
    if sides is not None:
        extents |= dict.fromkeys(names.values(), (*sides[:place], *sides[place + 1 :]))
    parts = {**division.parts, array: tuple(names.values())}
    apart = Planes(changed, parts, division.cells)
    local = apart.names(program.local)
    # a cell alone is a scalar, which would be no output of its own accord
    returned, live = apart.names(program.returned), apart.names(program.live_by_default())
    constants = apart.names(program.constants)
    changed = replace(
        changed,
        extents=extents,
        local=frozenset(local or ()),
        returned=returned or (),
        live=live,
        constants=constants or (),
    )
    inner = [variable(f"i{index}") for index in range(program.dimensions[array] - 1)]
    cells = {
        name: Cells(array, (*inner[:place], number_form(number), *inner[place:]))
        for number, name in names.items()
    }
    return Planes(changed, parts, {**division.cells, **cells})
