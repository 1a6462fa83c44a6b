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
    """Return the assignments and distances with loops moved on.

    The least difference of a reader's loop and of the loop of an earlier assignment that it goes
    along with becomes 0, or more where it goes along with several.

    Parameters
    ----------
    assignments
        Of a nest, in the order of the text.
    distances
        How far each reads back.
    """
    keys = {assignment.name: _keys(assignment) for assignment in assignments}
    moved: dict[Key, int] = {}
    known: dict[str, Assignment] = {}
    for assignment in assignments:
        for far in distances:
            if far.reader == assignment.name and far.source in known:
                for reader_loop, source_loop, distance in _along(
                    far, assignment.box, known[far.source].box
                ):
                    reader_key, source_key = (
                        keys[assignment.name][reader_loop],
                        keys[far.source][source_loop],
                    )
                    if reader_key != source_key:
                        shift = moved.get(source_key, 0) - distance
                        moved[reader_key] = max(moved.get(reader_key, shift), shift)
        known[assignment.name] = assignment
    shifts = {name: [moved.get(key, 0) for key in loop_keys] for name, loop_keys in keys.items()}
    return (
        tuple(_moved(assignment, shifts[assignment.name]) for assignment in assignments),
        tuple(
            replace(
                far,
                pairs={
                    (reader_loop, source_loop): (low + shift, high + shift)
                    for (reader_loop, source_loop), (low, high) in far.pairs.items()
                    for shift in [shifts[far.reader][reader_loop] - shifts[far.source][source_loop]]
                },
            )
            for far in distances
        ),
    )


def _keys(assignment: Assignment) -> list[Key]:
    """Return what a loop has in common with the same loop around other assignments."""
    if assignment.numbers is None:
        return [(assignment.name, loop) for loop in range(len(assignment.box))]
    return [assignment.numbers[: loop + 1] for loop in range(len(assignment.box))]


def _along(far: Distance, reader: Box, source: Box) -> Iterator[tuple[int, int, int]]:
    """Yield a loop of a reader, the loop of its source that it goes along with, and how far."""
    for reader_loop, (low, high) in enumerate(reader):
        candidates = {
            source_loop: far.pairs[reader_loop, source_loop]
            for source_loop, (first, end) in enumerate(source)
            if end - first > 1
        }
        closest = min(
            candidates, key=lambda loop: candidates[loop][1] - candidates[loop][0], default=None
        )
        if closest is not None and candidates[closest][1] - candidates[closest][0] < high - low - 1:
            yield reader_loop, closest, candidates[closest][0]


def _moved(assignment: Assignment, shift: Sequence[int]) -> Assignment:
    """Return an assignment with each loop moved on."""
    if not any(shift):
        return assignment
    return replace(
        assignment,
        box=_box(assignment.box, shift),
        ties=_ties(assignment.ties, shift),
        reads=tuple(_access(read, shift) for read in assignment.reads),
        item=_access(assignment.item, shift),
        chain=None if assignment.chain is None else _access(assignment.chain, shift),
        text_loops=tuple(
            (row, constant - _times(row, shift)) for row, constant in assignment.text_loops
        ),
    )


def _access(access: Access, shift: Sequence[int]) -> Access:
    offset = tuple(
        constant - _times(row, shift)
        for row, constant in zip(access.rows, access.offset, strict=True)
    )
    return replace(
        access, offset=offset, box=_box(access.box, shift), ties=_ties(access.ties, shift)
    )


def _box(box: Box, shift: Sequence[int]) -> Box:
    return tuple(
        (low + amount, high + amount) for (low, high), amount in zip(box, shift, strict=True)
    )


def _ties(ties: Sequence[Tie], shift: Sequence[int]) -> tuple[Tie, ...]:
    return tuple(Tie(row, constant - _times(row, shift)) for row, constant in ties)


def _times(row: Sequence[int], shift: Sequence[int]) -> int:
    return sum(coefficient * amount for coefficient, amount in zip(row, shift, strict=True))
