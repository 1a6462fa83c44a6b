"""Tensor graphs as nests: each operator is loops at its true size, and no element is laid out.

An operator is an assignment for each element of its result and each term of its sums; softmax and
normalisation are sums over a row, one with the other, and then their result, and attention is two
products and a softmax between. The result of an elementwise operator on a value that nobody else
reads is made with it at once, of a sum with its last term; a sum begins with its bias. Views move
nothing: their elements are read where they are.

An operator that is no loops runs apart: those before it store its operands, it reads these once and
stores its results, and those behind it read these.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from math import prod

from dags.errors import FormatError, InvalidSpecError
from dags.families.common.members import Member
from dags.importers.checks import check_graph
from dags.importers.index_maps import (
    Affine,
    Atoms,
    NotAffineError,
    Shown,
    array_of,
    atoms_of,
    digits_of,
    read_through,
    refined,
    unit_rows,
    view_of,
)
from dags.importers.nest_parts import (
    at_end,
    distances,
    ends_of,
    items_of,
    merged,
    needed_parts,
    problem_of,
    renumbered,
    unneeded,
)
from dags.importers.spec import import_spec
from dags.importers.tensor_graph import (
    Along,
    ImportedGraphError,
    Reads,
    TensorGraph,
    TensorOperator,
    TensorView,
)
from dags.programs.aligned_loops import aligned
from dags.programs.box_nests import Access, Assignment, BoxNest, volume
from dags.programs.members import sizes_of
from dags.programs.tied_loops import Box
from dags.programs.touched import touched

UNFIT = (ArithmeticError, LookupError, TypeError, ValueError)  # which NotAffineError is, too
INPUT = "A_"  # before the names of arrays that are read before they are made


def graph_member(spec: str) -> Member:
    """A graph of another tool as a member of no family: its operators are loops.

    Raises
    ------
    InvalidSpecError
        If it is cut into tiles or works in place, which is for tensors that are values as a whole.
    FormatError
        If it is read as no loops; the operator in the way is named.
    """
    known = import_spec(spec)
    graph = known.graph()
    if known.tile is not None or known.word not in (None, graph.word) or known.in_place:
        raise InvalidSpecError(
            f"{spec}: tile, word and in-place are of values that are tensors; where plays are "
            "counted, each element is a word"
        )
    try:
        check_graph(graph)
        nest, separate = nest_and_apart(graph)
    except ImportedGraphError as error:
        raise FormatError(known.place, str(error)) from None
    return Member(spec, graph.name, nest.sizes, sizes_of(nest), nest, (*separate, *_mixed(graph)))


def _mixed(graph: TensorGraph) -> list[str]:
    """A sentence on elements of several sizes, which count as a word each."""
    names = (name for operator in graph.operators for name in operator.results)
    sizes = {graph.itemsize.get(name, 0) for name in (*graph.inputs, *names)} - {0}
    if len(sizes) < 2:
        return []
    several = " and ".join(map(str, sorted(sizes)))
    return [f"elements have {several} bytes, and each counts as one word"]


def graph_nest(graph: TensorGraph) -> BoxNest:
    """The nest of a graph, as `nest_and_apart`."""
    return nest_and_apart(graph)[0]


def nest_and_apart(graph: TensorGraph) -> tuple[BoxNest, tuple[str, ...]]:
    """The operators of a graph that its outputs need, as assignments run on boxes.

    Beside them a sentence on each that is no loops, or no affine function: it runs apart.

    Raises
    ------
    NotAffineError
        If nothing is computed, or an output is a part of what is made.
    """
    why: dict[str, str] = {}
    while True:
        reader = _read(graph, why)
        parts = renumbered(needed_parts(merged(reader.assignments)))
        problem = unneeded(parts)
        if any(map(problem_of, parts)):
            problem = next(filter(None, map(problem_of, [*reader.assignments, *parts])))
        if problem is None:
            break
        step = _step_of(graph, problem[0])
        if step in why:
            raise NotAffineError(problem[1])
        why[step] = problem[1]
    digest = sha256(repr(parts).encode()).hexdigest()
    nest = BoxNest(graph.name, digest, {}, *aligned(parts, [*distances(parts)]))
    return nest, tuple(reader.apart)


def _read(graph: TensorGraph, why: Mapping[str, str]) -> "_NestReader":
    """The reader of a graph of which some operators, by their results, run apart."""
    reader = _NestReader(graph)
    needed = _needed(graph)
    for step in graph.steps:
        if needed.isdisjoint(step.results):
            continue
        before, shown = list(reader.assignments), dict(reader.shown)
        try:
            if step.results[0] in why:
                raise NotAffineError(why[step.results[0]])
            if isinstance(step, TensorView):
                reader.add_view(step)
            else:
                reader.add_operator(step)
        except NotAffineError as error:
            reader.assignments, reader.shown = before, shown
            reader.add_apart(step, str(error))
        except UNFIT:
            reader.assignments, reader.shown = before, shown
            reader.add_apart(step, "its attributes and its shapes do not fit each other")
    reader.add_outputs()
    if not any(assignment.outputs for assignment in reader.assignments):
        raise NotAffineError("nothing is computed from inputs")
    return reader


def _step_of(graph: TensorGraph, target: str) -> str:
    """The first result of the step that makes a tensor, or a part "y.0" on the way to it."""
    names = [step.results[0] for step in graph.steps for name in step.results if name == target]
    ahead = (step.results[0] for step in graph.steps if target.startswith(f"{step.results[0]}."))
    return names[0] if names else max(ahead, key=len, default=target)


def _needed(graph: TensorGraph) -> set[str]:
    """The tensors that the outputs depend on."""
    needed = {*graph.outputs}
    for step in reversed(graph.steps):
        if not needed.isdisjoint(step.results):
            needed |= {*step.operands}
    return needed


@dataclass(frozen=True)
class _Loops:
    """The loops of an operator: those of the axes of its result, and of the indices it sums over.

    Parameters
    ----------
    axes
        The atoms of each; each atom is a loop.
    """

    axes: tuple[Atoms, ...]

    @property
    def box(self) -> Box:
        """All iterations."""
        return tuple((0, length) for axis in self.axes for length in axis)

    def index(self, axis: int, group: int = 1) -> Affine:
        """The number of an axis, divided by the size of groups, as loops have it."""
        first = sum(map(len, self.axes[:axis]))
        row = [0] * len(self.box)
        for place in range(len(self.axes[axis])):
            row[first + place] = prod(self.axes[axis][place + 1 :]) // group
        return Affine(tuple(row))

    def places(self, axis: int) -> range:
        """The loops of an axis."""
        first = sum(map(len, self.axes[:axis]))
        return range(first, first + len(self.axes[axis]))

    def some(self, axes: Sequence[int]) -> tuple[int, ...]:
        """The loops of some axes."""
        return tuple(place for axis in axes for place in self.places(axis))


@dataclass
class _NestReader:
    """Assignments so far, and where the elements of each tensor come from."""

    graph: TensorGraph
    assignments: list[Assignment] = field(default_factory=list)
    shown: dict[str, Shown] = field(default_factory=dict)
    apart: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        for name in self.graph.inputs:
            self.shown[name] = array_of(INPUT + name, self._axes(name))

    def _axes(self, name: str) -> list[Atoms]:
        return [atoms_of(length) for length in self.graph.shapes[name]]

    def add_view(self, view: TensorView) -> None:
        """Find where the elements of a view come from; of constants nothing is kept."""
        if all(name not in self.shown for name in view.operands):
            return
        constants = {
            name: Shown(tuple(self._axes(name)), ())
            for name in view.operands
            if name not in self.shown and name in self.graph.shapes
        }
        if any(name not in self.shown | constants for name in view.operands):
            raise NotAffineError(f"{view.result} joins values and constants")
        operands = [(self.shown | constants)[name] for name in view.operands]
        shapes = [self.graph.shapes[name] for name in view.operands]
        result = self.graph.shapes[view.result]
        self.shown[view.result] = view_of(view.function, operands, shapes, result, view.arguments)

    def add_operator(self, operator: TensorOperator) -> None:
        """Add the assignments of an operator."""
        pairs = zip(operator.operands, operator.reads or (), strict=False)
        operands = [(name, row) for name, row in pairs if name in self.shown]
        if self.shown.keys().isdisjoint(operator.operands):
            return  # a constant
        called = f"{operator.kind} {operator.name}".strip()
        if operator.reads is None or operator.passes is None:
            raise NotAffineError(f"{called} is not known as loops")
        try:
            self._add(operator, operands)
        except NotAffineError as error:
            raise NotAffineError(f"{called}: {error}") from None

    def add_apart(self, step: TensorOperator | TensorView, why: str) -> None:
        """Add an operator that runs apart: it reads its operands once, and stores its results.

        In the nest it sums its operands up to one value, of which it makes its results.
        """
        known, filled = dict.fromkeys(step.operands), self.graph.elements
        operands = [name for name in known if name in self.shown and filled(name)]
        results = [name for name in step.results if name in self.graph.shapes and filled(name)]
        reads = [
            _outside(piece, f"{INPUT}{results[0]} of ")
            for name in operands
            for piece in self.shown[name].pieces
            if results
        ]
        if not reads:
            return
        for name in operands:
            self._store(name, entire=True)
        sums: list[str] = []
        for access in reads:
            loops = _Loops((tuple(high for _, high in access.box),))
            sums.append(self._assign(f"{results[0]}.{len(sums)}", loops, [access], ()))
        for result in results:
            loops = _Loops(tuple(self._axes(result)))
            one_value = [Access(name, (), (), loops.box) for name in sums]
            made = self._assign(result, loops, one_value, range(len(loops.axes)))
            self.shown[result] = array_of(made, loops.axes)
            self._store(result)
            self.shown[result] = array_of(INPUT + result, loops.axes)
        kind = step.kind if isinstance(step, TensorOperator) else step.function
        called = f"{kind} {step.name if isinstance(step, TensorOperator) else step.result}".strip()
        by_array = {read.array: [a for a in reads if a.array == read.array] for read in reads}
        words = sum(map(touched, by_array.values())) + sum(map(filled, results))
        reason = why if why.startswith(called) else f"{called}: {why}"
        self.apart.append(
            f"{reason}; it runs apart, where its operands are read and its results written once: "
            f"{words:,} words"
        )

    def add_outputs(self) -> None:
        """Say which items are outputs."""
        for name in self.graph.outputs:
            self._store(name)

    def _store(self, name: str, *, entire: bool = False) -> None:
        """Make a tensor an output; `entire`: with all else that is made where it is a part."""
        for piece in self.shown[name].pieces if name in self.shown else ():
            if piece.array.startswith(INPUT):
                continue
            maker = next(
                assignment for assignment in self.assignments if assignment.name == piece.array
            )
            box = tuple(ends_of(piece))
            if prod(high - low for low, high in box) != prod(n for _, n in piece.box):
                if not entire:
                    raise NotAffineError(f"the output {name} is some of what is made")
                box = items_of(maker)
            access = Access(maker.name, unit_rows(len(box)), (0,) * len(box), box)
            if maker.outputs not in (None, access):
                if not entire:
                    raise NotAffineError(f"the output {name} is a part of another one")
                box = items_of(maker)
                access = Access(maker.name, unit_rows(len(box)), (0,) * len(box), box)
            self._replace(maker, replace(maker, outputs=access))

    def _replace(self, old: Assignment, new: Assignment) -> None:
        self.assignments[self.assignments.index(old)] = new

    def _add(self, operator: TensorOperator, operands: list[tuple[str, Reads]]) -> None:
        result = self.graph.first_result(operator)
        shape = self.graph.shapes[result]
        loops = self._loops(operands, shape)
        if operator.passes and len(loops.axes) > len(shape):
            self._add_attention(loops, operands, result)
            return
        accesses = [access for name, row in operands for access in self._accesses(loops, name, row)]
        rank = len(shape)
        if operator.passes:
            own_axes = [axis for axis in range(rank) if axis not in operator.whole]
            first = self._accesses(loops, *operands[0])
            partial: list[Access] = []
            for place in range(operator.passes):
                name = self._assign(f"{result}.{place}", loops, [*first, *partial], own_axes)
                rows = tuple(unit_rows(len(loops.box))[loop] for loop in loops.some(own_axes))
                partial.append(Access(name, rows, (0,) * len(rows), loops.box))
            accesses += partial
        summed = self._begun(loops, operator, operands, rank) if len(loops.axes) > rank else None
        name = self._assign(result, loops, summed or accesses, range(rank))
        self.shown[result] = array_of(name, loops.axes[:rank])

    def _begun(
        self,
        loops: _Loops,
        operator: TensorOperator,
        operands: list[tuple[str, Reads]],
        rank: int,
    ) -> list[Access]:
        """The reads of a sum, of operands that go along no index of it on its first term."""
        reads = []
        sums = loops.some(range(rank, len(loops.axes)))
        for name, row in operands:
            axes = {index.axis for index in row if index} | {index.tap for index in row if index}
            for access in self._accesses(loops, name, row, single=len(operands) == 1):
                if not any(axis is not None and axis >= rank for axis in axes):
                    access = replace(access, box=at_end(access.box, sums, first=True))
                reads.append(access)
        return reads

    def _add_attention(self, loops: _Loops, operands: list[tuple[str, Reads]], result: str) -> None:
        """Add scores, a softmax over keys, and the values that it weighs."""
        rank = len(self.graph.shapes[result])
        batch, width, keys, queries = [*range(rank - 1)], rank, rank + 1, rank - 1
        scores = _Loops(tuple(loops.axes[axis] for axis in (*batch, keys, width)))
        names = {axis: place for place, axis in enumerate((*batch, keys, width))}
        read = [
            access
            for name, row in (operands[0], operands[1], *operands[3:])
            for access in self._accesses(scores, name, _renamed(row, names))
        ]
        ahead = range(len(batch) + 1)
        target = self._assign(f"{result}.scores", scores, read, ahead)
        rows = _Loops(scores.axes[:-1])
        units = unit_rows(len(rows.box))
        score = Access(target, units, (0,) * len(units), rows.box)
        statistics = [score]
        for part in ("maximum", "sum"):
            name = self._assign(f"{result}.{part}", rows, statistics, batch)
            row_items = tuple(units[loop] for loop in rows.some(batch))
            statistics.append(Access(name, row_items, (0,) * len(row_items), rows.box))
        weight = self._assign(f"{result}.weights", rows, statistics, ahead)
        last = _Loops(tuple(loops.axes[axis] for axis in (*batch, queries, keys)))
        names = {axis: place for place, axis in enumerate((*batch, queries, keys))}
        weights = array_of(weight, rows.axes)
        index = [atom for axis in (*batch, keys) for atom in _atoms(last, names[axis])]
        read = list(read_through(weights, index, last.box))
        read += self._accesses(last, operands[2][0], _renamed(operands[2][1], names))
        name = self._assign(result, last, read, range(rank))
        self.shown[result] = array_of(name, last.axes[:rank])

    def _loops(self, operands: list[tuple[str, Reads]], shape: tuple[int, ...]) -> _Loops:
        """The loops that an operator needs for the makers of its operands."""
        lengths = dict(enumerate(shape))
        cuts: dict[int, list[Atoms]] = {axis: [] for axis in lengths}
        for name, row in operands:
            for place, index in enumerate(row):
                length = self.graph.shapes[name][place]
                if index is None:
                    if length > 1:
                        raise NotAffineError("what it reads depends on values")
                    continue
                if index.tap is not None:
                    lengths.setdefault(index.tap, index.taps)
                if _is_plain(index):
                    if lengths.setdefault(index.axis, length) != length:
                        raise NotAffineError("an operand has another length than the result")
                    cuts.setdefault(index.axis, []).append(self.shown[name].axes[place])
                elif index.group > 1:
                    groups = lengths[index.axis] // index.group
                    factors = tuple(factor for factor in (groups, index.group) if factor > 1)
                    cuts.setdefault(index.axis, []).append(factors)
        if [*sorted(lengths)] != [*range(len(lengths))]:
            raise NotAffineError("its sums are not known")
        return _Loops(tuple(refined(lengths[axis], cuts.get(axis, ())) for axis in sorted(lengths)))

    def _accesses(
        self, loops: _Loops, name: str, row: Reads, *, single: bool = False
    ) -> list[Access]:
        """The items of an operand that each iteration reads.

        Windows of an operand that is `single` begin with their last term where the first ones may
        be beyond the edge, for a sum begins with a value.
        """
        shown, shape = self.shown[name], self.graph.shapes[name]
        indices: list[Affine] = []
        limits: list[tuple[Affine, int]] = []
        for place, axis_read in enumerate(row):
            atoms = shown.axes[place]
            if axis_read is None:
                continue
            if _is_plain(axis_read):
                index = loops.index(axis_read.axis)
                places = loops.places(axis_read.axis)
                indices += digits_of(index, loops.axes[axis_read.axis], atoms, places)
                continue
            if len(atoms) > 1:
                raise NotAffineError("windows go over an axis in rows")
            n, taps = shape[place], axis_read.taps
            index = Affine((0,) * len(loops.box), -axis_read.offset)
            index = index.plus(loops.index(axis_read.axis, axis_read.group), axis_read.stride)
            if axis_read.tap is not None:
                dilation = axis_read.dilation
                if (
                    single
                    and index.offset < 0
                    and index.ends(loops.box)[1] + dilation * (taps - 1) < n
                ):
                    dilation, index = (
                        -dilation,
                        replace(index, offset=index.offset + dilation * (taps - 1)),
                    )
                index = index.plus(loops.index(axis_read.tap), dilation)
            limits.append((index, shape[place]))
            indices += [index] * len(atoms)
        return list(read_through(shown, indices, loops.box, limits))

    def _assign(
        self, target: str, loops: _Loops, reads: Sequence[Access], axes: Sequence[int]
    ) -> str:
        """Add an assignment that makes an item for each value of some axes; return its name."""
        name, box = f"S{len(self.assignments)}", loops.box
        own_loops = loops.some(axes)
        units = unit_rows(len(box))
        sums = len(own_loops) < len(box)
        rows = tuple(units[loop] for loop in own_loops) if sums else units
        self.assignments.append(
            Assignment(
                name=name,
                loops=tuple(f"{target}.{loop}" for loop in range(len(box))),
                box=box,
                reads=tuple(dict.fromkeys(reads)),
                item=Access(name, rows, (0,) * len(rows), box),
                sums=sums,
                outputs=None,
                target=target,
                numbers=(len(self.assignments), *(0 for _ in box)),
                size=volume(box),
                text_loops=tuple((row, 0) for row in units),
            )
        )
        return name


def _atoms(loops: _Loops, axis: int) -> list[Affine]:
    return [Affine(unit_rows(len(loops.box))[atom]) for atom in loops.places(axis)]


def _outside(piece: Access, prefix: str) -> Access:
    """The read of a piece from another array, with loops from 0."""
    offset = (
        constant + sum(a * low for a, (low, _) in zip(row, piece.box, strict=True))
        for row, constant in zip(piece.rows, piece.offset, strict=True)
    )
    box = tuple((0, high - low) for low, high in piece.box)
    return Access(prefix + piece.array, piece.rows, tuple(offset), box)


def _renamed(row: Reads, axes: dict[int, int]) -> Reads:
    return tuple(None if index is None else index.renamed(axes) for index in row)


def _is_plain(index: Along) -> bool:
    """Whether an index goes along an axis as it is."""
    fields = index.stride, index.taps, index.dilation, index.offset, index.group
    return fields == (1, 1, 1, 0, 1)
