"""Premises of windows of one assignment's updates: the items that they touch in a nest (N8).

Items keep coordinates: an index a p + b r keeps p, and r modulo a / gcd(a, b). Loops that items of
all arrays keep alone split the nest into **copies** that share no value.

Source
------
The coordinates that mixed indices keep: written out here for this project; for stride 1 the
exponents are those of J. Demmel and G. Dinh, Communication-optimal convolutional neural nets, 2018.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from math import gcd, prod
from string import ascii_letters

from dags.programs.box_nests import Access, Assignment, BoxNest, volume
from dags.programs.tied_loops import Box, Row
from dags.programs.touched import common
from proofs.core.records import CertificateError
from proofs.lemmas.loops.hbl import Measure, Shape, least_words


@dataclass(frozen=True)
class Premises:
    """The premises of windows of an assignment's updates.

    Parameters
    ----------
    shape
        The arrays that the updates of one copy touch.
    updates
        Of one copy.
    copies
        How many copies there are.
    counted
        The accesses to these arrays, of all copies.
    loops
        Loops of several iterations in a copy.
    assignment
        The updates of all copies.
    """

    shape: Shape
    updates: int
    copies: int
    counted: tuple[Access, ...]
    loops: tuple[int, ...]
    assignment: Assignment


def premises(
    nest: BoxNest, name: str, arrays: tuple[str, ...], order: tuple[int, ...], box: Box = ()
) -> Premises:
    """The premises of windows of the updates of one assignment.

    Parameters
    ----------
    nest
        The nest.
    name
        The assignment.
    arrays
        Arrays whose items are counted.
    order
        All of its loops; an index that mixes some keeps the last of them.
    box
        The updates that are counted, if not all.

    Raises
    ------
    CertificateError
        If there are none.
    """
    matching = [assignment for assignment in nest.assignments if assignment.name == name]
    if not matching:
        raise CertificateError("assignment", "is none of this nest")
    assignment = inside(matching[0], box) if box else matching[0]
    if sorted(order) != list(range(len(assignment.loops))):
        raise CertificateError("order", "is not of all loops")
    counted = tuple(_counted(assignment, array) for array in arrays)
    splitting = [loop for loop in range(len(assignment.loops)) if _splits(assignment, loop)]
    copies = prod(_extent(assignment, loop) for loop in splitting)
    inner = tuple(loop for loop in sorted({*order} - {*splitting}) if _extent(assignment, loop) > 1)
    shape = _shape(assignment, counted, inner, order)
    return Premises(shape, assignment.size // copies, copies, counted, inner, assignment)


def in_order(
    premised: Premises, order: tuple[int, ...], pair: tuple[str, ...]
) -> tuple[Shape, int]:
    """The items of updates of which a sum has no more than its last loop, and that many.

    Parameters
    ----------
    found, order
        The arrays that updates touch, and the order of the loops.
    pair
        Two of them: items of the first and indices of the second but the last loop of the sums
        tell an update.

    Raises
    ------
    CertificateError
        If sums do not go along several loops in the order of the text, or it is no such pair.
    """
    assignment, known = premised.assignment, {access.array: access for access in premised.counted}
    of_items = [
        [loop for loop, coefficient in enumerate(row) if coefficient]
        for row in assignment.item.rows
    ]
    if assignment.numbers is None or assignment.ties or any(len(row) > 1 for row in of_items):
        raise CertificateError("ordered", f"{assignment.name} sums up in another order")
    *dropped, last = sorted({*premised.loops} - {loop for row in of_items for loop in row}) or [-1]
    if not dropped or len(pair) != 2 or len({*pair} & known.keys()) != 2:
        raise CertificateError("ordered", "are no two arrays of a sum along several loops")
    first, second = (known[name] for name in pair)
    without_last = [row for row in second.rows if not row[last]]
    moving_rows = [row for row in second.rows if row[last]]
    if any(row[loop] for row in second.rows for loop in dropped) or not any(
        [loop for loop in premised.loops if row[loop]] == [last] for row in moving_rows
    ):
        raise CertificateError("ordered", f"{pair[1]} does not go along the last loop alone")
    if len(moving_rows) > 1 or rank_of([*first.rows, *without_last], premised.loops) < len(
        premised.loops
    ):
        raise CertificateError("ordered", "do not tell an update")
    counted = tuple(
        replace(
            access, rows=tuple(row for row in access.rows if not any(row[loop] for loop in dropped))
        )
        for access in premised.counted
    )
    loops = tuple(loop for loop in premised.loops if loop not in dropped)
    return _shape(assignment, counted, loops, order), _extent(assignment, last)


def words_in_order(shape: Shape, size: int, exponents: Mapping[str, Fraction], length: int) -> int:
    """The items that `size` updates touch at least, sums in the order of the text (N8).

    Parameters
    ----------
    shape, length
        As `in_order` says.
    size, exponents
        As for `least_words`.
    """
    low, high = -1, len(shape.measures) * size
    while high - low > 1:
        middle = (low + high) // 2
        short = size - middle**2 // (4 * length)  # in sums that have no more than the last loop
        if short <= 0 or least_words(shape, short, exponents) <= middle:
            high = middle
        else:
            low = middle
    return high


def rank_of(rows: Sequence[Row], loops: Sequence[int]) -> int:
    """The rank of a matrix of integers, of which some columns count."""
    rank, left = 0, [[row[loop] for loop in loops] for row in rows]
    while left := [row for row in left if any(row)]:
        first = left.pop()
        position = next(place for place, coefficient in enumerate(first) if coefficient)
        left = [
            [
                first[position] * coefficient - row[position] * top
                for coefficient, top in zip(row, first, strict=True)
            ]
            for row in left
        ]
        rank += 1
    return rank


def inside(assignment: Assignment, box: Box) -> Assignment:
    """The updates in a part of the box: of each sum all, or none.

    What is read there by pieces of one access, each in instances of its own, is read by one.

    Parameters
    ----------
    assignment
        Without conditions.
    box
        Ends of each loop, its own where a loop goes on in a sum.

    Raises
    ------
    CertificateError
        If it is no such box.
    """
    if len(box) != len(assignment.box) or assignment.ties:
        raise CertificateError("box", "is of other loops, or of some of their iterations")
    if common(box, assignment.box) != box or not _is_any(box):
        raise CertificateError("box", "is no part of the assignment's")
    if any(box[loop] != assignment.box[loop] for loop in assignment.summed):
        raise CertificateError("box", "has parts of sums")
    pieces: dict[Access, list[Box]] = {}
    for read in assignment.reads:
        overlap = common(read.box, box)
        if not read.ties and _is_any(overlap):
            pieces.setdefault(replace(read, box=box), []).append(overlap)
    complete = (
        access
        for access, parts in pieces.items()
        if sum(map(volume, parts)) == volume(box)
        and not any(_is_any(common(left, right)) for left, right in combinations(parts, 2))
    )
    reads = (*assignment.reads, *complete)
    return replace(assignment, box=box, reads=reads, size=volume(box))


def _is_any(box: Box) -> bool:
    return all(low < high for low, high in box)


def _extent(assignment: Assignment, loop: int) -> int:
    low, high = assignment.box[loop]
    return high - low


def _counted(assignment: Assignment, array: str) -> Access:
    """The access to an array whose items are counted: one that each update has."""
    if array == assignment.name:
        if not assignment.sums:
            raise CertificateError("arrays", f"{array} is summed up in no items")
        return assignment.item
    for access in assignment.reads:
        if access.array == array and assignment.is_whole(access):
            return access
    raise CertificateError("arrays", f"not every update reads an item of {array}")


def _splits(assignment: Assignment, loop: int) -> bool:
    """Whether iterations with different values of a loop share no value."""
    if _extent(assignment, loop) == 1 or any(tie.row[loop] for tie in assignment.ties):
        return False
    indices: dict[str, set[tuple[int, tuple[int, ...], int]]] = {}
    for access in (*assignment.reads, assignment.item):
        single = {
            (number, row, access.offset[number])
            for number, row in enumerate(access.rows)
            if row[loop] and sum(map(bool, row)) == 1
        }
        known = indices.setdefault(access.array, single)
        indices[access.array] = known & single
    return all(indices.values())


def _shape(
    assignment: Assignment,
    counted: tuple[Access, ...],
    loops: tuple[int, ...],
    order: tuple[int, ...],
) -> Shape:
    """The ranges of the indices of one copy, and the loops that items of each array keep."""
    parts: dict[int, tuple[str, str]] = {}  # of a loop that is cut, the quotient and the rest
    letters = iter(ascii_letters)
    extents: dict[str, int] = {}
    rank = {loop: place for place, loop in enumerate(order)}
    names: dict[int, str] = {}
    for loop in loops:
        extent = _extent(assignment, loop)
        cut = _cut(assignment, counted, loop, rank)
        if 1 < cut < extent:
            parts[loop] = next(letters), next(letters)
            extents[parts[loop][0]], extents[parts[loop][1]] = -(-extent // cut), cut
            names[loop] = "".join(parts[loop])
        else:
            names[loop] = next(letters)
            extents[names[loop]] = extent
    measures = tuple(
        Measure(access.array, (_kept(access, names, parts, rank),)) for access in counted
    )
    return Shape(extents, measures)


def _cut(
    assignment: Assignment, counted: tuple[Access, ...], loop: int, rank: Mapping[int, int]
) -> int:
    """Return s where one index drops a loop as a p + b r, and 1 where none does, or several."""
    factors = []
    for access in counted:
        for row in access.rows:
            mixed = [
                loop
                for loop, coefficient in enumerate(row)
                if coefficient and _extent(assignment, loop) > 1
            ]
            if loop not in mixed or len(mixed) == 1:
                continue
            last = max(mixed, key=lambda loop: rank[loop])
            if len(mixed) > 2 or last == loop:
                return 1
            factors.append(abs(row[last]) // gcd(row[last], row[loop]))
    return factors[0] if len(factors) == 1 else 1


def _kept(
    access: Access,
    names: Mapping[int, str],
    parts: Mapping[int, tuple[str, str]],
    rank: Mapping[int, int],
) -> str:
    """The indices that items of an access keep."""
    kept: set[str] = set()
    for row in access.rows:
        mixed = [loop for loop, coefficient in enumerate(row) if coefficient and loop in names]
        if not mixed:
            continue
        last = max(mixed, key=lambda loop: rank[loop])
        kept |= {*names[last]}
        kept |= {parts[loop][1] for loop in mixed if loop != last and loop in parts}
    return "".join(sorted(kept))
