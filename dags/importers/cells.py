"""The vertex of each element of a tensor, and those that each part of an operator reads."""

import math
from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from dags.arrays import Int32Array, Int64Array
from dags.importers.parts import Intervals
from dags.importers.tensor_graph import Along, ImportedGraphError, Reads
from dags.importers.views import MAX_COPIED


def cells_of(numbers: Int32Array, parts: Sequence[Intervals]) -> Int32Array:
    """Return the vertex of each element of a tensor that is cut along its axes.

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
    """Return cells without equal neighbours, and where these begin along each axis."""
    starts: list[Int64Array] = []
    cells = without_repeats(cells)
    for axis, length in enumerate(cells.shape):
        begin = np.zeros(min(length, 1), np.int64)
        if length > 1:
            ahead, behind = _shifted(cells, axis, 1), _shifted(cells, axis, 0)
            others = tuple(each for each in range(cells.ndim) if each != axis)
            begin = np.concatenate([begin, np.flatnonzero((ahead != behind).any(axis=others)) + 1])
        cells = cells.take(begin, axis)
        starts.append(begin)
    return cells, starts


def without_repeats(cells: Int32Array) -> Int32Array:
    """Return one of the elements that an axis repeats without copies."""
    return cells[tuple(slice(0, 1) if step == 0 else slice(None) for step in cells.strides)]


def _shifted(cells: Int32Array, axis: int, by: int) -> Int32Array:
    length = cells.shape[axis]
    index = [slice(None)] * cells.ndim
    index[axis] = slice(by, max(length - 1, 0) + by)
    return cells[tuple(index)]


def vertices_at(cells: Int32Array, indices: Sequence[Int64Array]) -> Int32Array:
    """Return the vertices, rising, of the elements at some indices of each axis; no constants."""
    found: Int32Array = np.unique(cells[np.ix_(*indices)] if indices else cells)
    return found[found >= 0]


def vertices_of(cells: Int32Array) -> Int32Array:
    """Return the vertices, rising, that a tensor is in; no constants."""
    found: Int32Array = np.unique(grid(cells)[0])
    return found[found >= 0]


def needed_vertices(
    operands: Sequence[Int32Array], reads: Sequence[Reads] | None, parts: Sequence[Intervals]
) -> Iterator[Int32Array]:
    """Yield the vertices, rising, that each part of the results reads, the last axis fastest.

    Parameters
    ----------
    operands
        The vertex of each element of each operand.
    reads
        What an element of a result needs of each operand; None for everything.
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
        found = [
            vertices_at(
                cells,
                [
                    axis[0 if along is None or len(axis) == 1 else position[along.axis]]
                    for axis, along in zip(axes, row, strict=True)
                ],
            )
            for axes, row, (cells, _) in zip(wanted, rows, grids, strict=True)
        ]
        yield np.unique(np.concatenate([np.zeros(0, np.int32), *found]))


def _indices(
    along: Along | None, starts: Int64Array, length: int, parts: Sequence[Intervals]
) -> list[Int64Array]:
    """Return which cells of a grid's axis each part along an axis of the result needs."""
    if along is None or along.axis >= len(parts) or all(len(axis) <= 1 for axis in parts):
        return [np.arange(starts.size)]
    return [
        np.unique(np.searchsorted(starts, along.indices(low, high, length), side="right") - 1)
        for low, high in parts[along.axis]
    ]
