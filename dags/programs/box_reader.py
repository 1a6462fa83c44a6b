"""Boxes of programs: read off the sets and relations of isl."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any, Final

import numpy as np

from dags.programs.affine import Affine, number, variable
from dags.programs.aligned_loops import aligned
from dags.programs.box_nests import Access, Assignment, BoxNest, Distance, Joined, MergedNest
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
from dags.programs.nest import Assign, Loop, Operation, Program, operations_in
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
    """A program at given sizes, as boxes.

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
    """The assignments of a nest, and how far each reads back."""
    numbers = " and ".join(
        f"n{position} = {values[name]}" for position, name in enumerate(program.sizes)
    )
    asked = isl.Set(f"{parameters(len(program.sizes))} -> {{ : {numbers or '0 = 0'} }}")
    flow = dataflow(program, asked, live, constants)
    reader = _BoxReader(program, flow)
    return aligned(reader.assignments(), reader.distances())


def _merged(
    program: Program,
    plain: Program,
    sizes: Mapping[str, int],
    live: Collection[str] | None,
    constants: Collection[str] | None,
    any_order: bool,
) -> MergedNest | None:
    """The nest without temporaries; None if it has none.

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
    simplified = merged(with_sizes(plain, numbers), live, constants)
    if simplified is None:
        return None
    try:
        parts = _parts(simplified.program, {}, live, constants)
    except NotReadError:
        return None
    nest = BoxNest(program.name, program.digest, sizes, *parts, any_order)
    joined = tuple(Joined(f"S{known.update}", known.joined) for known in simplified.operands)
    return MergedNest(nest, max(simplified.counts.values()), joined)


def _work(assign: Assign) -> int:
    """The operations of an assignment, as a DAG of statements has them."""
    expression = assign.expression
    return operations_in(expression) if isinstance(expression, Operation) else 1


class _BoxReader:
    """Reads boxes and affine functions off the sets and relations of isl."""

    def __init__(self, program: Program, flow: Dataflow) -> None:
        self.flow = flow
        self.rows = {f"S{instance.number}": instance for instance in instances(program)}
        places = {place for row in self.rows.values() for place in _blocks(row.time)}
        self.places = {place: number for number, place in enumerate(sorted(places))}
        self.loops = {f"S{place}": loops for place, (_, loops) in enumerate(program.statements)}
        self.work = {
            f"S{place}": _work(assignment)
            for place, (assignment, _) in enumerate(program.statements)
        }
        self.domain = {set_.get_tuple_name(): set_ for set_ in listed(flow.computed)}
        self.own = {name: _together(self._to_itself(name)) for name in self.domain}
        self.items = {name: self._item(name, self.own[name]) for name in self.domain}
        self.sizes = {name: variable(f"n{position}") for position, name in enumerate(program.sizes)}
        self.names = {name: tuple(loop.name for loop in self.loops[name]) for name in self.domain}
        self.gathered: set[str] = set()
        self.text_loops: dict[str, tuple[tuple[Row, int], ...]] = {}
        self.frames = {name: self._frame(name) for name in self.domain}

    def assignments(self) -> tuple[Assignment, ...]:
        """The assignments in the order of the text."""
        return tuple(self._assignment(name) for name in self.rows if name in self.domain)

    def distances(self) -> tuple[Distance, ...]:
        """How far assignments read back, of each reader and each maker."""
        distances = []
        for relation in self.flow.references:
            for part in maps(relation):
                reader, source = (part.get_tuple_name(end) for end in _ENDS)
                if source in self.domain:
                    in_loops = part.apply_domain(self.frames[reader]).apply_range(
                        self.frames[source]
                    )
                    if reader == source:
                        in_loops = by_first_difference(in_loops)
                    pieces = (piece for piece in basic_maps(in_loops) if not piece.is_empty())
                    distances += [Distance(reader, source, _pairs(piece)) for piece in pieces]
        return tuple(distances)

    def _frame(self, name: str) -> Any:
        """Return from the loops of the text to those of the nest.

        They go up by one, and if sums are scattered, they are those of the gathered sum.
        """
        row, loops = self.rows[name], self.loops[name]
        head = parameters(self.domain[name].dim(isl.dim_type.param))
        names = self.sizes | {
            loop.variable: variable(f"c{position}") for position, loop in enumerate(loops)
        }
        tuple_text = ",".join(f"c{position}" for position in range(row.depth))
        steps = " and ".join(
            f"c{position} = {_first(loop, names)} + {loop.step}*k{position}"
            for position, loop in enumerate(loops)
        )
        counters = ",".join(f"k{position}" for position in range(row.depth))
        frame = isl.Map(
            f"{head} -> {{ {name}[{tuple_text}] -> {name}[{counters}] : {steps or '0 = 0'} }}"
        )
        frame = frame.intersect_params(self.domain[name].params())
        self.text_loops[name] = _linear_rows(frame.reverse())
        frame = self._upright(name, frame.intersect_domain(self.domain[name]))
        if self.items[name] is None:
            return frame
        accesses = _accesses(frame.reverse().apply_range(self.items[name]), name)
        change = gathered(accesses[0], self.names[name]) if len(accesses) == 1 else None
        if change is not None:
            self.gathered.add(name)
            text, self.names[name] = change
            text = text.replace("->", f"-> {name}")
            frame = frame.apply_range(isl.Map(f"{head} -> {{ {name}{text} }}"))
            self.text_loops[name] = _linear_rows(frame.reverse())
        return frame

    def _upright(self, name: str, frame: Any) -> Any:
        """A frame that mixes fewer loops, if those of the only assignment are slanted.

        Its loops, in their order, take no value before it is made.
        """
        _, ties = part_of_box(frame.range())
        if len(self.domain) > 1 or not ties:
            return frame
        read = [part for relation in self.flow.references for part in maps(relation)]
        own_reads = [part for part in read if part.get_tuple_name(isl.dim_type.out) == name]
        remaining = [
            part for part in (*read, self.items[name]) if part is not None and part not in own_reads
        ]
        try:
            indices = [row for access in self._in_frame(frame, remaining) for row in access.rows]
            own_accesses = self._in_frame(
                frame, [relation.apply_range(frame) for relation in own_reads]
            )
        except NotReadError:  # scattered sums are told by other loops
            return frame
        known = [tie.row for tie in ties], indices, [access.rows for access in own_accesses]
        for rows, names in upright(*known, self.names[name]):
            changed = frame.apply_range(loops_changed(name, frame, rows))
            if all(
                comes_first(_fixed(relation.apply_range(changed).apply_domain(changed)))
                for relation in own_reads
            ):
                self.names[name], self.text_loops[name] = names, _linear_rows(changed.reverse())
                return changed
        return frame

    def _in_frame(self, frame: Any, relations: Sequence[Any]) -> list[Access]:
        """Relations from instances as functions of the loops of a frame."""
        back = frame.reverse()
        return [
            access for relation in relations for access in _accesses(back.apply_range(relation), "")
        ]

    def _assignment(self, name: str) -> Assignment:
        frame = self.frames[name]
        domain, item = frame.range(), self.items[name]
        box, ties = part_of_box(domain)
        width = len(box)
        outputs = [set_ for set_ in listed(self.flow.outputs) if set_.get_tuple_name() == name]
        if item is None:
            unit_rows = tuple(tuple(int(i == j) for j in range(width)) for i in range(width))
            access = Access(name, unit_rows, (0,) * width, box, ties)
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
            work=self.work[name],
        )

    def _numbers(self, name: str) -> tuple[int, ...]:
        """The places of an assignment in the blocks around it, numbered by their order."""
        return tuple(self.places[place] for place in _blocks(self.rows[name].time))

    def _reads(self, name: str, *, skip: bool) -> tuple[Access, ...]:
        """The reads of an assignment; its sum up to now is skipped."""
        reads: dict[Access, None] = {}
        for relation in self.flow.references:
            for part in maps(relation):
                reader, source = (part.get_tuple_name(end) for end in _ENDS)
                if reader != name or (skip and source == name):
                    continue
                in_loops = part.apply_domain(self.frames[reader])
                if (item := self.items.get(source)) is not None:
                    in_loops = in_loops.apply_range(item)
                elif source in self.frames:
                    in_loops = in_loops.apply_range(self.frames[source])
                reads |= dict.fromkeys(_accesses(in_loops, source))
        return tuple(reads)

    def _chain(self, name: str) -> Access | None:
        """The items of an assignment that sums up, and reads last values of its own, too."""
        for self_reads in self._to_itself(name):
            if (item := self._item(name, self_reads)) is not None:
                accesses = _accesses(self.frames[name].reverse().apply_range(item), name)
                if len(accesses) == 1:
                    return accesses[0]
        return None

    def _to_itself(self, name: str) -> list[Any]:
        """Return from the instances of an assignment to those of its own that they read."""
        return [
            part
            for relation in self.flow.references
            for part in maps(relation)
            if all(part.get_tuple_name(end) == name for end in _ENDS)
        ]

    def _item(self, name: str, self_reads: Any) -> Any:
        """Return from instances to the items that they sum up, or None if they sum up nothing.

        Parameters
        ----------
        name
            The assignment.
        self_reads
            From its instances to those of its own whose sums they add to; None if to none.
        """
        if self_reads is None or not (self_reads.is_single_valued() and self_reads.is_injective()):
            return None
        row, domain = self.rows[name], self.domain[name]
        steps = self_reads.deltas()
        still = [position for position in range(row.depth) if ends_of(steps, position) == (0, 0)]
        cell = row.writes.partition("[")[2].removesuffix("]")
        head = parameters(domain.dim(isl.dim_type.param))
        index = ",".join([*(f"c{position}" for position in still), *filter(None, [cell])])
        item = isl.Map(f"{head} -> {{ {row.name} -> {name}[{index}] }}").intersect_domain(domain)
        item = _without_repeated(item, len(still))
        if not self_reads.apply_domain(item).apply_range(item).is_subset(_same(item)):
            return None
        heads = domain.subtract(self_reads.domain())
        if not item.intersect_domain(heads).is_injective():
            return None
        later = self_reads.range()  # whoever else reads, reads what is last
        for relation in self.flow.references:
            for part in maps(relation):
                reader, source = (part.get_tuple_name(end) for end in _ENDS)
                if source == name:
                    foreign = part.subtract(self_reads) if reader == name else part
                    if not foreign.range().is_disjoint(later):
                        return None
        for set_ in listed(self.flow.outputs):
            if set_.get_tuple_name() == name and not set_.is_disjoint(later):
                return None
        return item


def _blocks(time: tuple[str, ...]) -> list[tuple[int, ...]]:
    """The places of an assignment in the blocks around it; conditions are no block."""
    blocks: list[tuple[int, ...]] = [()]
    for step in time:
        if "c" in step:
            blocks.append(())
        else:
            blocks[-1] = (*blocks[-1], int(step))
    return blocks


_ENDS = (isl.dim_type.in_, isl.dim_type.out) if isl is not None else ()


def _together(relations: list[Any]) -> Any:
    """The union of some relations; None of none."""
    return (
        reduce(lambda left, right: left.union(right), relations).coalesce() if relations else None
    )


def _same(item: Any) -> Any:
    return isl.Map.identity(item.range().get_space().map_from_set())


def _without_repeated(item: Any, still: int) -> Any:
    """Items without indices that others say already, be it loops among the first `still`.

    Those of the cell go before loops; a loop that is one of them goes before that one.
    """
    form = item.as_pw_multi_aff()
    depth = item.dim(isl.dim_type.in_)
    rows = [_linear(form, position, depth) for position in range(item.dim(isl.dim_type.out))]
    kept: dict[Any, int] = {}
    for place in (*range(still, len(rows)), *range(still)):
        row = rows[place]
        matrix = np.array([coefficients for coefficients, _ in (*kept, row)], np.int64)
        if row in kept or int(np.linalg.matrix_rank(matrix)) == len(matrix):
            kept[row] = place
    for place in sorted({*range(len(rows))} - {*kept.values()}, reverse=True):
        name = item.get_tuple_name(isl.dim_type.out)
        item = item.project_out(isl.dim_type.out, place, 1).set_tuple_name(isl.dim_type.out, name)
    return item


def _linear(form: Any, position: int, depth: int) -> tuple[Row, int]:
    """The coefficients and the constant of one index of a function of one piece."""
    pieces: list[Any] = []
    form.foreach_piece(lambda _, piece: pieces.append(piece))
    if len(pieces) != 1:
        raise NotReadError("an index is no affine function of the loops")
    return _coefficients(pieces[0].get_at(position), depth)


def _coefficients(form: Any, depth: int) -> tuple[Row, int]:
    if form.get_denominator_val().to_python() != 1 or form.dim(isl.dim_type.div):
        raise NotReadError("an index is rounded")
    row = tuple(
        form.get_coefficient_val(isl.dim_type.in_, place).to_python() for place in range(depth)
    )
    constant = form.get_constant_val().to_python()
    for place in range(form.dim(isl.dim_type.param)):
        if form.get_coefficient_val(isl.dim_type.param, place).to_python():
            raise NotReadError("an index depends on a size that is not given")
    return row, constant


def _first(loop: Loop, names: Mapping[str, Affine]) -> Affine:
    """Return from where the steps of a loop are counted: 0 for steps of 1 and -1."""
    return number(0) if abs(loop.step) == 1 else loop.start[0].replaced(names)


def _accesses(relation: Any, array: str) -> list[Access]:
    """A single-valued relation as affine functions on boxes, or on parts of boxes."""
    relation = _fixed(relation).coalesce()  # before the test: with many pieces it takes a minute
    if not relation.is_single_valued():
        raise NotReadError("a reference reads several values")
    depth = relation.dim(isl.dim_type.in_)
    pieces: list[tuple[Any, Any]] = []
    form = relation.as_pw_multi_aff()
    form.foreach_piece(lambda domain, function: pieces.append((domain, function)))
    accesses = []
    for domain, function in pieces:
        linear = [
            _coefficients(function.get_at(position), depth)
            for position in range(function.dim(isl.dim_type.out))
        ]
        rows, offset = tuple(row for row, _ in linear), tuple(constant for _, constant in linear)
        accesses += [Access(array, rows, offset, *part) for part in parts_of_boxes(domain)]
    return accesses


def _linear_rows(relation: Any) -> tuple[tuple[Row, int], ...]:
    """A relation that is one affine function."""
    relation = _fixed(relation)
    form, depth = relation.as_pw_multi_aff(), relation.dim(isl.dim_type.in_)
    return tuple(
        _linear(form, position, depth) for position in range(relation.dim(isl.dim_type.out))
    )


def _outputs(access: Access, final: Any, item: Any) -> Access:
    """The items of an assignment whose final values are outputs.

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
    """A relation with the values of the sizes put in."""
    return relation.project_out(isl.dim_type.param, 0, relation.dim(isl.dim_type.param))


def _pairs(relation: Any) -> dict[tuple[int, int], tuple[int, int]]:
    """The least and largest difference of each coordinate of a reader and of its source."""
    relation = _fixed(relation)
    reads, makes = (relation.dim(end) for end in _ENDS)
    pairs = {}
    flat = relation.wrap().flatten()
    space = isl.LocalSpace.from_space(flat.get_space())
    loops = [
        isl.Aff.var_on_domain(space, isl.dim_type.set, position)
        for position in range(reads + makes)
    ]
    for reader_loop in range(reads):
        for source_loop in range(makes):
            difference = loops[reader_loop].sub(loops[reads + source_loop])
            pairs[reader_loop, source_loop] = between(
                flat.min_val(difference), flat.max_val(difference)
            )
    return pairs
