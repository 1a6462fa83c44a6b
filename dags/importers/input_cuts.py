"""Parts of inputs: they are cut where the parts of operators that read them begin and end."""

from collections.abc import Iterator

from dags.importers.tensor_graph import Reads, TensorGraph, TensorOperator
from dags.importers.tiles import Intervals, Tile, between, cuts_of, intervals, part_counts

Axes = tuple[int, ...]


def result_parts(graph: TensorGraph, operator: TensorOperator, tile: Tile) -> list[Intervals]:
    """Return the parts of each axis of an operator's results; one if it is not cut.

    Several results are cut alike, where the axes that are cut have the same lengths.
    """
    shapes = [graph.shapes[name] for name in operator.results if graph.elements(name)]
    shape = graph.shapes[graph.first_result(operator)]
    counts = part_counts(shape, tile if operator.reads is not None else None, operator.whole)
    cut = [axis for axis, count in enumerate(counts) if count > 1]
    if any(len(each) != len(shape) or each[axis] != shape[axis] for each in shapes for axis in cut):
        counts = [1] * len(shape)
    return [intervals(length, count) for length, count in zip(shape, counts, strict=True)]


def input_parts(graph: TensorGraph, tile: Tile) -> dict[str, list[Intervals]]:
    """Return the parts of each axis of each input.

    An input that operators read as it is, or with its axes in another order, is cut along each
    axis wherever what a part of a reader needs of it begins or ends. So no part of an operator
    reads a part of the input of which it needs but some. One that is read through another view,
    a reshape for example, is cut along its first axes besides, as results are.
    """
    cuts: dict[str, list[set[int]]] = {
        name: [set() for _ in graph.shapes[name]] for name in graph.inputs
    }
    if tile is not None:
        for name, axes, operator, reads in _direct_reads(graph):
            parts = result_parts(graph, operator, tile)
            for axis, along in zip(axes, reads, strict=True):
                if along is not None:
                    length = graph.shapes[name][axis]
                    cuts[name][axis] |= cuts_of(along, parts[along.axis], length)
        for name in _read_otherwise(graph):
            counts = part_counts(graph.shapes[name], tile)
            for places, length, count in zip(cuts[name], graph.shapes[name], counts, strict=True):
                places |= {high for _, high in intervals(length, count)} if length else set()
    return {
        name: [
            between(places, length)
            for places, length in zip(cuts[name], graph.shapes[name], strict=True)
        ]
        for name in graph.inputs
    }


def _direct_reads(graph: TensorGraph) -> Iterator[tuple[str, Axes, TensorOperator, Reads]]:
    """Yield an input, its axes in the order of an operand, the operator, and what it reads."""
    known = _reordered(graph)
    for operator in graph.operators:
        for operand, reads in zip(operator.operands, operator.reads or (), strict=False):
            if operand in known:
                name, axes = known[operand]
                yield name, axes, operator, reads


def _reordered(graph: TensorGraph) -> dict[str, tuple[str, Axes]]:
    """Return the tensors that are an input with its axes in some order."""
    known = {name: (name, tuple(range(len(graph.shapes[name])))) for name in graph.inputs}
    for step in graph.steps:
        if isinstance(step, TensorOperator) or step.operands[0] not in known:
            continue
        name, axes = known[step.operands[0]]
        if step.function == "same":
            known[step.result] = name, axes
        elif step.function == "transpose":
            known[step.result] = name, tuple(axes[axis] for axis in step.arguments["axes"])
    return known


def _read_otherwise(graph: TensorGraph) -> set[str]:
    """Return the inputs of which some view takes other elements, or others together."""
    known = _reordered(graph)
    return {
        known[operand][0]
        for step in graph.steps
        if not isinstance(step, TensorOperator) and step.result not in known
        for operand in step.operands
        if operand in known
    }
