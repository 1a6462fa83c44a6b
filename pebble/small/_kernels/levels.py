"""Best-first search over the states of a hierarchy; the theory is in `pebble.small.levels`."""

from typing import NamedTuple

import numpy as np

from dags._numba import kernel, lean_inner_kernel
from pebble.small._kernels.bits import NONE, ONE, lowest_bit, mixed

RUNNING, FOUND, EXHAUSTED, FULL = range(4)
NODES, LEVEL, GOAL = range(3)


class Board(NamedTuple):
    """A game as arrays; sets of values are uint64.

    preds, succs (n,) uint64; words (n,) int64; is_output, inputs: sets; room (L,) int64 words of
    each level but the last, from place 1 on; down (L+1,) int64 what a word costs from level l down
    to 1, up (L+1,) from level l up to L.
    """

    preds: np.ndarray
    succs: np.ndarray
    words: np.ndarray
    is_output: np.uint64
    inputs: np.uint64
    room: np.ndarray
    down: np.ndarray
    up: np.ndarray


class Store(NamedTuple):
    """The states of a search.

    held (N, L+1) uint64: what has been computed, and what is at each level; spent, parent, queued
    (N,) int64; closed (N,) bool; first (T,) int64 nodes by open addressing; bucket (B,) int64 the
    queue by what is spent and still due; at (3,) counters.
    """

    held: np.ndarray
    spent: np.ndarray
    parent: np.ndarray
    queued: np.ndarray
    closed: np.ndarray
    first: np.ndarray
    bucket: np.ndarray
    at: np.ndarray


@lean_inner_kernel
def weight(g, x):
    """Return the words of a set of values."""
    total = 0
    while x:
        total += g.words[lowest_bit(x)]
        x &= x - ONE
    return total


@lean_inner_kernel
def settle(g, state):
    """Let go of copies that nobody can need: dead values, and lower copies of outputs at rest."""
    last = state.size - 1
    everything = NONE
    for level in range(1, last + 1):
        everything |= state[level]
    while everything:
        v = lowest_bit(everything)
        bit = ONE << np.uint64(v)
        everything &= everything - ONE
        if g.succs[v] & ~state[0]:
            continue
        keep = g.is_output & bit != NONE
        for level in range(last, 0, -1):
            if state[level] & bit:
                if not keep and level < last:
                    state[level] &= ~bit
                keep = False


@lean_inner_kernel
def still(g, state):
    """Return what every play from a state costs at least, -1 if a value is lost."""
    last = state.size - 1
    known = state[0] | g.inputs
    total = 0
    left = known
    while left:
        v = lowest_bit(left)
        bit = ONE << np.uint64(v)
        left &= left - ONE
        low, high = 0, 0
        for level in range(1, last + 1):
            if state[level] & bit:
                low = level if low == 0 else low
                high = level
        needed = g.succs[v] & ~state[0] != NONE
        is_output = g.is_output & bit != NONE
        if low == 0 and (needed or is_output):
            return -1
        if needed:
            total += g.down[low] * g.words[v]
        if is_output:
            total += g.up[high] * g.words[v]
    missing = g.is_output & ~state[0]
    return total + g.up[1] * weight(g, missing)


@lean_inner_kernel
def place_of(s, state):
    """Return the place of a state in `first`, or the free place for it."""
    most = s.first.size - 1
    x = NONE
    for level in range(state.size):
        x = mixed(x ^ state[level])
    i = np.int64(x & np.uint64(most))
    while s.first[i] >= 0:
        node = s.first[i]
        same = True
        for level in range(state.size):
            same &= s.held[node, level] == state[level]
        if same:
            break
        i = (i + 1) & most
    return i


@lean_inner_kernel
def enter(s, g, state, spent, parent):
    """Enter a state if it is new or cheaper; return False if there is no room."""
    settle(g, state)
    rest = still(g, state)
    if rest < 0 or spent + rest >= s.bucket.size:
        return True
    i = place_of(s, state)
    x = s.first[i]
    if x >= 0 and s.spent[x] <= spent:
        return True
    if s.at[NODES] >= s.spent.size:
        return False
    if x >= 0:
        s.closed[x] = True
    x = s.at[NODES]
    s.at[NODES] += 1
    s.first[i] = x
    for level in range(state.size):
        s.held[x, level] = state[level]
    s.spent[x], s.parent[x], s.closed[x] = spent, parent, False
    s.queued[x] = s.bucket[spent + rest]
    s.bucket[spent + rest] = x
    return True


@lean_inner_kernel
def put(s, g, x, v, target, price, computed, state):
    """Enter what follows when v is computed, or gets a copy, at a level: for each way to make room.

    state (3, L+1) is room to work in: row 1 is the state with the new copy.
    """
    last = state.shape[1] - 1
    bit = ONE << np.uint64(v)
    for level in range(last + 1):
        state[1, level] = s.held[x, level]
    need = 0
    if target < last:
        need = weight(g, state[1, target] | bit) - g.room[target]
    others = state[1, target]
    if computed:
        others &= ~g.preds[v]
        state[1, 0] |= bit
    state[1, target] |= bit
    spent = s.spent[x] + price
    if need <= 0:
        for level in range(last + 1):
            state[2, level] = state[1, level]
        return enter(s, g, state[2], spent, x)
    subset = others
    while subset:  # all subsets of the others, the largest first
        if weight(g, subset) >= need and is_minimal(g, subset, need):
            for level in range(last + 1):
                state[2, level] = state[1, level]
            state[2, target] &= ~subset
            if not enter(s, g, state[2], spent, x):
                return False
        subset = (subset - ONE) & others
    return True


@lean_inner_kernel
def is_minimal(g, subset, need):
    """Return whether no member of a set of enough words could stay."""
    spare = weight(g, subset) - need
    while subset:
        if g.words[lowest_bit(subset)] <= spare:
            return False
        subset &= subset - ONE
    return True


@lean_inner_kernel
def open_node(s, g, x, state):
    """Enter what follows a node; return False if there is no room."""
    last = state.shape[1] - 1
    n = g.words.size
    done = s.held[x, 0]
    below = NONE  # what is at a lower level
    entered = True
    for level in range(1, last):
        tight = weight(g, s.held[x, level]) + most_words(g) > g.room[level]
        price = g.down[level + 1] - g.down[level]
        here, above = s.held[x, level], s.held[x, level + 1]
        for v in range(n):
            bit = ONE << np.uint64(v)
            if above & bit and not (here | below) & bit and g.succs[v] & ~done:
                entered &= put(s, g, x, v, level, price * g.words[v], False, state)
            if here & bit and not above & bit and tight:
                entered &= put(s, g, x, v, level + 1, price * g.words[v], False, state)
        below |= here
    for v in range(n):
        bit = ONE << np.uint64(v)
        if not (done | g.inputs) & bit and not g.preds[v] & ~s.held[x, 1]:
            entered &= put(s, g, x, v, 1, 0, True, state)
    return entered


@lean_inner_kernel
def most_words(g):
    """Return the words of the largest value."""
    most = 0
    for v in range(g.words.size):
        most = max(most, g.words[v])
    return most


@lean_inner_kernel
def all_values(n):
    """Return the set of all values."""
    return (ONE << np.uint64(n)) - ONE if n < 64 else ~NONE


@kernel
def search(s, g, steps):
    """Go on for some steps: FOUND, EXHAUSTED, FULL or RUNNING."""
    state = np.zeros((3, s.held.shape[1]), np.uint64)
    for _ in range(steps):
        while s.at[LEVEL] < s.bucket.size and s.bucket[s.at[LEVEL]] < 0:
            s.at[LEVEL] += 1
        if s.at[LEVEL] >= s.bucket.size:
            return EXHAUSTED
        x = s.bucket[s.at[LEVEL]]
        s.bucket[s.at[LEVEL]] = s.queued[x]
        if s.closed[x]:  # it has been reached for less
            continue
        if s.held[x, 0] | g.inputs == all_values(g.words.size):
            s.at[GOAL] = x
            return FOUND
        s.closed[x] = True
        if not open_node(s, g, x, state):
            s.closed[x] = False
            s.queued[x] = s.bucket[s.at[LEVEL]]
            s.bucket[s.at[LEVEL]] = x
            return FULL
    return RUNNING


@kernel
def fill_table(s):
    """Enter the nodes of a store into its empty table, the last one of each state."""
    for x in range(s.at[NODES]):
        s.first[place_of(s, s.held[x])] = x


@kernel
def start(s, g, state):
    """Enter the first state."""
    enter(s, g, state, 0, -1)
