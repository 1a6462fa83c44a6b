"""Assignments of graphs, put together and taken apart, and how far each of them reads back."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from dags.importers.index_maps import Affine, unit_rows
from dags.programs.box_nests import Access, Assignment, Distance, volume
from dags.programs.tied_loops import Box
from dags.programs.touched import common, touched


def at_end(box: Box, loops: Sequence[int], *, first: bool) -> Box:
    """The iterations at the first or the last value of some loops."""
    ends = list(box)
    for loop in loops:
        low, high = box[loop]
        ends[loop] = (low, min(high, low + 1)) if first else (max(low, high - 1), high)
    return tuple(ends)


def merged(assignments: Sequence[Assignment]) -> list[Assignment]:
    """Assignments where elementwise ones are made with the values that they alone read."""
    merged_assignments = list(assignments)
    for name in [assignment.name for assignment in assignments if not assignment.sums]:
        reader = next(candidate for candidate in merged_assignments if candidate.name == name)
        maker = _only_maker(reader, merged_assignments)
        if maker is None:
            continue
        replacement = _with(maker, reader)
        merged_assignments = [
            replacement if assignment is reader else assignment
            for assignment in merged_assignments
            if assignment is not maker
        ]
        for place, candidate in enumerate(merged_assignments):
            reads = tuple(_read_of(access, reader, replacement) for access in candidate.reads)
            merged_assignments[place] = replace(candidate, reads=reads)
    return merged_assignments


def _only_maker(reader: Assignment, assignments: Sequence[Assignment]) -> Assignment | None:
    """Values that only an elementwise assignment reads, by item; None if there are none."""
    known = {assignment.name: assignment for assignment in assignments}
    for access in reader.reads:
        maker = known.get(access.array)
        if maker is None or maker.outputs is not None or access.box != reader.box:
            continue
        readers = [
            a for assignment in assignments for a in assignment.reads if a.array == maker.name
        ]
        single = [row for row in access.rows if sum(map(abs, row)) == 1 and 1 in row]
        loops = [row.index(1) for row in single]
        if len(readers) > 1 or len(single) < len(access.rows) or any(access.offset):
            continue
        has_all = sorted(loops) == [*range(len(reader.box))]
        if has_all and [*items_of(maker)] == [reader.box[loop] for loop in loops]:
            return maker
    return None


def items_of(maker: Assignment) -> Box:
    """The first value of each index of the items of an assignment, and the one behind."""
    return tuple(maker.box[row.index(1)] for row in maker.item.rows)


def _with(maker: Assignment, reader: Assignment) -> Assignment:
    """An assignment that makes the value of an elementwise one of it, in its last term."""
    (link,) = (read for read in reader.reads if read.array == maker.name)
    loop_of = {
        row.index(1): maker_row.index(1)
        for row, maker_row in zip(link.rows, maker.item.rows, strict=True)
    }
    width = len(maker.box)
    summed = [loop for loop in range(width) if loop not in loop_of.values()]

    def moved(access: Access) -> Access:
        rows = []
        for row in access.rows:
            new = [0] * width
            for loop, coefficient in enumerate(row):
                new[loop_of[loop]] = coefficient
            rows.append(tuple(new))
        box = list(at_end(maker.box, summed, first=False))
        for loop, ends in enumerate(access.box):
            box[loop_of[loop]] = ends
        return Access(access.array, tuple(rows), access.offset, tuple(box))

    reads = [moved(read) for read in reader.reads if read.array != maker.name]
    outputs = reader.outputs
    if outputs is not None:
        box = tuple(outputs.box[row.index(1)] for row in link.rows)
        outputs = replace(outputs, array=maker.name, box=box)
    return replace(
        maker,
        reads=tuple(dict.fromkeys([*maker.reads, *reads])),
        outputs=outputs,
        target=reader.target,
    )


def _read_of(access: Access, reader: Assignment, result: Assignment) -> Access:
    """An access to the value of an elementwise assignment, now that another makes it."""
    if access.array != reader.name:
        return access
    (link,) = (read for read in reader.reads if read.array == result.name)
    order = [row.index(1) for row in link.rows]
    rows = tuple(access.rows[index] for index in order)
    return Access(result.name, rows, tuple(access.offset[index] for index in order), access.box)


def needed_parts(assignments: Sequence[Assignment]) -> list[Assignment]:
    """Assignments that make what outputs need, in slices where these are read apart.

    A value that no output needs is no vertex, and what it reads need not be loaded.
    """
    parts = [*assignments]
    while (cut := in_slices(trimmed(parts))) != parts:
        parts = cut
    return parts


def trimmed(assignments: Sequence[Assignment]) -> list[Assignment]:
    """Assignments of which each makes the least box of items that is read or is output."""
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
    """The accesses to the items of an assignment: of its readers, and of its outputs."""
    accesses = [
        access for reader in readers for access in reader.reads if access.array == assignment.name
    ]
    return accesses if assignment.outputs is None else [*accesses, assignment.outputs]


def unneeded(assignments: Sequence[Assignment]) -> tuple[str, str] | None:
    """What is made and a sentence, if items between others are made that nothing needs."""
    for place, assignment in enumerate(assignments):
        needed = _needed_of(assignment, assignments[place + 1 :])
        if touched(needed) < touched([assignment.item]):
            return (
                assignment.target,
                f"{assignment.target}: items between those that outputs need are made",
            )
    return None


def in_slices(assignments: Sequence[Assignment]) -> list[Assignment]:
    """Assignments where values that are read in slices apart are made in these."""
    results, place = list(assignments), 0
    while place < len(results):
        maker = results[place]
        index, ends = _slices(maker, results)
        if not ends:
            place += 1
            continue
        loop = maker.item.rows[index].index(1)
        parts = {span: _slice(maker, loop, span, f"{maker.name}/{span[0]}") for span in ends}
        names = {span: part.name for span, part in parts.items()}
        results[place : place + 1] = parts.values()
        results = [_with_slices(assignment, maker.name, index, names) for assignment in results]
    return results


def _with_slices(
    assignment: Assignment, array: str, index: int, names: Mapping[tuple[int, int], str]
) -> Assignment:
    """An assignment that reads slices of an array by their names."""
    reads = (
        replace(access, array=names[ends_of(access)[index]]) if access.array == array else access
        for access in assignment.reads
    )
    return replace(assignment, reads=tuple(reads))


def _slices(
    assignment: Assignment, assignments: Sequence[Assignment]
) -> tuple[int, list[tuple[int, int]]]:
    """An index of items of which others read apart, and the values that they read."""
    readers = [a for reader in assignments for a in reader.reads if a.array == assignment.name]
    for place in range(len(assignment.item.rows)):
        ends = sorted({ends_of(access)[place] for access in readers})
        disjoint = all(left[1] <= right[0] for left, right in pairwise(ends))
        if disjoint and len(ends) > 1 and assignment.outputs is None:
            return place, ends
    return 0, []


def ends_of(access: Access) -> list[tuple[int, int]]:
    """The first value of each index of an access, and the one behind the last."""
    pairs = zip(access.rows, access.offset, strict=True)
    ends = [Affine(row, constant).ends(access.box) for row, constant in pairs]
    return [(low, high + 1) for low, high in ends]


def _slice(assignment: Assignment, loop: int, ends: tuple[int, int], name: str) -> Assignment:
    """An assignment at some values of a loop."""
    run = (*assignment.box[:loop], ends, *assignment.box[loop + 1 :])
    reads = (replace(access, box=common(access.box, run)) for access in assignment.reads)
    return replace(
        assignment,
        name=name,
        box=run,
        reads=tuple(access for access in reads if volume(access.box)),
        item=Access(name, assignment.item.rows, assignment.item.offset, run),
        size=volume(run),
    )


def renumbered(assignments: Sequence[Assignment]) -> list[Assignment]:
    """Assignments called by their numbers."""
    names = {assignment.name: f"S{place}" for place, assignment in enumerate(assignments)}

    def called(access: Access) -> Access:
        return replace(access, array=names.get(access.array, access.array))

    return [
        replace(
            assignment,
            name=names[assignment.name],
            reads=tuple(map(called, assignment.reads)),
            item=called(assignment.item),
            outputs=None if assignment.outputs is None else called(assignment.outputs),
            numbers=(place, *(0 for _ in assignment.box)),
        )
        for place, assignment in enumerate(assignments)
    ]


def problem_of(assignment: Assignment) -> tuple[str, str] | None:
    """What is made and why it is none, if an element is made of constants alone."""
    units = unit_rows(len(assignment.box))
    box = at_end(assignment.box, assignment.summed, first=True)
    reads = [Access("", units, (0,) * len(units), common(a.box, box)) for a in assignment.reads]
    if touched(reads) == volume(box):
        return None
    return (
        assignment.target,
        f"{assignment.target}: elements at the edges are constants, or begin as such",
    )


def distances(assignments: Sequence[Assignment]) -> Iterator[Distance]:
    """Yield how far assignments read back: in sums in the order of loops, and of each other."""
    known = {assignment.name: assignment for assignment in assignments}
    for assignment in assignments:
        yield from _own_distances(assignment)
        for access in assignment.reads:
            if access.array in known:
                yield Distance(assignment.name, access.array, _pairs(access, known[access.array]))


def _own_distances(assignment: Assignment) -> Iterator[Distance]:
    """Yield how far a sum reads back: to the term before, the last loop fastest."""
    loops = range(len(assignment.box))
    for place, carrier in enumerate(assignment.summed):
        inner = assignment.summed[place + 1 :]
        step = {carrier: 1} | {k: assignment.box[k][0] - assignment.box[k][1] + 1 for k in inner}
        pairs = {}
        for reader_loop in loops:
            low, high = assignment.box[reader_loop]
            reader_ends = (
                (low, low + 1) if reader_loop in inner else (low + (reader_loop == carrier), high)
            )
            for maker_loop in loops:
                if reader_loop == maker_loop:
                    pairs[reader_loop, maker_loop] = (step.get(reader_loop, 0),) * 2
                    continue
                begin, end = assignment.box[maker_loop]
                maker_ends = (
                    (end - 1, end)
                    if maker_loop in inner
                    else (begin, end - (maker_loop == carrier))
                )
                pairs[reader_loop, maker_loop] = (
                    reader_ends[0] - maker_ends[1] + 1,
                    reader_ends[1] - 1 - maker_ends[0],
                )
        yield Distance(assignment.name, assignment.name, pairs)


def _pairs(access: Access, maker: Assignment) -> dict[tuple[int, int], tuple[int, int]]:
    """The ends of differences of loops of a reader and of the maker of its operand."""
    units = unit_rows(len(access.box))
    value = {
        row.index(1): Affine(maker_row, constant)
        for row, maker_row, constant in zip(
            maker.item.rows, access.rows, access.offset, strict=True
        )
    }
    pairs = {}
    for loop in range(len(access.box)):
        for maker_loop, (_, high) in enumerate(maker.box):
            form = value.get(maker_loop, Affine((0,) * len(access.box), high - 1))
            pairs[loop, maker_loop] = Affine(units[loop]).plus(form, -1).ends(access.box)
    return pairs
