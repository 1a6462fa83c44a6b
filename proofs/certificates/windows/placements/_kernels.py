"""Kernels that follow what is decided of a window, and find the least cut of what is open.

Legend: sets of vertices are rows of uint64, vertex v the bit v % 64 of number v // 64. ``case``
(4, row) has the sets BEFORE, NOT_BEFORE, NOT_AFTER, AFTER of a window; ``above``, ``below``
(n, row) have each vertex with what it is computed from, and with what is computed from it;
``counted`` (row,) the counted vertices, ``computed`` the numbers of all that are no inputs. Inputs
are in none of these sets.

The network has the nodes 3 v, 3 v + 1, 3 v + 2 for each vertex v and two ends; ``room`` (arcs,)
int64 is what its arcs can take, ``place`` (e,) the arc of each number in `network.arcs`.
"""

from typing import NamedTuple

import numpy as np

from dags._numba import count_bits, lean_inner_kernel, lean_kernel, lean_part
from proofs.flows._kernels import Network, Work, greatest_flow

BEFORE, NOT_BEFORE, NOT_AFTER, AFTER = range(4)
ONE = np.uint64(1)


class Terms(NamedTuple):
    """Arrays for the bounds on all windows of one DAG, with room to work in."""

    counted: np.ndarray  # (row,) uint64
    is_computed: np.ndarray  # (n,) bool
    words: np.ndarray  # (n,) int64
    place: np.ndarray  # (e,) int64
    arcs: Network
    side: np.ndarray  # (3 n + 2,) int8
    room: np.ndarray  # (arcs,) int64
    price: np.ndarray  # (n,) int64: what it costs that a vertex is loaded or red
    work: Work


class Span(NamedTuple):
    """A window."""

    first: int  # how many counted vertices have been computed when it begins,
    last: int  # and when it ends
    total: int  # how many there are
    red: int  # words that can be red when it begins
    cost: np.ndarray  # (n,) int64: of loading each value, times `SCALE`


@lean_part
def has(row, v):
    """Return whether v is in a set."""
    return (row[v >> 6] >> np.uint64(v & 63)) & ONE == ONE


@lean_kernel
def collect(vertices, row):
    """Add vertices to a set."""
    for v in vertices:
        row[v >> 6] |= ONE << np.uint64(v & 63)


@lean_kernel
def relatives(indptr, indices, above, below):
    """Fill `above` and `below` from predecessor CSR."""
    n = indptr.size - 1
    for v in range(n):
        if indptr[v] < indptr[v + 1]:
            above[v, v >> 6] |= ONE << np.uint64(v & 63)
            for e in range(indptr[v], indptr[v + 1]):
                join(above[v], above[indices[e]])
    for v in range(n - 1, -1, -1):
        if indptr[v] < indptr[v + 1]:
            below[v, v >> 6] |= ONE << np.uint64(v & 63)
        for e in range(indptr[v], indptr[v + 1]):
            u = indices[e]
            if indptr[u] < indptr[u + 1]:
                join(below[u], below[v])


@lean_part
def count(row, counted):
    """Return how many counted vertices are in a set."""
    total = 0
    for w in range(row.size):
        total += count_bits(row[w] & counted[w])
    return total


@lean_part
def count_both(row, other, counted):
    """Return how many counted vertices are in one of two sets."""
    total = 0
    for w in range(row.size):
        total += count_bits((row[w] | other[w]) & counted[w])
    return total


@lean_part
def join(row, other):
    """Add to a set what another one has."""
    for w in range(row.size):
        row[w] |= other[w]


@lean_part
def overlap(row, other):
    """Return whether two sets have a vertex in common."""
    for w in range(row.size):
        if row[w] & other[w]:
            return True
    return False


@lean_inner_kernel
def decide(above, below, counted, computed, total, size, inside, outside):
    """Add to `inside` and `outside` what must be there if `size` counted vertices are inside.

    What is inside is closed under operands, what is outside under readers.
    """
    for v in computed:
        if has(inside, v) or has(outside, v):
            continue
        if count_both(inside, above[v], counted) > size:
            join(outside, below[v])
        elif total - count_both(outside, below[v], counted) < size:
            join(inside, above[v])


@lean_kernel
def settle(above, below, counted, computed, first, last, case):
    """Add to `case` what follows; return whether it can be, with so many before, and not after."""
    total = count(counted, counted)
    known = -1
    while True:
        join(case[NOT_AFTER], case[BEFORE])
        join(case[NOT_BEFORE], case[AFTER])
        if overlap(case[BEFORE], case[NOT_BEFORE]) or overlap(case[NOT_AFTER], case[AFTER]):
            return False
        if count(case[BEFORE], counted) > first or count(case[NOT_AFTER], counted) > last:
            return False
        if total - count(case[NOT_BEFORE], counted) < first:
            return False
        if total - count(case[AFTER], counted) < last:
            return False
        now = 0
        for i in range(4):
            for w in range(case.shape[1]):
                now += count_bits(case[i, w])
        if now == known:
            return True
        known = now
        decide(above, below, counted, computed, total, first, case[BEFORE], case[NOT_BEFORE])
        decide(above, below, counted, computed, total, last, case[NOT_AFTER], case[AFTER])


@lean_inner_kernel
def fill(case, counted, is_computed, cost, gain, shift, far, place, room):
    """Set the room of all arcs, whose numbers are in the order in which `network.arcs` lists them.

    cost (n,) what it costs that a vertex is loaded or red; gain what it brings that a counted
    vertex is in the window, shift what it costs that one is before it.
    """
    n = cost.size
    room[:] = 0
    for e in range(8 * n, place.size):
        room[place[e]] = far
    for v in range(n):
        own = place[8 * v : 8 * v + 8]
        room[own[0]] = cost[v]
        room[own[1]] = far
        if not is_computed[v]:
            room[own[4]] = far
            room[own[7]] = far
            continue
        if has(counted, v):
            room[own[2]] = gain
            room[own[3]] = gain
            room[own[4]] = max(-shift, 0)
            room[own[5]] = max(shift, 0)
        if has(case[BEFORE], v):
            room[own[4]] = far
        if has(case[NOT_BEFORE], v):
            room[own[0]] = far
            room[own[5]] = far
        if has(case[NOT_AFTER], v):
            room[own[6]] = far
        if has(case[AFTER], v):
            room[own[7]] = far


@lean_kernel
def relax(terms, span, case, gain, shift, rent, far):
    """Return (bound, counted inside, counted before, red words) as `Placements.relaxed` explains.

    far: more than all arcs with limits can take.
    """
    words, price = terms.words, terms.price
    for v in range(words.size):
        price[v] = min(span.cost[v], rent * words[v])
    sets = case, terms.counted, terms.is_computed
    fill(*sets, price, gain, shift, far, terms.place, terms.room)
    value = greatest_flow(terms.arcs, terms.room, terms.side, terms.work)
    value -= gain * (span.total - (span.last - span.first)) + shift * span.first + rent * span.red
    value -= max(-shift, 0) * span.total
    inside, before, red = tally(terms.work.level, terms.counted, words, span.cost, rent)
    return value, inside, before, red


@lean_inner_kernel
def tally(level, counted, words, cost, rent):
    """Return (counted inside, counted before, words that are red) on the source's side of a cut."""
    inside, before, red = 0, 0, 0
    for v in range(words.size):
        p, q, o = level[3 * v] >= 0, level[3 * v + 1] >= 0, level[3 * v + 2] >= 0
        if has(counted, v):
            before += o
            inside += not (o or p)
        if p and not q and rent * words[v] < cost[v]:
            red += words[v]
    return inside, before, red


@lean_kernel
def choice(above, below, counted, computed, case):
    """Return (row of `case`, vertex) of the choice that decides most either way, or (-1, -1)."""
    best, where, which = 0, -1, -1
    for row in (BEFORE, NOT_AFTER):
        inside, outside = case[row], case[row + 1]
        more, less = count(inside, counted), count(outside, counted)
        for v in computed:
            if has(inside, v) or has(outside, v):
                continue
            first = count_both(inside, above[v], counted) - more
            second = count_both(outside, below[v], counted) - less
            if first * second > best:
                best, where, which = first * second, row, v
    return where, which
