"""The search for computations without I/O, in compiled code.

A state is the set of red values and the set of values that are yet to be computed, both of bits.

`G` is the game: `operands` (v,) sets of each value's operands, 0 if it cannot be computed; `words`
(v,); `target` the values that are to be red at the end; `memory`; `sliding`. Operands have smaller
numbers than results.

`S` are the states: `red`, `todo` (n,) sets, `parent` (n,) the state before, `made` (n,) what was
computed then, or -1, `stack` (n,) states to go on from, `slot` (a power of 2 of them) the table of
states, -1 where it is free.
"""

from typing import NamedTuple

import numpy as np

from dags._numba import inner_kernel, kernel
from pebble.small._kernels.bits import NONE, ONE, mixed

FOUND, EXHAUSTED, FULL = range(3)


class Game(NamedTuple):
    """Constants of a search; see above."""

    operands: np.ndarray
    words: np.ndarray
    target: np.uint64
    memory: int
    sliding: bool


class States(NamedTuple):
    """The states that it has seen; see above."""

    red: np.ndarray
    todo: np.ndarray
    parent: np.ndarray
    made: np.ndarray
    slot: np.ndarray
    stack: np.ndarray


@inner_kernel
def weigh(G, x):
    """Return the words of a set."""
    total = 0
    for v in range(G.words.size):
        if x >> np.uint64(v) & ONE:
            total += G.words[v]
    return total


@inner_kernel
def closure(G, x):
    """Return what is in a set, or can be computed from it with any amount of memory."""
    for v in range(G.operands.size):
        if G.operands[v] and not G.operands[v] & ~x:
            x |= ONE << np.uint64(v)
    return x


@inner_kernel
def wanted(G, x):
    """Return a set and all that it can be computed from, whatever is red."""
    for v in range(G.operands.size - 1, -1, -1):
        if x >> np.uint64(v) & ONE:
            x |= G.operands[v]
    return x


@inner_kernel
def enter(G, S, red, todo, parent, made, count, top):
    """Add a state if it is new, without what is not wanted; return how many there are, and open."""
    red &= wanted(G, G.target | todo)
    mask = np.uint64(S.slot.size - 1)
    i = np.int64(mixed(red ^ mixed(todo ^ np.uint64(0x9E3779B97F4A7C15))) & mask)
    while S.slot[i] >= 0:
        at = S.slot[i]
        if S.red[at] == red and S.todo[at] == todo:
            return count, top
        i = (i + 1) & np.int64(mask)
    S.slot[i] = count
    S.red[count], S.todo[count], S.parent[count], S.made[count] = red, todo, parent, made
    S.stack[top] = count
    return count + 1, top + 1


@inner_kernel
def ready_alone(G, red, todo, room):
    """Return a value to be computed whose result is not wanted and that fits, or -1."""
    needed = wanted(G, G.target | todo)
    for v in range(G.operands.size):
        bit = ONE << np.uint64(v)
        if todo & bit & ~(G.target | red) and not G.operands[v] & ~red and G.words[v] <= room:
            read = False
            for x in range(v + 1, G.operands.size):
                if needed >> np.uint64(x) & ONE and G.operands[x] & bit:
                    read = True
            if not read:
                return v
    return -1


@inner_kernel
def expand(G, S, at, count, top):
    """Enter all states that follow a state; return how many there are, and open."""
    red, todo = S.red[at], S.todo[at]
    room = G.memory - weigh(G, red)
    alone = ready_alone(G, red, todo, room)
    if alone >= 0:
        bit = ONE << np.uint64(alone)
        return enter(G, S, red | bit, todo & ~bit, at, alone, count, top)
    needed = wanted(G, G.target | todo)
    in_the_way = NONE  # members may leave: for each there is a computation that lacks room
    for v in range(G.operands.size):
        bit = ONE << np.uint64(v)
        if not needed & bit & ~red or not G.operands[v] or G.operands[v] & ~red:
            continue
        if G.words[v] <= room:
            count, top = enter(G, S, red | bit, todo & ~bit, at, v, count, top)
            continue
        in_the_way |= red & ~G.operands[v]
        if not G.sliding:
            continue
        for u in range(v):
            other = ONE << np.uint64(u)
            if G.operands[v] & other and G.words[v] <= room + G.words[u] and room >= 0:
                after = (red | bit) & ~other
                if not (G.target | (todo & ~bit)) & ~closure(G, after):
                    count, top = enter(G, S, after, todo & ~bit, at, v, count, top)
    for u in range(G.operands.size):
        other = ONE << np.uint64(u)
        if in_the_way & other and not (G.target | todo) & ~closure(G, red & ~other):
            count, top = enter(G, S, red & ~other, todo, at, -1, count, top)
    return count, top


@kernel
def search(G, S, red, todo, short):
    """Look for a way to have the target red and nothing to do; return a status and the state.

    The first way that is found, or a shortest one.
    """
    if (G.target | todo) & ~closure(G, red):
        return EXHAUSTED, -1
    count, top = enter(G, S, red, todo, -1, -1, 0, 0)
    most = 2 * G.operands.size * G.operands.size + G.operands.size
    looked_at = 0
    while looked_at < count:
        if short:
            at = looked_at
            top = 0  # states are open in the order of their numbers
        else:
            top -= 1
            at = S.stack[top]
        looked_at += 1
        if not S.todo[at] and not G.target & ~S.red[at]:
            return FOUND, at
        if count + most > S.red.size:
            return FULL, -1
        count, top = expand(G, S, at, count, top)
    return EXHAUSTED, -1
