"""Beam search: several plays side by side, of which the most promising go on."""

import time

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array, lock
from schedulers.search._kernels import beam as _kernels
from schedulers.search._kernels.beam import Children, Graph, States

WEIGHTS = (1.0, 4.0, 16.0, 0.25)  # of a live word, where a word moved counts 1; none is best
SPREAD = 2  # states of a layer that may have computed the same vertices


def beam_order(
    dag: CDAG,
    memory: int,
    guide: Int32Array,
    *,
    width: int = 50,
    weight: float = WEIGHTS[0],
    time_limit: float | None = None,
) -> Int32Array | None:
    """Return the order of the best play that a beam search finds, or None if time runs out.

    All plays of a layer have computed equally many vertices. Each goes on with every ready vertex
    that has a red operand, and with the next two of `guide` that have none; the `width` children
    with the lowest scores stay. A score is the words that evictions have cost, with the loads
    that they make necessary, and a part of the words that are live. Values leave as by
    `belady_cost`, next uses estimated by `guide`.

    Parameters
    ----------
    dag, memory
        The game; results are placed, and every vertex must fit.
    guide
        (N,) an order that is good already.
    width
        States that are kept of a layer.
    weight
        Weight of a live word.
    time_limit
        Seconds.
    """
    end = None if time_limit is None else time.perf_counter() + time_limit
    graph, states = _graph(dag, guide), _start(dag, memory, 2 * width)
    came = np.empty((guide.size, width), np.int32)
    taken = np.empty((guide.size, width), np.int32)
    found, mark = np.empty(dag.n, np.int32), np.zeros(dag.n + 1, np.int64)
    children = _room_for(max(2 * dag.n, 4096))
    here, there, count = 0, width, 1
    for layer in range(guide.size):
        if end is not None and time.perf_counter() > end:
            return None
        begun, filled = here, 0
        while begun < here + count:
            begun, filled = _kernels.expand(
                graph,
                states,
                here,
                count,
                layer,
                memory,
                weight,
                children,
                found,
                mark,
                begun,
                filled,
            )
            if begun < here + count:
                children = _doubled(children)
        count = _kernels.select(
            graph, states, here, there, memory, SPREAD, children, filled, came[layer], taken[layer]
        )
        here, there = there, here
    return _path(came, taken)


def _graph(dag: CDAG, guide: Int32Array) -> Graph:
    rank = np.full(dag.n, -1, np.int32)
    rank[guide] = np.arange(guide.size, dtype=np.int32)
    settled = np.zeros(dag.n, np.uint8)
    settled[dag.inputs] = settled[dag.outputs] = 1
    return Graph(
        dag.pred_indptr,
        dag.pred_indices,
        *dag.successors,
        lock(np.array(dag.sizes, np.int64)),
        lock(settled),
        lock(np.array(guide, np.int32)),
        lock(rank),
        lock(np.random.default_rng(dag.n).integers(1, 2**63, (3, dag.n), np.uint64)),
    )


def _start(dag: CDAG, memory: int, rows: int) -> States:
    """Return room for `rows` states; row 0 is the start, with nothing red."""
    entries = min(dag.n, memory // int(dag.sizes.min(initial=1))) + int(dag.indegree.max()) + 2
    is_computed = (dag.indegree > 0)[dag.pred_indices]
    reader = np.repeat(np.arange(dag.n), dag.indegree)
    missing = np.zeros((rows, dag.n), np.int32)
    missing[0] = np.bincount(reader[is_computed], minlength=dag.n)
    missing[0, dag.inputs] = -1
    unread = np.zeros((rows, dag.n), np.int32)
    unread[0] = dag.outdegree
    return States(
        missing=missing,
        unread=unread,
        status=np.zeros((rows, dag.n), np.uint8),
        reds=np.empty((rows, entries), np.int32),
        held=np.zeros(rows, np.int64),
        low=np.zeros(rows, np.int64),
        paid=np.zeros(rows),
        live=np.zeros(rows),
        code=np.zeros((rows, 2), np.uint64),
    )


def _room_for(count: int) -> Children:
    return Children(
        parent=np.empty(count, np.int32),
        vertex=np.empty(count, np.int32),
        score=np.empty(count),
        paid=np.empty(count),
        live=np.empty(count),
        code=np.empty((count, 2), np.uint64),
    )


def _doubled(children: Children) -> Children:
    return Children(*(np.concatenate((column, np.empty_like(column))) for column in children))


def _path(came: Int32Array, taken: Int32Array) -> Int32Array:
    """Return the vertices on the way to the best state of the last layer."""
    order = np.empty(came.shape[0], np.int32)
    state = 0
    for layer in range(order.size - 1, -1, -1):
        order[layer] = taken[layer, state]
        state = came[layer, state]
    return lock(order)
