"""Kernels of beam search over states: what is computed, what is red, what is owed a store.

Legend. ``rank`` (n,) int32: the place of a computed vertex in the order that guides; it tells
how far away a next use is. A state is a row s of ``missing`` (2 W, n) int32: operands that are
not computed yet, -1 for what is computed itself; of ``unread`` (2 W, n) int32: readers not
computed; of ``status`` (2 W, n) uint8: NOT_RED, SETTLED or OWED; of ``reds`` (2 W, room) int32,
the red values, ``held`` of them, the one to evict first in front. Before the place ``low`` of
the guide all is computed. ``paid`` (2 W,) float64: words that evictions cost, with the load that
brings a value back; ``live`` (2 W,) float64: words that were red or computed and will be read;
``code`` (2 W, 2) uint64: hashes of what is computed, and of what is red and owed. W rows are the
layer, the others the next one.
"""

from typing import NamedTuple

import numpy as np

from dags._kernels import sort_places
from dags._numba import inner_kernel, kernel

NOT_RED, SETTLED, OWED = 0, 1, 2
STRANGERS = 2  # vertices without red operands that a state may go on with
AHEAD = 32  # places of the guide among which they are sought


class Graph(NamedTuple):
    """Constants of a search."""

    indptr: np.ndarray  # (n+1,) int64
    indices: np.ndarray  # (m,) int32
    succ_indptr: np.ndarray  # (n+1,) int64
    succ_indices: np.ndarray  # (m,) int32
    words: np.ndarray  # (n,) int64
    settled: np.ndarray  # (n,) uint8: inputs and outputs
    guide: np.ndarray  # (N,) int32
    rank: np.ndarray  # (n,) int32
    keys: np.ndarray  # (3, n) uint64


class States(NamedTuple):
    """Two layers of states; see the legend."""

    missing: np.ndarray
    unread: np.ndarray
    status: np.ndarray
    reds: np.ndarray
    held: np.ndarray
    low: np.ndarray
    paid: np.ndarray
    live: np.ndarray
    code: np.ndarray


class Children(NamedTuple):
    """Children of the states of a layer: C rows."""

    parent: np.ndarray  # (C,) int32
    vertex: np.ndarray  # (C,) int32
    score: np.ndarray  # (C,) float64
    paid: np.ndarray  # (C,) float64
    live: np.ndarray  # (C,) float64
    code: np.ndarray  # (C, 2) uint64


@inner_kernel
def sort_reds(graph, states, s, layer):
    """Put in front of a state's red values those that are not read for longest.

    One that is owed a store counts as half as far away.
    """
    urgency = np.empty(states.held[s])
    for x in range(states.held[s]):
        u = states.reds[s, x]
        least = graph.rank.size
        for y in range(graph.succ_indptr[u], graph.succ_indptr[u + 1]):
            w = graph.succ_indices[y]
            if states.missing[s, w] >= 0:
                least = min(least, graph.rank[w])
        urgency[x] = -(max(least - layer, 0) + 1.0) / states.status[s, u]
    before = states.reds[s, : urgency.size].copy()
    turn = np.empty(urgency.size, np.int64)
    sort_places(urgency, turn)
    for x in range(urgency.size):  # not a slice, as `copy_over` says
        states.reds[s, x] = before[turn[x]]


@inner_kernel
def candidates(graph, states, s, found, mark):
    """Fill found with the vertices that a state may go on with; return how many.

    The ready readers of its red values; and of the next AHEAD vertices of the guide that are
    not computed, the first STRANGERS that are ready and no such readers. mark (n + 1,) int64:
    the calls that have seen each vertex, and last, how many calls there were.
    """
    mark[-1] += 1
    call = mark[-1]
    count = 0
    for x in range(states.held[s]):
        u = states.reds[s, x]
        for y in range(graph.succ_indptr[u], graph.succ_indptr[u + 1]):
            v = graph.succ_indices[y]
            if states.missing[s, v] == 0 and mark[v] != call:
                mark[v] = call
                found[count] = v
                count += 1
    at = states.low[s]
    while states.missing[s, graph.guide[at]] < 0:
        at += 1
    states.low[s] = at
    strangers = 0
    looked = 0
    while at < graph.guide.size and looked < AHEAD and strangers < STRANGERS:
        v = graph.guide[at]
        at += 1
        looked += states.missing[s, v] >= 0
        if states.missing[s, v] == 0 and mark[v] != call:
            found[count] = v
            count += 1
            strangers += 1
    return count


@inner_kernel
def judge(graph, states, s, v, memory, occupied):
    """Return (words paid, live words, hash of what is red) if state s goes on with v."""
    indptr, indices, words = graph.indptr, graph.indices, graph.words
    red_code = states.code[s, 1]
    excess = occupied + words[v] - memory
    live = states.live[s]
    if graph.succ_indptr[v] < graph.succ_indptr[v + 1]:
        live += words[v]
        red_code ^= graph.keys[SETTLED if graph.settled[v] else OWED, v]
    for e in range(indptr[v], indptr[v + 1]):
        u = indices[e]
        mark = states.status[s, u]
        unread = states.unread[s, u]
        if mark == NOT_RED:
            mark = SETTLED
            excess += words[u]
            red_code ^= graph.keys[SETTLED, u]
            untouched = unread == graph.succ_indptr[u + 1] - graph.succ_indptr[u]
            if untouched and indptr[u] == indptr[u + 1]:
                live += words[u]
        if unread == 1:
            live -= words[u]
            red_code ^= graph.keys[mark, u]
    paid = states.paid[s]
    x = 0
    while excess > 0:
        u = states.reds[s, x]
        x += 1
        operand = False
        for e in range(indptr[v], indptr[v + 1]):
            operand |= indices[e] == u
        if not operand:
            excess -= words[u]
            paid += words[u] * states.status[s, u]
            red_code ^= graph.keys[states.status[s, u], u]
    return paid, live, red_code


@inner_kernel
def advance(graph, states, s, r, v, memory, occupied):
    """Make row r the state that s becomes by computing v, but for its sums."""
    indptr, indices, words = graph.indptr, graph.indices, graph.words
    states.low[r] = states.low[s]
    for u in range(words.size):  # not by rows, as `copy_over` says
        states.missing[r, u] = states.missing[s, u]
        states.unread[r, u] = states.unread[s, u]
        states.status[r, u] = states.status[s, u]
    excess = occupied + words[v] - memory
    filled = 0
    for e in range(indptr[v], indptr[v + 1]):
        u = indices[e]
        if states.status[s, u] == NOT_RED:
            excess += words[u]
            states.status[r, u] = SETTLED
        states.unread[r, u] -= 1
        if states.unread[r, u] > 0:
            states.reds[r, filled] = u
            filled += 1
        else:
            states.status[r, u] = NOT_RED
    for x in range(states.held[s]):
        u = states.reds[s, x]
        operand = False
        for e in range(indptr[v], indptr[v + 1]):
            operand |= indices[e] == u
        if operand:
            continue
        if excess > 0:
            excess -= words[u]
            states.status[r, u] = NOT_RED
        else:
            states.reds[r, filled] = u
            filled += 1
    states.missing[r, v] = -1
    for y in range(graph.succ_indptr[v], graph.succ_indptr[v + 1]):
        states.missing[r, graph.succ_indices[y]] -= 1
    if graph.succ_indptr[v] < graph.succ_indptr[v + 1]:
        states.status[r, v] = SETTLED if graph.settled[v] else OWED
        states.reds[r, filled] = v
        filled += 1
    states.held[r] = filled


@inner_kernel
def occupied_words(graph, states, s):
    """Return the words of a state's red values."""
    occupied = 0
    for x in range(states.held[s]):
        occupied += graph.words[states.reds[s, x]]
    return occupied


@kernel
def expand(graph, states, here, count, layer, memory, weight, children, found, mark, begun, filled):
    """Append the children of the layer's states from `begun` on; return (state, children).

    Stops before a state for whose children there may be no room.
    """
    for s in range(begun, here + count):
        sort_reds(graph, states, s, layer)
        occupied = occupied_words(graph, states, s)
        ready = candidates(graph, states, s, found, mark)
        if filled + ready > children.parent.size:
            return s, filled
        for x in range(ready):
            v = found[x]
            paid, live, red_code = judge(graph, states, s, v, memory, occupied)
            children.parent[filled] = s
            children.vertex[filled] = v
            children.paid[filled] = paid
            children.live[filled] = live
            children.score[filled] = paid + weight * live + 1e-6 * graph.rank[v]
            children.code[filled, 0] = states.code[s, 0] ^ graph.keys[0, v]
            children.code[filled, 1] = red_code
            filled += 1
    return here + count, filled


@kernel
def select(graph, states, here, there, memory, spread, children, filled, came, taken):
    """Make the best children the next layer; return how many.

    came, taken (W,) int32 receive the parent's place in its layer, and the vertex. At most
    `spread` states may have computed the same, and no two be the same.
    """
    count = 0
    turn = np.empty(filled, np.int64)
    sort_places(children.score, turn)
    for child in turn:
        same = 0
        for r in range(there, there + count):
            if states.code[r, 0] == children.code[child, 0]:
                same += spread if states.code[r, 1] == children.code[child, 1] else 1
        if same >= spread:
            continue
        s, v, r = np.int64(children.parent[child]), children.vertex[child], there + count
        advance(graph, states, s, r, v, memory, occupied_words(graph, states, s))
        states.paid[r] = children.paid[child]
        states.live[r] = children.live[child]
        for half in range(2):  # not a row, as `copy_over` says
            states.code[r, half] = children.code[child, half]
        came[count] = s - here
        taken[count] = v
        count += 1
        if count == came.size:
            break
    return count
