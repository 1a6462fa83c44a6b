"""Kernels that find wavefronts: minimum cuts between a vertex's ancestors and its descendants.

The network of a piece has two nodes for each vertex v, "in" 2v and "out" 2v + 1. From in to out
there is an arc for the value of v; for each edge (u, v) there is one from out of u to in of v, and
one from in of v to in of u, along which a flow runs back. The arcs that leave "in" of v are the one
to its out; then for each predecessor u the one to in of u, and the twin of that from out of u; then
for each successor the twin of the one that runs back to v. From out of v they are the twin of the
first, and one for each successor. Flow begins at in of the ancestors of a vertex x and ends at in
of x and its descendants: ``side`` (2n,), as in `flows`.
"""

from typing import NamedTuple

import numpy as np

from dags._kernels import copy_over
from dags._numba import kernel, lean_kernel, lean_part
from proofs.bounds.pieces.cuts._kernels.flows import FAR, SINK, SOURCE, greatest_flow


class Graph(NamedTuple):
    """The edges of a piece of n vertices and m edges."""

    indptr: np.ndarray  # (n+1,) int64: predecessor CSR
    indices: np.ndarray  # (m,) int32
    succ_indptr: np.ndarray  # (n+1,) int64: successor CSR
    succ_indices: np.ndarray  # (m,) int32


@lean_kernel
def mark_sides(graph, x, side):
    """Mark the ancestors of x in `side` as sources, x and its descendants as sinks."""
    side[:] = 0
    side[2 * x] = SOURCE
    for v in range(x, -1, -1):
        if side[2 * v] == SOURCE:
            for e in range(graph.indptr[v], graph.indptr[v + 1]):
                side[2 * graph.indices[e]] = SOURCE
    side[2 * x] = SINK
    for v in range(x, graph.indptr.size - 1):
        if side[2 * v] == SINK:
            for e in range(graph.succ_indptr[v], graph.succ_indptr[v + 1]):
                side[2 * graph.succ_indices[e]] = SINK


@lean_kernel
def least_trivial_cut(graph, capacity, side):
    """Return the smaller cut of two: the ancestors alone, and all but the descendants.

    They are both ends of the range of closed sets, and so each is an upper bound on the least cut.
    """
    early, late = 0, 0
    for v in range(capacity.size):
        if side[2 * v] == SINK:
            continue
        last, leaves = False, False
        for e in range(graph.succ_indptr[v], graph.succ_indptr[v + 1]):
            reader = side[2 * graph.succ_indices[e]]
            last |= reader == SINK
            leaves |= reader != SOURCE
        if side[2 * v] == SOURCE and leaves:
            early += capacity[v]
        if last:
            late += capacity[v]
    return min(early, late)


@kernel
def connect_vertices(graph, network):
    """Fill the network of a piece from its edges."""
    starts, heads, twins = network
    indptr, indices = graph.indptr, graph.indices
    starts[0] = 0
    for v in range(indptr.size - 1):
        readers = graph.succ_indptr[v + 1] - graph.succ_indptr[v]
        starts[2 * v + 1] = starts[2 * v] + 1 + 2 * (indptr[v + 1] - indptr[v]) + readers
        starts[2 * v + 2] = starts[2 * v + 1] + 1 + readers
    met = np.zeros(indptr.size - 1, np.int64)  # readers so far
    for v in range(indptr.size - 1):
        inside = starts[2 * v]
        join(heads, twins, inside, starts[2 * v + 1], 2 * v, 2 * v + 1)
        for e in range(indptr[v], indptr[v + 1]):
            u, k = indices[e], 2 * (e - indptr[v])
            twin = starts[2 * u] + 1 + 2 * (indptr[u + 1] - indptr[u]) + met[u]
            join(heads, twins, inside + 1 + k, twin, 2 * v, 2 * u)
            join(heads, twins, inside + 2 + k, starts[2 * u + 1] + 1 + met[u], 2 * v, 2 * u + 1)
            met[u] += 1


@lean_part
def join(heads, twins, arc, twin, node, target):
    """Let `arc` lead from `node` to `target`, and `twin` back."""
    heads[arc], heads[twin] = target, node
    twins[arc], twins[twin] = twin, arc


@lean_kernel
def fill_room(indptr, network, capacity, back, room):
    """Set the room of a piece's network without a flow.

    capacity (n,) is the capacity of each value, `back` that of an edge backwards.
    """
    room[:] = 0
    for v in range(capacity.size):
        room[network.starts[2 * v]] = capacity[v]
        for k in range(indptr[v + 1] - indptr[v]):
            room[network.starts[2 * v] + 1 + 2 * k] = back
            room[network.twins[network.starts[2 * v] + 2 + 2 * k]] = FAR


@lean_kernel
def read_flow(indptr, network, room, forth, back):
    """Fill forth (m,) and back (m,), the flows along each edge and back."""
    for v in range(indptr.size - 1):
        for e in range(indptr[v], indptr[v + 1]):
            forth[e] = flow_forth(indptr, network, room, v, e)
            back[e] = flow_back(indptr, network, room, v, e)


@lean_part
def flow_forth(indptr, network, room, v, e):
    """Return the flow along the edge e to v."""
    return room[network.starts[2 * v] + 2 + 2 * (e - indptr[v])]


@lean_part
def flow_back(indptr, network, room, v, e):
    """Return the flow back along the edge e to v."""
    return room[network.twins[network.starts[2 * v] + 1 + 2 * (e - indptr[v])]]


@lean_kernel
def widest(graph, network, empty, capacity, bonus, candidates, best, side, room, work):
    """Return (vertex, score): the first of `candidates` that scores more than all and than `best`.

    A vertex scores its cut and bonus (n,). vertex is -1 if none scores more than `best`. empty
    (arcs,) is the room without a flow; capacity (n,) that of each value.
    """
    vertex = -1
    for x in candidates:
        mark_sides(graph, x, side)
        if least_trivial_cut(graph, capacity, side) + bonus[x] <= best:
            continue
        copy_over(room, empty)
        value = greatest_flow(network, room, side, work)
        if value + bonus[x] > best:
            best = value + bonus[x]
            vertex = x
    return vertex, best
