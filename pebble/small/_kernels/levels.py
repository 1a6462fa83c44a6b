"""Best-first search over the states of a hierarchy; the theory is in `pebble.small.levels`."""

from typing import NamedTuple

import numpy as np

from dags._numba import lean_inner_kernel, lean_kernel
from pebble.small._kernels.bits import NONE, ONE, Words, largest, lowest_bit, mixed, weigh, words_at
from pebble.small._kernels.states import (
    BEATEN,
    EXHAUSTED,
    FOUND,
    FULL,
    GOAL,
    LATER,
    LEVEL,
    RUNNING,
    WORK,
    add_node,
    enqueue,
    has_room,
    list_of,
    next_node,
)

NEXT, AFTER = 0, 1  # rows of `LevelsBoard.state`: with the new copy, and after others have left


class LevelsBoard(NamedTuple):
    """A game as arrays; sets of values are uint64.

    A state of L levels is a row of sets (L+1,): computed values, and those at each level. Nodes
    have a number of the latter in place of `red`, by which they are told apart into lists.

    preds, succs (n,) uint64; words: of values; is_output, inputs, full: sets, the last one of all
    values; room (L,) int64 words of each level but the last, from place 1 on; down (L+1,) int64 the
    price of a word from level l down to 1, up (L+1,) from level l up to L; state (2, L+1) uint64:
    room to work in.
    """

    preds: np.ndarray
    succs: np.ndarray
    words: Words
    is_output: np.uint64
    inputs: np.uint64
    full: np.uint64
    room: np.ndarray
    down: np.ndarray
    up: np.ndarray
    state: np.ndarray


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
    """Return the least cost of a play from a state, -1 if a value is lost."""
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
            total += g.down[low] * words_at(g.words, v)
        if is_output:
            total += g.up[high] * words_at(g.words, v)
    missing = g.is_output & ~state[0]
    return total + g.up[1] * weigh(g.words, missing)


@lean_inner_kernel
def is_beaten(s, state, spent, i):
    """Return whether a state of list i has been reached for no more; drop it if it was for more."""
    x = s.first[i]
    while x >= 0:
        equal = s.node[x]["opened"] != BEATEN
        for level in range(state.size):
            equal &= s.sets[x, level] == state[level]
        if equal:
            if s.node[x]["spent"] <= spent:
                return True
            s.node[x]["opened"] = BEATEN
        x = s.node[x]["sibling"]
    return False


@lean_inner_kernel
def enter(s, g, state, spent, parent, limit):
    """Enter a state if it is new or cheaper; return False if there is no room."""
    settle(g, state)
    due = still(g, state)
    if due < 0 or spent + due >= limit:
        return True
    if not has_room(s, spent + due):
        return False
    key = NONE
    for level in range(1, state.size):
        key = mixed(key ^ state[level])
    i = list_of(s, state[0], key)
    if not is_beaten(s, state, spent, i):
        x = add_node(s, i, state[0], key, NONE, spent, parent, spent + due)
        for level in range(state.size):
            s.sets[x, level] = state[level]
    return True


@lean_inner_kernel
def enter_without(s, g, target, subset, spent, parent, limit):
    """Enter the state with the new copy without some values at its level."""
    for level in range(g.state.shape[1]):
        g.state[AFTER, level] = g.state[NEXT, level]
    g.state[AFTER, target] &= ~subset
    return enter(s, g, g.state[AFTER], spent, parent, limit)


@lean_inner_kernel
def put(s, g, x, v, target, price, limit):
    """Enter the states that follow when v gets a copy at a level, for each way to make room.

    It is computed where `price` is -1; return False if there is no room for a state.
    """
    last = g.state.shape[1] - 1
    bit = ONE << np.uint64(v)
    for level in range(last + 1):
        g.state[NEXT, level] = s.sets[x, level]
    stayers, spent = g.state[NEXT, target], s.node[x]["spent"]
    if price < 0:
        stayers &= ~g.preds[v]
        g.state[NEXT, 0] |= bit
    else:
        spent += price * words_at(g.words, v)
    g.state[NEXT, target] |= bit
    need = 0
    if target < last:
        need = weigh(g.words, g.state[NEXT, target]) - g.room[target]
    if need <= 0:
        return enter_without(s, g, target, NONE, spent, x, limit)
    subset = stayers
    while subset:  # all subsets of the others, the largest first
        s.at[WORK] += 1
        spare = weigh(g.words, subset) - need
        if spare >= 0 and is_minimal(g, subset, spare):
            if not enter_without(s, g, target, subset, spent, x, limit):
                return False
        subset = (subset - ONE) & stayers
    return True


@lean_inner_kernel
def is_minimal(g, subset, spare):
    """Return whether no member of a set could stay, which has so many words too many."""
    while subset:
        if words_at(g.words, lowest_bit(subset)) <= spare:
            return False
        subset &= subset - ONE
    return True


@lean_inner_kernel
def open_node(s, g, x, limit):
    """Enter the states after a node; return False if there is no room."""
    last = g.state.shape[1] - 1
    reached = s.sets[x, 0]
    below = NONE  # what is at a lower level
    for level in range(1, last):
        held, above = s.sets[x, level], s.sets[x, level + 1]
        tight = weigh(g.words, held) + largest(g.words, g.full) > g.room[level]
        price = g.down[level + 1] - g.down[level]
        left = held | above
        while left:
            v = lowest_bit(left)
            bit = ONE << np.uint64(v)
            left ^= bit
            if not (held | below) & bit and g.succs[v] & ~reached:
                if not put(s, g, x, v, level, price, limit):
                    return False
            if held & bit and not above & bit and tight:
                if not put(s, g, x, v, level + 1, price, limit):
                    return False
        below |= held
    left = g.full & ~(reached | g.inputs)
    while left:
        v = lowest_bit(left)
        left &= left - ONE
        if not g.preds[v] & ~s.sets[x, 1] and not put(s, g, x, v, 1, -1, limit):
            return False
    return True


@lean_kernel
def begin(s, g):
    """Enter the state before the first move, or say at which level."""
    last = g.state.shape[1] - 1
    for level in range(last + 1):
        g.state[AFTER, level] = NONE
    g.state[AFTER, last] = g.inputs
    if s.at[LATER] < 0:
        s.at[LATER] = still(g, g.state[AFTER])
    else:
        enter(s, g, g.state[AFTER], 0, -1, s.at[LATER] + 1)


@lean_kernel
def search(s, g, limit, steps):
    """Go on for some steps: FOUND a play below `limit`, EXHAUSTED all states, FULL or RUNNING."""
    for _ in range(steps):
        x = next_node(s, limit)
        if x < 0:
            return EXHAUSTED
        if s.sets[x, 0] | g.inputs == g.full:
            s.at[GOAL] = x
            return FOUND
        if not open_node(s, g, x, limit):
            enqueue(s, x, s.at[LEVEL])
            return FULL
    return RUNNING
