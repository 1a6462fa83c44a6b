"""Boxes of programs: read off the sets and relations of isl."""

from collections.abc import Collection, Mapping
from typing import Any

from dags.programs.box_nests import Access, Assignment, Box, BoxNest, Distance, Row
from dags.programs.dataflow import Dataflow, dataflow
from dags.programs.instances import NotReadError, instances
from dags.programs.integer_sets import isl, parameters
from dags.programs.layout import values_of
from dags.programs.nest import Program

MOST_STATEMENTS = 1 << 16  # in a block


def box_nest(
    program: Program,
    sizes: Mapping[str, int],
    *,
    live: Collection[str] | None = None,
    constants: Collection[str] | None = None,
    any_order: bool = False,
) -> BoxNest:
    """Return a program at given sizes, as boxes.

    Parameters
    ----------
    program, sizes, live, constants
        As for `dags.programs.instantiate`.
    any_order
        Whether sums may be taken in any order.

    Raises
    ------
    NotReadError
        If some assignment is not run on a box, or reads what is no affine function of its loops.
    """
    values = values_of(program, sizes)
    numbers = " and ".join(f"n{at} = {values[name]}" for at, name in enumerate(program.sizes))
    asked = isl.Set(f"{parameters(len(program.sizes))} -> {{ : {numbers or '0 = 0'} }}")
    flow = dataflow(program, asked, live, constants)
    made = _Reader(program, flow)
    parts = made.assignments(), made.distances()
    return BoxNest(program.name, program.digest, values, *parts, any_order)


class _Reader:
    """Reads boxes and affine functions off the sets and relations of isl."""

    def __init__(self, program: Program, flow: Dataflow) -> None:
        self.flow = flow
        self.rows = {f"S{each.number}": each for each in instances(program)}
        texts = [
            (each, tuple(loop.variable for loop in loops)) for each, loops in program.statements
        ]
        self.loops = {f"S{place}": loops for place, (_, loops) in enumerate(texts)}
        self.domain = {each.get_tuple_name(): each for each in _listed(flow.computed)}
        self.own = {name: self._to_itself(name) for name in self.domain}
        self.items = {name: self._item(name) for name in self.domain}

    def assignments(self) -> tuple[Assignment, ...]:
        """Return the assignments in the order of the text."""
        return tuple(self._assignment(name) for name in self.rows if name in self.domain)

    def distances(self) -> tuple[Distance, ...]:
        """Return how far assignments read back, of each reader and what it reads."""
        found = []
        for relation in self.flow.references:
            for one in _maps(relation):
                reader, source = (one.get_tuple_name(each) for each in _ENDS)
                if source in self.domain:
                    found += [Distance(reader, source, _pairs(basic)) for basic in _basic_maps(one)]
        return tuple(found)

    def _assignment(self, name: str) -> Assignment:
        box, item = _box(self.domain[name]), self.items[name]
        final = [one for one in _listed(self.flow.outputs) if one.get_tuple_name() == name]
        if item is None:
            alone = tuple(tuple(int(i == j) for j in range(len(box))) for i in range(len(box)))
            access = Access(name, alone, (0,) * len(box), box)
        else:
            (access,) = _accesses(item, name)
            final = [one.apply(item) for one in final]
        return Assignment(
            name=name,
            loops=self.loops[name],
            box=box,
            reads=self._reads(name, skip=item is not None),
            item=access,
            sums=item is not None,
            outputs=_box(final[0]) if final else None,
            target=self.rows[name].writes.partition("[")[0].removeprefix("A_"),
            numbers=_numbers(self.rows[name].time),
        )

    def _reads(self, name: str, *, skip: bool) -> tuple[Access, ...]:
        """Return what an assignment reads; what it has summed up is skipped."""
        found: dict[Access, None] = {}
        for relation in self.flow.references:
            for one in _maps(relation):
                reader, source = (one.get_tuple_name(each) for each in _ENDS)
                if reader != name or (skip and source == name):
                    continue
                item = self.items.get(source)
                found |= dict.fromkeys(
                    _accesses(one if item is None else one.apply_range(item), source)
                )
        return tuple(found)

    def _to_itself(self, name: str) -> Any:
        """Return from the instances of an assignment to those of its own that they read."""
        mine = [
            one
            for relation in self.flow.references
            for one in _maps(relation)
            if all(one.get_tuple_name(each) == name for each in _ENDS)
        ]
        if not mine:
            return None
        together = mine[0]
        for one in mine[1:]:
            together = together.union(one)
        return together.coalesce()

    def _item(self, name: str) -> Any:
        """Return from instances to the items that they sum up, or None if they sum up nothing."""
        own = self.own[name]
        if own is None or not (own.is_single_valued() and own.is_injective()):
            return None
        row, domain = self.rows[name], self.domain[name]
        steps = own.deltas()
        still = [at for at in range(row.depth) if _ends(steps, at) == (0, 0)]
        cell = row.writes.partition("[")[2].removesuffix("]")
        head = parameters(domain.dim(isl.dim_type.param))
        index = ",".join([*(f"c{at}" for at in still), *filter(None, [cell])])
        item = isl.Map(f"{head} -> {{ {row.name} -> {name}[{index}] }}").intersect_domain(domain)
        item = _without_repeated(item, len(still))
        if not own.apply_domain(item).apply_range(item).is_subset(_same(item)):
            return None
        heads = domain.subtract(own.domain())
        if not item.intersect_domain(heads).is_injective():
            return None
        later = own.range()  # whoever else reads, reads what is last
        for relation in self.flow.references:
            for one in _maps(relation):
                reader, source = (one.get_tuple_name(each) for each in _ENDS)
                if source == name and reader != name and not one.range().is_disjoint(later):
                    return None
        for one in _listed(self.flow.outputs):
            if one.get_tuple_name() == name and not one.is_disjoint(later):
                return None
        return item


def _numbers(time: tuple[str, ...]) -> tuple[int, ...]:
    """Return the places of an assignment in the blocks around it; those of a condition are one."""
    found, last = [], 0
    for step in time:
        if "c" in step:
            found.append(last)
            last = 0
        else:
            last = last * MOST_STATEMENTS + int(step)
    return (*found, last)


_ENDS = (isl.dim_type.in_, isl.dim_type.out) if isl is not None else ()


def _listed(some: Any) -> list[Any]:
    """Return the sets of a union, each of one kind of tuples."""
    listed = some.get_set_list()
    return [listed.get_at(place) for place in range(listed.n_set())]


def _maps(some: Any) -> list[Any]:
    """Return the relations of a union, each between two kinds of tuples."""
    listed = some.get_map_list()
    return [listed.get_at(place) for place in range(listed.n_map())]


def _basic_maps(some: Any) -> list[Any]:
    return [isl.Map.from_basic_map(each) for each in some.get_basic_maps()]


def _same(item: Any) -> Any:
    return isl.Map.identity(item.range().get_space().map_from_set())


def _without_repeated(item: Any, still: int) -> Any:
    """Return items without indices that loops among the first `still` say already."""
    form = item.as_pw_multi_aff()
    depth = item.dim(isl.dim_type.in_)
    rows = [_linear(form, at, depth) for at in range(item.dim(isl.dim_type.out))]
    known: set[Any] = set()
    drop = []
    for place, row in enumerate(rows):
        if place >= still and (row in known or not any(row[0])):
            drop.append(place)
        known.add(row)
    for place in reversed(drop):
        name = item.get_tuple_name(isl.dim_type.out)
        item = item.project_out(isl.dim_type.out, place, 1).set_tuple_name(isl.dim_type.out, name)
    return item


def _linear(form: Any, at: int, depth: int) -> tuple[Row, int]:
    """Return the coefficients and the constant of one index of a function of one piece."""
    found: list[Any] = []
    form.foreach_piece(lambda _, piece: found.append(piece))
    if len(found) != 1:
        raise NotReadError("an index is no affine function of the loops")
    return _coefficients(found[0].get_at(at), depth)


def _coefficients(one: Any, depth: int) -> tuple[Row, int]:
    if one.get_denominator_val().to_python() != 1 or one.dim(isl.dim_type.div):
        raise NotReadError("an index is rounded")
    row = tuple(
        one.get_coefficient_val(isl.dim_type.in_, place).to_python() for place in range(depth)
    )
    constant = one.get_constant_val().to_python()
    for place in range(one.dim(isl.dim_type.param)):
        if one.get_coefficient_val(isl.dim_type.param, place).to_python():
            raise NotReadError("an index depends on a size that is not given")
    return row, constant


def _accesses(relation: Any, array: str) -> list[Access]:
    """Return a single-valued relation as affine functions on boxes."""
    if not relation.is_single_valued():
        raise NotReadError("a reference reads several values")
    relation = _fixed(relation)
    depth = relation.dim(isl.dim_type.in_)
    pieces: list[tuple[Any, Any]] = []
    form = relation.coalesce().as_pw_multi_aff()
    form.foreach_piece(lambda where, one: pieces.append((where, one)))
    found = []
    for where, one in pieces:
        linear = [_coefficients(one.get_at(at), depth) for at in range(one.dim(isl.dim_type.out))]
        rows, offset = tuple(row for row, _ in linear), tuple(by for _, by in linear)
        found += [Access(array, rows, offset, part) for part in _boxes(where)]
    return found


def _fixed(relation: Any) -> Any:
    """Return a relation with the values of the sizes put in."""
    return relation.project_out(isl.dim_type.param, 0, relation.dim(isl.dim_type.param))


def _box(some: Any) -> Box:
    """Return a set that is a box."""
    parts = _boxes(some)
    if len(parts) != 1:
        raise NotReadError(f"{some.get_tuple_name()} is not run on a box")
    return parts[0]


def _boxes(some: Any) -> list[Box]:
    """Return the disjoint boxes that a set is made of."""
    some = some.project_out(isl.dim_type.param, 0, some.dim(isl.dim_type.param)).coalesce()
    found = []
    for each in some.make_disjoint().get_basic_sets():
        one = isl.Set.from_basic_set(each)
        if not one.is_box():
            raise NotReadError(f"{some.get_tuple_name()} is not run on a box")
        ends = [_ends(one, at) for at in range(one.dim(isl.dim_type.set))]
        found.append(tuple((low, high + 1) for low, high in ends))
    return found


def _ends(some: Any, place: int) -> tuple[int, int]:
    """Return the least and the largest value of a coordinate."""
    low, high = some.dim_min_val(place), some.dim_max_val(place)
    if not (low.is_int() and high.is_int()):
        raise NotReadError("loops have no end")
    return low.to_python(), high.to_python()


def _pairs(relation: Any) -> dict[tuple[int, int], tuple[int, int]]:
    """Return the least and largest difference of each coordinate of a reader and of its source."""
    relation = _fixed(relation)
    reads, makes = (relation.dim(each) for each in _ENDS)
    found = {}
    flat = relation.wrap().flatten()
    for mine in range(reads):
        for other in range(makes):
            text = ",".join(f"x{at}" for at in range(reads + makes))
            difference = isl.Map(f"{{ [{text}] -> [x{mine} - x{reads + other}] }}")
            found[mine, other] = _ends(flat.apply(difference), 0)
    return found
