"""Isomorphisms of DAGs: found by refining colours, verified edge by edge."""

from dataclasses import dataclass

import numpy as np

from dags import _kernels as row_kernels
from dags.arrays import Int32Array, lock
from dags.cdag.value import CDAG
from dags.recognition import _kernels
from dags.recognition.colours import Colours

TRIES = 4  # pairings of vertices that refining leaves alike; the families here need one


@dataclass(frozen=True, eq=False)
class Coloured:
    """A DAG with colours that an isomorphism keeps.

    Parameters
    ----------
    dag
        The DAG.
    colour
        (n,) colours of its vertices.
    order
        (n,) vertices by rising colour.
    """

    dag: CDAG
    colour: Colours
    order: Int32Array


def by_colour(dag: CDAG, colour: Colours) -> Coloured:
    """Return `dag` with its vertices in the order of `colour`."""
    return Coloured(dag, colour, lock(np.argsort(colour, kind="stable").astype(np.int32)))


def isomorphism(one: Coloured, other: Coloured) -> Int32Array | None:
    """Return (n,) the vertices of `one` that are vertices 0..n-1 of `other`; None if not found.

    The edges of `one`, under the new numbers, are those of `other`: that has been compared.
    Where None is returned, there may be an isomorphism still, if many vertices look alike.
    """
    if (one.dag.n, one.dag.m) != (other.dag.n, other.dag.m):
        return None
    if not np.array_equal(one.colour[one.order], other.colour[other.order]):
        return None
    for attempt in range(TRIES):
        order = _paired(one, other, attempt)
        if order is not None and _same_edges(one.dag, other.dag, order):
            return lock(order)
    return None


def _paired(one: Coloured, other: Coloured, attempt: int) -> Int32Array | None:
    """Return a candidate for the isomorphism."""
    cells, count = _cells(one, other)
    if count < one.dag.n and not _kernels.match(
        _rows(one.dag), _rows(other.dag), cells, count, attempt
    ):
        return None
    order = np.empty(one.dag.n, np.int32)
    order[cells.vertex[1]] = cells.vertex[0]
    return order


def _rows(dag: CDAG) -> _kernels.Rows:
    return _kernels.Rows(dag.pred_indptr, dag.pred_indices, *dag.successors)


def _cells(one: Coloured, other: Coloured) -> tuple[_kernels.Cells, int]:
    """Return the cells of equal colour, all of them waiting, and how many there are."""
    n = one.dag.n
    sorted_colours = one.colour[one.order]
    starts = np.flatnonzero(np.concatenate(([True], sorted_colours[1:] != sorted_colours[:-1])))
    first = np.zeros(n, np.int32)
    first[starts] = starts
    np.maximum.accumulate(first, out=first)
    size, queue, queued = np.zeros((3, n), np.int32)
    size[starts] = np.diff(starts, append=n)
    queue[: starts.size], queued[starts] = starts, 1
    vertex = np.stack((one.order, other.order))
    place, cell = np.empty((2, 2, n), np.int32)
    for side in range(2):
        place[side, vertex[side]] = np.arange(n, dtype=np.int32)
        cell[side, vertex[side]] = first
    counts, marked, touched, members = np.zeros((4, 2, n), np.int32)
    degree = max(int(one.dag.indegree.max()), int(one.dag.outdegree.max()))
    return _kernels.Cells(
        vertex=vertex,
        place=place,
        cell=cell,
        size=size,
        counts=counts,
        marked=marked,
        touched=touched,
        members=members,
        ordered=np.empty(n, np.int32),
        buckets=np.zeros((2, degree + 3), np.int32),
        queue=queue,
        queued=queued,
    ), starts.size


def _same_edges(one: CDAG, other: CDAG, order: Int32Array) -> bool:
    """Return whether `one`, with vertex order[i] called i, has the edges of `other`."""
    position = np.empty(one.n, np.int32)
    position[order] = np.arange(one.n, dtype=np.int32)
    indptr, indices = np.zeros(one.n + 1, np.int64), np.empty(one.m, np.int32)
    bad = row_kernels.renumber_rows(
        one.pred_indptr, one.pred_indices, order, position, indptr, indices
    )
    same_rows = np.array_equal(indptr, other.pred_indptr)
    return bad < 0 and same_rows and np.array_equal(indices, other.pred_indices)
