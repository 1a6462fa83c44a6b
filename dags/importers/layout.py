"""Tensor graphs as DAGs: a vertex for each part of each result, and the vertex of each element."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product
from typing import Final

import numpy as np

from dags.arrays import Int32Array, Int64Array, lock
from dags.cdag.value import CDAG
from dags.errors import one_line
from dags.importers.checks import check_graph
from dags.importers.parts import Intervals, Tile, check_tile, input_parts, result_parts
from dags.importers.tensor_graph import (
    Along,
    ImportedGraphError,
    Reads,
    TensorGraph,
    TensorOperator,
    TensorView,
    reading,
)
from dags.importers.views import CONSTANT, MAX_COPIED, viewed

STILL: Final = ("reshape", "same")  # views whose elements are in the order of their tensor
MAX_PARTS: Final = 2**20  # each is laid out by Python


def tensor_dag(
    graph: TensorGraph, *, tile: Tile = None, word: int | None = None, in_place: bool = False
) -> CDAG:
    """The DAG of a tensor graph: its values are tensors, or parts of them.

    An input is a vertex, and so is each result of an operator; it reads the operands whole. An
    operator of several results has a vertex for each, which read the same; its work is that of the
    first. A view makes no vertex: its elements are those of the tensors that it shows. A value of
    constants alone is constant, and one that no output needs is left out.

    Parameters
    ----------
    graph
        The operators.
    tile
        Into how many parts results are cut: a number for their first axes, or one for each axis.
        A part reads the parts of operands of which it needs an element, and no others. None
        leaves every tensor whole.
    word
        Bytes of a word, where the graph knows the sizes of elements; None for those that most
        elements have. Where it knows none, every element is a word.
    in_place
        Whether results of elementwise operators may be computed in the place of an operand.

    Raises
    ------
    ImportedGraphError
        If nothing is computed, a view does not fit its tensor, or there are too many parts.
    """
    check_tile(tile)
    if tile is not None and all(operator.reads is None for operator in graph.operators):
        raise ImportedGraphError(f"{graph.name} has no operators that can be cut into parts")
    check_graph(graph)
    with reading(f"the graph {one_line(graph.name, 40)}"):
        return _laid_out(graph, tile, word, in_place)


def _laid_out(graph: TensorGraph, tile: Tile, word: int | None, in_place: bool) -> CDAG:
    rows = _TensorRows(graph, graph.word if word is None else word)
    parts = input_parts(graph, tile)
    for name in graph.inputs:
        rows.add_input(name, parts[name])
    for step in graph.steps:
        if isinstance(step, TensorView):
            rows.add_view(step)
        else:
            rows.add_operator(step, result_parts(graph, step, tile))
    return rows.dag(in_place)


@dataclass
class _TensorRows:
    """Vertices so far, and those of each tensor's elements."""

    graph: TensorGraph
    word: int | None
    operands: list[Int32Array] = field(default_factory=list)
    words: list[int] = field(default_factory=list)
    work: list[int | None] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    cells: dict[str, Int32Array] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)
    moved: set[str] = field(default_factory=set)  # views whose elements are not in their order
    in_place: list[bool] = field(default_factory=list)

    def add_input(self, name: str, parts: list[Intervals]) -> None:
        """Make a vertex of each part of an input."""
        label = self._label(name)
        nothing = np.zeros(0, np.int32)
        numbers = [self._add(name, nothing, label, parts, box, 0) for box in product(*parts)]
        self._keep(name, numbers, parts)

    def add_view(self, view: TensorView) -> None:
        """Find the elements of a view where they are."""
        if view.function not in STILL or self.moved.intersection(view.operands):
            self.moved.add(view.result)
        operands = [self._cells_of(name) for name in view.operands]
        if not operands or all(
            (cells == CONSTANT).all() for cells in map(without_repeats, operands)
        ):
            return  # a constant
        try:
            shown = viewed(view.function, operands, view.arguments)
        except ImportedGraphError as error:
            raise ImportedGraphError(f"{view.result}: {error}") from None
        if shown.shape != self.graph.shapes.get(view.result):
            raise ImportedGraphError(f"{view.result} is said not to have its shape {shown.shape}")
        self.cells[view.result] = shown

    def add_operator(self, operator: TensorOperator, parts: list[Intervals]) -> None:
        """Make a vertex of each part of each result that something other than constants is in."""
        if math.prod(map(len, parts)) * len(operator.results) + len(self.words) > MAX_PARTS:
            raise ImportedGraphError(
                f"{operator.name}: the graph would have more than {MAX_PARTS} parts; cut into fewer"
            )
        operands = [self._cells_of(name) for name in operator.operands]
        needed = list(needed_vertices(operands, operator.reads, parts))
        for result in operator.results:
            part_numbers = self._parts_of(result, parts)
            boxes = list(product(*part_numbers))
            called = operator.name or operator.kind
            is_single = operator.name and len(operator.results) == 1
            told = result if result.startswith(called) else f"{called}:{result}"
            label = self._label(operator.name if is_single else told)
            shares = self._shares(operator, result, boxes)
            numbers = [
                self._add(result, row, label, part_numbers, box, share) if row.size else CONSTANT
                for row, box, share in zip(needed, boxes, shares, strict=False)
            ]
            self._keep(result, numbers, part_numbers)
        self._mark_in_place(operator, operands)

    def _mark_in_place(self, operator: TensorOperator, operands: list[Int32Array]) -> None:
        """Mark the results of an elementwise operator that can take the place of an operand.

        An operand will do that has the elements of the result, in their order, in as many words;
        and no other operand that is read may have as many, as rules tell operands apart by size.
        """
        if len(operator.results) != 1 or not is_elementwise(operator, self.graph):
            return
        shape = self.graph.shapes[operator.results[0]]
        alike: set[int] = set()
        other_cells: set[int] = set()
        for name, cells in zip(operator.operands, operands, strict=True):
            fits = self.graph.shapes.get(name) == shape and name not in self.moved
            (alike if fits else other_cells).update(vertices_of(cells).tolist())
        results = set(vertices_of(self._cells_of(operator.results[0])).tolist())
        for v in results:
            candidates = {u for u in self.operands[v].tolist() if self.words[u] == self.words[v]}
            self.in_place[v] = bool(candidates) and candidates <= alike - other_cells

    def dag(self, in_place: bool = False) -> CDAG:
        """The DAG of all that the outputs need."""
        results = [vertices_of(self._cells_of(name)) for name in self.graph.outputs]
        outputs = sorted(
            {v for vertices in results for v in vertices.tolist() if self.operands[v].size}
        )
        if not outputs:
            raise ImportedGraphError(
                f"{self.graph.name}: nothing is computed from inputs: there is no output of an "
                "operator"
            )
        kept = self._needed_by(outputs)
        number = np.full(len(self.words), CONSTANT, np.int32)
        number[kept] = np.arange(len(kept))
        rows = [number[self.operands[v]] for v in kept]
        work = [self.work[v] for v in kept]
        return CDAG(
            lock(np.cumsum([0, *map(len, rows)], dtype=np.int64)),
            lock(np.concatenate(rows).astype(np.int32)),
            words=[self.words[v] for v in kept],
            work=None if None in work else np.array(work, np.int64),
            outputs=number[outputs],
            labels=[self.labels[v] for v in kept],
            word_bytes=self.word,
            in_place=np.array([self.in_place[v] for v in kept], np.bool_) if in_place else None,
        )

    def _parts_of(self, result: str, parts: list[Intervals]) -> list[Intervals]:
        """The parts of a result whose axes that are not cut may have lengths of its own."""
        shape = self.graph.shapes[result]
        cut = any(len(axis) > 1 for axis in parts)
        return [
            parts[axis] if cut and len(parts[axis]) > 1 else [(0, length)] * min(length, 1)
            for axis, length in enumerate(shape)
        ]

    def _shares(
        self, operator: TensorOperator, result: str, boxes: list[tuple[tuple[int, int], ...]]
    ) -> list[int | None]:
        """The work of each part: by elements, on the first of the results."""
        if operator.work is None:
            return [None] * len(boxes)
        if result != self.graph.first_result(operator):
            return [0] * len(boxes)
        total = max(self.graph.elements(result), 1)
        ends = np.cumsum([0, *(_volume(box) for box in boxes)]).tolist()
        work = [operator.work * end // total for end in ends]
        return [after - before for before, after in pairwise(work)]

    def _add(
        self,
        name: str,
        operands: Int32Array,
        label: str,
        parts: list[Intervals],
        box: tuple[tuple[int, int], ...],
        work: int | None,
    ) -> int:
        self.operands.append(operands)
        self.in_place.append(False)
        self.words.append(self._size(name, _volume(box)))
        self.work.append(work)
        cut = any(len(axis) > 1 for axis in parts)
        inside = ",".join(f"{low}:{high}" for low, high in box)
        self.labels.append(f"{label}[{inside}]" if cut else label)
        return len(self.words) - 1

    def _size(self, name: str, elements: int) -> int:
        if self.word is None:
            return elements
        return -(-elements * self.graph.itemsize.get(name, self.word) // self.word)

    def _keep(self, name: str, numbers: list[int], parts: list[Intervals]) -> None:
        by_part = np.array(numbers, np.int32).reshape([len(axis) for axis in parts])
        self.cells[name] = cells_of(by_part, parts)

    def _label(self, wanted: str) -> str:
        """A name that is not taken: the one wanted, or that with dashes."""
        while wanted in self.names:
            wanted += "'"
        self.names.add(wanted)
        return wanted

    def _cells_of(self, name: str) -> Int32Array:
        if name in self.cells:
            return self.cells[name]
        return np.broadcast_to(np.int32(CONSTANT), self.graph.shapes.get(name, ()))

    def _needed_by(self, outputs: list[int]) -> list[int]:
        needed = np.zeros(len(self.words), np.bool_)
        needed[outputs] = True
        for vertex in range(outputs[-1], -1, -1):
            if needed[vertex]:
                needed[self.operands[vertex]] = True
        kept: list[int] = np.flatnonzero(needed).tolist()
        return kept


def is_elementwise(operator: TensorOperator, graph: TensorGraph) -> bool:
    """Whether each element of a result needs one of each operand, at its own place."""
    if operator.reads is None or operator.whole:
        return False
    for name, reads in zip(operator.operands, operator.reads, strict=True):
        lengths = graph.shapes.get(name, ())
        if any(read is None and n > 1 for read, n in zip(reads, lengths, strict=False)):
            return False
        plain = [read for read in reads if read is not None]
        axes = [read.axis for read in plain]
        if axes != sorted(set(axes)) or any(read != Along(read.axis) for read in plain):
            return False
    return True


def _volume(box: tuple[tuple[int, int], ...]) -> int:
    return math.prod(high - low for low, high in box)


def cells_of(numbers: Int32Array, parts: Sequence[Intervals]) -> Int32Array:
    """The vertex of each element of a tensor that is cut along its axes.

    Parameters
    ----------
    numbers
        The vertices, by part along each axis.
    parts
        The parts of each axis; an axis of one part takes no memory.
    """
    shape = tuple(axis[-1][1] if axis else 0 for axis in parts)
    copied = math.prod(shape[axis] for axis, lengths in enumerate(parts) if len(lengths) > 1)
    if copied > MAX_COPIED:
        raise ImportedGraphError(
            f"a tensor of shape {shape} is too large to be cut: {copied} elements along its axes"
        )
    cells = numbers
    for axis, lengths in enumerate(parts):
        if len(lengths) > 1:
            cells = np.repeat(cells, [high - low for low, high in lengths], axis)
    return np.broadcast_to(cells, shape) if 0 not in shape else np.empty(shape, np.int32)


def grid(cells: Int32Array) -> tuple[Int32Array, list[Int64Array]]:
    """Cells without equal neighbours, and where these begin along each axis."""
    starts: list[Int64Array] = []
    cells = without_repeats(cells)
    for axis, length in enumerate(cells.shape):
        begin = np.zeros(min(length, 1), np.int64)
        if length > 1:
            ahead, behind = _shifted(cells, axis, 1), _shifted(cells, axis, 0)
            other_axes = tuple(k for k in range(cells.ndim) if k != axis)
            begin = np.concatenate(
                [begin, np.flatnonzero((ahead != behind).any(axis=other_axes)) + 1]
            )
        cells = cells.take(begin, axis)
        starts.append(begin)
    return cells, starts


def without_repeats(cells: Int32Array) -> Int32Array:
    """Return one of the elements that an axis repeats without copies."""
    return cells[tuple(slice(0, 1) if step == 0 else slice(None) for step in cells.strides)]


def _shifted(cells: Int32Array, axis: int, shift: int) -> Int32Array:
    length = cells.shape[axis]
    index = [slice(None)] * cells.ndim
    index[axis] = slice(shift, max(length - 1, 0) + shift)
    return cells[tuple(index)]


def vertices_at(cells: Int32Array, indices: Sequence[Int64Array]) -> Int32Array:
    """The vertices, rising, of the elements at some indices of each axis; no constants."""
    vertices: Int32Array = np.unique(cells[np.ix_(*indices)] if indices else cells)
    return vertices[vertices >= 0]


def vertices_of(cells: Int32Array) -> Int32Array:
    """The vertices, rising, that a tensor is in; no constants."""
    vertices: Int32Array = np.unique(grid(cells)[0])
    return vertices[vertices >= 0]


def needed_vertices(
    operands: Sequence[Int32Array], reads: Sequence[Reads] | None, parts: Sequence[Intervals]
) -> Iterator[Int32Array]:
    """Yield the vertices, rising, that each part of the results reads, the last axis fastest.

    Parameters
    ----------
    operands
        The vertex of each element of each operand.
    reads
        The part of each operand that an element of a result needs; None for everything.
    parts
        The parts of each axis of the results. If there is one, it reads the operands whole.
    """
    rows = reads or [(None,) * cells.ndim for cells in operands]
    grids = [grid(cells) for cells in operands]
    wanted = [
        [_indices(*axis, parts) for axis in zip(row, starts, cells.shape, strict=True)]
        for row, (_, starts), cells in zip(rows, grids, operands, strict=True)
    ]
    for position in product(*(range(len(axis)) for axis in parts)):
        needed = [
            vertices_at(
                cells,
                [
                    axis[0 if read is None or len(axis) == 1 else position[read.axis]]
                    for axis, read in zip(axes, row, strict=True)
                ],
            )
            for axes, row, (cells, _) in zip(wanted, rows, grids, strict=True)
        ]
        yield np.unique(np.concatenate([np.zeros(0, np.int32), *needed]))


def _indices(
    read: Along | None, starts: Int64Array, length: int, parts: Sequence[Intervals]
) -> list[Int64Array]:
    """Which cells of a grid's axis each part along an axis of the result needs."""
    if read is None or read.axis >= len(parts) or all(len(axis) <= 1 for axis in parts):
        return [np.arange(starts.size)]
    return [
        np.unique(np.searchsorted(starts, read.indices(low, high, length), side="right") - 1)
        for low, high in parts[read.axis]
    ]
