"""Parts of tensors: where the axes of results are cut, and of inputs, for their readers."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from dags.importers.tensor_graph import (
    Along,
    ImportedGraphError,
    Reads,
    TensorGraph,
    TensorOperator,
)

Tile = int | tuple[int, ...] | None
Intervals = list[tuple[int, int]]
MAX_SIDE: Final = 10**9


def parse_tile(text: str) -> Tile:
    """The tile that "8" or "1x4x4" means.

    Raises
    ------
    ImportedGraphError
        If it is no whole number of at least 1, or several joined by x.
    """
    sides = text.split("x")
    if not all(side.isdecimal() and 0 < len(side) < 10 and int(side) for side in sides):
        raise ImportedGraphError(f"a tile is like 8, or 1x4x4 by axis, not {text[:40]!r}")
    counts = tuple(map(int, sides))
    return counts[0] if len(counts) == 1 else counts


def check_tile(tile: Tile) -> None:
    """Raise ImportedGraphError unless `tile` is None, or of whole numbers from 1."""
    sides = () if tile is None else tile if isinstance(tile, tuple) else (tile,)
    for side in sides:
        if isinstance(side, bool) or not isinstance(side, int | np.integer):
            raise ImportedGraphError(f"a tile is of whole numbers, like 8 or (1, 4, 4), not {side}")
        if not 1 <= side <= MAX_SIDE:
            raise ImportedGraphError(f"a tile cuts into 1 to {MAX_SIDE} parts, not {side}")
    if isinstance(tile, tuple) and not tile:
        raise ImportedGraphError("a tile has at least one number, like 8 or (1, 4, 4)")


def part_counts(shape: Sequence[int], tile: Tile, uncut: Sequence[int] = ()) -> list[int]:
    """Into how many parts each axis of a tensor is cut.

    A tuple says it by axis; an axis has at most as many parts as elements. A number N is met by
    the first axes: the first into N parts, or into its elements where they are fewer, and then
    the next into as many as are still missing, rounded up.

    Parameters
    ----------
    shape
        Lengths of the axes.
    tile
        N, a number for each axis, or None for one part.
    uncut
        Axes that are not cut.
    """
    counts = [1] * len(shape)
    missing = tile if isinstance(tile, int) else 1
    for axis, length in enumerate(shape):
        if axis in uncut or not length:
            continue
        if isinstance(tile, tuple):
            counts[axis] = min(length, tile[axis]) if axis < len(tile) else 1
        else:
            counts[axis] = min(length, missing)
            missing = -(-missing // counts[axis])
    return counts


def intervals(length: int, parts: int) -> Intervals:
    """The parts of an axis as (low, high): equal, the first ones longer by one."""
    short, longer = divmod(length, parts)
    ends = [i * short + min(i, longer) for i in range(parts + 1)]
    return list(pairwise(ends))


def between(cuts: set[int], length: int) -> Intervals:
    """The parts of an axis that is cut at some places."""
    ends = [0, *sorted(place for place in cuts if 0 < place < length), length]
    return list(pairwise(ends)) if length else []


def cuts_of(index: Along | None, parts: Intervals, length: int) -> set[int]:
    """The ends, on an operand's axis, of all that parts of a result need.

    Parameters
    ----------
    index
        The range that an index of the result needs; None for all.
    parts
        The parts of the axis of the result.
    length
        Length of the operand's axis.
    """
    places: set[int] = set()
    for low, high in parts if index is not None else ():
        assert index is not None  # the loop has no turn otherwise
        needed = index.indices(low, high, length)
        starts = np.flatnonzero(np.diff(needed) > 1) + 1
        runs = np.split(needed, starts)
        places |= {end for run in runs if run.size for end in (int(run[0]), int(run[-1]) + 1)}
    return places


Axes = tuple[int, ...]


def result_parts(graph: TensorGraph, operator: TensorOperator, tile: Tile) -> list[Intervals]:
    """The parts of each axis of an operator's results; one if it is not cut.

    Several results are cut alike, where the axes that are cut have the same lengths.
    """
    shapes = [graph.shapes[name] for name in operator.results if graph.elements(name)]
    shape = graph.shapes[graph.first_result(operator)]
    counts = part_counts(shape, tile if operator.reads is not None else None, operator.whole)
    cut = [axis for axis, count in enumerate(counts) if count > 1]
    if any(
        len(other_shape) != len(shape) or other_shape[axis] != shape[axis]
        for other_shape in shapes
        for axis in cut
    ):
        counts = [1] * len(shape)
    return [intervals(length, count) for length, count in zip(shape, counts, strict=True)]


def input_parts(graph: TensorGraph, tile: Tile) -> dict[str, list[Intervals]]:
    """The parts of each axis of each input.

    An input that operators read as it is, or with its axes in another order, is cut along each axis
    wherever the need of a part of a reader begins or ends. So no part of an operator reads a part
    of the input of which it needs but some. One that is read through another view, a reshape for
    example, is cut along its first axes besides, as results are.
    """
    cuts: dict[str, list[set[int]]] = {
        name: [set() for _ in graph.shapes[name]] for name in graph.inputs
    }
    if tile is not None:
        for name, axes, operator, reads in _direct_reads(graph):
            parts = result_parts(graph, operator, tile)
            for axis, read in zip(axes, reads, strict=True):
                if read is not None and read.axis < len(parts):
                    length = graph.shapes[name][axis]
                    cuts[name][axis] |= cuts_of(read, parts[read.axis], length)
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
    """Yield an input, its axes in the order of an operand, the operator, and its reads."""
    known = _reordered(graph)
    for operator in graph.operators:
        for operand, reads in zip(operator.operands, operator.reads or (), strict=False):
            if operand in known:
                name, axes = known[operand]
                yield name, axes, operator, reads


def _reordered(graph: TensorGraph) -> dict[str, tuple[str, Axes]]:
    """The tensors that are an input with its axes in some order."""
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
    """The inputs of which some view takes other elements, or others together."""
    known = _reordered(graph)
    return {
        known[operand][0]
        for step in graph.steps
        if not isinstance(step, TensorOperator) and step.result not in known
        for operand in step.operands
        if operand in known
    }
