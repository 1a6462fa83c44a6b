"""Assignments of graphs, put together and taken apart, and how far each of them reads back."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from dags.importers.index_maps import Affine, unit_rows
from dags.programs.box_nests import Access, Assignment, Distance, volume
from dags.programs.tied_loops import Box
from dags.programs.touched import common, touched


def at_end(box: Box, loops: Sequence[int], *, first: bool) -> Box:
    """Return the iterations at the first or the last value of some loops."""
    ends = list(box)
    for at in loops:
        low, high = box[at]
        ends[at] = (low, min(high, low + 1)) if first else (max(low, high - 1), high)
    return tuple(ends)


def merged(assignments: Sequence[Assignment]) -> list[Assignment]:
    """Return assignments where elementwise ones are made with the values that they alone read."""
    found = list(assignments)
    for name in [each.name for each in assignments if not each.sums]:
        each = next(one for one in found if one.name == name)
        maker = _only_maker(each, found)
        if maker is None:
            continue
        made = _with(maker, each)
        found = [made if one is each else one for one in found if one is not maker]
        for place, one in enumerate(found):
            reads = tuple(_read_of(access, each, made) for access in one.reads)
            found[place] = replace(one, reads=reads)
    return found


def _only_maker(reader: Assignment, found: Sequence[Assignment]) -> Assignment | None:
    """Return values that only an elementwise assignment reads, by item; None if there are none."""
    known = {each.name: each for each in found}
    for access in reader.reads:
        maker = known.get(access.array)
        if maker is None or maker.outputs is not None or access.box != reader.box:
            continue
        readers = [a for each in found for a in each.reads if a.array == maker.name]
        alone = [row for row in access.rows if sum(map(abs, row)) == 1 and 1 in row]
        loops = [row.index(1) for row in alone]
        if len(readers) > 1 or len(alone) < len(access.rows) or any(access.offset):
            continue
        every = sorted(loops) == [*range(len(reader.box))]
        if every and [*items_of(maker)] == [reader.box[at] for at in loops]:
            return maker
    return None


def items_of(maker: Assignment) -> Box:
    """Return the first value of each index of the items of an assignment, and the one behind."""
    return tuple(maker.box[row.index(1)] for row in maker.item.rows)


def _with(maker: Assignment, reader: Assignment) -> Assignment:
    """Return an assignment that makes the value of an elementwise one of it, in its last term."""
    (link,) = (each for each in reader.reads if each.array == maker.name)
    loop_of = {
        row.index(1): mine.index(1) for row, mine in zip(link.rows, maker.item.rows, strict=True)
    }
    width = len(maker.box)
    summed = [at for at in range(width) if at not in loop_of.values()]

    def moved(access: Access) -> Access:
        rows = []
        for row in access.rows:
            new = [0] * width
            for at, by in enumerate(row):
                new[loop_of[at]] = by
            rows.append(tuple(new))
        box = list(at_end(maker.box, summed, first=False))
        for at, ends in enumerate(access.box):
            box[loop_of[at]] = ends
        return Access(access.array, tuple(rows), access.offset, tuple(box))

    others = [moved(each) for each in reader.reads if each.array != maker.name]
    outputs = reader.outputs
    if outputs is not None:
        box = tuple(outputs.box[row.index(1)] for row in link.rows)
        outputs = replace(outputs, array=maker.name, box=box)
    return replace(
        maker,
        reads=tuple(dict.fromkeys([*maker.reads, *others])),
        outputs=outputs,
        target=reader.target,
    )


def _read_of(access: Access, reader: Assignment, made: Assignment) -> Access:
    """Return an access to the value of an elementwise assignment, now that another makes it."""
    if access.array != reader.name:
        return access
    (link,) = (each for each in reader.reads if each.array == made.name)
    order = [row.index(1) for row in link.rows]
    rows = tuple(access.rows[at] for at in order)
    return Access(made.name, rows, tuple(access.offset[at] for at in order), access.box)


def needed_parts(assignments: Sequence[Assignment]) -> list[Assignment]:
    """Return assignments that make what outputs need, in slices where these are read apart.

    A value that no output needs is no vertex, and what it reads need not be loaded.
    """
    parts = [*assignments]
    while (cut := in_slices(trimmed(parts))) != parts:
        parts = cut
    return parts


def trimmed(assignments: Sequence[Assignment]) -> list[Assignment]:
    """Return assignments of which each makes the least box of items that is read or is output."""
    parts: list[Assignment] = []
    for assignment in reversed(assignments):
        accesses = _needed_of(assignment, parts)
        if not accesses:
            continue
        kept = assignment
        for index, row in enumerate(assignment.item.rows):
            ends = [ends_of(access)[index] for access in accesses]
            low, high = min(first for first, _ in ends), max(last for _, last in ends)
            loop = row.index(1)
            if (low, high) != kept.box[loop]:
                kept = _slice(kept, loop, (low, high), kept.name)
        parts.insert(0, kept)
    return parts


def _needed_of(assignment: Assignment, readers: Sequence[Assignment]) -> list[Access]:
    """Return the accesses to the items of an assignment: of its readers, and of its outputs."""
    accesses = [
        access for reader in readers for access in reader.reads if access.array == assignment.name
    ]
    return accesses if assignment.outputs is None else [*accesses, assignment.outputs]


def unneeded(assignments: Sequence[Assignment]) -> tuple[str, str] | None:
    """Return what is made and a sentence, if items between others are made that nothing needs."""
    for place, assignment in enumerate(assignments):
        needed = _needed_of(assignment, assignments[place + 1 :])
        if touched(needed) < touched([assignment.item]):
            return (
                assignment.target,
                f"{assignment.target}: items between those that outputs need are made",
            )
    return None


def in_slices(assignments: Sequence[Assignment]) -> list[Assignment]:
    """Return assignments where values that are read in slices apart are made in these."""
    found, place = list(assignments), 0
    while place < len(found):
        whole = found[place]
        index, ends = _slices(whole, found)
        if not ends:
            place += 1
            continue
        loop = whole.item.rows[index].index(1)
        parts = {some: _slice(whole, loop, some, f"{whole.name}/{some[0]}") for some in ends}
        names = {some: part.name for some, part in parts.items()}
        found[place : place + 1] = parts.values()
        found = [_with_slices(one, whole.name, index, names) for one in found]
    return found


def _with_slices(
    each: Assignment, array: str, index: int, names: Mapping[tuple[int, int], str]
) -> Assignment:
    """Return an assignment that reads slices of an array by their names."""
    reads = (
        replace(access, array=names[ends_of(access)[index]]) if access.array == array else access
        for access in each.reads
    )
    return replace(each, reads=tuple(reads))


def _slices(each: Assignment, found: Sequence[Assignment]) -> tuple[int, list[tuple[int, int]]]:
    """Return an index of items of which others read apart, and the values that they read."""
    readers = [a for one in found for a in one.reads if a.array == each.name]
    for place in range(len(each.item.rows)):
        ends = sorted({ends_of(access)[place] for access in readers})
        apart = all(one[1] <= other[0] for one, other in pairwise(ends))
        if apart and len(ends) > 1 and each.outputs is None:
            return place, ends
    return 0, []


def ends_of(access: Access) -> list[tuple[int, int]]:
    """Return the first value of each index of an access, and the one behind the last."""
    pairs = zip(access.rows, access.offset, strict=True)
    ends = [Affine(row, by).ends(access.box) for row, by in pairs]
    return [(low, high + 1) for low, high in ends]


def _slice(each: Assignment, loop: int, ends: tuple[int, int], name: str) -> Assignment:
    """Return an assignment at some values of a loop."""
    run = (*each.box[:loop], ends, *each.box[loop + 1 :])
    reads = (replace(access, box=common(access.box, run)) for access in each.reads)
    return replace(
        each,
        name=name,
        box=run,
        reads=tuple(access for access in reads if volume(access.box)),
        item=Access(name, each.item.rows, each.item.offset, run),
        size=volume(run),
    )


def renumbered(assignments: Sequence[Assignment]) -> list[Assignment]:
    """Return assignments called by their numbers."""
    names = {each.name: f"S{place}" for place, each in enumerate(assignments)}

    def called(access: Access) -> Access:
        return replace(access, array=names.get(access.array, access.array))

    return [
        replace(
            each,
            name=names[each.name],
            reads=tuple(map(called, each.reads)),
            item=called(each.item),
            outputs=None if each.outputs is None else called(each.outputs),
            numbers=(place, *(0 for _ in each.box)),
        )
        for place, each in enumerate(assignments)
    ]


def problem_of(each: Assignment) -> tuple[str, str] | None:
    """Return what is made and why it is none, if an element is made of constants alone."""
    units = unit_rows(len(each.box))
    box = at_end(each.box, each.summed, first=True)
    some = [Access("", units, (0,) * len(units), common(a.box, box)) for a in each.reads]
    if touched(some) == volume(box):
        return None
    return each.target, f"{each.target}: elements at the edges are constants, or begin as such"


def distances(assignments: Sequence[Assignment]) -> Iterator[Distance]:
    """Yield how far assignments read back: in sums in the order of loops, and of each other."""
    known = {each.name: each for each in assignments}
    for each in assignments:
        yield from _own_distances(each)
        for access in each.reads:
            if access.array in known:
                yield Distance(each.name, access.array, _pairs(access, known[access.array]))


def _own_distances(each: Assignment) -> Iterator[Distance]:
    """Yield how far a sum reads back: to the term before, the last loop fastest."""
    loops = range(len(each.box))
    for place, at in enumerate(each.summed):
        inner = each.summed[place + 1 :]
        step = {at: 1} | {other: each.box[other][0] - each.box[other][1] + 1 for other in inner}
        pairs = {}
        for mine in loops:
            low, high = each.box[mine]
            here = (low, low + 1) if mine in inner else (low + (mine == at), high)
            for other in loops:
                if mine == other:
                    pairs[mine, other] = (step.get(mine, 0),) * 2
                    continue
                least, end = each.box[other]
                there = (end - 1, end) if other in inner else (least, end - (other == at))
                pairs[mine, other] = here[0] - there[1] + 1, here[1] - 1 - there[0]
        yield Distance(each.name, each.name, pairs)


def _pairs(access: Access, maker: Assignment) -> dict[tuple[int, int], tuple[int, int]]:
    """Return the ends of differences of loops of a reader and of the maker of its operand."""
    units = unit_rows(len(access.box))
    value = {
        row.index(1): Affine(mine, by)
        for row, mine, by in zip(maker.item.rows, access.rows, access.offset, strict=True)
    }
    found = {}
    for mine in range(len(access.box)):
        for other, (_, high) in enumerate(maker.box):
            there = value.get(other, Affine((0,) * len(access.box), high - 1))
            found[mine, other] = Affine(units[mine]).plus(there, -1).ends(access.box)
    return found
