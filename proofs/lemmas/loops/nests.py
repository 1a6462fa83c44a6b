"""Bounds of nests that are not laid out, by windows of one assignment's updates (N8), and sums.

A window of updates touches of each array at least the items by N1, by the coordinates that its
items keep (`nest_updates`). With K words red just before an update,

    loads of these arrays >= sum of T(U_i) - K (windows - 1) - items that are made.

The proof is N8 in docs/theory/nests.md. Windows of different assignments, of several together
(`joint_windows`), cuts and waits are `parts` of one sum.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Any, NamedTuple

from dags.programs.box_nests import Access, BoxNest
from dags.programs.touched import touched
from pebble import Rules
from proofs.core.records import (
    LARGEST,
    Certificate,
    CertificateError,
    Integers,
    Positive,
    Within,
    shown,
)
from proofs.core.windows import Lemma
from proofs.lemmas.loops.hbl import Shape, least_words
from proofs.lemmas.loops.joint_windows import Cut, Joint, cut_words, joint_sum
from proofs.lemmas.loops.labelled import Labelled, labelled_words
from proofs.lemmas.loops.meshes import Mesh, mesh_words
from proofs.lemmas.loops.nest_updates import Premises, in_order, premises, words_in_order
from proofs.lemmas.loops.overlapping import Everywhere, pairs_away
from proofs.lemmas.loops.parts import Part, added_up, apart
from proofs.lemmas.loops.updates import MOST_SIZES, UpdateWindow, exponents_in, updates_sum
from proofs.lemmas.loops.waiting import MOST_ARRAYS, Sweeps, Waits, waiting_words

COMPULSORY, WINDOWS, JOINT = "nest-compulsory", "nest-windows", "nest-joint-windows"
CUT, WAITS, SUM, OF_ALL = "nest-cut", "nest-waits", "nest-sum", "nest-processors"
EVERYWHERE, LABELLED = "nest-windows-everywhere", "nest-labelled-windows"
MESH, MERGED = "nest-mesh", "nest-merged-windows"
MOST_PARTS = 256


class NestGame(NamedTuple):
    """A loop nest with a memory and rules.

    Attributes
    ----------
    nest
        The nest at its sizes.
    memory, rules
        Words of fast memory, and the rules.
    """

    nest: BoxNest
    memory: int
    rules: Rules


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


def _windows(nest: BoxNest, read: set[str], summed: set[str], items: set[str], words: int) -> Part:
    """Return the part of windows that touch so many items, less those that are red at cuts."""
    made = items_among(nest, items) - inputs_among(nest, items)
    return Part(frozenset(read), frozenset(summed), words - made)


def inputs_among(nest: BoxNest, arrays: Iterable[str]) -> int:
    """Return the inputs of some arrays, in words."""
    return sum(_inputs(nest).get(array, 0) for array in arrays)


def items_among(nest: BoxNest, arrays: Collection[str]) -> int:
    """Return the inputs of some arrays, and the items that are made of others."""
    made = sum(touched([each.item]) for each in nest.assignments if each.name in arrays)
    return inputs_among(nest, arrays) + made


@dataclass(frozen=True)
class Chosen:
    """Windows of one copy: the arrays that are counted, an order of the loops, and a box.

    Or sums in the order of the text: two arrays of which `in_order` tells.
    """

    assignment: str
    arrays: tuple[str, ...]
    order: Integers
    windows: Annotated[tuple[UpdateWindow, ...], Within(entries=MOST_SIZES)]
    box: tuple[Integers, ...] = ()
    ordered: tuple[str, ...] = ()


@dataclass(frozen=True)
class MergedWindows:
    """Windows of an update that is made in two vertices: those of the nest that has it in one."""

    windows: Chosen


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

    everywhere: Annotated[tuple[Everywhere, ...], Within(entries=MOST_PARTS)] = ()
    windows: Annotated[tuple[Chosen, ...], Within(entries=MOST_PARTS)] = ()
    joint: Annotated[tuple[Joint, ...], Within(entries=MOST_PARTS)] = ()
    labelled: Annotated[tuple[Labelled, ...], Within(entries=MOST_PARTS)] = ()
    cuts: Annotated[tuple[Cut, ...], Within(entries=MOST_PARTS)] = ()
    waits: Annotated[tuple[Sweeps, ...], Within(entries=MOST_ARRAYS)] = ()


def proven(nest: BoxNest, memory: int, rules: Rules, certificate: Certificate) -> int:
    """Return the words that a certificate proves of a nest.

    Parameters
    ----------
    nest, memory, rules
        The game.
    certificate
        Its kind is a key of `NESTS`.

    Raises
    ------
    CertificateError
        If it proves nothing of this nest.
    """
    if certificate.kind not in NESTS:
        raise CertificateError("kind", f"is {shown(certificate.kind)}, none of a nest")
    return NESTS[certificate.kind].words(NestGame(nest, memory, rules), certificate.data)


def _added(game: NestGame, record: Any) -> int:
    """Return the words of the parts of a record, which count different values."""
    nest, memory, rules = game
    parts = list(apart(_parts(nest, memory, rules, record)))
    made = {array for each in parts for array in each.read} - _inputs(nest).keys()
    once = isinstance(record, OfAll) or _waiting(record)
    if rules.recompute and (made or once or (parts and nest.any_order)):
        raise CertificateError("rules", "values that are computed again are not counted here")
    return added_up(parts, _inputs(nest), sum(_outputs(nest).values()))


def _meshed(game: NestGame, record: Mesh) -> int:
    """Return the words of a stencil or a grid inside of a nest."""
    nest, memory, rules = game
    if rules.recompute or nest.any_order:
        raise CertificateError("rules", "values that are computed again are not counted here")
    return max(compulsory_of(nest), mesh_words(nest, held(nest, memory, rules), record))


def _merged(game: NestGame, record: MergedWindows) -> int:
    """Return the words of windows of an update that is made in two vertices."""
    return _merged_words(*game, record.windows)


def _merged_words(nest: BoxNest, memory: int, rules: Rules, windows: Chosen) -> int:
    """Return the words of windows of an update whose operands a temporary joins (T3)."""
    inner = nest.merged
    if inner is None or inner.update is None or windows.assignment != inner.update:
        raise CertificateError("assignment", "is no update that a temporary is made for")
    if rules.recompute or nest.any_order:
        raise CertificateError("rules", "values that are computed again are not counted here")
    if not {*windows.arrays} <= {*inner.joined, inner.update} or windows.ordered:
        raise CertificateError("arrays", "are not operands of the temporary")
    part = part_of_sum(inner.nest, memory, rules, windows)
    return added_up([part], _inputs(nest), sum(_outputs(nest).values()))


def _waiting(record: Any) -> bool:
    return isinstance(record, Waits) or (isinstance(record, Parts) and bool(record.waits))


def _parts(nest: BoxNest, memory: int, rules: Rules, record: Any) -> Iterator[Part]:
    """Yield the parts of a bound that a record says."""
    if isinstance(record, Parts):
        for each in (
            *record.windows,
            *record.everywhere,
            *record.joint,
            *record.labelled,
            *record.cuts,
            *record.waits,
        ):
            yield from _parts(nest, memory, rules, each)
    elif isinstance(record, Waits):
        for each in record.arrays:
            yield from _parts(nest, memory, rules, each)
    elif not isinstance(record, Nothing):
        yield part_of_sum(nest, memory, rules, record)


def part_of_sum(
    nest: BoxNest,
    memory: int,
    rules: Rules,
    record: Chosen | Everywhere | OfAll | Joint | Labelled | Cut | Sweeps,
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
    if isinstance(record, Labelled):
        words, counted = labelled_words(nest, red, record)
        return Part(counted.read, counted.summed, words)
    if len({*record.arrays}) != len(record.arrays):
        raise CertificateError("arrays", "are not different names")
    own = {record.assignment} & {*record.arrays}
    if isinstance(record, Everywhere):
        found = premises(nest, record.assignment, record.arrays, record.order)
        read = frozenset(record.arrays) - own
        away = pairs_away(found, red, record, heads=bool(own) and not nest.any_order)
        return Part(read, frozenset(own), away + inputs_among(nest, read))
    if isinstance(record, OfAll):
        found = premises(nest, record.assignment, record.arrays, record.order)
        words = _of_all(nest, found, red, record)
    else:
        box = tuple((each[0], each[-1]) for each in record.box if len(each) == 2)
        if len(box) != len(record.box):
            raise CertificateError("box", "has other entries than the ends of loops")
        found = premises(nest, record.assignment, record.arrays, record.order, box)
        words = found.copies * _of_windows(nest, found, red, record)
    return _windows(nest, {*record.arrays} - own, own, {*record.arrays}, words)


def _of_windows(nest: BoxNest, found: Premises, red: int, record: Chosen) -> int:
    """Return the sum over the windows of one copy."""
    if not record.ordered:
        return updates_sum(found.shape, found.updates, red, record.windows).words
    if nest.any_order:
        raise CertificateError("ordered", "sums may be taken in any order")
    shape, length = in_order(found, record.order, record.ordered)

    def words(shape: Shape, size: int, exponents: Mapping[str, Fraction]) -> int:
        return words_in_order(shape, size, exponents, length)

    return updates_sum(shape, found.updates, red, record.windows, words=words).words


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


def _lemma(record: type[Any], *theorems: str, says: Any = _added) -> Lemma[Any]:
    """Return the row of a kind."""
    return Lemma(record, says, lambda _: theorems)


# The kinds of certificates of nests.
NESTS: dict[str, Lemma[Any]] = {
    COMPULSORY: _lemma(Nothing, "compulsory"),
    WINDOWS: _lemma(Chosen, "N1", "N8"),
    EVERYWHERE: _lemma(Everywhere, "N1", "N8", "N12", "N20"),
    JOINT: _lemma(Joint, "N1", "N9"),
    LABELLED: _lemma(Labelled, "N1", "N19"),
    MESH: _lemma(Mesh, "N21", "C1", says=_meshed),
    MERGED: _lemma(MergedWindows, "N1", "N8", "T3", says=_merged),
    CUT: _lemma(Cut, "N10"),
    WAITS: _lemma(Waits, "N17"),
    SUM: _lemma(Parts, "N1", "N8", "N9", "N10", "N12", "N17", "N18", "N19", "N20"),
    OF_ALL: _lemma(OfAll, "N1", "N8", "M3"),
}
