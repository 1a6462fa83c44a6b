"""Bounds of nests that are not laid out, by windows of one assignment's updates (N8), and sums.

A window of updates touches of each array at least the items by N1, by the coordinates that its
items keep (`nest_updates`). With K words red just before an update,

    loads of these arrays >= sum of T(U_i) - K (windows - 1) - items that are made.

The proof is N8 in docs/theory/nests.md. Windows of different assignments, of several together
(`joint_windows`), cuts and waits are `parts` of one sum. Of partial computation windows of one
assignment and of labels prove something (N3): they also count what is computed in part.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from typing import Annotated, Any, NamedTuple

from dags.programs.box_nests import Access, BoxNest
from dags.programs.tied_loops import NotCountedError
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
from proofs.core.windows import Lemma
from proofs.lemmas.loops.hbl import Shape, least_words
from proofs.lemmas.loops.joint_windows import Cut, Joint, cut_words, joint_sum
from proofs.lemmas.loops.labelled import Labelled, labelled_words
from proofs.lemmas.loops.meshes import Mesh, mesh_words
from proofs.lemmas.loops.nest_updates import Premises, in_order, premises, words_in_order
from proofs.lemmas.loops.overlapping import Everywhere, pairs_away
from proofs.lemmas.loops.parts import Part, added_up, apart
from proofs.lemmas.loops.updates import (
    MOST_SIZES,
    UpdateWindow,
    exponents_in,
    updates_sum,
    words_under,
)
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
    """The inputs that are read, and the outputs."""
    return sum(_inputs(nest).values()) + sum(_outputs(nest).values())


@lru_cache(maxsize=16)
def _inputs(nest: BoxNest) -> dict[str, int]:
    """How many items of each array of inputs are read."""
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
    """The part of windows that touch so many items, less those that are red at cuts."""
    made = items_among(nest, items) - inputs_among(nest, items)
    return Part(frozenset(read), frozenset(summed), words - made)


def inputs_among(nest: BoxNest, arrays: Iterable[str]) -> int:
    """The inputs of some arrays, in words."""
    return sum(_inputs(nest).get(array, 0) for array in arrays)


def items_among(nest: BoxNest, arrays: Collection[str]) -> int:
    """The inputs of some arrays, and the items that are made of others."""
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
    """The words that a certificate proves of a nest.

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
    """The words of the parts of a record, which count different values."""
    nest, memory, rules = game
    parts = list(apart(_parts(nest, memory, rules, record)))
    made = {array for each in parts for array in each.read} - _inputs(nest).keys()
    once = isinstance(record, OfAll) or _waiting(record)
    if rules.recompute and (made or once or (parts and nest.any_order)):
        raise CertificateError("rules", "values that are computed again are not counted here")
    return added_up(parts, _inputs(nest), sum(_outputs(nest).values()))


def _meshed(game: NestGame, record: Mesh) -> int:
    """The words of a stencil or a grid inside of a nest."""
    nest, memory, rules = game
    if rules.recompute or rules.partial or nest.any_order:
        raise CertificateError("rules", "values that are computed again are not counted here")
    return max(compulsory_of(nest), mesh_words(nest, held(nest, memory, rules), record))


def _merged(game: NestGame, record: MergedWindows) -> int:
    """The words of windows of an update that is made in two vertices."""
    return _merged_words(*game, record.windows)


def _merged_words(nest: BoxNest, memory: int, rules: Rules, windows: Chosen) -> int:
    """The words of windows of an update whose operands a temporary joins (T3)."""
    inner = nest.merged
    joined = () if inner is None else inner.joined
    known = [temporary.arrays for temporary in joined if temporary.update == windows.assignment]
    if inner is None or not known:
        raise CertificateError("assignment", "is no update that a temporary is made for")
    if rules.recompute or rules.partial or nest.any_order:
        raise CertificateError("rules", "values that are computed again are not counted here")
    counted = {*windows.arrays} - {windows.assignment}
    if windows.ordered or not any(counted <= arrays for arrays in known):
        raise CertificateError("arrays", "are not operands of the temporary")
    part = part_of_sum(inner.nest, memory, rules, windows)
    return added_up([part], _inputs(nest), sum(_outputs(nest).values()))


def _waiting(record: Any) -> bool:
    return isinstance(record, Waits) or (isinstance(record, Parts) and bool(record.waits))


def _records(record: Any) -> Iterator[Any]:
    """Yield the records of the parts that a record says."""
    if isinstance(record, Parts):
        yield from (*record.windows, *record.everywhere, *record.joint)
        yield from (*record.labelled, *record.cuts, *record.waits)
    elif isinstance(record, Waits):
        yield from record.arrays
    elif not isinstance(record, Nothing):
        yield record


def _parts(nest: BoxNest, memory: int, rules: Rules, record: Any) -> Iterator[Part]:
    """Yield the parts of a bound that a record says."""
    return (part_of_sum(nest, memory, rules, part) for part in _records(record))


def part_of_sum(
    nest: BoxNest,
    memory: int,
    rules: Rules,
    record: Chosen | Everywhere | OfAll | Joint | Labelled | Cut | Sweeps,
) -> Part:
    """The part of a sum that a record says.

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
    says, _ = PARTS[type(record)]
    if rules.partial and (nest.any_order or type(record) not in OF_PARTIAL):
        raise CertificateError("rules", "say nothing here of values that are computed in part")
    return says(NestGame(nest, memory, rules), record)


def _of_sweeps(game: NestGame, record: Sweeps) -> Part:
    loads, stores = waiting_words(game.nest, game.memory, record)
    read = frozenset([record.array])
    return Part(read, frozenset(), loads + inputs_among(game.nest, read), stores)


def _of_cut(game: NestGame, record: Cut) -> Part:
    words, arrays = cut_words(game.nest, held(*game), record)
    read = frozenset(arrays) - {record.assignment}
    return Part(read, frozenset([record.assignment]), words + inputs_among(game.nest, read))


def _of_joint(game: NestGame, record: Joint) -> Part:
    joint, loaded, items = joint_sum(game.nest, held(*game), record)
    return _windows(game.nest, loaded, {*record.assignments}, items, joint.words)


def _of_labelled(game: NestGame, record: Labelled) -> Part:
    touched = words_under(game.rules)
    words, counted = labelled_words(game.nest, held(*game), record, words=touched)
    summed = counted.summed | begun(game, (member.assignment for member in record.members))
    return Part(counted.read, summed, words + _other_inputs(game.nest, counted.met))


def _of_everywhere(game: NestGame, record: Everywhere) -> Part:
    nest, own = game.nest, _own(record)
    windows = premises(nest, record.assignment, record.arrays, record.order)
    read = frozenset(record.arrays) - own
    away = pairs_away(windows, held(*game), record, heads=bool(own) and not nest.any_order)
    return Part(read, frozenset(own), away + inputs_among(nest, read))


def _of_processors(game: NestGame, record: OfAll) -> Part:
    own = _own(record)
    verified = premises(game.nest, record.assignment, record.arrays, record.order)
    words = _of_all(game.nest, verified, held(*game), record)
    return _windows(game.nest, {*record.arrays} - own, own, {*record.arrays}, words)


def _of_chosen(game: NestGame, record: Chosen) -> Part:
    nest, own = game.nest, _own(record)
    box = tuple((ends[0], ends[-1]) for ends in record.box if len(ends) == 2)
    if len(box) != len(record.box):
        raise CertificateError("box", "has other entries than the ends of loops")
    verified = premises(nest, record.assignment, record.arrays, record.order, box)
    words = verified.copies * _of_windows(game, verified, record)
    words += _other_inputs(nest, {access.array: [access] for access in verified.counted})
    summed = own | begun(game, [record.assignment])
    return _windows(nest, {*record.arrays} - own, summed, {*record.arrays}, words)


def begun(game: NestGame, members: Iterable[str]) -> set[str]:
    """The assignments whose updates count while they are computed in part (N3)."""
    return {*members} if game.rules.partial else set()


def _other_inputs(nest: BoxNest, met: Mapping[str, Sequence[Access]]) -> int:
    """The inputs of some arrays whose loads no window counts: those of other reads."""
    inputs, words = _inputs(nest), 0
    for array in met.keys() & inputs.keys():
        with suppress(NotCountedError):
            words += inputs[array] - touched(met[array])
    return words


def _own(record: Chosen | Everywhere | OfAll) -> set[str]:
    """The assignment, if its open sums are counted; arrays have different names."""
    if len({*record.arrays}) != len(record.arrays):
        raise CertificateError("arrays", "are not different names")
    return {record.assignment} & {*record.arrays}


def _of_windows(game: NestGame, verified: Premises, record: Chosen) -> int:
    """The sum over the windows of one copy."""
    red, touched = held(*game), words_under(game.rules)
    if not record.ordered:
        return updates_sum(
            verified.shape, verified.updates, red, record.windows, words=touched
        ).words
    if game.nest.any_order or game.rules.partial:
        raise CertificateError("ordered", "sums may be taken in any order")
    shape, length = in_order(verified, record.order, record.ordered)

    def words(shape: Shape, size: int, exponents: Mapping[str, Fraction]) -> int:
        return words_in_order(shape, size, exponents, length)

    return updates_sum(shape, verified.updates, red, record.windows, words=words).words


def _of_all(nest: BoxNest, found: Premises, red: int, record: OfAll) -> int:
    """The words that all processors load together, before results (M3).

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
    """The words that can be red just before an update, beside its result."""
    return memory if nest.any_order else rules.room_before(memory)


# Windows that hold for partial computation (N3).
OF_PARTIAL = (Chosen, Labelled)
# What a part says of a game, and the numbers of theorems behind it, by its record.
PARTS: dict[type[Any], tuple[Callable[[NestGame, Any], Part], tuple[str, ...]]] = {
    Chosen: (_of_chosen, ("N1", "N8")),
    Everywhere: (_of_everywhere, ("N1", "N8", "N12", "N20")),
    Joint: (_of_joint, ("N1", "N9")),
    Labelled: (_of_labelled, ("N1", "N19")),
    Cut: (_of_cut, ("N10",)),
    Sweeps: (_of_sweeps, ("N17",)),
    OfAll: (_of_processors, ("N1", "N8", "M3")),
}


def _theorems(record: Any) -> tuple[str, ...]:
    """The numbers of the theorems behind the parts that a record says, and their sum."""
    inside = (PARTS[type(part)][1] for part in _records(record))
    added = ("N18",) if isinstance(record, Parts) else ()
    return tuple(dict.fromkeys((*chain(*inside), *added)))


def parts_of(kind: str, data: Mapping[str, Any]) -> tuple[Any, ...]:
    """The records of the parts in a certificate of a nest; () of other kinds.

    Parameters
    ----------
    kind, data
        Of a certificate that proves something.
    """
    if kind not in NESTS:
        return ()
    record = read(NESTS[kind].record, data)
    inner = record.windows if isinstance(record, MergedWindows) else record
    return () if isinstance(inner, Mesh) else tuple(_records(inner))


# The kinds of certificates of nests.
NESTS: dict[str, Lemma[Any]] = {
    COMPULSORY: Lemma(Nothing, _added, lambda _: ("compulsory",)),
    WINDOWS: Lemma(Chosen, _added, _theorems),
    EVERYWHERE: Lemma(Everywhere, _added, _theorems),
    JOINT: Lemma(Joint, _added, _theorems),
    LABELLED: Lemma(Labelled, _added, _theorems),
    MESH: Lemma(Mesh, _meshed, lambda _: ("N21", "C1")),
    MERGED: Lemma(MergedWindows, _merged, lambda _: ("N1", "N8", "T3")),
    CUT: Lemma(Cut, _added, _theorems),
    WAITS: Lemma(Waits, _added, _theorems),
    SUM: Lemma(Parts, _added, _theorems),
    OF_ALL: Lemma(OfAll, _added, _theorems),
}
