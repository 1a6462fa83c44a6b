"""Rows of predecessors without what no output needs."""

from typing import Any

import numpy as np
import numpy.typing as npt

from dags import _kernels
from dags.arrays import Int32Array, Int64Array


def without_dead(
    indptr: Int64Array,
    indices: Int32Array,
    made_by: npt.NDArray[np.integer[Any]],
    points: Int32Array,
    n: int,
    outputs: Int32Array,
) -> tuple[int, Int32Array]:
    """Move what outputs need together, in place; return how many they are, and the outputs.

    Parameters
    ----------
    indptr, indices
        Predecessors of the first n vertices, in a topological order; both may be longer.
    made_by, points
        What is kept of each vertex: its first axis goes over the vertices.
    n
        Number of vertices.
    outputs
        The vertices that are needed whatever reads them, rising.
    """
    needed = np.zeros(n, np.bool_)
    needed[outputs] = True
    _kernels.mark_needed(indptr, indices, n, needed)
    if needed.all():
        return n, outputs
    number = np.empty(n, np.int32)
    rows = points.reshape(len(points), -1)
    count = int(_kernels.keep_marked(indptr, indices, made_by, rows, n, needed, number))
    return count, number[outputs]
