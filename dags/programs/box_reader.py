"""Boxes of programs: read off the sets and relations of isl."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any, Final

import numpy as np

from dags.programs.affine import Affine, number, variable
from dags.programs.aligned_loops import aligned
from dags.programs.box_nests import Access, Assignment, BoxNest, Distance, MergedNest
from dags.programs.canonical import canonical, merged
from dags.programs.dataflow import Dataflow, dataflow
from dags.programs.fixed import with_sizes
from dags.programs.gathering import gathered
from dags.programs.instances import NotReadError, instances
from dags.programs.integer_sets import (
    basic_maps,
    bounded_isl,
    by_first_difference,
    comes_first,
    isl,
    listed,
    loops_changed,
    maps,
    parameters,
)
from dags.programs.layout import values_of
from dags.programs.nest import Loop, Program
from dags.programs.parts_of_boxes import between, ends_of, part_of_box, parts_of_boxes
from dags.programs.slanted_loops import upright
from dags.programs.tied_loops import Row
from dags.programs.touched import points

MOST_MERGED: Final = 8  # assignments of a program whose temporaries are looked for


@bounded_isl()
def box_nest(
    program: Program,
    sizes: Mapping[str, int],
    *,
    live: Collection[str] | None = None,
    constants: Collection[str] | None = None,
    any_order: bool = False,
    as_written: bool = False,
) -> BoxNest:
    """Return a program at given sizes, as boxes.

    Parameters
    ----------
    program, sizes, live, constants
        As for `dags.programs.instantiate`.
    any_order
        Whether sums may be taken in any order.
    as_written
        Whether loops and arrays are those of the text, not of its canonical form.

    Raises
    ------
    NotReadError
        If some assignment is not run on a part of a box, or reads items that are no affine function
        of its loops, or isl gives up.
    """
    values = values_of(program, sizes)
    plain = program
    if not as_written:
        form = canonical(program, values, live, constants)
        plain, live, constants = form.program, form.live, form.constants
    known = {**program.fixed, **values}
    parts = _parts(plain, values, live, constants)
    inner = None if as_written else _merged(program, plain, known, live, constants, any_order)
    return BoxNest(program.name, program.digest, known, *parts, any_order, inner)


def _parts(
    program: Program,
    values: Mapping[str, int],
    live: Collection[str] | None,
    constants: Collection[str] | None,
) -> tuple[tuple[Assignment, ...], tuple[Distance, ...]]:
    """Return the assignments of a nest, and how far each reads back."""
    numbers = " and ".join(f"n{at} = {values[name]}" for at, name in enumerate(program.sizes))
    asked = isl.Set(f"{parameters(len(program.sizes))} -> {{ : {numbers or '0 = 0'} }}")
    flow = dataflow(program, asked, live, constants)
    made = _Reader(program, flow)
    return aligned(made.assignments(), made.distances())


def _merged(
    program: Program,
    plain: Program,
    sizes: Mapping[str, int],
    live: Collection[str] | None,
    constants: Collection[str] | None,
    any_order: bool,
) -> MergedNest | None:
    """Return the nest without temporaries; None if it has none.

    Parameters
    ----------
    program, plain
        The program, and its canonical form.
    sizes, live, constants, any_order
        As for `box_nest`.
    """
    if len(plain.statements) > MOST_MERGED:
        return None
    numbers = {name: value for name, value in sizes.items() if name in plain.sizes}
    found = merged(with_sizes(plain, numbers), live, constants)
    if found is None:
        return None
    try:
        parts = _parts(found.program, {}, live, constants)
    except NotReadError:
        return None
    nest = BoxNest(program.name, program.digest, sizes, *parts, any_order)
    update = None if found.update is None else f"S{found.update}"
    return MergedNest(nest, found.count, update, found.joined)


class _Reader:
    """Reads boxes and affine functions off the sets and relations of isl."""

    def __init__(self, program: Program, flow: Dataflow) -> None:
        self.flow = flow
        self.rows = {f"S{each.number}": each for each in instances(program)}
        places = {place for each in self.rows.values() for place in _blocks(each.time)}
        self.places = {place: number for number, place in enumerate(sorted(places))}
        self.loops = {f"S{place}": loops for place, (_, loops) in enumerate(program.statements)}
        self.domain = {each.get_tuple_name(): each for each in listed(flow.computed)}
        self.own = {name: _together(self._to_itself(name)) for name in self.domain}
        self.items = {name: self._item(name, self.own[name]) for name in self.domain}
        self.sizes = {name: variable(f"n{at}") for at, name in enumerate(program.sizes)}
        self.names = {name: tuple(loop.name for loop in self.loops[name]) for name in self.domain}
        self.gathered: set[str] = set()
        self.text_loops: dict[str, tuple[tuple[Row, int], ...]] = {}
        self.frames = {name: self._frame(name) for name in self.domain}

    def assignments(self) -> tuple[Assignment, ...]:
        """Return the assignments in the order of the text."""
        return tuple(self._assignment(name) for name in self.rows if name in self.domain)

    def distances(self) -> tuple[Distance, ...]:
        """Return how far assignments read back, of each reader and each maker."""
        found = []
        for relation in self.flow.references:
            for one in maps(relation):
                reader, source = (one.get_tuple_name(each) for each in _ENDS)
                if source in self.domain:
                    here = one.apply_domain(self.frames[reader]).apply_range(self.frames[source])
                    if reader == source:
                        here = by_first_difference(here)
                    some = (each for each in basic_maps(here) if not each.is_empty())
                    found += [Distance(reader, source, _pairs(each)) for each in some]
        return tuple(found)

    def _frame(self, name: str) -> Any:
        """Return from the loops of the text to those of the nest.

        They go up by one, and if sums are scattered, they are those of the gathered sum.
        """
        row, loops = self.rows[name], self.loops[name]
        head = parameters(self.domain[name].dim(isl.dim_type.param))
        names = self.sizes | {loop.variable: variable(f"c{at}") for at, loop in enumerate(loops)}
        given = ",".join(f"c{at}" for at in range(row.depth))
        steps = " and ".join(
            f"c{at} = {_first(loop, names)} + {loop.step}*k{at}" for at, loop in enumerate(loops)
        )
        taken = ",".join(f"k{at}" for at in range(row.depth))
        frame = isl.Map(f"{head} -> {{ {name}[{given}] -> {name}[{taken}] : {steps or '0 = 0'} }}")
        frame = frame.intersect_params(self.domain[name].params())
        self.text_loops[name] = _linear_rows(frame.reverse())
        frame = self._upright(name, frame.intersect_domain(self.domain[name]))
        if self.items[name] is None:
            return frame
        some = _accesses(frame.reverse().apply_range(self.items[name]), name)
        change = gathered(some[0], self.names[name]) if len(some) == 1 else None
        if change is not None:
            self.gathered.add(name)
            text, self.names[name] = change
            text = text.replace("->", f"-> {name}")
            frame = frame.apply_range(isl.Map(f"{head} -> {{ {name}{text} }}"))
            self.text_loops[name] = _linear_rows(frame.reverse())
        return frame

    def _upright(self, name: str, frame: Any) -> Any:
        """Return a frame that mixes fewer loops, if those of the only assignment are slanted.

        Its loops, in their order, take no value before it is made.
        """
        _, ties = part_of_box(frame.range())
        if len(self.domain) > 1 or not ties:
            return frame
        read = [one for relation in self.flow.references for one in maps(relation)]
        own = [one for one in read if one.get_tuple_name(isl.dim_type.out) == name]
        some = [one for one in (*read, self.items[name]) if one is not None and one not in own]
        try:
            indices = [row for each in self._in_frame(frame, some) for row in each.rows]
            made = self._in_frame(frame, [one.apply_range(frame) for one in own])
        except NotReadError:  # scattered sums are told by other loops
            return frame
        known = [tie.row for tie in ties], indices, [each.rows for each in made]
        for rows, told in upright(*known, self.names[name]):
            other = frame.apply_range(loops_changed(name, frame, rows))
            if all(comes_first(_fixed(one.apply_range(other).apply_domain(other))) for one in own):
                self.names[name], self.text_loops[name] = told, _linear_rows(other.reverse())
                return other
        return frame

    def _in_frame(self, frame: Any, relations: Sequence[Any]) -> list[Access]:
        """Return relations from instances as functions of the loops of a frame."""
        back = frame.reverse()
        return [each for one in relations for each in _accesses(back.apply_range(one), "")]

    def _assignment(self, name: str) -> Assignment:
        frame = self.frames[name]
        domain, item = frame.range(), self.items[name]
        box, ties = part_of_box(domain)
        width = len(box)
        outputs = [one for one in listed(self.flow.outputs) if one.get_tuple_name() == name]
        if item is None:
            alone = tuple(tuple(int(i == j) for j in range(width)) for i in range(width))
            access = Access(name, alone, (0,) * width, box, ties)
        else:
            item = frame.reverse().apply_range(item)
            (access,) = _accesses(item, name)
        return Assignment(
            name=name,
            loops=self.names[name],
            box=box,
            reads=self._reads(name, skip=item is not None),
            item=access,
            sums=item is not None,
            outputs=_outputs(access, outputs[0].apply(frame), item) if outputs else None,
            target=self.rows[name].writes.partition("[")[0].removeprefix("A_"),
            numbers=None if name in self.gathered else self._numbers(name),
            size=points(box, ties),
            ties=ties,
            text_loops=self.text_loops[name],
            chain=self._chain(name) if item is None else None,
        )

    def _numbers(self, name: str) -> tuple[int, ...]:
        """Return the places of an assignment in the blocks around it, numbered by their order."""
        return tuple(self.places[place] for place in _blocks(self.rows[name].time))

    def _reads(self, name: str, *, skip: bool) -> tuple[Access, ...]:
        """Return the reads of an assignment; its sum up to now is skipped."""
        found: dict[Access, None] = {}
        for relation in self.flow.references:
            for one in maps(relation):
                reader, source = (one.get_tuple_name(each) for each in _ENDS)
                if reader != name or (skip and source == name):
                    continue
                here = one.apply_domain(self.frames[reader])
                if (item := self.items.get(source)) is not None:
                    here = here.apply_range(item)
                elif source in self.frames:
                    here = here.apply_range(self.frames[source])
                found |= dict.fromkeys(_accesses(here, source))
        return tuple(found)

    def _chain(self, name: str) -> Access | None:
        """Return the items of an assignment that sums up, and reads last values of its own, too."""
        for own in self._to_itself(name):
            if (item := self._item(name, own)) is not None:
                some = _accesses(self.frames[name].reverse().apply_range(item), name)
                if len(some) == 1:
                    return some[0]
        return None

    def _to_itself(self, name: str) -> list[Any]:
        """Return from the instances of an assignment to those of its own that they read."""
        return [
            one
            for relation in self.flow.references
            for one in maps(relation)
            if all(one.get_tuple_name(each) == name for each in _ENDS)
        ]

    def _item(self, name: str, own: Any) -> Any:
        """Return from instances to the items that they sum up, or None if they sum up nothing.

        Parameters
        ----------
        name
            The assignment.
        own
            From its instances to those of its own whose sums they add to; None if to none.
        """
        if own is None or not (own.is_single_valued() and own.is_injective()):
            return None
        row, domain = self.rows[name], self.domain[name]
        steps = own.deltas()
        still = [at for at in range(row.depth) if ends_of(steps, at) == (0, 0)]
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
            for one in maps(relation):
                reader, source = (one.get_tuple_name(each) for each in _ENDS)
                if source == name:
                    others = one.subtract(own) if reader == name else one
                    if not others.range().is_disjoint(later):
                        return None
        for one in listed(self.flow.outputs):
            if one.get_tuple_name() == name and not one.is_disjoint(later):
                return None
        return item


def _blocks(time: tuple[str, ...]) -> list[tuple[int, ...]]:
    """Return the places of an assignment in the blocks around it; conditions are no block."""
    found: list[tuple[int, ...]] = [()]
    for step in time:
        if "c" in step:
            found.append(())
        else:
            found[-1] = (*found[-1], int(step))
    return found


_ENDS = (isl.dim_type.in_, isl.dim_type.out) if isl is not None else ()


def _together(some: list[Any]) -> Any:
    """Return the union of some relations; None of none."""
    return reduce(lambda one, other: one.union(other), some).coalesce() if some else None


def _same(item: Any) -> Any:
    return isl.Map.identity(item.range().get_space().map_from_set())


def _without_repeated(item: Any, still: int) -> Any:
    """Return items without indices that others say already, be it loops among the first `still`.

    Those of the cell go before loops; a loop that is one of them goes before that one.
    """
    form = item.as_pw_multi_aff()
    depth = item.dim(isl.dim_type.in_)
    rows = [_linear(form, at, depth) for at in range(item.dim(isl.dim_type.out))]
    kept: dict[Any, int] = {}
    for place in (*range(still, len(rows)), *range(still)):
        row = rows[place]
        some = np.array([each for each, _ in (*kept, row)], np.int64)
        if row in kept or int(np.linalg.matrix_rank(some)) == len(some):
            kept[row] = place
    for place in sorted({*range(len(rows))} - {*kept.values()}, reverse=True):
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


def _first(loop: Loop, names: Mapping[str, Affine]) -> Affine:
    """Return from where the steps of a loop are counted: 0 for steps of 1 and -1."""
    return number(0) if abs(loop.step) == 1 else loop.start[0].replaced(names)


def _accesses(relation: Any, array: str) -> list[Access]:
    """Return a single-valued relation as affine functions on boxes, or on parts of boxes."""
    relation = _fixed(relation).coalesce()  # before the test: with many pieces it takes a minute
    if not relation.is_single_valued():
        raise NotReadError("a reference reads several values")
    depth = relation.dim(isl.dim_type.in_)
    pieces: list[tuple[Any, Any]] = []
    form = relation.as_pw_multi_aff()
    form.foreach_piece(lambda where, one: pieces.append((where, one)))
    found = []
    for where, one in pieces:
        linear = [_coefficients(one.get_at(at), depth) for at in range(one.dim(isl.dim_type.out))]
        rows, offset = tuple(row for row, _ in linear), tuple(by for _, by in linear)
        found += [Access(array, rows, offset, *part) for part in parts_of_boxes(where)]
    return found


def _linear_rows(relation: Any) -> tuple[tuple[Row, int], ...]:
    """Return a relation that is one affine function."""
    relation = _fixed(relation)
    form, depth = relation.as_pw_multi_aff(), relation.dim(isl.dim_type.in_)
    return tuple(_linear(form, at, depth) for at in range(relation.dim(isl.dim_type.out)))


def _outputs(access: Access, final: Any, item: Any) -> Access:
    """Return the items of an assignment whose final values are outputs.

    Parameters
    ----------
    access
        All of its items.
    final
        The instances that make outputs.
    item
        From instances to items; None if each makes one of its own.
    """
    if item is not None and final.apply(item).is_equal(item.range()):
        return access
    box, ties = part_of_box(final)
    return replace(access, box=box, ties=ties)


def _fixed(relation: Any) -> Any:
    """Return a relation with the values of the sizes put in."""
    return relation.project_out(isl.dim_type.param, 0, relation.dim(isl.dim_type.param))


def _pairs(relation: Any) -> dict[tuple[int, int], tuple[int, int]]:
    """Return the least and largest difference of each coordinate of a reader and of its source."""
    relation = _fixed(relation)
    reads, makes = (relation.dim(each) for each in _ENDS)
    found = {}
    flat = relation.wrap().flatten()
    space = isl.LocalSpace.from_space(flat.get_space())
    loops = [isl.Aff.var_on_domain(space, isl.dim_type.set, at) for at in range(reads + makes)]
    for mine in range(reads):
        for other in range(makes):
            difference = loops[mine].sub(loops[reads + other])
            found[mine, other] = between(flat.min_val(difference), flat.max_val(difference))
    return found
