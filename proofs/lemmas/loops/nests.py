"""Bounds of nests that are not laid out, by windows of one assignment's updates (N8), and sums.

A window of updates touches of each array at least the items by N1, by the coordinates that its
items keep: an index a p + b r keeps p, and r modulo a / gcd(a, b). Loops that items of all arrays
keep alone split the nest into **copies** that share no value. With K words red just before an
update,

    loads of these arrays >= sum of T(U_i) - K (windows - 1) - items that are made.

The proof is N8 in docs/theory/nests.md. Windows of different assignments, of several together
(`joint_windows`), cuts and waits are `parts` of one sum.

Source
------
The coordinates that mixed indices keep: written out here for this project; for stride 1 the
exponents are those of J. Demmel and G. Dinh, Communication-optimal convolutional neural nets, 2018.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import gcd, prod
from string import ascii_letters
from typing import Annotated, Any

from dags.programs.box_nests import Access, Assignment, BoxNest
from dags.programs.touched import touched
from pebble import Rules
from proofs.core.records import (
    LARGEST,
    Certificate,
    CertificateError,
    Integers,
    Positive,
    Within,
    read,
    shown,
)
from proofs.lemmas.loops.hbl import Measure, Shape, least_words
from proofs.lemmas.loops.joint_windows import Cut, Joint, cut_words, joint_sum
from proofs.lemmas.loops.parts import Part, added_up
from proofs.lemmas.loops.updates import MOST_SIZES, UpdateWindow, exponents_in, updates_sum
from proofs.lemmas.loops.waiting import MOST_ARRAYS, Sweeps, Waits, waiting_words

COMPULSORY, WINDOWS, JOINT = "nest-compulsory", "nest-windows", "nest-joint-windows"
CUT, WAITS, SUM, OF_ALL = "nest-cut", "nest-waits", "nest-sum", "nest-processors"
KINDS = (COMPULSORY, WINDOWS, JOINT, CUT, WAITS, SUM, OF_ALL)
MOST_PARTS = 256
THEOREMS: dict[str, tuple[str, ...]] = {
    COMPULSORY: ("compulsory",),
    WINDOWS: ("N1", "N8"),
    JOINT: ("N1", "N9"),
    CUT: ("N10",),
    WAITS: ("N17",),
    SUM: ("N1", "N8", "N9", "N10", "N17", "N18"),
    OF_ALL: ("N1", "N8", "M3"),
}


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
    """

    shape: Shape
    updates: int
    copies: int


def compulsory_of(nest: BoxNest) -> int:
    """Return the inputs that are read, and the outputs."""
    return sum(_inputs(nest).values()) + sum(_outputs(nest).values())


@lru_cache(maxsize=16)
def _inputs(nest: BoxNest) -> dict[str, int]:
    """Return how many items of each array of inputs are read."""
    made = {each.name for each in nest.assignments}
    reads: dict[str, list[Access]] = {}
    for access in (access for each in nest.assignments for access in each.reads):
        if access.array not in made:
            reads.setdefault(access.array, []).append(access)
    return {array: touched(some) for array, some in reads.items()}


@lru_cache(maxsize=16)
def _outputs(nest: BoxNest) -> dict[str, int]:
    return {
        each.name: 0 if each.outputs is None else touched([each.outputs])
        for each in nest.assignments
    }


def premises(nest: BoxNest, name: str, arrays: tuple[str, ...], order: tuple[int, ...]) -> Premises:
    """Return the premises of windows of the updates of one assignment.

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

    Raises
    ------
    CertificateError
        If there are none.
    """
    found = [each for each in nest.assignments if each.name == name]
    if not found:
        raise CertificateError("assignment", "is none of this nest")
    (assignment,) = found
    if sorted(order) != list(range(len(assignment.loops))):
        raise CertificateError("order", "is not of all loops")
    counted = {array: _counted(assignment, array) for array in arrays}
    apart = [at for at in range(len(assignment.loops)) if _splits(assignment, at)]
    copies = prod(_extent(assignment, at) for at in apart)
    shape = _shape(assignment, list(counted.values()), apart, order)
    return Premises(shape, assignment.size // copies, copies)


def _windows(nest: BoxNest, read: set[str], summed: set[str], items: set[str], words: int) -> Part:
    """Return the part of windows that touch so many items, less those that are red at cuts."""
    made = items_among(nest, items) - inputs_among(nest, items)
    loads = max(inputs_among(nest, read), words - made)
    return Part(frozenset(read), frozenset(summed), loads)


def inputs_among(nest: BoxNest, arrays: Iterable[str]) -> int:
    """Return the inputs of some arrays, in words."""
    return sum(_inputs(nest).get(array, 0) for array in arrays)


def items_among(nest: BoxNest, arrays: Collection[str]) -> int:
    """Return the inputs of some arrays, and the items that are made of others."""
    made = sum(touched([each.item]) for each in nest.assignments if each.name in arrays)
    return inputs_among(nest, arrays) + made


def _extent(assignment: Assignment, loop: int) -> int:
    low, high = assignment.box[loop]
    return high - low


def _counted(assignment: Assignment, array: str) -> Access:
    """Return the access to an array whose items are counted: one that each update has."""
    if array == assignment.name:
        if not assignment.sums:
            raise CertificateError("arrays", f"{array} is summed up in no items")
        return assignment.item
    for access in assignment.reads:
        if access.array == array and assignment.is_whole(access):
            return access
    raise CertificateError("arrays", f"not every update reads an item of {array}")


def _splits(assignment: Assignment, loop: int) -> bool:
    """Return whether iterations with different values of a loop share no value."""
    if _extent(assignment, loop) == 1 or any(tie.row[loop] for tie in assignment.ties):
        return False
    indices: dict[str, set[tuple[int, tuple[int, ...], int]]] = {}
    for access in (*assignment.reads, assignment.item):
        alone = {
            (at, row, access.offset[at])
            for at, row in enumerate(access.rows)
            if row[loop] and sum(map(bool, row)) == 1
        }
        known = indices.setdefault(access.array, alone)
        indices[access.array] = known & alone
    return all(indices.values())


def _shape(
    assignment: Assignment, counted: list[Access], apart: list[int], order: tuple[int, ...]
) -> Shape:
    """Return the ranges of the indices of one copy, and the loops that items of each array keep."""
    parts: dict[int, tuple[str, str]] = {}  # of a loop that is cut, the quotient and the rest
    letters = iter(ascii_letters)
    extents: dict[str, int] = {}
    rank = {loop: place for place, loop in enumerate(order)}
    names: dict[int, str] = {}
    for loop in range(len(assignment.loops)):
        extent = _extent(assignment, loop)
        if loop in apart or extent == 1:
            continue
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


def _cut(assignment: Assignment, counted: list[Access], loop: int, rank: Mapping[int, int]) -> int:
    """Return s where one index drops a loop as a p + b r, and 1 where none does, or several."""
    found = []
    for access in counted:
        for row in access.rows:
            mixed = [at for at, by in enumerate(row) if by and _extent(assignment, at) > 1]
            if loop not in mixed or len(mixed) == 1:
                continue
            last = max(mixed, key=lambda at: rank[at])
            if len(mixed) > 2 or last == loop:
                return 1
            found.append(abs(row[last]) // gcd(row[last], row[loop]))
    return found[0] if len(found) == 1 else 1


def _kept(
    access: Access,
    names: Mapping[int, str],
    parts: Mapping[int, tuple[str, str]],
    rank: Mapping[int, int],
) -> str:
    """Return the indices that items of an access keep."""
    kept: set[str] = set()
    for row in access.rows:
        mixed = [at for at, by in enumerate(row) if by and at in names]
        if not mixed:
            continue
        last = max(mixed, key=lambda at: rank[at])
        kept |= {*names[last]}
        kept |= {parts[at][1] for at in mixed if at != last and at in parts}
    return "".join(sorted(kept))


@dataclass(frozen=True)
class Chosen:
    """Windows of one copy: the arrays that are counted, and an order of the loops."""

    assignment: str
    arrays: tuple[str, ...]
    order: Integers
    windows: Annotated[tuple[UpdateWindow, ...], Within(entries=MOST_SIZES)]


@dataclass(frozen=True)
class OfAll:
    """Windows of `size` updates each, of several processors that have the memory each (M3)."""

    processors: Positive
    assignment: str
    arrays: tuple[str, ...]
    order: Integers
    size: Positive
    exponents: Mapping[str, Any]


@dataclass(frozen=True)
class Nothing:
    """No field: only compulsory words count."""


@dataclass(frozen=True)
class Parts:
    """Parts whose words add up."""

    windows: Annotated[tuple[Chosen, ...], Within(entries=MOST_PARTS)] = ()
    joint: Annotated[tuple[Joint, ...], Within(entries=MOST_PARTS)] = ()
    cuts: Annotated[tuple[Cut, ...], Within(entries=MOST_PARTS)] = ()
    waits: Annotated[tuple[Sweeps, ...], Within(entries=MOST_ARRAYS)] = ()


RECORDS: dict[str, type[Any]] = {
    COMPULSORY: Nothing,
    WINDOWS: Chosen,
    JOINT: Joint,
    CUT: Cut,
    WAITS: Waits,
    OF_ALL: OfAll,
    SUM: Parts,
}


def proven(nest: BoxNest, memory: int, rules: Rules, certificate: Certificate) -> int:
    """Return the words that a certificate proves of a nest.

    Parameters
    ----------
    nest, memory, rules
        The game.
    certificate
        Its kind is a key of `RECORDS`.

    Raises
    ------
    CertificateError
        If it proves nothing of this nest.
    """
    if certificate.kind not in KINDS:
        raise CertificateError("kind", f"is {shown(certificate.kind)}, none of a nest")
    record = read(RECORDS[certificate.kind], certificate.data)
    parts = list(_parts(nest, memory, rules, record))
    made = {array for each in parts for array in each.read} - _inputs(nest).keys()
    if rules.recompute and (made or (parts and nest.any_order) or _waiting(record)):
        raise CertificateError("rules", "values that are computed again are not counted here")
    return added_up(parts, _inputs(nest), sum(_outputs(nest).values()))


def _waiting(record: Any) -> bool:
    return isinstance(record, Waits) or (isinstance(record, Parts) and bool(record.waits))


def _parts(nest: BoxNest, memory: int, rules: Rules, record: Any) -> Iterator[Part]:
    """Yield the parts of a bound that a record says."""
    if isinstance(record, Parts):
        for each in (*record.windows, *record.joint, *record.cuts, *record.waits):
            yield from _parts(nest, memory, rules, each)
    elif isinstance(record, Waits):
        for each in record.arrays:
            yield from _parts(nest, memory, rules, each)
    elif not isinstance(record, Nothing):
        yield part_of_sum(nest, memory, rules, record)


def part_of_sum(
    nest: BoxNest, memory: int, rules: Rules, record: Chosen | OfAll | Joint | Cut | Sweeps
) -> Part:
    """Return the part of a sum that a record says.

    Parameters
    ----------
    nest, memory, rules
        The game.
    record
        Windows, a cut, or sweeps.

    Raises
    ------
    CertificateError
        If it says nothing of this nest.
    """
    red = held(nest, memory, rules)
    if isinstance(record, Sweeps):
        loads, stores = waiting_words(nest, memory, record)
        read = frozenset([record.array])
        return Part(read, frozenset(), loads + inputs_among(nest, read), stores)
    if isinstance(record, Cut):
        words, arrays = cut_words(nest, red, record)
        read = frozenset(arrays) - {record.assignment}
        return Part(read, frozenset([record.assignment]), words + inputs_among(nest, read))
    if isinstance(record, Joint):
        joint, loaded, items = joint_sum(nest, red, record)
        return _windows(nest, loaded, {*record.assignments}, items, joint.words)
    if len({*record.arrays}) != len(record.arrays):
        raise CertificateError("arrays", "are not different names")
    found = premises(nest, record.assignment, record.arrays, record.order)
    if isinstance(record, OfAll):
        words = _of_all(nest, found, red, record)
    else:
        words = found.copies * updates_sum(found.shape, found.updates, red, record.windows).words
    own = {record.assignment} & {*record.arrays}
    return _windows(nest, {*record.arrays} - own, own, {*record.arrays}, words)


def _of_all(nest: BoxNest, found: Premises, red: int, record: OfAll) -> int:
    """Return the words that all processors load together, before results (M3).

    A window has updates of several copies: x is concave, so that it touches x(A) words at least.
    """
    exponents = exponents_in(found.shape, record.exponents)
    if sum(exponents.values()) < 1 or record.size > LARGEST:
        raise CertificateError("exponents", "add up to less than 1, or windows are too long")
    if nest.any_order:
        raise CertificateError("rules", "sums in any order may be shared by processors")
    gained = least_words(found.shape, record.size, exponents) - red
    shared = found.copies * found.updates - record.processors * (record.size - 1)
    return max(0, gained) * max(0, -(-shared // record.size))


def held(nest: BoxNest, memory: int, rules: Rules) -> int:
    """Return the words that can be red just before an update, beside its result."""
    return memory if nest.any_order else rules.room_before(memory)
