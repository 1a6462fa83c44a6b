"""Tensor graphs as DAGs: a vertex for each part of each result."""

import math
from dataclasses import dataclass, field
from itertools import pairwise, product
from typing import Final

import numpy as np

from dags.arrays import Int32Array, lock
from dags.cdag.value import CDAG
from dags.importers.cells import cells_of, needed_vertices, vertices_of, without_repeats
from dags.importers.checks import check_graph
from dags.importers.parts import Intervals, Tile, check_tile, input_parts, result_parts
from dags.importers.tensor_graph import ImportedGraphError, TensorGraph, TensorOperator, TensorView
from dags.importers.views import CONSTANT, viewed

MAX_PARTS: Final = 2**20  # each is laid out by Python


def tensor_dag(graph: TensorGraph, *, tile: Tile = None, word: int | None = None) -> CDAG:
    """Return the DAG of a tensor graph: its values are tensors, or parts of them.

    An input is a vertex, and so is each result of an operator; it reads the operands whole. An
    operator of several results has a vertex for each, which read the same; its work is that of
    the first. A view makes no vertex: its elements are those of the tensors that it shows. What
    depends on constants alone is constant, and what no output needs is left out.

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

    Raises
    ------
    ImportedGraphError
        If nothing is computed, a view does not fit its tensor, or there are too many parts.
    """
    check_tile(tile)
    if tile is not None and all(operator.reads is None for operator in graph.operators):
        raise ImportedGraphError(f"{graph.name} has no operators that can be cut into parts")
    check_graph(graph)
    rows = _Rows(graph, graph.word if word is None else word)
    parts = input_parts(graph, tile)
    for name in graph.inputs:
        rows.add_input(name, parts[name])
    for step in graph.steps:
        if isinstance(step, TensorView):
            rows.add_view(step)
        else:
            rows.add_operator(step, result_parts(graph, step, tile))
    return rows.dag()


@dataclass
class _Rows:
    """Vertices so far, and those of each tensor's elements."""

    graph: TensorGraph
    word: int | None
    operands: list[Int32Array] = field(default_factory=list)
    words: list[int] = field(default_factory=list)
    work: list[int | None] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    cells: dict[str, Int32Array] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)

    def add_input(self, name: str, parts: list[Intervals]) -> None:
        """Make a vertex of each part of an input."""
        label = self._label(name)
        nothing = np.zeros(0, np.int32)
        numbers = [self._add(name, nothing, label, parts, box, 0) for box in product(*parts)]
        self._keep(name, numbers, parts)

    def add_view(self, view: TensorView) -> None:
        """Find the elements of a view where they are."""
        given = [self._cells_of(name) for name in view.operands]
        if not given or all((cells == CONSTANT).all() for cells in map(without_repeats, given)):
            return  # a constant
        try:
            shown = viewed(view.function, given, view.arguments)
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
        given = [self._cells_of(name) for name in operator.operands]
        needed = list(needed_vertices(given, operator.reads, parts))
        for result in operator.results:
            own = self._parts_of(result, parts)
            boxes = list(product(*own))
            called = operator.name or operator.kind
            alone = operator.name and len(operator.results) == 1
            told = result if result.startswith(called) else f"{called}:{result}"
            label = self._label(operator.name if alone else told)
            shares = self._shares(operator, result, boxes)
            numbers = [
                self._add(result, row, label, own, box, share) if row.size else CONSTANT
                for row, box, share in zip(needed, boxes, shares, strict=False)
            ]
            self._keep(result, numbers, own)

    def dag(self) -> CDAG:
        """Return the DAG of what the outputs need."""
        found = [vertices_of(self._cells_of(name)) for name in self.graph.outputs]
        outputs = sorted({v for each in found for v in each.tolist() if self.operands[v].size})
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
        )

    def _parts_of(self, result: str, parts: list[Intervals]) -> list[Intervals]:
        """Return the parts of a result whose axes that are not cut may have lengths of its own."""
        shape = self.graph.shapes[result]
        cut = any(len(axis) > 1 for axis in parts)
        return [
            parts[axis] if cut and len(parts[axis]) > 1 else [(0, length)] * min(length, 1)
            for axis, length in enumerate(shape)
        ]

    def _shares(
        self, operator: TensorOperator, result: str, boxes: list[tuple[tuple[int, int], ...]]
    ) -> list[int | None]:
        """Return the work of each part: by elements, on the first of the results."""
        if operator.work is None:
            return [None] * len(boxes)
        if result != self.graph.first_result(operator):
            return [0] * len(boxes)
        total = max(self.graph.elements(result), 1)
        ends = np.cumsum([0, *(_volume(box) for box in boxes)]).tolist()
        done = [operator.work * end // total for end in ends]
        return [after - before for before, after in pairwise(done)]

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
        """Return a name that is not taken: the one wanted, or that with dashes."""
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


def _volume(box: tuple[tuple[int, int], ...]) -> int:
    return math.prod(high - low for low, high in box)
