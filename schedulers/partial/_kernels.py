"""Plays of an order of edges: furthest next use and its kin, LRU and FIFO."""

from typing import NamedTuple

import numpy as np

from dags._numba import kernel, lean_inner_kernel

NEVER = np.int64(2**62)
# Who leaves: the value with the largest key; clean values first; whichever is cheaper to lose.
ANY, CLEAN_FIRST, BY_COST = range(3)
# The key of a value: its next touch, minus its last one, minus its arrival.
NEXT, RECENT, ARRIVAL = range(3)
RED, BLUE, DIRTY = 1, 2, 4
LOAD, STORE, COMPUTE, DELETE = range(4)
# Counters.
AT, OCCUPIED, LOADS, STORES = range(4)


class Heap(NamedTuple):
    """Values that may leave, the largest key on top; entries go stale.

    key, value (T,) int64 and int32; size (1,) int64.
    """

    key: np.ndarray
    value: np.ndarray
    size: np.ndarray


class Table(NamedTuple):
    """The state of a play.

    key (n,) int64 and flags (n,) uint8 of each value; left (n,) int64 operands it still lacks;
    touched (n,) bool; count (4,) int64 counters; op, vertex, operand (k,): moves, empty where they
    are only counted.
    """

    key: np.ndarray
    flags: np.ndarray
    left: np.ndarray
    touched: np.ndarray
    count: np.ndarray
    op: np.ndarray
    vertex: np.ndarray
    operand: np.ndarray


@lean_inner_kernel
def push(h, key, value):
    """Put an entry on a heap."""
    i = h.size[0]
    h.size[0] += 1
    while i > 0 and h.key[(i - 1) >> 1] < key:
        above = (i - 1) >> 1
        h.key[i], h.value[i] = h.key[above], h.value[above]
        i = above
    h.key[i], h.value[i] = key, value


@lean_inner_kernel
def pop(h):
    """Take the top entry off a heap."""
    h.size[0] -= 1
    size = h.size[0]
    key, value = h.key[size], h.value[size]
    i = 0
    while 2 * i + 1 < size:
        below = 2 * i + 1
        if below + 1 < size and h.key[below + 1] > h.key[below]:
            below += 1
        if h.key[below] <= key:
            break
        h.key[i], h.value[i] = h.key[below], h.value[below]
        i = below
    h.key[i], h.value[i] = key, value


@lean_inner_kernel
def has_top(h, t, dirty, u, v):
    """Return whether a heap has an entry that counts, which is then on top; u and v must stay."""
    while h.size[0] > 0:
        x = h.value[0]
        fresh = t.flags[x] & RED and t.key[x] == h.key[0]
        if fresh and (t.flags[x] & DIRTY != 0) == dirty and x != u and x != v:
            return True
        pop(h)
    return False


@lean_inner_kernel
def note(t, move, v, u):
    """Write a move, unless moves are only counted."""
    if t.op.size > 0:
        position = t.count[AT]
        t.op[position], t.vertex[position], t.operand[position] = move, v, u
    t.count[AT] += 1


@lean_inner_kernel
def leave(t, words, x, stored):
    """Delete a value, after a store if slow memory is to have it and has not."""
    if stored and not t.flags[x] & BLUE:
        note(t, STORE, x, -1)
        t.count[STORES] += words[x]
        t.flags[x] |= BLUE
    note(t, DELETE, x, -1)
    t.count[OCCUPIED] -= words[x]
    t.flags[x] &= ~np.uint8(RED | DIRTY)


@lean_inner_kernel
def make_room(t, clean, dirty, words, room, memory_place, time, u, v):
    """Let values leave until there is so much room, but u and v."""
    while t.count[OCCUPIED] > room:
        has_clean = has_top(clean, t, False, u, v)
        has_dirty = has_top(dirty, t, True, u, v)
        first = has_dirty
        if has_clean and has_dirty:
            if memory_place == BY_COST:
                first = dirty.key[0] - time > 2 * (clean.key[0] - time)
            elif memory_place == CLEAN_FIRST:
                first = False
            else:
                first = dirty.key[0] > clean.key[0]
        leave(t, words, dirty.value[0] if first else clean.value[0], True)


@kernel
def next_touches(operand, result, n, following):
    """Fill following (m, 2): the next touch of the ends of each edge, or NEVER."""
    after = np.full(n, NEVER, np.int64)
    for i in range(operand.size - 1, -1, -1):
        u, v = operand[i], result[i]
        following[i, 0], following[i, 1] = after[u], after[v]
        after[u], after[v] = 2 * i, 2 * i + 1


@lean_inner_kernel
def bring(t, clean, dirty, words, memory, processor, time, x, u, v):
    """Get one end of the edge from u to v, x, into fast memory."""
    if t.flags[x] & RED:
        return False
    make_room(t, clean, dirty, words, memory - words[x], processor, time, u, v)
    t.count[OCCUPIED] += words[x]
    t.flags[x] |= RED
    if t.touched[x]:
        note(t, LOAD, x, -1)
        t.count[LOADS] += words[x]
    t.touched[x] = True
    return True


@kernel
def play(operand, result, following, words, is_output, memory, who, by, t, clean, dirty):
    """Play an order of edges.

    operand, result (m,) int32; following (m, 2) int64 as `next_touches` fills it; words (n,);
    is_output (n,) bool; who, by: the policy.
    """
    for i in range(operand.size):
        u, v = operand[i], result[i]
        for side in range(2):
            x = u if side == 0 else v
            arrived = bring(t, clean, dirty, words, memory, who, 2 * i, x, u, v)
            if by == ARRIVAL and arrived:
                t.key[x] = -2 * i - side
        note(t, COMPUTE, v, u)
        t.left[v] -= 1
        t.flags[v] &= ~np.uint8(BLUE | DIRTY)
        if t.left[v] > 0 or not is_output[v]:
            t.flags[v] |= DIRTY
        for side in range(2):
            x = u if side == 0 else v
            if following[i, side] == NEVER:
                leave(t, words, x, is_output[x])
                continue
            if by == NEXT:
                t.key[x] = following[i, side]
            elif by == RECENT:
                t.key[x] = -2 * i - side
            if t.flags[x] & DIRTY:
                push(dirty, t.key[x], x)
            else:
                push(clean, t.key[x], x)
