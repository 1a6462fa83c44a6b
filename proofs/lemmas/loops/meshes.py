"""Nests whose updates are a stencil or a grid, and perhaps more (N21).

A play of a nest is a play of any part of its DAG: some vertices, each with some of its operands or
all. The updates of **members**, assignments that take turns in their first loop, are the points of
a box, layer after layer; where an update reads that of the layer before at its own place and at the
neighbours' within the box, they are a stencil, of which the first layer is the inputs. Updates of
one member that read the one before along each axis are a grid. With X the words of a stencil or a
grid in closed form, a play moves at least

    X - what is made in the place of inputs - what is no output where it is one there
      + other inputs + outputs of other assignments.

The proof is N21 in docs/theory/nests.md.

Source
------
C1 for the closed forms. Written out for this project.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Annotated, Final, Literal

from dags.programs.box_nests import Access, Assignment, BoxNest, volume
from dags.programs.tied_loops import Box
from dags.programs.touched import touched
from proofs.core.records import CertificateError, Within
from proofs.lemmas.isoperimetry.mesh_words import endless, grid_form, less, open_line

MOST_MEMBERS: Final = 16
Point = tuple[int, ...]


@dataclass(frozen=True)
class Mesh:
    """A stencil or a grid that is part of a nest.

    Parameters
    ----------
    family
        "grid", or the neighbourhood of a stencil.
    members
        The assignments that take turns.
    """

    family: Literal["star", "box", "grid"]
    members: Annotated[tuple[str, ...], Within(entries=MOST_MEMBERS)]


def mesh_words(nest: BoxNest, red: int, record: Mesh) -> int:
    """The words of a play of a nest, by a part of it (N21).

    Parameters
    ----------
    nest
        The nest.
    red
        Words that can be red just before an update.
    record
        The part.

    Raises
    ------
    CertificateError
        If there is no such part, or it has no closed form with so many words.
    """
    known = {assignment.name: assignment for assignment in nest.assignments}
    if len({*record.members}) < len(record.members) or not {*record.members} <= known.keys():
        raise CertificateError("members", "are none of this nest, or there twice")
    members = [_placed(known[name]) for name in record.members]
    if any(member.box != members[0].box for member in members):
        raise CertificateError("members", "are not run on one box")
    words, inputs = (_grid if record.family == "grid" else _stencil)(nest, members, record, red)
    if words is None:
        raise CertificateError("members", "are no mesh with so many words")
    names = {assignment.name for assignment in nest.assignments}
    reads = [access for assignment in nest.assignments for access in assignment.reads]
    arrays = {access.array for access in reads} - names
    read = sum(touched([access for access in reads if access.array == array]) for array in arrays)
    outputs = (
        assignment.outputs
        for assignment in nest.assignments
        if assignment.name not in record.members
    )
    return words + read - inputs + sum(touched([item]) for item in outputs if item is not None)


def _placed(assignment: Assignment) -> Assignment:
    """An assignment by the indices of its values in the place of its loops."""
    units = tuple(
        tuple(int(i == j) for j in range(len(assignment.box))) for i in range(len(assignment.box))
    )
    if not assignment.box or assignment.ties or assignment.sums or assignment.item.rows != units:
        raise CertificateError("members", "are sums, or not run on boxes")
    shift = assignment.item.offset

    def placed(access: Access) -> Access:
        back = (
            sum(coefficient * amount for coefficient, amount in zip(row, shift, strict=True))
            for row in access.rows
        )
        offset = tuple(
            constant - shift_back for constant, shift_back in zip(access.offset, back, strict=True)
        )
        return replace(access, offset=offset, box=_items(replace(access, offset=shift)))

    reads = tuple(placed(read) for read in assignment.reads if not read.ties)
    return replace(
        assignment, box=_items(assignment.item), reads=reads, item=placed(assignment.item)
    )


def _items(access: Access) -> Box:
    """The items of an access whose indices are the loops, each with a constant."""
    ends = zip(access.box, access.offset, strict=True)
    return tuple((low + constant, high + constant) for (low, high), constant in ends)


def _grid(
    nest: BoxNest, members: Sequence[Assignment], record: Mesh, red: int
) -> tuple[int | None, int]:
    """The words of a grid, whose first and last point may be none that is moved."""
    (first, *further) = members
    axes = range(len(first.box))
    before = [tuple(-int(index == axis) for index in axes) for axis in axes]
    if further or not all(_reads(first, first.name, step) for step in before):
        raise CertificateError("members", "do not read the points before along all axes")
    shape = tuple(high - low for low, high in first.box)
    return less(grid_form({"shape": shape}, red), 2), 0


def _stencil(
    nest: BoxNest, members: Sequence[Assignment], record: Mesh, red: int
) -> tuple[int | None, int]:
    """The words of a stencil, and how many inputs it has."""
    first, last = members[0], members[-1]
    ((low, high), *other_sides) = first.box
    near = [
        step
        for step in product((-1, 0, 1), repeat=len(other_sides))
        if record.family == "box" or sum(map(abs, step)) < 2
    ]
    for turn, member in enumerate(members):
        back = (-1 if turn == 0 else 0,)
        if not all(_reads(member, members[turn - 1].name, (*back, *step)) for step in near):
            raise CertificateError("members", "do not read all neighbours one step before")
    points, steps = volume(tuple(other_sides)), len(members) * (high - low)
    names = {assignment.name for assignment in nest.assignments}
    arrays = {access.array for access in first.reads} - names
    loaded = any(_begins(first, array, near) for array in arrays)
    end = ((high - 1, high), *other_sides)
    final = last.outputs
    stored = final is not None and not final.ties and _covers(_items(final), end)
    shape = tuple(end - begin for begin, end in other_sides)
    params = {"shape": shape, "steps": steps - (not loaded), "periodic": False}
    params["neighbourhood"] = record.family
    proved = [words for form in (open_line, endless) if (words := form(params, red)) is not None]
    waived = points * (int(not loaded) + int(not stored))
    return less(max(proved, default=None), waived), points if loaded else 0


def _reads(assignment: Assignment, source: str, step: Point) -> bool:
    """Whether all updates read those one step away that are in the box."""
    needed = tuple(
        (max(low, low - distance), min(high, high - distance))
        for (low, high), distance in zip(assignment.box, step, strict=True)
    )
    return any(
        access.array == source
        and access.rows == assignment.item.rows
        and access.offset == step
        and _covers(access.box, needed)
        for access in assignment.reads
    )


def _begins(assignment: Assignment, array: str, near: Sequence[Point]) -> bool:
    """Whether the first layer reads an array as the layer before it."""
    return any(
        access.array == array and all(_is_moved(assignment, access, step) for step in near)
        for access in assignment.reads
        if {
            loop
            for loop, coefficient in enumerate(zip(*access.rows, strict=True))
            if sum(map(abs, coefficient)) == 1
        }
        == {*range(1, len(assignment.box))}
        and all(sum(map(abs, row)) <= 1 for row in access.rows)
    )


def _is_moved(assignment: Assignment, centre: Access, step: Point) -> bool:
    """Whether the first layer reads the items a step from those of one of its reads."""
    moved = (
        sum(coefficient * far for coefficient, far in zip(row, (0, *step), strict=True))
        for row in centre.rows
    )
    offset = tuple(constant + change for constant, change in zip(centre.offset, moved, strict=True))
    ((low, _), *other_sides) = assignment.box
    ends = zip(other_sides, step, strict=True)
    needed = (
        (low, low + 1),
        *((max(a, a - distance), min(b, b - distance)) for (a, b), distance in ends),
    )
    return any(
        access.array == centre.array
        and access.rows == centre.rows
        and access.offset == offset
        and _covers(access.box, needed)
        for access in assignment.reads
    )


def _covers(box: Box, inner: Box) -> bool:
    """Whether a box has all points of another one."""
    pairs = zip(box, inner, strict=True)
    return all(low <= first and last <= high for (low, high), (first, last) in pairs)
