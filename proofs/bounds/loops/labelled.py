"""Finds windows of updates of several assignments, whose items are told by labels (N19).

Assignments with loops of the same names are taken together, and each alone. Reads with the same
loops among their indices are a slot. Where two slots have values of one array, each may be the only
one that counts them, or both are two roles of one slot, whose updates may be mirrored.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import combinations, product
from math import prod
from typing import Any, NamedTuple

from dags.programs.box_nests import Access, Assignment, BoxNest, volume
from dags.programs.tied_loops import Box, NotCountedError, Tie
from dags.programs.touched import common, points, touched
from proofs.lemmas.loops.labelled import FEW, Labelled, Labels, Member, Slot, shift_of

Point = tuple[int, ...]


class _Read(NamedTuple):
    """A read of a member, by the coordinates of its points; a head is of first updates alone."""

    access: Access
    reader: Assignment
    is_sum: bool
    updates: int
    keeps: frozenset[int]
    is_head: bool


def labelled_choices(nest: BoxNest) -> Iterator[Labelled]:
    """Yield members with their slots, and no windows yet."""
    for members in _groups(nest):
        reads = [read for assignment, loops in members for read in _reads(assignment, loops)]
        slots = [
            slot
            for keeps in _keeps(reads)
            for group in _apart([read for read in reads if read.keeps <= keeps])
            if (slot := _slot(group, keeps, reads)) is not None
        ]
        named = tuple(Member(assignment.name, loops) for assignment, loops in members)
        if not 2 <= len(slots) <= FEW:
            continue
        for chosen_slots in (tuple(slots), *_each_array_once(slots)):
            yield Labelled(named, chosen_slots, ())
        for merged, pairs in _merged(slots):
            yield Labelled(named, merged, ())
            for first, second in pairs:
                yield Labelled(named, merged, (), (first, second))
                yield Labelled(named, merged, (), (second, first))


def _groups(nest: BoxNest) -> Iterator[list[tuple[Assignment, Point]]]:
    """Yield assignments with several loops, alone and with others whose loops have those names."""
    known: dict[frozenset[str], list[Assignment]] = {}
    for assignment in nest.assignments:
        if sum(high - low > 1 for low, high in assignment.box) > 1:
            known.setdefault(frozenset(assignment.loops), []).append(assignment)
    for group in known.values():
        names = group[0].loops
        turned = [
            (assignment, tuple(assignment.loops.index(name) for name in names))
            for assignment in group
        ]
        if 1 < len(turned) <= FEW:
            yield turned
        yield from ([member] for member in turned)


def _reads(assignment: Assignment, loops: Point) -> list[_Read]:
    """Return the reads of an assignment, and its open sums, by the coordinates of its points."""
    reads = []
    items = 0
    with suppress(NotCountedError):
        items = touched([assignment.item]) if assignment.sums else 0
    for access in (*assignment.reads, *([assignment.item] if assignment.sums else [])):
        box = tuple(access.box[loop] for loop in loops)
        rows = tuple(tuple(row[loop] for loop in loops) for row in access.rows)
        turned = replace(access, rows=rows, box=box)
        shifts_of = {
            coordinate: [shift for _, shift in _ways(turned, coordinate)]
            for coordinate in range(len(box))
        }
        keeps = {coordinate for coordinate, shifts in shifts_of.items() if shifts}
        if len(keeps) == len(box):  # perhaps a value of the same item that was made before
            keeps = {coordinate for coordinate, shifts in shifts_of.items() if 0 in shifts}
        is_sum = assignment.sums and access is assignment.item
        updates = _at_most(access.box, access.ties)
        reads.append(_Read(turned, assignment, is_sum, updates, frozenset(keeps), updates <= items))
    return sorted(reads, key=lambda read: read.updates, reverse=True)


def _keeps(reads: Sequence[_Read]) -> list[frozenset[int]]:
    """Return the coordinates that slots keep, some and not all."""
    depth = len(reads[0].access.box) if reads else 0
    complete = [read for read in reads if 2 * read.updates >= read.reader.size]
    return [*dict.fromkeys(read.keeps for read in complete if 0 < len(read.keeps) < depth)]


def _apart(reads: Sequence[_Read]) -> list[list[_Read]]:
    """Return reads in groups: arrays that the same updates read are in different ones."""
    groups: list[list[_Read]] = []
    arrays = dict.fromkeys(read.access.array for read in reads)
    for array_reads in ([read for read in reads if read.access.array == array] for array in arrays):
        for group in groups:
            if not any(_meet(first, second) for first in array_reads for second in group):
                group += array_reads
                break
        else:
            groups.append(array_reads)
    return groups


def _meet(first: _Read, second: _Read) -> bool:
    """Return whether some update may have two reads, but for an open sum and what begins it."""
    if first.reader is not second.reader or (first.is_sum or second.is_sum):
        return first.reader is second.reader and not (first.is_head or second.is_head)
    overlap = common(first.access.box, second.access.box)
    ties = (*first.access.ties, *second.access.ties)
    return all(low < high for low, high in overlap) and _at_most(overlap, ties) > 0


def _at_most(box: Box, ties: tuple[Tie, ...]) -> int:
    """Return how many points keep to conditions, all where these are not counted."""
    with suppress(NotCountedError):
        return points(box, ties)
    return volume(box)


def _slot(reads: Sequence[_Read], keeps: frozenset[int], known: Sequence[_Read]) -> Slot | None:
    """Return the slot of reads that keep some coordinates, in the order of an array's indices."""
    role = tuple(sorted(keeps))
    arrays = dict.fromkeys(read.access.array for read in reads)
    by_array = ([read for read in known if read.access.array == array] for array in arrays)
    labels_of_arrays = [
        labels
        for array_reads in by_array
        if (labels := _labels(array_reads, reads, role)) is not None
    ]
    if not labels_of_arrays:
        return None
    order = sorted(range(len(role)), key=lambda coordinate: labels_of_arrays[0].places[coordinate])
    turned = tuple(
        Labels(
            labels.array,
            *(
                tuple(indices[coordinate] for coordinate in order)
                for indices in (labels.places, labels.shifts)
            ),
        )
        for labels in labels_of_arrays
    )
    return Slot((tuple(role[coordinate] for coordinate in order),), turned)


def _labels(known: Sequence[_Read], reads: Sequence[_Read], role: Point) -> Labels | None:
    """Return how most values of an array say the labels of a role; None where none does.

    Other reads of the array should not say them: values that others make would be counted.
    """
    best: tuple[tuple[int, int], Labels | None] = (0, 0), None
    for ways in (
        product(*(_ways(read.access, coordinate) for coordinate in role)) for read in known
    ):
        for places, shifts in (tuple(zip(*way, strict=True)) for way in ways):
            labelled = [read for read in known if _is_said(read.access, role, places, shifts)]
            covered = sum(read.updates for read in labelled if read in reads)
            uncovered = sum(read.updates for read in labelled if read not in reads)
            if (covered, -uncovered) > best[0]:
                best = (covered, -uncovered), Labels(known[0].access.array, places, shifts)
    return best[1]


def _is_said(access: Access, role: Point, places: Point, shifts: Point) -> bool:
    """Return whether the indices of a read say labels in the way that is given."""
    labels = zip(role, places, shifts, strict=True)
    return all((place, shift) in _ways(access, coordinate) for coordinate, place, shift in labels)


def _ways(access: Access, coordinate: int) -> list[tuple[int, int]]:
    """Return the indices that say a coordinate, with what they are more."""
    indices = ((place, shift_of(access, place, coordinate)) for place in range(len(access.rows)))
    return [(place, shift) for place, shift in indices if shift is not None]


def _each_array_once(slots: Sequence[Slot]) -> Iterator[tuple[Slot, ...]]:
    """Yield slots of which only one has values of an array that several have, each in its turn."""
    often: dict[str, list[int]] = {}
    for position, slot in enumerate(slots):
        for value in slot.values:
            often.setdefault(value.array, []).append(position)
    several = {array: places for array, places in often.items() if len(places) > 1}
    if not several or prod(map(len, several.values())) > FEW:
        return
    for keepers in product(*several.values()):
        keeper = dict(zip(several, keepers, strict=True))
        kept = [
            (
                slot,
                tuple(
                    value for value in slot.values if keeper.get(value.array, position) == position
                ),
            )
            for position, slot in enumerate(slots)
        ]
        yield tuple(replace(slot, values=values) for slot, values in kept if values)


def _merged(slots: Sequence[Slot]) -> Iterator[tuple[tuple[Slot, ...], list[Point]]]:
    """Yield slots of which pairs with the same values are one, and coordinates that are changed.

    All pairs that differ in the same two coordinates are merged together.
    """
    pairs: dict[frozenset[int], list[tuple[Slot, Slot]]] = {}
    for one, right in combinations(slots, 2):
        (own_role,), (theirs,) = one.roles, right.roles
        differ = [(a, b) for a, b in zip(own_role, theirs, strict=False) if a != b]
        if len(own_role) == len(theirs) and one.values == right.values and len(differ) == 1:
            pairs.setdefault(frozenset(differ[0]), []).append((one, right))
    for changed, pairs_changed in pairs.items():
        removed = {id(slot) for pair in pairs_changed for slot in pair}
        left = [slot for slot in slots if id(slot) not in removed]
        merged = [
            replace(first, roles=(*first.roles, *second.roles)) for first, second in pairs_changed
        ]
        first, second = sorted(changed)
        yield (*left, *merged), [(first, second)]


def described(choice: Labelled) -> dict[str, Any]:
    """Return members and slots as certificates have them."""
    members = [
        {"assignment": member.assignment, "loops": [*member.loops]} for member in choice.members
    ]
    slots = [
        {
            "roles": [[*role] for role in slot.roles],
            "values": [
                {"array": value.array, "places": [*value.places], "shifts": [*value.shifts]}
                for value in slot.values
            ],
        }
        for slot in choice.slots
    ]
    return {"members": members, "slots": slots, "falling": [*choice.falling]}
