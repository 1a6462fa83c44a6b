"""The family of a loop nest: its instances, renamed, are those of a family's text.

Members whose counts are those of the nest are compared with it. Each assignment of the nest is
mapped into one of the member's, loop by loop: a loop of the one is a loop of the other, shifted or
turned round, or has a single value; so are the indices of arrays of inputs. isl then verifies that
different instances stay different, that together they are all of the member's, and that one reads
another exactly where the member's instances do. So the two DAGs are equal up to the names of their
vertices, however the nest was written: in another order of loops, with a triangle in two
assignments, with the first term of a sum apart.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import combinations, islice, product
from operator import mul
from typing import Any, Final, NamedTuple
from weakref import WeakKeyDictionary

from dags.errors import RedBlueError
from dags.families import FAMILIES
from dags.families.common.family import Family, Sizes
from dags.families.common.members import Member, member_of
from dags.families.recognition.recogniser import spec_of
from dags.programs.box_nests import Access, Assignment, BoxNest
from dags.programs.instances import NotReadError
from dags.programs.integer_sets import A_SECOND, bounded_isl, isl
from dags.programs.tied_loops import Box, Row, Tie

MOST_ASSIGNMENTS: Final = 8  # of a nest that is compared with families
MOST_PARTS: Final = 64  # of its statements, of one that is compared with texts by statements
MOST_TRIED: Final = 4096  # values of parameters of a family, and maps of one assignment
SECONDS: Final = 4  # of isl, for one nest


class Renamed(NamedTuple):
    """Where instances of an assignment, or items of an array, are in another nest.

    Attributes
    ----------
    name
        The assignment or the array there.
    rows, offset
        Of each loop or index there the coefficients of those here, and the constant.
    """

    name: str
    rows: tuple[Row, ...]
    offset: tuple[int, ...]

    def of(self, point: Sequence[int]) -> tuple[int, ...]:
        """The place there of an instance or an item."""
        return tuple(
            constant + sum(map(mul, row, point))
            for row, constant in zip(self.rows, self.offset, strict=True)
        )


Renaming = Mapping[str, Renamed]  # of assignments, and of arrays of inputs


@dataclass(frozen=True)
class Kin:
    """The member of a family that a nest is, up to the names of instances.

    Parameters
    ----------
    member
        The member.
    nest
        The loop nest of the family's text.
    renaming
        Where each assignment, and each array of inputs, is in that nest.
    """

    member: Member
    nest: BoxNest
    renaming: Renaming


_known: WeakKeyDictionary[BoxNest, Kin | None] = WeakKeyDictionary()


def kin_of(nest: BoxNest, counts: Sizes) -> Kin | None:
    """The member of a family that a nest is; None where none is known.

    Parameters
    ----------
    nest
        The nest.
    counts
        Counts of its DAG.
    """
    if nest not in _known:
        _known[nest] = None
        if not nest.any_order and len(nest.assignments) <= MOST_PARTS:
            try:
                with bounded_isl(SECONDS * A_SECOND):
                    _known[nest] = next(_kin(nest, counts), None)
            except NotReadError:  # isl gives up
                pass
    return _known[nest]


def _kin(nest: BoxNest, counts: Sizes) -> Iterator[Kin]:
    """Yield the members that a nest is."""
    from dags.programs.members import family_nest, text_nest

    flows: dict[bool, _Flow] = {}
    for name, family in FAMILIES.items():
        nest_of_member = family_nest if family.nest is not None else text_nest
        by_statement = nest_of_member is text_nest
        if by_statement and family.texts is None:
            continue
        if not by_statement and len(nest.assignments) > MOST_ASSIGNMENTS:
            continue
        for arguments in _arguments(family, nest, counts):
            member = member_of(spec_of(name, arguments))
            peer = nest_of_member(name, member.params)
            if peer is None:
                continue
            if by_statement not in flows:
                flows[by_statement] = _Flow(nest, by_statement=by_statement)
            renaming = _renaming(flows[by_statement], _Flow(peer, by_statement=by_statement))
            if renaming is not None:
                yield Kin(member, peer, renaming)


def _arguments(family: Family, nest: BoxNest, counts: Sizes) -> Iterator[Mapping[str, Any]]:
    """Yield arguments with which members of a family have the counts of a nest."""
    for arguments in islice(_sought(family, nest, counts), MOST_TRIED):
        try:
            member = member_of(spec_of(family.make.__name__, arguments))
        except RedBlueError:
            continue
        if _counted(member.sizes) == _counted(counts):
            yield arguments


def _sought(family: Family, nest: BoxNest, counts: Sizes) -> Iterator[Mapping[str, Any]]:
    """Yield arguments of members that a nest may be."""
    lengths = {high - low for assignment in nest.assignments for low, high in assignment.box}
    if family.nest is None:
        assert family.texts is not None
        yield from family.texts.sought(counts, lengths | {*map(len, _places(nest))})
        return
    near = {value for length in lengths for value in (length, length + 1)}
    values = sorted(near | {1}, reverse=True)
    names = tuple(dict.fromkeys(family.nest.sizes.values()))
    for chosen in product(values, repeat=len(names)):
        yield dict(zip(names, chosen, strict=True))


def _places(nest: BoxNest) -> Iterator[range]:
    """Yield the indices along each side of each array of inputs, as far as boxes say."""
    built = {assignment.name for assignment in nest.assignments}
    sides: dict[tuple[str, int], range] = {}
    for access in (access for assignment in nest.assignments for access in assignment.reads):
        for axis, (row, constant) in enumerate(zip(access.rows, access.offset, strict=True)):
            if access.array not in built:
                ends = [
                    sorted((c * low, c * (high - 1)))
                    for c, (low, high) in zip(row, access.box, strict=True)
                ]
                low, high = (constant + sum(values[end] for values in ends) for end in (0, 1))
                side = sides.get((access.array, axis), range(low, high + 1))
                sides[access.array, axis] = range(min(side.start, low), max(side.stop, high + 1))
    yield from sides.values()


def _counted(counts: Sizes) -> tuple[int, int, int, int]:
    return counts.vertices, counts.edges, counts.inputs, counts.outputs


def renaming_of(nest: BoxNest, peer: BoxNest) -> Renaming | None:
    """The names in another nest of all instances and inputs of a nest, which are all there.

    None where none is found; with what is returned the two DAGs are equal: that has been verified.

    Parameters
    ----------
    nest, other
        The nests, at their sizes.

    Raises
    ------
    NotReadError
        If isl gives up, or the order of a sum is not known.
    """
    return _renaming(_Flow(nest), _Flow(peer))


def _renaming(source: "_Flow", target: "_Flow") -> Renaming | None:
    """The names in one DAG of all instances and inputs of another."""
    search = _RenamingSearch(source, target)
    return next((renaming for renaming in search.maps({}) if search.is_whole(renaming)), None)


class _Flow:
    """The DAG of a nest as relations of isl: which instance reads which, and which input.

    Parameters
    ----------
    nest
        The nest.
    by_statement
        Whether assignments that are parts of one statement of the text, as at borders, are one:
        its instances have the values of its loops in the text.
    """

    def __init__(self, nest: BoxNest, *, by_statement: bool = False) -> None:
        self.by_statement = by_statement
        self.made = {assignment.name: assignment for assignment in nest.assignments}
        for distance in nest.distances:
            if distance.reader == distance.source and self.made[distance.reader].sums:
                _require_rising(
                    [
                        distance.pairs[loop, loop]
                        for loop in range(len(self.made[distance.reader].box))
                    ]
                )
        self.domain = {
            name: _set_of(name, assignment.box, assignment.ties)
            for name, assignment in self.made.items()
        }
        self.items = {
            name: _map_of(name, assignment.item).intersect_domain(self.domain[name])
            for name, assignment in self.made.items()
        }
        self.maker = {
            name: self.items[name].reverse().lexmax()
            if assignment.sums
            else self.items[name].reverse()
            for name, assignment in self.made.items()
        }
        self.edges: dict[tuple[str, str], Any] = {}
        for name, assignment in self.made.items():
            for access in assignment.reads:
                self._add(name, assignment, access)
            if assignment.sums:
                self._link(name)
        for name in self.domain.keys() - self.made.keys():
            self.domain[name] = self.domain[name].coalesce()
        self.outputs = {
            name: _map_of(name, assignment.outputs).range().apply(self.maker[name])
            for name, assignment in self.made.items()
            if assignment.outputs is not None
        }
        self.size = {name: assignment.size for name, assignment in self.made.items()}
        if by_statement:
            self._merge()

    def _merge(self) -> None:
        """Take the parts of each statement together."""
        statements: dict[tuple[Any, ...], list[str]] = {}
        for name, assignment in self.made.items():
            key = assignment.target, (assignment.numbers or ())[:-1], len(assignment.text_loops)
            if assignment.numbers and assignment.text_loops and not assignment.sums:
                statements.setdefault(key, []).append(name)
        for parts in statements.values():
            values = {part: self._loops_of(self.made[part], parts[0]) for part in parts}
            instances = [values[part].range() for part in parts]
            are_apart = all(a.is_disjoint(b) for a, b in combinations(instances, 2))
            if are_apart and all(relation.is_injective() for relation in values.values()):
                self._rename(values)

    def _loops_of(self, assignment: Assignment, statement: str) -> Any:
        """The values of the loops of the text in which a statement has the instances of a part."""
        rows, constants = zip(*assignment.text_loops, strict=True)
        access = Access(statement, rows, constants, assignment.box, assignment.ties)
        return _map_of(assignment.name, access).intersect_domain(self.domain[assignment.name])

    def _rename(self, values: Mapping[str, Any]) -> None:
        """Take several assignments as one, under the first name."""
        statement, *_ = values
        size = sum(self.size.pop(part) for part in values)
        for relations in (self.domain, self.outputs):
            moved = [
                relations.pop(part).apply(values[part]) for part in values if part in relations
            ]
            if moved:
                relations[statement] = reduce(
                    lambda left, right: left.union(right), moved
                ).coalesce()
        self.size[statement] = size
        edges, self.edges = self.edges, {}
        for (reader, source), read in edges.items():
            if reader in values:
                read = read.apply_domain(values[reader])
            if source in values:
                read = read.apply_range(values[source])
            reader, source = (statement if end in values else end for end in (reader, source))
            self._join((reader, source), read)

    def _add(self, name: str, reader: Assignment, access: Access) -> None:
        """Add the reads of an access."""
        read = _map_of(name, access).intersect_domain(self.domain[name])
        source = access.array
        if source in self.made:
            read = read.apply_range(self.maker[source])
        else:
            items = read.range()
            self.domain[source] = (
                self.domain[source].union(items) if source in self.domain else items
            )
        self._join((name, source), read)

    def _link(self, name: str) -> None:
        """Add the reads of sums up to now."""
        together = self.items[name].apply_range(self.items[name].reverse())
        before = together.intersect(isl.Map.lex_gt(self.domain[name].get_space()))
        self._join((name, name), before.lexmax())

    def _join(self, key: tuple[str, str], read: Any) -> None:
        if not read.is_empty():
            self.edges[key] = self.edges[key].union(read) if key in self.edges else read

    @cached_property
    def boxes(self) -> dict[str, Box]:
        """The least box of each assignment, and of each array of inputs."""
        return {name: _box_of(domain) for name, domain in self.domain.items()}


def _require_rising(differences: Sequence[tuple[int, int]]) -> None:
    """Raise NotReadError where a sum does not go on in the order of its loops."""
    for low, high in differences:
        if low > 0:
            return
        if (low, high) != (0, 0):
            break
    raise NotReadError("the order of a sum is not that of its loops")


def _set_of(name: str, box: Box, ties: Sequence[Tie]) -> Any:
    return isl.Set(f"{{ {name}[{_variables(len(box))}] : {_conditions(box, ties)} }}")


def _map_of(name: str, access: Access) -> Any:
    indices = [
        _form(row, constant) for row, constant in zip(access.rows, access.offset, strict=True)
    ]
    ends = f"{name}[{_variables(len(access.box))}] -> {access.array}[{','.join(indices)}]"
    return isl.Map(f"{{ {ends} : {_conditions(access.box, access.ties)} }}")


def _variables(count: int) -> str:
    return ",".join(f"c{loop}" for loop in range(count))


def _form(row: Row, constant: int) -> str:
    return " + ".join(
        [
            *(f"{coefficient}*c{loop}" for loop, coefficient in enumerate(row) if coefficient),
            str(constant),
        ]
    )


def _conditions(box: Box, ties: Sequence[Tie]) -> str:
    ends = [f"{low} <= c{loop} < {high}" for loop, (low, high) in enumerate(box)]
    return " and ".join([*ends, *(f"{_form(*tie)} >= 0" for tie in ties)]) or "0 = 0"


def _box_of(domain: Any) -> Box:
    """The least box around a set."""
    return tuple(
        (domain.dim_min_val(axis).to_python(), domain.dim_max_val(axis).to_python() + 1)
        for axis in range(domain.dim(isl.dim_type.set))
    )


class _RenamingSearch:
    """Looks for maps of all assignments and arrays of one nest into those of another."""

    def __init__(self, source: _Flow, target: _Flow) -> None:
        self.here, self.there = source, target
        self.order = self._linked()
        self._relations: dict[tuple[str, Renamed], Any] = {}

    def _linked(self) -> list[str]:
        """Assignments and arrays, the largest first, then what is read with those before.

        Statements are taken from an array of inputs on, which has fewer maps than their loops.
        """
        names = sorted(
            self.here.domain,
            key=lambda name: (
                (name not in self.here.size) != self.here.by_statement,
                -self.here.size.get(name, 0),
            ),
        )
        order = names[:1]
        while len(order) < len(names):
            left = [name for name in names if name not in order]
            near = [n for n in left if any({n} < {*key} <= {n, *order} for key in self.here.edges)]
            order.append((near or left)[0])
        return order

    def maps(self, known: dict[str, Renamed]) -> Iterator[Renaming]:
        """Yield maps under which all that is read is read there."""
        if len(known) == len(self.order):
            yield dict(known)
            return
        name = self.order[len(known)]
        for target in self.there.domain:
            if (name in self.here.size) == (target in self.there.size):
                for tried in self._candidates(name, target, known):
                    if self._agrees(name, tried, known):
                        yield from self.maps(known | {name: tried})

    def _candidates(
        self, name: str, target: str, names: Mapping[str, Renamed]
    ) -> Iterator[Renamed]:
        """Yield maps of an assignment into another, those that turn nothing round first."""
        box, target_box = self.here.boxes[name], self.there.boxes[target]
        sample = self._sample(name, target, names)
        options = [[*_options(box, place, ends, sample)] for place, ends in enumerate(target_box)]
        several = {loop for loop, (low, high) in enumerate(box) if high - low > 1}
        choices = (
            (
                sum(cost for cost, *_ in chosen),
                [(loop, coefficient, add) for _, loop, coefficient, add in chosen],
            )
            for chosen in islice(product(*options), MOST_TRIED)
            if several <= {loop for _, loop, _, _ in chosen}
        )
        for _, chosen in sorted(choices):
            rows = tuple(
                tuple(coefficient * (source == loop) for loop in range(len(box)))
                for source, coefficient, _ in chosen
            )
            renamed = Renamed(target, rows, tuple(add for *_, add in chosen))
            if sample is None or renamed.of(sample.instance) in sample.places:
                yield renamed

    def _sample(self, name: str, target: str, names: Mapping[str, Renamed]) -> "_Sample | None":
        """An instance, and all places of it beside what it reads, or what reads it, in the maps."""
        for key, read in self.here.edges.items():
            peer = key[key[0] == name]
            if name not in key or peer not in names:
                continue
            reads = key[0] == name
            ends = (target, names[peer].name) if reads else (names[peer].name, target)
            if ends not in self.there.edges:
                return _Sample((), frozenset())
            read_there = self.there.edges[ends]
            if not reads:
                read, read_there = read.reverse(), read_there.reverse()
            pair = read.apply_range(self._relation(peer, names[peer])).wrap().sample_point()
            instance, image = _split(_coordinates(pair), len(self.here.boxes[name]))
            beside = read_there.intersect_range(_only(names[peer].name, image)).domain()
            places = _points(beside)
            if places is not None:
                return _Sample(instance, places)
        return None

    def _relation(self, name: str, renamed: Renamed) -> Any:
        """A map of an assignment as a relation."""
        if (name, renamed) not in self._relations:
            access = Access(renamed.name, renamed.rows, renamed.offset, self.here.boxes[name])
            relation = _map_of(name, access).intersect_domain(self.here.domain[name])
            self._relations[name, renamed] = relation
        return self._relations[name, renamed]

    def _agrees(self, name: str, tried: Renamed, known: Mapping[str, Renamed]) -> bool:
        """Whether a map leads to instances that no other leads to, with all its reads."""
        relation = self._relation(name, tried)
        image = relation.range()
        if not image.is_subset(self.there.domain[tried.name]):
            return False
        if any(
            renamed.name == tried.name
            and not self._relation(assignment, renamed).range().intersect(image).is_empty()
            for assignment, renamed in known.items()
        ):
            return False
        renaming = {**known, name: tried}
        return all(
            self._is_read(key, renaming)
            for key in self.here.edges
            if name in key and renaming.keys() >= {*key}
        )

    def _moved(self, key: tuple[str, str], renaming: Renaming) -> tuple[tuple[str, str], Any]:
        """Reads under other names."""
        reader, source = ((name, renaming[name]) for name in key)
        moved = self.here.edges[key].apply_domain(self._relation(*reader))
        return (reader[1].name, source[1].name), moved.apply_range(self._relation(*source))

    def _is_read(self, key: tuple[str, str], renaming: Renaming) -> bool:
        image, moved = self._moved(key, renaming)
        return image in self.there.edges and moved.is_subset(self.there.edges[image])

    def is_whole(self, renaming: Renaming) -> bool:
        """Whether maps lead to all instances, reads and outputs of the other nest."""
        images, read, out = dict[str, Any](), dict[tuple[str, str], Any](), dict[str, Any]()
        for name, renamed in renaming.items():
            relation = self._relation(name, renamed)
            _join(images, renamed.name, relation.range())
            if name in self.here.outputs:
                _join(out, renamed.name, self.here.outputs[name].apply(relation))
        for key in self.here.edges:
            _join(read, *self._moved(key, renaming))
        return all(
            _is_equal(image, target)
            for image, target in (
                (images, self.there.domain),
                (read, self.there.edges),
                (out, self.there.outputs),
            )
        )


def _is_equal(left: Mapping[Any, Any], right: Mapping[Any, Any]) -> bool:
    return left.keys() == right.keys() and all(left[key].is_equal(right[key]) for key in left)


def _join(unions: dict[Any, Any], key: Any, part: Any) -> None:
    unions[key] = unions[key].union(part) if key in unions else part


Option = tuple[int, int, int, int]  # its cost, a loop or -1, the factor, and the constant
MOST_STRIDE: Final = 4  # instances of a statement that another nest has in one loop, of several
MOST_PLACES: Final = 64  # of one instance, beside one that it reads


class _Sample(NamedTuple):
    """An instance, and all places that it may have in another nest.

    Attributes
    ----------
    instance
        The values of its loops.
    places
        Those that it may have there.
    """

    instance: tuple[int, ...]
    places: frozenset[tuple[int, ...]]


def _options(
    box: Box, place: int, ends: tuple[int, int], sample: _Sample | None
) -> Iterator[Option]:
    """Yield what a loop of another nest may be: a loop, in strides if it is short, or fixed.

    Parameters
    ----------
    box
        The loops.
    place, ends
        Which loop of the other nest it is, and its ends there.
    sample
        An instance with its places; None where none is known: then a loop has the same first or
        last value.
    """
    low, high = ends
    values = None if sample is None else sorted({point[place] for point in sample.places})
    for loop, (first, behind) in enumerate(box):
        far = abs(loop - place)
        for stride in range(1, MOST_STRIDE + 1) if behind - first > 1 else ():
            room = high - low - 1 - stride * (behind - first - 1)
            if room < 0:
                break
            for factor, start in ((stride, first), (-stride, behind - 1)):
                # The constants with which the first value there is `low` to `low + room`.
                lowest = low - factor * start
                if sample is None or values is None:
                    adds = [*range(lowest, lowest + min(room + 1, stride))]
                    adds += [*range(max(lowest, lowest + room + 1 - stride), lowest + room + 1)]
                else:
                    adds = [value - factor * sample.instance[loop] for value in values]
                for add in dict.fromkeys(adds):
                    if lowest <= add <= lowest + room:
                        yield far + 10 * (stride - 1) + 100 * (factor < 0), loop, factor, add
    for value in (low, high - 1) if values is None else values:
        yield 1000 * (high - low > 1), -1, 0, value


def _coordinates(point: Any) -> tuple[int, ...]:
    """The coordinates of a point of isl."""
    count = point.get_space().dim(isl.dim_type.set)
    return tuple(
        point.get_coordinate_val(isl.dim_type.set, axis).to_python() for axis in range(count)
    )


def _split(values: tuple[int, ...], width: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return values[:width], values[width:]


def _only(name: str, point: Sequence[int]) -> Any:
    """The set of one instance."""
    return isl.Set(f"{{ {name}[{','.join(map(str, point))}] }}")


def _points(instances: Any) -> frozenset[tuple[int, ...]] | None:
    """All points of a small set; None of a large one."""
    points = set[tuple[int, ...]]()
    while not instances.is_empty():
        if len(points) == MOST_PLACES:
            return None
        point = instances.sample_point()
        points.add(_coordinates(point))
        instances = instances.subtract(isl.Set.from_point(point))
    return frozenset(points)
