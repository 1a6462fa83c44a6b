"""Loop nests of programs, einsum strings and families, without their DAGs."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from operator import neg, sub
from typing import Final, NamedTuple
from weakref import WeakKeyDictionary

from dags.cdag.origin import Origin
from dags.cdag.value import CDAG
from dags.errors import FormatError, InvalidSpecError
from dags.families import FAMILIES
from dags.families.common.family import Sizes
from dags.families.common.members import Member, member_of
from dags.families.common.published import Params
from dags.programs.box_nests import Access, Assignment, BoxNest, volume
from dags.programs.box_reader import box_nest
from dags.programs.einsum import from_einsum
from dags.programs.instances import NotReadError
from dags.programs.integer_sets import isl
from dags.programs.layout import instantiate
from dags.programs.nest import Program, ProgramError
from dags.programs.tied_loops import Box, Tie
from dags.programs.touched import points, touched
from dags.spec import leaves

MOST_TRIED: Final = 1 << 10  # choices of accesses of an assignment
MOST_STATEMENTS: Final = 16  # of a program that is laid out too: more take seconds to describe
_of_laid_out: WeakKeyDictionary[Origin, dict[bool, BoxNest | None]] = WeakKeyDictionary()

Place = tuple[Box, tuple[Tie, ...]]  # a part of a box


def nest_member(spec: str) -> Member:
    """The program that `spec` names, known by its loop nest.

    Parameters
    ----------
    spec
        A program with its sizes, "conv.c:N=1,C=256".

    Raises
    ------
    NotReadError
        If it is not run on boxes.
    InvalidSpecError, FormatError
        If it names no program, or not at sizes that it has.
    """
    known = leaves.reader("programs").program_spec(spec)
    options = dict(known.options)
    if isl is None:
        raise NotReadError("islpy is not installed, which programs that are not laid out take")
    if options.pop("level", "statement") != "statement":
        raise NotReadError("operations of a statement are not counted apart")
    any_order = options.pop("sums", None) == "any"
    try:
        nest = box_nest(known.program, known.sizes, any_order=any_order, **options)
    except ProgramError as error:
        raise FormatError(known.place, error.message, error.line) from None
    if not nest.assignments:
        raise InvalidSpecError(f"{spec}: nothing is computed")
    return Member(spec, known.program.name, nest.sizes, sizes_of(nest), nest)


def family_nest(family: str, params: Params) -> BoxNest | None:
    """The loop nest of a family's member; None where the family has none.

    Parameters
    ----------
    family, params
        The generator, and all parameters as `CDAG.params` has them.
    """
    nest = FAMILIES[family].nest
    if nest is None or params.get("form", "fma") != "fma" or isl is None:
        return None
    if nest.is_text and not leaves.installed("programs"):
        return None
    with suppress(NotReadError):  # at sizes at which points are too many to be counted
        return _boxes(nest.text, nest.is_text, nest.sizes_of(params))
    return None


def nest_in(dag: CDAG, *, as_written: bool = False) -> BoxNest | None:
    """The boxes of the program that a DAG comes from; None where they are not known.

    They are read when they are first asked for.

    Parameters
    ----------
    dag
        The DAG.
    as_written
        Whether loops and arrays are those of the text, which the points of the DAG are of.
    """
    origin = dag.origin
    if origin is None or origin.text is None or isl is None:
        return None
    known = _of_laid_out.setdefault(origin, {})
    if as_written not in known:
        is_short = len(origin.text.statements) <= MOST_STATEMENTS
        try:
            text = origin.text, origin.sizes
            known[as_written] = box_nest(*text, as_written=as_written) if is_short else None
        except NotReadError:
            known[as_written] = None
    return known[as_written]


def text_nest(family: str, params: Params) -> BoxNest | None:
    """The loop nest of a member's text, by which nests are recognised; None where there is none.

    Parameters
    ----------
    family, params
        The generator, and all parameters as `CDAG.params` has them.
    """
    texts = FAMILIES[family].texts
    if texts is None or isl is None or not leaves.installed("programs"):
        return None
    with suppress(NotReadError):
        return _boxes(texts.text(params), True, ())
    return None


class Instance(NamedTuple):
    """A program at given sizes.

    Attributes
    ----------
    program
        The program, with the arrays that are live and constant.
    sizes
        A value for each of its sizes.
    """

    program: Program
    sizes: Mapping[str, int]

    @property
    def dag(self) -> CDAG:
        """The DAG that the text gives."""
        return instantiate(self.program, self.sizes)

    @property
    def nest(self) -> BoxNest:
        """The loop nest that the text gives; raises NotReadError where it is run on no boxes."""
        return box_nest(self.program, dict(self.sizes))


def instance_of(dag: CDAG) -> Instance | None:
    """The program that a DAG says it comes from, a vertex for each assignment."""
    origin = dag.origin
    if origin is None or origin.text is None or isl is None:
        return None
    if any(operator.part is not None for operator in origin.operators):
        return None
    return Instance(origin.text, origin.sizes)


def instance_named(spec: str) -> Instance | None:
    """The program that `spec` names, a vertex for each assignment; None where it has others.

    Raises
    ------
    InvalidSpecError, FormatError
        If it names no program.
    """
    known = leaves.reader("programs").program_spec(spec)
    options = dict(known.options)
    if options.pop("level", "statement") != "statement" or options.pop("sums", "text") == "any":
        return None
    return Instance(replace(known.program, **options), known.sizes)


def instance_of_member(spec: str) -> Instance | None:
    """The program of a family's member; None where the family has no text.

    Raises
    ------
    RedBlueError
        If `spec` names no member of a family with formulas.
    """
    member = member_of(spec)
    nest = FAMILIES[member.family].nest
    if nest is None or member.params.get("form", "fma") != "fma" or isl is None:
        return None
    if nest.is_text and not leaves.installed("programs"):
        return None
    return Instance(_program(nest.text, nest.is_text), dict(nest.sizes_of(member.params)))


@lru_cache(maxsize=16)
def _boxes(text: str, is_c: bool, sizes: tuple[tuple[str, int], ...]) -> BoxNest:
    return box_nest(_program(text, is_c), dict(sizes))


def _program(text: str, is_c: bool) -> Program:
    read = leaves.reader("programs", "c_text").from_c if is_c else from_einsum
    program: Program = read(text)
    return program


def sizes_of(nest: BoxNest) -> Sizes:
    """The counts of the DAG that a nest would be."""
    names = {assignment.name for assignment in nest.assignments}
    reads: dict[str, list[Access]] = {}
    for access in (access for assignment in nest.assignments for access in assignment.reads):
        if access.array not in names:
            reads.setdefault(access.array, []).append(access)
    inputs = sum(touched(accesses) for accesses in reads.values())
    outputs = sum(
        touched([assignment.outputs])
        for assignment in nest.assignments
        if assignment.outputs is not None
    )
    edges = sum(_operands(assignment) + _links(assignment) for assignment in nest.assignments)
    operands = max(map(_most_operands, nest.assignments))
    updates = nest.updates
    work = sum(assignment.work * assignment.size for assignment in nest.assignments)
    return Sizes(inputs + updates, edges, inputs, outputs, work, operands)


def _operands(assignment: Assignment) -> int:
    """The operands of all instances, those that several accesses read counted once."""
    total, read = 0, dict[str, list[Access]]()
    for access in dict.fromkeys(assignment.reads):
        earlier = read.setdefault(access.array, [])
        total += points(access.box, access.ties)
        peers = [place for peer in earlier if (place := _same_item(access, peer)) is not None]
        for count in range(1, len(peers) + 1):
            for several in combinations(peers, count):
                total += (-1) ** count * points(*_in_all(several))
        earlier.append(access)
    return total


def _same_item(left: Access, right: Access) -> Place | None:
    """Return where two accesses to an array are to one item; None if they are nowhere."""
    ties: list[Tie] = []
    for first, second, *constants in zip(
        left.rows, right.rows, left.offset, right.offset, strict=True
    ):
        row, constant = tuple(map(sub, first, second)), constants[0] - constants[1]
        if any(row):
            ties += [Tie(row, constant), Tie(tuple(map(neg, row)), -constant)]
        elif constant:
            return None
    box, tied = _in_all([(left.box, left.ties), (right.box, right.ties)])
    return None if volume(box) == 0 else (box, (*tied, *ties))


def _in_all(places: Sequence[Place]) -> Place:
    """What several parts of a box have in common."""
    box = tuple((max(a for a, _ in ends), min(b for _, b in ends)) for ends in _ends(places))
    return box, tuple(dict.fromkeys(tie for _, ties in places for tie in ties))


def _ends(places: Sequence[Place]) -> Iterator[tuple[tuple[int, int], ...]]:
    return zip(*(box for box, _ in places), strict=True)


class _Partial(NamedTuple):
    """Accesses of one instance: of the first so many groups, where, and where two are to one item.

    Attributes
    ----------
    groups
        How many groups were gone through.
    place
        The instances that have them all.
    taken
        The accesses.
    same
        Where some two of them are to one item.
    """

    groups: int
    place: Place
    taken: tuple[Access, ...]
    same: tuple[Place, ...]


def _most_operands(assignment: Assignment) -> int:
    """The most operands of one instance; with very many accesses, what is not less.

    Accesses that no instance has together are a group, of which it has one or none. Groups are gone
    through one by one, as long as some instance has all accesses that are taken, and no two of them
    are to one item there.
    """
    groups = _groups(list(dict.fromkeys(assignment.reads)))
    own_items = _behind_the_first(assignment) if assignment.summed else []
    largest, tried = 0, 0
    open_ = [_Partial(0, (assignment.box, assignment.ties), (), ())]
    while open_:
        depth, place, taken, matches = open_.pop()
        largest = max(largest, len(taken))
        if (
            depth == len(groups) + bool(own_items)
            or len(taken) + len(groups) + bool(own_items) - depth <= largest
        ):
            continue
        tried += 1
        if tried > MOST_TRIED:
            return len(groups) + bool(own_items)
        open_.append(_Partial(depth + 1, place, taken, matches))
        links = [Access(assignment.item.array, (), (), *part) for part in own_items]
        for access in links if depth == len(groups) else groups[depth]:
            chosen, meets = _in_all([place, (access.box, access.ties)]), matches
            if depth < len(groups):
                alike = (peer for peer in taken if peer.array == access.array)
                places = (_same_item(access, peer) for peer in alike)
                meets = (*matches, *(part for part in places if part is not None))
            if (chosen, meets) == (place, matches) or _is_anywhere(chosen, meets):
                open_.append(_Partial(depth + 1, chosen, (*taken, access), meets))
    return largest


def _groups(accesses: Sequence[Access]) -> list[list[Access]]:
    """The accesses in groups of those that no instance has together."""
    groups: list[list[Access]] = []
    for access in accesses:
        for group in groups:
            if not any(_are_together(access, member) for member in group):
                group.append(access)
                break
        else:
            groups.append([access])
    return groups


def _are_together(left: Access, right: Access) -> bool:
    """Whether some instance has both of two accesses."""
    return _is_anywhere(_in_all([(left.box, left.ties), (right.box, right.ties)]), ())


def _behind_the_first(assignment: Assignment) -> list[Place]:
    """Return where an instance reads the value of the one before it in its sum, in parts.

    Conditions that tie several loops of a sum leave open which instance is the first; then all are
    taken.
    """
    tied = [loop for loop in assignment.summed if any(tie.row[loop] for tie in assignment.ties)]
    if tied and len(assignment.summed) > 1:
        return [(assignment.box, assignment.ties)]
    places = []
    for loop in assignment.summed:
        low, high = assignment.box[loop]
        box = (*assignment.box[:loop], (low + 1, high), *assignment.box[loop + 1 :])
        before = (Tie(tie.row, tie.constant - tie.row[loop]) for tie in assignment.ties)
        places.append((box, tuple(dict.fromkeys((*assignment.ties, *before)))))
    return places


def _is_anywhere(place: Place, but: Sequence[Place]) -> bool:
    """Whether a part of a box has a point that is in none of some others."""
    total = 0
    for count in range(len(but) + 1):
        for several in combinations(but, count):
            box, ties = _in_all([place, *several])
            total += (-1) ** count * (points(box, ties) if volume(box) else 0)
    return total > 0


def _links(assignment: Assignment) -> int:
    """How many values are sums that go on from another one."""
    return assignment.size - touched([assignment.item]) if assignment.sums else 0
