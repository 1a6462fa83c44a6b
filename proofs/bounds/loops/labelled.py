"""Finds windows of updates of several assignments, whose items are told by labels (N19).

Assignments with loops of the same names are taken together, or such that read arrays alike, and
each alone. Reads with the same
loops among their indices are a slot. Where two slots have values of one array, each may be the only
one that counts them, or both are two roles of one slot, whose updates may be mirrored.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import combinations, permutations, product
from math import prod
from typing import Any, Final, NamedTuple

from dags.programs.box_nests import Access, Assignment, BoxNest, volume
from dags.programs.tied_loops import Box, NotCountedError, Tie
from dags.programs.touched import common, points, touched
from proofs.lemmas.loops.labelled import FEW, Labelled, Labels, Member, Slot, in_place, shift_of

Point = tuple[int, ...]
MOST_TURNED: Final = 4  # loops of which all orders are tried


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
    known = {assignment.name: assignment for assignment in nest.assignments}
    for members in _groups(nest):
        reads = [read for member in members for read in _reads(known[member.assignment], member)]
        slots = [
            slot
            for keeps in _keeps(reads)
            for reads_apart in _apart([each for each in reads if each.keeps <= keeps])
            if (slot := _slot(reads_apart, keeps, reads)) is not None
        ]
        if not 2 <= len(slots) <= FEW:
            continue
        for alone in (tuple(slots), *_each_array_once(slots)):
            yield Labelled(members, alone, ())
        for some, pairs in _merged(slots):
            yield Labelled(members, some, ())
            for one, other in pairs:
                yield Labelled(members, some, (), (one, other))
                yield Labelled(members, some, (), (other, one))


def _groups(nest: BoxNest) -> Iterator[tuple[Member, ...]]:
    """Yield assignments with several loops: with others whose loops are theirs, and alone."""
    several = [
        assignment
        for assignment in nest.assignments
        if sum(high - low > 1 for low, high in assignment.box) > 1
    ]
    groups = dict.fromkeys((*_of_names(several), *_of_reads(several)))
    yield from (group for group in groups if 1 < len(group) <= FEW)
    for assignment in several:
        yield (Member(assignment.name, tuple(range(len(assignment.loops)))),)


def _of_names(several: Sequence[Assignment]) -> Iterator[tuple[Member, ...]]:
    """Yield assignments whose loops have the same names."""
    known: dict[frozenset[str], list[Assignment]] = {}
    for assignment in several:
        known.setdefault(frozenset(assignment.loops), []).append(assignment)
    for alike in known.values():
        names = alike[0].loops
        yield tuple(
            Member(assignment.name, tuple(assignment.loops.index(name) for name in names))
            for assignment in alike
        )


def _of_reads(several: Sequence[Assignment]) -> Iterator[tuple[Member, ...]]:
    """Yield assignments that read arrays alike once their loops are in the right order.

    As in LU whose rows and columns are updated by loops of their own, a[i][j] in one and a[j][i] in
    the other.
    """
    left = [assignment for assignment in several if len(assignment.loops) <= MOST_TURNED]
    while left:
        first, *later = left
        own = tuple(range(len(first.loops)))
        known, group = _indices(first, own), [Member(first.name, own)]
        for candidate in later:
            if len(candidate.loops) != len(first.loops):
                continue
            ways = permutations(range(len(candidate.loops)))
            loops = max(ways, key=lambda way: len(known.keys() & _indices(candidate, way).keys()))
            indices = _indices(candidate, loops)
            if common_keys := known.keys() & indices.keys():
                pairs = [(known[key], indices[key]) for key in sorted(common_keys)]
                group.append(Member(candidate.name, loops, _shifts(pairs, len(loops))))
        yield tuple(group)
        taken = {member.assignment for member in group}
        left = [assignment for assignment in left if assignment.name not in taken]


_Said = dict[tuple[str, tuple[Point, ...]], dict[int, int]]


def _indices(assignment: Assignment, loops: Point) -> _Said:
    """Reads by their arrays and the coordinates that their indices depend on.

    Of each there is what an index is more than its coordinate, where it is nothing else.
    """
    indices: _Said = {}
    for access in assignment.reads:
        rows = [tuple(row[at] for at in loops) for row in access.rows]
        places = tuple(tuple(at for at, by in enumerate(row) if by) for row in rows)
        if any(places):
            more = zip(rows, access.offset, strict=True)
            alone = {row.index(1): by for row, by in more if sum(map(abs, row)) == 1 and 1 in row}
            indices[access.array, places] = alone
    return indices


def _shifts(pairs: Sequence[tuple[dict[int, int], dict[int, int]]], depth: int) -> Point:
    """How far coordinates are moved so that most reads say the same; () for not at all."""
    shifts = []
    for at in range(depth):
        differences = Counter(
            second[at] - first[at] for first, second in pairs if at in first and at in second
        )
        shifts.append(differences.most_common(1)[0][0] if differences else 0)
    return tuple(shifts) if any(shifts) else ()


def _reads(assignment: Assignment, member: Member) -> list[_Read]:
    """The reads of an assignment, and its open sums, by the coordinates of its points."""
    found = []
    loops, placed = member.loops, in_place(assignment, member)
    items = 0
    with suppress(NotCountedError):
        items = touched([placed.item]) if placed.sums else 0
    for access in (*placed.reads, *([placed.item] if placed.sums else [])):
        box = tuple(access.box[at] for at in loops)
        rows = tuple(tuple(row[at] for at in loops) for row in access.rows)
        turned = replace(access, rows=rows, box=box)
        said = {at: [by for _, by in _ways(turned, at)] for at in range(len(box))}
        keeps = {at for at, shifts in said.items() if shifts}
        if len(keeps) == len(box):  # perhaps a value of the same item that was made before
            keeps = {at for at, shifts in said.items() if 0 in shifts}
        is_sum = placed.sums and access is placed.item
        updates = _at_most(access.box, access.ties)
        found.append(_Read(turned, placed, is_sum, updates, frozenset(keeps), updates <= items))
    return sorted(found, key=lambda read: read.updates, reverse=True)


def _keeps(reads: Sequence[_Read]) -> list[frozenset[int]]:
    """The coordinates that slots keep, some and not all."""
    depth = len(reads[0].access.box) if reads else 0
    whole = [each for each in reads if 2 * each.updates >= each.reader.size]
    return [*dict.fromkeys(each.keeps for each in whole if 0 < len(each.keeps) < depth)]


def _apart(reads: Sequence[_Read]) -> list[list[_Read]]:
    """Reads in groups: arrays that the same updates read are in different ones."""
    found: list[list[_Read]] = []
    arrays = dict.fromkeys(each.access.array for each in reads)
    for mine in ([each for each in reads if each.access.array == array] for array in arrays):
        for some in found:
            if not any(_meet(one, other) for one in mine for other in some):
                some += mine
                break
        else:
            found.append(mine)
    return found


def _meet(one: _Read, other: _Read) -> bool:
    """Whether some update may have two reads, but for an open sum and what begins it."""
    if one.reader is not other.reader or (one.is_sum or other.is_sum):
        return one.reader is other.reader and not (one.is_head or other.is_head)
    both = common(one.access.box, other.access.box)
    ties = (*one.access.ties, *other.access.ties)
    return all(low < high for low, high in both) and _at_most(both, ties) > 0


def _at_most(box: Box, ties: tuple[Tie, ...]) -> int:
    """How many points keep to conditions, all where these are not counted."""
    with suppress(NotCountedError):
        return points(box, ties)
    return volume(box)


def _slot(reads: Sequence[_Read], keeps: frozenset[int], known: Sequence[_Read]) -> Slot | None:
    """The slot of reads that keep some coordinates, in the order of an array's indices."""
    role = tuple(sorted(keeps))
    arrays = dict.fromkeys(each.access.array for each in reads)
    said = ([each for each in known if each.access.array == array] for array in arrays)
    found = [labels for each in said if (labels := _labels(each, reads, role)) is not None]
    if not found:
        return None
    order = sorted(range(len(role)), key=lambda at: found[0].places[at])
    turned = tuple(
        Labels(
            each.array, *(tuple(some[at] for at in order) for some in (each.places, each.shifts))
        )
        for each in found
    )
    return Slot((tuple(role[at] for at in order),), turned)


def _labels(known: Sequence[_Read], reads: Sequence[_Read], role: Point) -> Labels | None:
    """How most values of an array say the labels of a role; None where none does.

    Other reads of the array should not say them: values that others make would be counted.
    """
    best: tuple[tuple[int, int], Labels | None] = (0, 0), None
    for ways in (product(*(_ways(each.access, at) for at in role)) for each in known):
        for places, shifts in (tuple(zip(*way, strict=True)) for way in ways):
            said = [each for each in known if _is_said(each.access, role, places, shifts)]
            covered = sum(each.updates for each in said if each in reads)
            others = sum(each.updates for each in said if each not in reads)
            if (covered, -others) > best[0]:
                best = (covered, -others), Labels(known[0].access.array, places, shifts)
    return best[1]


def _is_said(access: Access, role: Point, places: Point, shifts: Point) -> bool:
    """Whether the indices of a read say labels in the way that is given."""
    labels = zip(role, places, shifts, strict=True)
    return all((place, shift) in _ways(access, at) for at, place, shift in labels)


def _ways(access: Access, at: int) -> list[tuple[int, int]]:
    """The indices that say a coordinate, with what they are more."""
    found = ((place, shift_of(access, place, at)) for place in range(len(access.rows)))
    return [(place, shift) for place, shift in found if shift is not None]


def _each_array_once(slots: Sequence[Slot]) -> Iterator[tuple[Slot, ...]]:
    """Yield slots of which only one has values of an array that several have, each in its turn."""
    often: dict[str, list[int]] = {}
    for at, slot in enumerate(slots):
        for each in slot.values:
            often.setdefault(each.array, []).append(at)
    several = {array: places for array, places in often.items() if len(places) > 1}
    if not several or prod(map(len, several.values())) > FEW:
        return
    for where in product(*several.values()):
        keeper = dict(zip(several, where, strict=True))
        kept = [
            (slot, tuple(each for each in slot.values if keeper.get(each.array, at) == at))
            for at, slot in enumerate(slots)
        ]
        yield tuple(replace(slot, values=values) for slot, values in kept if values)


def _merged(slots: Sequence[Slot]) -> Iterator[tuple[tuple[Slot, ...], list[Point]]]:
    """Yield slots of which pairs with the same values are one, and coordinates that are changed.

    All pairs that differ in the same two coordinates are merged together.
    """
    pairs: dict[frozenset[int], list[tuple[Slot, Slot]]] = {}
    for one, other in combinations(slots, 2):
        (mine,), (theirs,) = one.roles, other.roles
        differ = [(a, b) for a, b in zip(mine, theirs, strict=False) if a != b]
        if len(mine) == len(theirs) and one.values == other.values and len(differ) == 1:
            pairs.setdefault(frozenset(differ[0]), []).append((one, other))
    for changed, some in pairs.items():
        gone = {id(slot) for pair in some for slot in pair}
        left = [slot for slot in slots if id(slot) not in gone]
        both = [replace(one, roles=(*one.roles, *other.roles)) for one, other in some]
        first, second = sorted(changed)
        yield (*left, *both), [(first, second)]


def of_inputs(nest: BoxNest, choice: Labelled) -> Labelled:
    """A choice in which of values that are made only open sums of members count.

    Others may be computed again. A sum that begins with one has no value before its first update.

    Parameters
    ----------
    nest, choice
        The nest, and members with their slots.
    """
    members = {member.assignment for member in choice.members}
    made = {assignment.name for assignment in nest.assignments} - members
    slots = (
        replace(slot, values=tuple(value for value in slot.values if value.array not in made))
        for slot in choice.slots
    )
    return replace(choice, slots=tuple(slot for slot in slots if slot.values))


def described(choice: Labelled) -> dict[str, Any]:
    """Members and slots as certificates have them."""
    members = [
        {
            "assignment": member.assignment,
            "loops": [*member.loops],
            **({"shifts": [*member.shifts]} if member.shifts else {}),
        }
        for member in choice.members
    ]
    slots = [
        {
            "roles": [[*role] for role in slot.roles],
            "values": [
                {"array": each.array, "places": [*each.places], "shifts": [*each.shifts]}
                for each in slot.values
            ],
        }
        for slot in choice.slots
    ]
    return {"members": members, "slots": slots, "falling": [*choice.falling]}
