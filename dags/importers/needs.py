"""The vertices that each part of an operator's results reads."""

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from dags.arrays import Int32Array, Int64Array
from dags.importers.cells import grid, vertices_at
from dags.importers.tensor_graph import Along, Reads
from dags.importers.tiles import Intervals


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
    if along is None or all(len(axis) <= 1 for axis in parts):
        return [np.arange(starts.size)]
    return [
        np.unique(np.searchsorted(starts, along.indices(low, high, length), side="right") - 1)
        for low, high in parts[along.axis]
    ]
