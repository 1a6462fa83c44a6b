"""Loops of a nest moved on by constants, so that a reader's values come at or after its operands'.

A filter that reads T[i], T[i + 1], T[i + 2] is at i when T is at i + 2: with its own loop moved on
by 2, both may go on together, and only the last rows of T stay.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from dags.programs.box_nests import Access, Assignment, Distance
from dags.programs.tied_loops import Box, Tie

Key = tuple[object, ...]  # of a loop, for all assignments that it is around


def aligned(
    assignments: Sequence[Assignment], distances: Sequence[Distance]
) -> tuple[tuple[Assignment, ...], tuple[Distance, ...]]:
    """The assignments and distances with loops moved on.

    The least difference of a reader's loop and of the loop of an earlier assignment that it goes
    along with becomes 0, or more where it goes along with several.

    Parameters
    ----------
    assignments
        Of a nest, in the order of the text.
    distances
        How far each reads back.
    """
    keys = {each.name: _keys(each) for each in assignments}
    moved: dict[Key, int] = {}
    known: dict[str, Assignment] = {}
    for each in assignments:
        for far in distances:
            if far.reader == each.name and far.source in known:
                for mine, other, least in _along(far, each.box, known[far.source].box):
                    own, there = keys[each.name][mine], keys[far.source][other]
                    if own != there:
                        by = moved.get(there, 0) - least
                        moved[own] = max(moved.get(own, by), by)
        known[each.name] = each
    shifts = {name: [moved.get(key, 0) for key in some] for name, some in keys.items()}
    return (
        tuple(moved_on(assignment, shifts[assignment.name]) for assignment in assignments),
        tuple(
            replace(
                far,
                pairs={
                    (mine, other): (least + by, most + by)
                    for (mine, other), (least, most) in far.pairs.items()
                    for by in [shifts[far.reader][mine] - shifts[far.source][other]]
                },
            )
            for far in distances
        ),
    )


def _keys(each: Assignment) -> list[Key]:
    """What a loop has in common with the same loop around other assignments."""
    if each.numbers is None:
        return [(each.name, at) for at in range(len(each.box))]
    return [each.numbers[: at + 1] for at in range(len(each.box))]


def _along(far: Distance, reader: Box, source: Box) -> Iterator[tuple[int, int, int]]:
    """Yield a loop of a reader, the loop of its source that it goes along with, and how far."""
    for mine, (low, high) in enumerate(reader):
        apart = {
            other: far.pairs[mine, other]
            for other, (first, end) in enumerate(source)
            if end - first > 1
        }
        other = min(apart, key=lambda at: apart[at][1] - apart[at][0], default=None)
        if other is not None and apart[other][1] - apart[other][0] < high - low - 1:
            yield mine, other, apart[other][0]


def moved_on(assignment: Assignment, by: Sequence[int]) -> Assignment:
    """An assignment with each loop moved on by a constant."""
    if not any(by):
        return assignment
    return replace(
        assignment,
        box=_box(assignment.box, by),
        ties=_ties(assignment.ties, by),
        reads=tuple(_access(access, by) for access in assignment.reads),
        item=_access(assignment.item, by),
        chain=None if assignment.chain is None else _access(assignment.chain, by),
        text_loops=tuple((row, more - _times(row, by)) for row, more in assignment.text_loops),
    )


def _access(one: Access, by: Sequence[int]) -> Access:
    offset = tuple(more - _times(row, by) for row, more in zip(one.rows, one.offset, strict=True))
    return replace(one, offset=offset, box=_box(one.box, by), ties=_ties(one.ties, by))


def _box(box: Box, by: Sequence[int]) -> Box:
    return tuple((low + more, high + more) for (low, high), more in zip(box, by, strict=True))


def _ties(ties: Sequence[Tie], by: Sequence[int]) -> tuple[Tie, ...]:
    return tuple(Tie(row, constant - _times(row, by)) for row, constant in ties)


def _times(row: Sequence[int], by: Sequence[int]) -> int:
    return sum(one * more for one, more in zip(row, by, strict=True))
