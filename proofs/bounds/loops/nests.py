"""Lower bounds of nests that are not laid out: sums of windows, of cuts, and of waiting values.

Windows of one assignment's updates, by the arrays whose items are counted and the loops that mixed
indices keep; windows of several products together, which are joined as long as that proves more;
cuts and sweeps: of all these **parts** some are added up that count no value twice, the one that
proves most first. The arguments are in `proofs.lemmas.loops`.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from dags import CDAG, RedBlueError, recognise_as
from dags.arrays import Int32Array
from dags.families import FAMILIES
from dags.families.recognition.recogniser import spec_of
from dags.programs.box_nests import Assignment, BoxNest
from dags.programs.instances import NotReadError
from dags.programs.members import instance_of, instance_of_member, nest_in, sizes_of
from dags.programs.nest import ProgramError
from dags.programs.recognition import Kin, kin_of
from dags.programs.tied_loops import Box, NotCountedError
from pebble import ONE_SHOT, Budget, Game, Rules
from proofs.base import Bound, NotApplicableError, bound_method
from proofs.bounds.loops.labelled import described, labelled_choices
from proofs.bounds.loops.meshes import meshes_in
from proofs.bounds.loops.short_windows import best_everywhere, ordered_windows
from proofs.bounds.loops.window_sizes import best_windows, window_entries
from proofs.certificates.maps import MEMBER, PROGRAM, RENUMBERED, same_game
from proofs.core.records import LARGEST, Certificate, CertificateError, read
from proofs.lemmas.loops.joint_windows import arrays_of_product, images, least_touched, sides_of
from proofs.lemmas.loops.labelled import counts
from proofs.lemmas.loops.layered_sets import REACH
from proofs.lemmas.loops.nest_updates import inside, premises
from proofs.lemmas.loops.nests import (
    COMPULSORY,
    CUT,
    EVERYWHERE,
    JOINT,
    LABELLED,
    MERGED,
    NESTS,
    OF_ALL,
    SUM,
    WAITS,
    WINDOWS,
    held,
    inputs_among,
    items_among,
    part_of_sum,
    proven,
)
from proofs.lemmas.loops.parts import Part
from proofs.lemmas.loops.waiting import Sweeps, block_places, sums_needed

MOST_RENUMBERED = 1 << 16  # vertices of a DAG whose certificate has a renumbering
NEAR = 3  # numbers of joint windows that are tried around the best
FIELDS = {  # of a sum's record
    WINDOWS: "windows",
    EVERYWHERE: "everywhere",
    JOINT: "joint",
    LABELLED: "labelled",
    CUT: "cuts",
    WAITS: "waits",
}
Choice = tuple[str, tuple[str, ...], tuple[int, ...]]


class Gain(NamedTuple):
    """A part that may be added to a sum, and the words that it proves beyond inputs.

    Attributes
    ----------
    words
        The words that it proves beyond the inputs among its values.
    kind, data
        Of a certificate that says it alone; of sweeps, one of its arrays.
    part
        The values that it counts.
    """

    words: int
    kind: str
    data: dict[str, Any]
    part: Part

    @property
    def field(self) -> str:
        """The field of a sum that lists parts of its kind."""
        return FIELDS[self.kind]


class _Asked(NamedTuple):
    """A nest with a memory and rules."""

    nest: BoxNest
    memory: int
    rules: Rules

    @property
    def red(self) -> int:
        """The words that can be red just before an update."""
        return held(*self)

    def gain(self, kind: str, data: dict[str, Any]) -> Gain | None:
        """Return the bound of a part; None where it says nothing of this nest."""
        with suppress(CertificateError):
            part = part_of_sum(*self, read(Sweeps if kind == WAITS else NESTS[kind].record, data))
            words = part.loads + part.stores - inputs_among(self.nest, part.read)
            return Gain(words, kind, data, part)
        return None


def nest_bound(nest: BoxNest, memory: int, *, rules: Rules = ONE_SHOT) -> Bound:
    """Return the best lower bound: a sum of windows, cuts and waits, or compulsory words.

    That of the text of the family's member that the nest is, by other names, is one, too.

    Parameters
    ----------
    nest
        The nest at its sizes.
    memory, rules
        Words of fast memory, and the rules. Where values may be computed again, results count only
        as sums that go on.
    """
    own, kin = _own_bound(nest, memory, rules), _kin(nest)
    if kin is None:
        return own
    other = _own_bound(kin.nest, memory, rules)
    if other.io <= own.io:
        return own
    inner = {"kind": other.certificate.kind, "data": other.certificate.data}
    certificate = Certificate(MEMBER, {"member": kin.member.spec, **inner})
    return Bound(other.method, memory, other.io, rules, certificate)


def _kin(nest: BoxNest) -> Kin | None:
    """Return the member of a family that a nest is by other names; None where none is known."""
    try:
        kin = kin_of(nest, sizes_of(nest))
    except (NotReadError, NotCountedError):
        return None
    return None if kin is None or kin.nest is nest else kin


def _own_bound(nest: BoxNest, memory: int, rules: Rules) -> Bound:
    """Return the best lower bound by the assignments of a nest itself."""
    packed = _certificate(_packed(gains(nest, memory, rules)))
    found = [(proven(nest, memory, rules, packed), packed)]
    for certificate in meshes_in(nest):
        with suppress(CertificateError):
            found.append((proven(nest, memory, rules, certificate), certificate))
    for certificate in _merged(nest, memory, rules):
        with suppress(CertificateError):
            found.append((proven(nest, memory, rules, certificate), certificate))
    words, best = max(found, key=lambda each: each[0])
    return Bound(best.kind, memory, words, rules, best)


@bound_method
def nests(game: Game, budget: Budget) -> Bound:
    """Lower bound of the loop nest that a DAG is the instance of.

    The nest is read from the text that the DAG comes from, or from that of its family: then the
    certificate has the renumbering, too. Windows, cuts and waits are those of `nest_bound`.
    """
    if game.rules.partial:
        raise NotApplicableError("the bound 'nests' is not known to hold for partial computation")
    place = placed(game.dag)
    if place is None:
        raise NotApplicableError("the bound 'nests' is for DAGs of loop nests")
    found = nest_bound(place.nest, game.memory, rules=game.rules)
    inner = {"kind": found.certificate.kind, "data": found.certificate.data}
    data: dict[str, Any] = {**inner, **({"member": place.member} if place.member else {})}
    certificate = Certificate(PROGRAM, data)
    if place.vertex is not None:
        data = {"vertex": place.vertex, "kind": PROGRAM, "data": data}
        certificate = Certificate(RENUMBERED, data)
    return Bound("nests", game.memory, found.io, game.rules, certificate)


class Placed(NamedTuple):
    """The loop nest of a DAG, and how the DAG is its instance.

    Attributes
    ----------
    nest
        The nest.
    member
        The member of a family whose text it is; empty for the text of the DAG itself.
    vertex
        (n,) the vertex of the DAG that is vertex i of the text's; None where numbers are the same.
    """

    nest: BoxNest
    member: str = ""
    vertex: Int32Array | None = None


_placed: WeakKeyDictionary[CDAG, Placed | None] = WeakKeyDictionary()


def placed(dag: CDAG) -> Placed | None:
    """Return the loop nest of which a DAG is the instance; None where none is known."""
    if dag not in _placed:
        _placed[dag] = _of_text(dag) if dag.origin is not None else _of_family(dag)
    return _placed[dag]


def _of_text(dag: CDAG) -> Placed | None:
    """Return the nest of the text that a DAG comes from."""
    found, nest = instance_of(dag), nest_in(dag)
    if found is None or nest is None or not same_game(dag, found.dag):
        return None
    return Placed(nest)


def _of_family(dag: CDAG) -> Placed | None:
    """Return the nest of the family that a DAG is a member of, with the renumbering."""
    made = dag.as_generated
    known = FAMILIES.get(made.family or "")
    if known is None or known.nest is None or dag.n > MOST_RENUMBERED:
        return None
    member = spec_of(str(made.family), made.params)
    with suppress(RedBlueError, ProgramError, NotReadError):
        found = instance_of_member(member)
        if found is None:
            return None
        laid = found.dag
        if same_game(dag, laid):
            return Placed(found.nest, member)
        same = recognise_as(dag, laid, member).recognised
        if same is not None and not same.own:
            return Placed(found.nest, member, same.vertex)
    return None


def _merged(nest: BoxNest, memory: int, rules: Rules) -> Iterator[Certificate]:
    """Yield certificates of an update that is made in two vertices."""
    inner = nest.merged
    if inner is None or inner.update is None or rules.recompute or nest.any_order:
        return
    for gain in _windows(_Asked(inner.nest, memory, rules)):
        known = {*inner.joined, inner.update}
        is_update = gain.data["assignment"] == inner.update
        if is_update and {*gain.data["arrays"]} <= known and not gain.data.get("ordered"):
            yield Certificate(MERGED, {"windows": gain.data})


def bound_of_processors(nest: BoxNest, memory: int, processors: int) -> Bound:
    """Return the best lower bound on the words of all of several processors, in one-shot plays.

    It is of windows of each one's updates (M3), or the words of one processor with the memory of
    all.

    Parameters
    ----------
    nest
        The nest at its sizes.
    memory
        Words of fast memory of each processor.
    processors
        How many there are.
    """
    best = nest_bound(nest, memory * processors)
    if nest.any_order or processors == 1:
        return best
    red = held(nest, memory, ONE_SHOT)
    for name, arrays, order in choices(nest):
        found = premises(nest, name, arrays, order)
        if not found.shape.partial or found.updates > LARGEST:
            continue
        windows, exponents = best_windows(found.shape, found.updates, red)
        choice = {"processors": processors, "assignment": name, "arrays": list(arrays)}
        size, powers = windows[0][0], {array: str(power) for array, power in exponents.items()}
        data = {**choice, "order": list(order), "size": size, "exponents": powers}
        with suppress(CertificateError):
            certificate = Certificate(OF_ALL, data)
            words = proven(nest, memory, ONE_SHOT, certificate)
            if words > best.io:
                best = Bound(OF_ALL, memory, words, ONE_SHOT, certificate)
    return best


def gains(nest: BoxNest, memory: int, rules: Rules) -> list[Gain]:
    """Return parts of which each proves something.

    Parameters
    ----------
    nest, memory, rules
        The game.
    """
    game = _Asked(nest, memory, rules)
    ways = _windows, _everywhere, _joint_windows, _labelled, _cuts, _waits
    return [each for way in ways for each in way(game) if _counts(game, each)]


def _counts(game: _Asked, gain: Gain) -> bool:
    """Return whether a part proves anything under the rules."""
    if gain.words <= 0 or not game.rules.recompute:
        return gain.words > 0
    made = {each.name for each in game.nest.assignments}
    return not (game.nest.any_order or gain.kind == WAITS or gain.part.read & made)


def _packed(gains: Sequence[Gain]) -> list[Gain]:
    """Return parts that count no value twice, taken by their bounds."""
    taken: list[Gain] = []
    for each in sorted(gains, key=lambda one: one.words, reverse=True):
        if all(
            each.part.read.isdisjoint(one.part.read)
            and each.part.summed.isdisjoint(one.part.summed)
            for one in taken
        ):
            taken.append(each)
    return taken


def _certificate(taken: Sequence[Gain]) -> Certificate:
    """Return the certificate of a sum; of a single part, or of none, as such."""
    if not taken:
        return Certificate(COMPULSORY, {})
    kinds = dict.fromkeys(each.kind for each in taken)
    data = {FIELDS[kind]: [each.data for each in taken if each.kind == kind] for kind in kinds}
    if [*kinds] == [WAITS]:
        return Certificate(WAITS, {"arrays": data["waits"]})
    return Certificate(taken[0].kind, taken[0].data) if len(taken) == 1 else Certificate(SUM, data)


def _windows(game: _Asked) -> Iterator[Gain]:
    """Yield windows of the updates of one assignment, of each choice those that prove most."""
    made = {each.name for each in game.nest.assignments}
    inner = [(each, box) for each in game.nest.assignments if (box := _inner(each))]
    ways: list[tuple[Choice, Box]] = [(choice, ()) for choice in choices(game.nest)]
    ways += [(choice, box) for each, box in inner for choice in _of_one(inside(each, box), made)]
    for (name, arrays, order), box in ways:
        found = premises(game.nest, name, arrays, order, box)
        if not found.shape.partial or found.updates > LARGEST:
            continue  # every update has items of its own, or a window more than files tell
        choice = {"assignment": name, "arrays": list(arrays), "order": list(order)}
        if box:
            choice["box"] = [list(each) for each in box]
        cut = window_entries(found.shape, found.updates, game.red)
        ordered = () if game.nest.any_order else ordered_windows(found, order, game.red)
        for more, some in ({}, cut), *ordered:
            if (gain := game.gain(WINDOWS, {**choice, **more, "windows": some})) is not None:
                yield gain


def _everywhere(game: _Asked) -> Iterator[Gain]:
    """Yield windows that begin at every update, of each choice those that prove most an update.

    They are short, for of long ones those that are apart prove as much.
    """
    seen: list[object] = []
    for name, arrays, order in choices(game.nest) if game.red**1.5 < REACH else ():
        found = premises(game.nest, name, arrays, order)
        if not found.shape.partial or found.updates < 2 or found.shape in seen:
            continue
        seen.append(found.shape)
        choice = {"assignment": name, "arrays": list(arrays), "order": list(order)}
        windows = best_everywhere(found, game.red)
        if (gain := game.gain(EVERYWHERE, {**choice, **windows})) is not None:
            yield gain


def _joint_windows(game: _Asked) -> Iterator[Gain]:
    """Yield windows of several products, which are joined as long as that proves more."""
    products: dict[str, list[str]] = {}
    lines = images(game.nest)
    for each in game.nest.assignments:
        with suppress(CertificateError):
            products[each.name] = [lines[array][-1] for array in arrays_of_product(each)]

    @cache
    def worth(names: tuple[str, ...]) -> tuple[int, list[dict[str, int]]]:
        return _joint_worth(game, names, {a for name in names for a in products[name]})

    groups: list[tuple[str, ...]] = [(name,) for name in products]
    while True:
        pairs = {
            (one, other): max(0, worth((*one, *other))[0] - worth(one)[0] - worth(other)[0])
            for one, other in combinations(groups, 2)
            if {a for name in one for a in products[name]}
            & {a for name in other for a in products[name]}
        }
        for one, other in sorted(filter(pairs.get, pairs), key=pairs.__getitem__, reverse=True):
            names = (*one, *other)
            every = [array for name in names for array in products[name]]
            alone = [[a for a in products[name] if every.count(a) == 1] for name in names]
            if not all(alone):
                continue
            choice = {"assignments": list(names), "private": [some[0] for some in alone]}
            if gain := game.gain(JOINT, {**choice, "windows": worth(names)[1]}):
                yield gain
                groups = [each for each in groups if each not in (one, other)] + [names]
                break
        else:
            return


def _joint_worth(
    game: _Asked, names: Sequence[str], arrays: set[str]
) -> tuple[int, list[dict[str, int]]]:
    """Return the words of joint windows beyond inputs, be it less than nothing, and the windows."""
    known = {each.name: each for each in game.nest.assignments}
    updates = sum(known[name].size for name in names)
    best = max(1, round(updates / max(1, game.red) ** 1.5))
    numbers = {1, 2, 3, *range(max(1, best - NEAR), best + NEAR + 1)}
    found = []
    for number in sorted(each for each in numbers if each <= updates):
        size, more = divmod(updates, number)
        cut = [(size + 1, more), (size, number - more)]
        touched = sum(count * least_touched(size) for size, count in cut)
        found.append((touched - game.red * (number - 1), number, cut))
    words, _, cut = max(found)
    windows = [{"size": size, "count": count} for size, count in cut if size and count]
    return words - items_among(game.nest, arrays), windows


def _labelled(game: _Asked) -> Iterator[Gain]:
    """Yield windows of several assignments whose items are told by labels."""
    for choice in labelled_choices(game.nest):
        with suppress(CertificateError, NotCountedError):
            counted = counts(game.nest, choice)
            if counted.updates <= LARGEST:
                cut = window_entries(counted.shape, counted.updates, game.red)
                if gain := game.gain(LABELLED, {**described(choice), "windows": cut}):
                    yield gain


def _cuts(game: _Asked) -> Iterator[Gain]:
    """Yield cuts in the middle of products."""
    for each in game.nest.assignments:
        with suppress(CertificateError):
            sides_of(each)
            if (gain := game.gain(CUT, {"assignment": each.name})) is not None:
                yield gain


def _waits(game: _Asked) -> Iterator[Gain]:
    """Yield sweeps over arrays that wait for sums: of each array the longest chain of sweeps."""
    chains: dict[str, dict[str, tuple[str, ...]]] = {}  # by array and the last sweep
    known = {each.name: each for each in game.nest.assignments}
    for each in game.nest.assignments:
        needed = sums_needed(game.nest, each)
        for array in dict.fromkeys(access.array for access in each.reads):
            longest: dict[str, tuple[str, ...]] = chains.setdefault(array, {})
            before = [longest[name] for name in needed if name in longest]
            for chain in sorted(before, key=len, reverse=True):
                with suppress(CertificateError):
                    block_places(known[chain[-1]], each, array, needed)
                    longest[each.name] = (*chain, each.name)
                    break
            longest.setdefault(each.name, (each.name,))
    for array, ends in chains.items():
        sweeps = max(ends.values(), key=len)
        if len(sweeps) > 1 and (gain := game.gain(WAITS, {"array": array, "sweeps": [*sweeps]})):
            yield gain


def choices(nest: BoxNest) -> Iterator[Choice]:
    """Yield assignments, arrays that are counted, and orders of loops."""
    made = {each.name for each in nest.assignments}
    for each in nest.assignments:
        yield from _of_one(each, made)


def _of_one(each: Assignment, made: set[str]) -> Iterator[Choice]:
    """Yield the choices of one assignment, given the names of all."""
    whole = [access.array for access in each.reads if each.is_whole(access)]
    own = [each.name] if each.sums else []
    inputs = [array for array in dict.fromkeys(whole) if array not in made]
    others = [array for array in dict.fromkeys(whole) if array in made and array != each.name]
    for arrays in dict.fromkeys([(*inputs, *others, *own), (*inputs, *own), tuple(inputs)]):
        if arrays:
            for order in dict.fromkeys(_orders(each)):
                yield each.name, arrays, order


def _inner(each: Assignment) -> Box:
    """Return the updates that have all reads, where those at the edge have fewer; () for all."""
    if each.ties or any(access.ties for access in each.reads):
        return ()
    boxes = [access.box for access in each.reads if not each.is_whole(access)]
    if not boxes:
        return ()
    inner = list(each.box)
    for at in range(len(inner)):
        if at not in each.summed:
            inner[at] = max(box[at][0] for box in boxes), min(box[at][1] for box in boxes)
    return tuple(inner) if all(low < high for low, high in inner) else ()


def _orders(assignment: Assignment) -> Sequence[tuple[int, ...]]:
    """Return orders of the loops: by length, and as the text has them, both ways."""
    loops = range(len(assignment.loops))
    by_length = sorted(loops, key=lambda at: assignment.box[at][1] - assignment.box[at][0])
    return [tuple(by_length), tuple(reversed(by_length)), tuple(loops), tuple(reversed(loops))]
