"""Lower bounds of nests that are not laid out: sums of windows, of cuts, and of waiting values.

Windows of one assignment's updates, by the arrays whose items are counted and the loops that mixed
indices keep; windows of several products together, which are joined as long as that proves more;
cuts and sweeps: of all these **parts** some are added up that count no value twice, the one that
proves most first. The arguments are in `proofs.lemmas.loops`.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from itertools import combinations
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from dags import CDAG, RedBlueError, load, recognise_as
from dags.arrays import Int32Array
from dags.families import FAMILIES
from dags.families.recognition.recogniser import spec_of
from dags.programs.box_nests import Assignment, BoxNest, Joined
from dags.programs.instances import NotReadError
from dags.programs.members import instance_of, instance_of_member, nest_in, sizes_of
from dags.programs.nest import ProgramError
from dags.programs.recognition import Kin, kin_of
from dags.programs.tied_loops import Box, NotCountedError
from pebble import ONE_SHOT, Budget, Game, Rules
from proofs.base import Bound, NotApplicableError, bound_method
from proofs.bounds.loops.labelled import described, labelled_choices, of_inputs
from proofs.bounds.loops.meshes import meshes_in
from proofs.bounds.loops.short_windows import best_everywhere, ordered_windows
from proofs.bounds.loops.window_sizes import best_windows, window_entries
from proofs.bounds.thinned import thinned
from proofs.certificates.maps import MEMBER, PROGRAM, RENUMBERED, same_game
from proofs.core.records import LARGEST, Certificate, CertificateError, read
from proofs.lemmas.loops.hbl import Shape
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

# Vertices of a DAG whose certificate has a renumbering; of larger ones the checker looks for it.
MOST_RENUMBERED = 1 << 16
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

    def windows(self, shape: Shape, updates: int) -> list[dict[str, Any]]:
        """Windows of so many updates, as certificates have them."""
        return window_entries(shape, updates, self.red, partial=self.rules.partial)

    def gain(self, kind: str, data: dict[str, Any]) -> Gain | None:
        """The bound of a part; None where it says nothing of this nest."""
        with suppress(CertificateError):
            part = part_of_sum(*self, read(Sweeps if kind == WAITS else NESTS[kind].record, data))
            words = part.loads + part.stores - inputs_among(self.nest, part.read)
            return Gain(words, kind, data, part)
        return None


def nest_bound(nest: BoxNest, memory: int, *, rules: Rules = ONE_SHOT) -> Bound:
    """The best lower bound: a sum of windows, cuts and waits, or compulsory words.

    That of the text of the family's member that the nest is, by other names, is one, too.

    Parameters
    ----------
    nest
        The nest at its sizes.
    memory, rules
        Words of fast memory, and the rules. Where values may be computed again, results count only
        as sums that go on; of partial computation windows count alone.
    """
    own_bound, kin = _own_bound(nest, memory, rules), _kin(nest)
    if kin is None:
        return own_bound
    kin_bound = _own_bound(kin.nest, memory, rules)
    if kin_bound.io <= own_bound.io:
        return own_bound
    inner = {"kind": kin_bound.certificate.kind, "data": kin_bound.certificate.data}
    certificate = Certificate(MEMBER, {"member": kin.member.spec, **inner})
    return Bound(kin_bound.method, memory, kin_bound.io, rules, certificate)


def _kin(nest: BoxNest) -> Kin | None:
    """The member of a family that a nest is by other names; None where none is known."""
    try:
        kin = kin_of(nest, sizes_of(nest))
    except (NotReadError, NotCountedError):
        return None
    return None if kin is None or kin.nest is nest else kin


def _own_bound(nest: BoxNest, memory: int, rules: Rules) -> Bound:
    """The best lower bound by the assignments of a nest itself."""
    packed = _certificate(_packed(gains(nest, memory, rules)))
    proofs = [(proven(nest, memory, rules, packed), packed)]
    for certificate in meshes_in(nest):
        with suppress(CertificateError):
            proofs.append((proven(nest, memory, rules, certificate), certificate))
    for certificate in _merged(nest, memory, rules):
        with suppress(CertificateError):
            proofs.append((proven(nest, memory, rules, certificate), certificate))
    words, best = max(proofs, key=lambda proof: proof[0])
    return Bound(best.kind, memory, words, rules, best)


@bound_method
@partial(thinned, direct=True)
def nests(game: Game, budget: Budget) -> Bound:
    """Lower bound of the loop nest that a DAG is the instance of.

    The nest is read from the text that the DAG comes from, or from that of its family: then the
    certificate has the renumbering, too, or the checker looks for it where it would be long.
    Windows, cuts and waits are those of `nest_bound`.
    """
    place = placed(game.dag)
    if place is None:
        raise NotApplicableError("the bound 'nests' is for DAGs of loop nests")
    bound = nest_bound(place.nest, game.memory, rules=game.rules)
    inner = {"kind": bound.certificate.kind, "data": bound.certificate.data}
    data: dict[str, Any] = {**inner, **({"member": place.member} if place.member else {})}
    certificate = Certificate(PROGRAM, data)
    if place.vertex is not None:
        data = {"vertex": place.vertex, "kind": PROGRAM, "data": data}
        certificate = Certificate(RENUMBERED, data)
    return Bound("nests", game.memory, bound.io, game.rules, certificate)


class Placed(NamedTuple):
    """The loop nest of a DAG, and how the DAG is its instance.

    Attributes
    ----------
    nest
        The nest.
    member
        The member of a family whose text it is; empty for the text of the DAG itself.
    vertex
        (n,) the vertex of the DAG that is vertex i of the text's; None where numbers are the same,
        or where checkers look for it.
    """

    nest: BoxNest
    member: str = ""
    vertex: Int32Array | None = None


_placed: WeakKeyDictionary[CDAG, Placed | None] = WeakKeyDictionary()


def placed(dag: CDAG) -> Placed | None:
    """The loop nest of which a DAG is the instance; None where none is known."""
    if dag not in _placed:
        text = _of_text(dag) if dag.origin is not None else None
        _placed[dag] = _of_family(dag) if text is None else text
    return _placed[dag]


def _of_text(dag: CDAG) -> Placed | None:
    """The nest of the text that a DAG comes from."""
    instance, nest = instance_of(dag), nest_in(dag)
    if instance is None or nest is None or not same_game(dag, instance.dag):
        return None
    return Placed(nest)


def _of_family(dag: CDAG) -> Placed | None:
    """The nest of the family that a DAG is a member of, with the renumbering."""
    generated = dag.as_generated
    known = FAMILIES.get(generated.family or "")
    if known is None or known.nest is None:
        return None
    member = spec_of(str(generated.family), generated.params)
    with suppress(RedBlueError, ProgramError, NotReadError):
        instance = instance_of_member(member)
        if instance is None:
            return None
        if dag.n > MOST_RENUMBERED:
            is_other = dag.recognised is not None and bool(dag.recognised.own)
            is_made = not is_other and same_game(generated, load(member))
            return Placed(instance.nest, member) if is_made else None
        laid = instance.dag
        if same_game(dag, laid):
            return Placed(instance.nest, member)
        recognised = recognise_as(dag, laid, member).recognised
        if recognised is not None and not recognised.own:
            return Placed(instance.nest, member, recognised.vertex)
    return None


def _merged(nest: BoxNest, memory: int, rules: Rules) -> Iterator[Certificate]:
    """Yield certificates of an update that is made in two vertices."""
    inner = nest.merged
    if inner is None or rules.recompute or rules.partial or nest.any_order:
        return
    for joined in inner.joined:
        for gain in _windows(_Asked(inner.nest, memory, rules), joined):
            if not gain.data.get("ordered"):
                yield Certificate(MERGED, {"windows": gain.data})


def bound_of_processors(nest: BoxNest, memory: int, processors: int) -> Bound:
    """The best lower bound on the words of all of several processors, in one-shot plays.

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
        members_premises = premises(nest, name, arrays, order)
        if not members_premises.shape.partial or members_premises.updates > LARGEST:
            continue
        windows, exponents = best_windows(members_premises.shape, members_premises.updates, red)
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
    """Parts of which each proves something.

    Parameters
    ----------
    nest, memory, rules
        The game.
    """
    game = _Asked(nest, memory, rules)
    ways: list[Callable[[_Asked], Iterator[Gain]]] = [_windows, _labelled]
    if not rules.partial:
        ways += [_everywhere, _joint_windows, _cuts, _waits]
    return [gain for way in ways for gain in way(game) if _counts(game, gain)]


def _counts(game: _Asked, gain: Gain) -> bool:
    """Whether a part proves anything under the rules."""
    if gain.words <= 0 or not game.rules.recompute:
        return gain.words > 0
    names = {assignment.name for assignment in game.nest.assignments}
    return not (game.nest.any_order or gain.kind == WAITS or gain.part.read & names)


def _packed(gains: Sequence[Gain]) -> list[Gain]:
    """Parts that count no value twice, taken by their bounds."""
    chosen: list[Gain] = []
    for gain in sorted(gains, key=lambda gain: gain.words, reverse=True):
        if all(
            gain.part.read.isdisjoint(peer.part.read)
            and gain.part.summed.isdisjoint(peer.part.summed)
            for peer in chosen
        ):
            chosen.append(gain)
    return chosen


def _certificate(parts: Sequence[Gain]) -> Certificate:
    """The certificate of a sum; of a single part, or of none, as such."""
    if not parts:
        return Certificate(COMPULSORY, {})
    kinds = dict.fromkeys(gain.kind for gain in parts)
    data = {FIELDS[kind]: [gain.data for gain in parts if gain.kind == kind] for kind in kinds}
    if [*kinds] == [WAITS]:
        return Certificate(WAITS, {"arrays": data["waits"]})
    return Certificate(parts[0].kind, parts[0].data) if len(parts) == 1 else Certificate(SUM, data)


def _windows(game: _Asked, joined: Joined | None = None) -> Iterator[Gain]:
    """Yield windows of the updates of one assignment, of each choice those that prove most.

    Parameters
    ----------
    game
        The game.
    joined
        The only update, and the only arrays beside its own sums; None for all.
    """
    names = {assignment.name for assignment in game.nest.assignments}
    asked = [
        assignment
        for assignment in game.nest.assignments
        if joined is None or assignment.name == joined.update
    ]
    parts: list[tuple[Assignment, Box]] = [(assignment, ()) for assignment in asked]
    parts += [(inside(assignment, box), box) for assignment in asked if (box := _inner(assignment))]
    if joined is not None:
        parts = [(_with_reads(part, joined.arrays), box) for part, box in parts]
    ways = [(choice, box) for part, box in parts for choice in _of_one(part, names)]
    for (name, arrays, order), box in ways:
        premised = premises(game.nest, name, arrays, order, box)
        if not premised.shape.partial or premised.updates > LARGEST:
            continue  # every update has items of its own, or a window more than files tell
        choice = {"assignment": name, "arrays": list(arrays), "order": list(order)}
        if box:
            choice["box"] = [list(interval) for interval in box]
        cut = game.windows(premised.shape, premised.updates)
        is_ordered = not (game.nest.any_order or game.rules.partial)
        ordered = ordered_windows(premised, order, game.red) if is_ordered else ()
        for options, arguments in ({}, cut), *ordered:
            if (
                gain := game.gain(WINDOWS, {**choice, **options, "windows": arguments})
            ) is not None:
                yield gain


def _with_reads(assignment: Assignment, arrays: Collection[str]) -> Assignment:
    """An assignment that reads only some arrays."""
    reads = tuple(access for access in assignment.reads if access.array in arrays)
    return replace(assignment, reads=reads)


def _everywhere(game: _Asked) -> Iterator[Gain]:
    """Yield windows that begin at every update, of each choice those that prove most an update.

    They are short, for of long ones those that are apart prove as much.
    """
    seen: list[object] = []
    for name, arrays, order in choices(game.nest) if game.red**1.5 < REACH else ():
        premised = premises(game.nest, name, arrays, order)
        if not premised.shape.partial or premised.updates < 2 or premised.shape in seen:
            continue
        seen.append(premised.shape)
        choice = {"assignment": name, "arrays": list(arrays), "order": list(order)}
        windows = best_everywhere(premised, game.red)
        if (gain := game.gain(EVERYWHERE, {**choice, **windows})) is not None:
            yield gain


def _joint_windows(game: _Asked) -> Iterator[Gain]:
    """Yield windows of several products, which are joined as long as that proves more."""
    products: dict[str, list[str]] = {}
    lines = images(game.nest)
    for assignment in game.nest.assignments:
        with suppress(CertificateError):
            products[assignment.name] = [
                lines[array][-1] for array in arrays_of_product(assignment)
            ]

    @cache
    def worth(names: tuple[str, ...]) -> tuple[int, list[dict[str, int]]]:
        return _joint_worth(game, names, {a for name in names for a in products[name]})

    groups: list[tuple[str, ...]] = [(name,) for name in products]
    while True:
        pairs = {
            (first, second): max(
                0, worth((*first, *second))[0] - worth(first)[0] - worth(second)[0]
            )
            for first, second in combinations(groups, 2)
            if {a for name in first for a in products[name]}
            & {a for name in second for a in products[name]}
        }
        for first, second in sorted(filter(pairs.get, pairs), key=pairs.__getitem__, reverse=True):
            names = (*first, *second)
            all_arrays = [array for name in names for array in products[name]]
            private = [[a for a in products[name] if all_arrays.count(a) == 1] for name in names]
            if not all(private):
                continue
            choice = {
                "assignments": list(names),
                "private": [arrays_of_one[0] for arrays_of_one in private],
            }
            if gain := game.gain(JOINT, {**choice, "windows": worth(names)[1]}):
                yield gain
                groups = [group for group in groups if group not in (first, second)] + [names]
                break
        else:
            return


def _joint_worth(
    game: _Asked, names: Sequence[str], arrays: set[str]
) -> tuple[int, list[dict[str, int]]]:
    """The words of joint windows beyond inputs, be it less than nothing, and the windows."""
    known = {assignment.name: assignment for assignment in game.nest.assignments}
    updates = sum(known[name].size for name in names)
    best = max(1, round(updates / max(1, game.red) ** 1.5))
    numbers = {1, 2, 3, *range(max(1, best - NEAR), best + NEAR + 1)}
    sums = []
    for number in sorted(count for count in numbers if count <= updates):
        size, larger = divmod(updates, number)
        cut = [(size + 1, larger), (size, number - larger)]
        touched = sum(count * least_touched(size) for size, count in cut)
        sums.append((touched - game.red * (number - 1), number, cut))
    words, _, cut = max(sums)
    windows = [{"size": size, "count": count} for size, count in cut if size and count]
    return words - items_among(game.nest, arrays), windows


def _labelled(game: _Asked) -> Iterator[Gain]:
    """Yield windows of several assignments whose items are told by labels."""
    choices = labelled_choices(game.nest)
    for choice in (
        (of_inputs(game.nest, choice) for choice in choices) if game.rules.recompute else choices
    ):
        with suppress(CertificateError, NotCountedError):
            counted = counts(game.nest, choice)
            if counted.updates <= LARGEST:
                cut = game.windows(counted.shape, counted.updates)
                if gain := game.gain(LABELLED, {**described(choice), "windows": cut}):
                    yield gain


def _cuts(game: _Asked) -> Iterator[Gain]:
    """Yield cuts in the middle of products."""
    for assignment in game.nest.assignments:
        with suppress(CertificateError):
            sides_of(assignment)
            if (gain := game.gain(CUT, {"assignment": assignment.name})) is not None:
                yield gain


def _waits(game: _Asked) -> Iterator[Gain]:
    """Yield sweeps over arrays that wait for sums: of each array the longest chain of sweeps."""
    chains: dict[str, dict[str, tuple[str, ...]]] = {}  # by array and the last sweep
    known = {assignment.name: assignment for assignment in game.nest.assignments}
    for assignment in game.nest.assignments:
        needed = sums_needed(game.nest, assignment)
        for array in dict.fromkeys(access.array for access in assignment.reads):
            longest: dict[str, tuple[str, ...]] = chains.setdefault(array, {})
            before = [longest[name] for name in needed if name in longest]
            for chain in sorted(before, key=len, reverse=True):
                with suppress(CertificateError):
                    block_places(known[chain[-1]], assignment, array, needed)
                    longest[assignment.name] = (*chain, assignment.name)
                    break
            longest.setdefault(assignment.name, (assignment.name,))
    for array, ends in chains.items():
        sweeps = max(ends.values(), key=len)
        if len(sweeps) > 1 and (gain := game.gain(WAITS, {"array": array, "sweeps": [*sweeps]})):
            yield gain


def choices(nest: BoxNest) -> Iterator[Choice]:
    """Yield assignments, arrays that are counted, and orders of loops."""
    names = {assignment.name for assignment in nest.assignments}
    for assignment in nest.assignments:
        yield from _of_one(assignment, names)


def _of_one(assignment: Assignment, names: set[str]) -> Iterator[Choice]:
    """Yield the choices of one assignment, given the names of all."""
    complete = [access.array for access in assignment.reads if assignment.is_whole(access)]
    item = [assignment.name] if assignment.sums else []
    inputs = [array for array in dict.fromkeys(complete) if array not in names]
    makers = [
        array for array in dict.fromkeys(complete) if array in names and array != assignment.name
    ]
    for arrays in dict.fromkeys([(*inputs, *makers, *item), (*inputs, *item), tuple(inputs)]):
        if arrays:
            for order in dict.fromkeys(_orders(assignment)):
                yield assignment.name, arrays, order


def _inner(assignment: Assignment) -> Box:
    """The updates that have all reads, where those at the edge have fewer; () for all."""
    if assignment.ties or any(access.ties for access in assignment.reads):
        return ()
    boxes = [access.box for access in assignment.reads if not assignment.is_whole(access)]
    if not boxes:
        return ()
    inner = list(assignment.box)
    for loop in range(len(inner)):
        if loop not in assignment.summed:
            inner[loop] = max(box[loop][0] for box in boxes), min(box[loop][1] for box in boxes)
    return tuple(inner) if all(low < high for low, high in inner) else ()


def _orders(assignment: Assignment) -> Sequence[tuple[int, ...]]:
    """Orders of the loops: by length, and as the text has them, both ways."""
    loops = range(len(assignment.loops))
    by_length = sorted(loops, key=lambda loop: assignment.box[loop][1] - assignment.box[loop][0])
    return [tuple(by_length), tuple(reversed(by_length)), tuple(loops), tuple(reversed(loops))]
