"""Windows of updates of several assignments, whose items are told by labels (N19).

The updates of some **members**, assignments of a nest, stand at different points. A **slot** gives
an update for each of its roles a label, some of the coordinates of its point: the items of the slot
are its labels. Of values that are read the label is what their own indices say, so that no value
stands for two items of a slot; the open sums of a member are values, too. By N1 a window of A
updates touches x(A) items at least, and

    loads of these values >= sum over windows of x - K (windows - 1) - what is waived:

updates that read no value of their label, values that are made (unless they are updates of the
members with the same label), and reads of values that have labels in two slots, open sums among
them.

The proof is N19 in docs/theory/nests.md.

Source
------
N2, whose premises are read off the text here. Written out for this project.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from math import prod
from string import ascii_lowercase
from typing import Annotated, Final

from dags.programs.aligned_loops import moved_on
from dags.programs.box_nests import Access, Assignment, BoxNest
from dags.programs.tied_loops import Box, Row, Tie
from dags.programs.touched import common, points, touched
from proofs.core.records import CertificateError, Integers, Within
from proofs.lemmas.loops.hbl import Measure, Shape, least_words
from proofs.lemmas.loops.updates import MOST_SIZES, UpdateWindow, Words, updates_sum

FEW: Final = 16  # members, slots, arrays and roles
COLUMNS: Final = "columns"
HALF: Final = Fraction(1, 2)


@dataclass(frozen=True)
class Member:
    """An assignment, and which of its loops are the coordinates of its points.

    Parameters
    ----------
    assignment
        Its name.
    loops
        Of each coordinate the place of the loop.
    shifts
        What each coordinate is more than the loop; 0 where they are not given.
    """

    assignment: str
    loops: Integers
    shifts: Integers = ()


@dataclass(frozen=True)
class Labels:
    """Values of an array (or an assignment's open sums), and which indices say their labels.

    Parameters
    ----------
    array
        Its name.
    places
        Of each part of a label the place of the index that says it.
    shifts
        The index less the part of the label.
    """

    array: str
    places: Integers
    shifts: Integers


@dataclass(frozen=True)
class Slot:
    """Items that all updates touch: in each role some coordinates are a label."""

    roles: Annotated[tuple[Integers, ...], Within(entries=FEW)]
    values: Annotated[tuple[Labels, ...], Within(entries=FEW)]


@dataclass(frozen=True)
class Labelled:
    """Windows of the updates of members, by what they touch in slots.

    Parameters
    ----------
    members, slots, windows
        What is counted.
    falling
        Two coordinates, or none: only updates count at which the first is the larger one, and each
        slot has both or none of them in its roles, or one each in two roles that are mirrored.
    """

    members: Annotated[tuple[Member, ...], Within(entries=FEW)]
    slots: Annotated[tuple[Slot, ...], Within(entries=FEW)]
    windows: Annotated[tuple[UpdateWindow, ...], Within(entries=MOST_SIZES)]
    falling: Integers = ()


@dataclass(frozen=True)
class Counted:
    """Slots of members, verified.

    Parameters
    ----------
    shape, updates
        The slots as arrays, and how many updates count.
    waived
        Words to take off.
    met
        Of each array whose values are counted, the reads of these.
    summed
        The members whose open sums are counted.
    """

    shape: Shape
    updates: int
    waived: int
    met: Mapping[str, tuple[Access, ...]]
    summed: frozenset[str]

    @property
    def read(self) -> frozenset[str]:
        """The arrays whose values are counted."""
        return frozenset(self.met)


def labelled_words(
    nest: BoxNest, red: int, record: Labelled, *, words: Words = least_words
) -> tuple[int, Counted]:
    """The least loads of values that are counted, and these (N19).

    Parameters
    ----------
    nest
        The nest.
    red
        Words that can be red just before an update.
    record
        The windows.
    words
        Words that a window touches at least, of the shape, its size and the exponents.

    Raises
    ------
    CertificateError
        If it says nothing of this nest.
    """
    counted = counts(nest, record)
    columns = {measure.name: "0" for measure in counted.shape.measures if measure.cost == HALF}
    windows = [
        replace(window, exponents={**columns, **window.exponents}) for window in record.windows
    ]
    total = updates_sum(counted.shape, counted.updates, red, windows, words=words).words
    return total - counted.waived, counted


def counts(nest: BoxNest, record: Labelled) -> Counted:
    """The slots of members, verified.

    Raises
    ------
    CertificateError
        If updates are at the same points, or there are no such slots.
    """
    domains = [_domain(nest, each, record.falling) for each in record.members]
    _check_apart(record.members, domains)
    shape = _shape(record, domains)
    waived, values, sums = 0, [], []
    for slot in record.slots:
        less, met, own = _slot(nest, record, domains, slot)
        waived += less
        values.append(met)
        sums.append(own)
    often = [_readers(shape, slot, len(record.members)) for slot in record.slots]
    for (one, many), (other, more) in combinations(zip(values, often, strict=True), 2):
        waived += _shared(one, many, other, more)
    for first, second in combinations(sums, 2):
        waived += sum(first[name] for name in first.keys() & second.keys())
    arrays = dict.fromkeys(array for by_array in values for array in by_array)
    reads = {
        array: tuple(access for by_array in values for access in by_array.get(array, ()))
        for array in arrays
    }
    summed = {name for own in sums for name in own}
    updates = sum(each.size for each in domains)
    return Counted(shape, updates, waived, reads, frozenset(summed))


def _domain(nest: BoxNest, member: Member, falling: Integers) -> Assignment:
    """The updates of a member that count."""
    found = [each for each in nest.assignments if each.name == member.assignment]
    if not found or sorted(member.loops) != list(range(len(found[0].loops))):
        raise CertificateError("members", "are none of this nest, or have other loops")
    if len(member.shifts) not in (0, len(member.loops)):
        raise CertificateError("shifts", "are not one for each coordinate")
    placed = in_place(found[0], member)
    if not falling:
        return placed
    if len(falling) != 2 or len({*falling} & {*range(len(member.loops))}) != 2:
        raise CertificateError("falling", "are not two coordinates")
    first, second = (member.loops[at] for at in falling)
    if placed.sums and {first, second} & {*placed.summed}:
        raise CertificateError("falling", "has a coordinate along which values are summed up")
    tie = Tie(tuple((at == first) - (at == second) for at in range(len(placed.loops))), -1)
    ties = (*placed.ties, tie)
    if not (size := points(placed.box, ties)):
        raise CertificateError("falling", "leaves no updates")
    return replace(placed, ties=ties, size=size)


def in_place(assignment: Assignment, member: Member) -> Assignment:
    """The assignment of a member with loops that are coordinates, in their own order."""
    more = dict(zip(member.loops, member.shifts or (0,) * len(member.loops), strict=True))
    return moved_on(assignment, [more[at] for at in range(len(member.loops))])


def _check_apart(members: Sequence[Member], domains: Sequence[Assignment]) -> None:
    """Check that no two updates are at one point."""
    turned = []
    for member, domain in zip(members, domains, strict=True):
        box = tuple(domain.box[at] for at in member.loops)
        ties = tuple(Tie(_turned(tie.row, member), tie.constant) for tie in domain.ties)
        turned.append((domain.name, box, ties))
    if len({len(box) for _, box, _ in turned}) != 1:
        raise CertificateError("members", "have points of different spaces, or there are none")
    for (one, box, ties), (other, run, more) in combinations(turned, 2):
        both = common(box, run)
        if one == other or (_is_any(both) and points(both, (*ties, *more))):
            raise CertificateError("members", "have two updates at one point")


def _turned(row: Row, member: Member) -> Row:
    return tuple(row[at] for at in member.loops)


def _is_any(box: Box) -> bool:
    return all(low < high for low, high in box)


def _shape(record: Labelled, domains: Sequence[Assignment]) -> Shape:
    """The slots as arrays of updates, by coordinates that are letters."""
    depth = len(record.members[0].loops)
    extents = {}
    for at in range(depth):
        both = record.falling if at in record.falling else (at,)  # they are changed
        ends = [
            each.box[member.loops[one]]
            for member, each in zip(record.members, domains, strict=True)
            for one in both
        ]
        low, high = min(low for low, _ in ends), max(high for _, high in ends)
        extents[ascii_lowercase[at]] = high - low
    measures = []
    for number, slot in enumerate(record.slots):
        if not slot.roles or not all({*role} < {*range(depth)} for role in slot.roles):
            raise CertificateError("roles", "are no coordinates, or all of them")
        if any(len({*role}) != len(slot.roles[0]) for role in slot.roles):
            raise CertificateError("roles", "do not have as many coordinates each")
        kept = tuple("".join(ascii_lowercase[at] for at in role) for role in slot.roles)
        measures.append(Measure(str(number), kept, factor=_factor(slot.roles, record.falling)))
        if record.falling and len(kept) > 1 and (column := {*kept[0]} & {*kept[1]}):
            name = f"{number} {COLUMNS}"  # two rows of a column are different (N4)
            measures.append(Measure(name, ("".join(sorted(column)),), cost=HALF))
    symmetric = "".join(ascii_lowercase[at] for at in record.falling)
    return Shape(extents, tuple(measures), symmetric)


def _factor(roles: Sequence[Integers], falling: Integers) -> int:
    """How many points of an image there are for an item, with falling coordinates changed.

    Raises
    ------
    CertificateError
        If changed points have other items.
    """
    if not falling:
        return 1
    change = dict(zip(falling, reversed(falling), strict=True))
    mirrored = {tuple(change.get(at, at) for at in role) for role in roles}
    if len(roles) == 1 and {*mirrored.pop()} == {*roles[0]}:
        return 2 if {*falling} <= {*roles[0]} else 1
    if len(roles) == 2 and mirrored == {*roles} and not any({*falling} <= {*r} for r in roles):
        return 1
    raise CertificateError("falling", "has coordinates that a slot does not mirror")


Values = dict[str, list[Access]]


def _slot(
    nest: BoxNest, record: Labelled, domains: Sequence[Assignment], slot: Slot
) -> tuple[int, Values, dict[str, int]]:
    """What is waived in a slot, the values it reads of each array, and its open sums.

    Of a member whose open sums have labels these are as many as updates that read one: each is read
    once, so that two slots that count them share no more.
    """
    known = {each.array: each for each in slot.values}
    if len(known) != len(slot.values):
        raise CertificateError("values", "has an array twice")
    waived, met, sums = 0, defaultdict(list), {}
    for member, domain in zip(record.members, domains, strict=True):
        for role in slot.roles:
            label = [member.loops[at] for at in role]
            read = _disjoint(
                [each for each in _within(domain) if _says(known.get(each.array), each, label)]
            )
            own = domain.sums and _says(known.get(domain.name), domain.item, label)
            if own:
                read = [] if nest.any_order else [each for each in read if _is_head(domain, each)]
            for each in read:
                met[each.array].append(each)
            covered = sum(points(each.box, each.ties) for each in read)
            needed = domain.size
            if own:
                needed = touched([_part(domain.item, domain)])
                sums[domain.name] = domain.size - needed
            waived += needed - covered
    made = {each.name for each in nest.assignments}
    chains = {
        member.assignment
        for member, domain in zip(record.members, domains, strict=True)
        if not record.falling and _is_chain(member, domain, slot, known)
    }
    waived += sum(touched(some) for array, some in met.items() if array in made - chains)
    return waived, met, sums


def _part(access: Access, domain: Assignment) -> Access:
    """An access of the updates that count."""
    ties = tuple(sorted({*access.ties, *domain.ties}))
    return replace(access, box=common(access.box, domain.box), ties=ties)


def _within(domain: Assignment) -> list[Access]:
    """The reads of the updates that count, the largest first."""
    found = [_part(each, domain) for each in domain.reads]
    some = [each for each in found if _is_any(each.box)]
    return sorted(some, key=lambda each: points(each.box, each.ties), reverse=True)


def _disjoint(reads: Sequence[Access]) -> list[Access]:
    """Reads of which no two are of one update."""
    taken: list[Access] = []
    for each in reads:
        both = [(common(each.box, one.box), (*each.ties, *one.ties)) for one in taken]
        if not any(_is_any(box) and points(box, ties) for box, ties in both):
            taken.append(each)
    return taken


def _says(labels: Labels | None, access: Access, label: Sequence[int]) -> bool:
    """Whether the indices of all values that are read say the labels of their readers."""
    if labels is None or not len(labels.places) == len(labels.shifts) == len(label):
        return False
    return all(
        0 <= place < len(access.rows) and shift_of(access, place, loop) == shift
        for loop, place, shift in zip(label, labels.places, labels.shifts, strict=True)
    )


def shift_of(access: Access, place: int, loop: int) -> int | None:
    """What an index is more than the value of a loop; None if it says something else.

    Parameters
    ----------
    access
        A read.
    place
        Of the index.
    loop
        Of its reader.
    """
    shift = access.offset[place]
    for at, (by, (low, high)) in enumerate(zip(access.rows[place], access.box, strict=True)):
        more = by - (at == loop)
        if more and high - low > 1:
            return None
        shift += more * low
    return shift


def _is_head(domain: Assignment, access: Access) -> bool:
    """Whether a read is of the first update of each sum: the only loop cannot be less."""
    if domain.numbers is None or len(domain.summed) != 1:
        return False
    (loop,) = domain.summed
    low, _ = domain.box[loop]
    least = {Tie(tuple(-by for by in tie.row), -tie.constant) for tie in access.ties}
    tight = (tie for tie in domain.ties if tie.row[loop] > 0)
    return access.box[loop] == (low, low + 1) or any(tie in least for tie in tight)


def _is_chain(member: Member, domain: Assignment, slot: Slot, known: dict[str, Labels]) -> bool:
    """Whether the values of a member have the labels of the updates that make them."""
    labels = known.get(domain.name)
    if labels is None or domain.sums or len(slot.roles) != 1:
        return False
    return _says(labels, domain.item, [member.loops[at] for at in slot.roles[0]])


def _readers(shape: Shape, slot: Slot, members: int) -> int:
    """How many updates read a value at most: those of all roles with its label."""
    sides = [*shape.extents.values()]
    return members * sum(
        prod(side for at, side in enumerate(sides) if at not in role) for role in slot.roles
    )


def _shared(one: Values, many: int, other: Values, more: int) -> int:
    """How many updates read values of two slots, in that one where these are fewer.

    Parameters
    ----------
    one, other
        The values of both.
    many, more
        How many updates read one at most.
    """
    total = 0
    for array in one.keys() & other.keys():
        some = touched(one[array]), touched(other[array])
        both = sum(some) - touched([*one[array], *other[array]])
        reads = (sum(points(each.box, each.ties) for each in met[array]) for met in (one, other))
        once = [number == values for number, values in zip(reads, some, strict=True)]
        total += both * (1 if any(once) else min(many, more))
    return total
