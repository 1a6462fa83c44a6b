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
    """Return the words of a play of a nest, by a part of it (N21).

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
    known = {each.name: each for each in nest.assignments}
    if len({*record.members}) < len(record.members) or not {*record.members} <= known.keys():
        raise CertificateError("members", "are none of this nest, or there twice")
    members = [_placed(known[name]) for name in record.members]
    if any(each.box != members[0].box for each in members):
        raise CertificateError("members", "are not run on one box")
    words, inputs = (_grid if record.family == "grid" else _stencil)(nest, members, record, red)
    if words is None:
        raise CertificateError("members", "are no mesh with so many words")
    made = {each.name for each in nest.assignments}
    reads = [access for each in nest.assignments for access in each.reads]
    arrays = {access.array for access in reads} - made
    read = sum(touched([one for one in reads if one.array == array]) for array in arrays)
    others = (each.outputs for each in nest.assignments if each.name not in record.members)
    return words + read - inputs + sum(touched([each]) for each in others if each is not None)


def _placed(each: Assignment) -> Assignment:
    """Return an assignment by the indices of its values in the place of its loops."""
    alone = tuple(tuple(int(i == j) for j in range(len(each.box))) for i in range(len(each.box)))
    if not each.box or each.ties or each.sums or each.item.rows != alone:
        raise CertificateError("members", "are sums, or not run on boxes")
    shift = each.item.offset

    def placed(one: Access) -> Access:
        back = (sum(by * more for by, more in zip(row, shift, strict=True)) for row in one.rows)
        offset = tuple(more - by for more, by in zip(one.offset, back, strict=True))
        return replace(one, offset=offset, box=_items(replace(one, offset=shift)))

    reads = tuple(placed(one) for one in each.reads if not one.ties)
    return replace(each, box=_items(each.item), reads=reads, item=placed(each.item))


def _items(one: Access) -> Box:
    """Return the items of an access whose indices are the loops, each with a constant."""
    ends = zip(one.box, one.offset, strict=True)
    return tuple((low + more, high + more) for (low, high), more in ends)


def _grid(
    nest: BoxNest, members: Sequence[Assignment], record: Mesh, red: int
) -> tuple[int | None, int]:
    """Return the words of a grid, whose first and last point may be none that is moved."""
    (each, *more) = members
    axes = range(len(each.box))
    before = [tuple(-int(at == axis) for at in axes) for axis in axes]
    if more or not all(_reads(each, each.name, step) for step in before):
        raise CertificateError("members", "do not read the points before along all axes")
    shape = tuple(high - low for low, high in each.box)
    return less(grid_form({"shape": shape}, red), 2), 0


def _stencil(
    nest: BoxNest, members: Sequence[Assignment], record: Mesh, red: int
) -> tuple[int | None, int]:
    """Return the words of a stencil, and how many inputs it has."""
    first, last = members[0], members[-1]
    ((low, high), *others) = first.box
    near = [
        step
        for step in product((-1, 0, 1), repeat=len(others))
        if record.family == "box" or sum(map(abs, step)) < 2
    ]
    for turn, each in enumerate(members):
        back = (-1 if turn == 0 else 0,)
        if not all(_reads(each, members[turn - 1].name, (*back, *step)) for step in near):
            raise CertificateError("members", "do not read all neighbours one step before")
    points, steps = volume(tuple(others)), len(members) * (high - low)
    made = {each.name for each in nest.assignments}
    arrays = {one.array for one in first.reads} - made
    loaded = any(_begins(first, array, near) for array in arrays)
    end = ((high - 1, high), *others)
    final = last.outputs
    stored = final is not None and not final.ties and _covers(_items(final), end)
    shape = tuple(end - begin for begin, end in others)
    params = {"shape": shape, "steps": steps - (not loaded), "periodic": False}
    params["neighbourhood"] = record.family
    found = [words for form in (open_line, endless) if (words := form(params, red)) is not None]
    waived = points * (int(not loaded) + int(not stored))
    return less(max(found, default=None), waived), points if loaded else 0


def _reads(each: Assignment, source: str, step: Point) -> bool:
    """Return whether all updates read those one step away that are in the box."""
    needed = tuple(
        (max(low, low - by), min(high, high - by))
        for (low, high), by in zip(each.box, step, strict=True)
    )
    return any(
        one.array == source
        and one.rows == each.item.rows
        and one.offset == step
        and _covers(one.box, needed)
        for one in each.reads
    )


def _begins(each: Assignment, array: str, near: Sequence[Point]) -> bool:
    """Return whether the first layer reads an array as the layer before it."""
    return any(
        one.array == array and all(_is_moved(each, one, step) for step in near)
        for one in each.reads
        if {at for at, by in enumerate(zip(*one.rows, strict=True)) if sum(map(abs, by)) == 1}
        == {*range(1, len(each.box))}
        and all(sum(map(abs, row)) <= 1 for row in one.rows)
    )


def _is_moved(each: Assignment, centre: Access, step: Point) -> bool:
    """Return whether the first layer reads the items a step from those of one of its reads."""
    moved = (sum(by * far for by, far in zip(row, (0, *step), strict=True)) for row in centre.rows)
    offset = tuple(more + by for more, by in zip(centre.offset, moved, strict=True))
    ((low, _), *others) = each.box
    ends = zip(others, step, strict=True)
    needed = ((low, low + 1), *((max(a, a - by), min(b, b - by)) for (a, b), by in ends))
    return any(
        one.array == centre.array
        and one.rows == centre.rows
        and one.offset == offset
        and _covers(one.box, needed)
        for one in each.reads
    )


def _covers(box: Box, other: Box) -> bool:
    """Return whether a box has all points of another one."""
    pairs = zip(box, other, strict=True)
    return all(low <= first and last <= high for (low, high), (first, last) in pairs)
