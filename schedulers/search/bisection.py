"""Recursive acyclic bisection: halves that exchange few words, and so on with the halves."""

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array, lock
from schedulers.orders import depth_first
from schedulers.search._kernels import bisection as _kernels

LARGEST = 100_000  # vertices: about a second
FEWEST = 4  # vertices in a part that is still halved
PASSES = 3
MOVES = 60  # in a pass


def bisection_order(dag: CDAG, memory: int) -> Int32Array | None:
    """Return (N,) the computed vertices, cut in halves until about `memory` of them are left.

    The depth-first order is cut in the middle. Then vertices change sides, as Fiduccia and
    Mattheyses have them do, where no edge comes to lead backwards and neither side has less
    than 35 of 100: the one that saves most words first, even where that is none, and in the end
    only those up to the best cut. The words of a cut are those of the values that are computed
    before it and read behind it, and of older values that are read on both sides.

    None for more than 100,000 vertices.

    Source
    ------
    C. M. Fiduccia and R. M. Mattheyses, A linear-time heuristic for improving network
    partitions, DAC 1982; J. Herrmann et al., Multilevel algorithms for acyclic partitioning of
    directed acyclic graphs, SIAM J. Sci. Comput. 41, 2019, for the acyclic moves.

    Examples
    --------
    >>> from dags import fft
    >>> sorted(bisection_order(fft(8), 4)) == list(fft(8).computed)
    True
    """
    if dag.n > LARGEST:
        return None
    order = depth_first(dag).copy()
    succ_indptr, succ_indices = dag.successors
    sizes = lock(np.array(dag.sizes))
    rows = _kernels.Rows(dag.pred_indptr, dag.pred_indices, succ_indptr, succ_indices, sizes)
    sides = _kernels.Sides(*(np.zeros(dag.n, np.int32) for _ in _kernels.Sides._fields))
    _kernels.bisect(order, rows, sides, max(FEWEST, memory), PASSES, MOVES)
    return lock(order)
