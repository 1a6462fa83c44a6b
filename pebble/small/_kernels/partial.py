"""Best-first search over the states of partial computation, of `pebble.small.partial`."""

from typing import NamedTuple

import numpy as np

from dags._numba import lean_inner_kernel, lean_kernel
from pebble.small._kernels.bits import (
    CHOSEN,
    NONE,
    ONE,
    REST,
    VALUES,
    Words,
    candidates,
    chosen_set,
    lowest_bit,
    weigh,
    words_at,
)
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


class PartialBoard(NamedTuple):
    """A game as arrays; sets of values and of edges are uint64.

    operand, result (m,) int64 the ends of each edge; into, out (n,) uint64 the edges of each value;
    words: of values. costly: computed values that are no outputs; full: all edges. choice (3, 66)
    int64: room to choose values that leave.
    """

    operand: np.ndarray
    result: np.ndarray
    into: np.ndarray
    out: np.ndarray
    words: Words
    costly: np.uint64
    full: np.uint64
    memory: int
    choice: np.ndarray


@lean_inner_kernel
def complete(g, v, added):
    """Return whether all operands of v have been aggregated."""
    return g.into[v] & ~added == NONE


@lean_inner_kernel
def price_of(g, v, added, dirty):
    """Return the words that a value pays when it leaves."""
    twice = not complete(g, v, added) or dirty & (ONE << np.uint64(v)) != NONE
    return words_at(g.words, v) * (2 if twice else 1)


@lean_inner_kernel
def mark(g, e, added, red, dirty):
    """Return the state after edge e, with its operand and its result in fast memory."""
    v = g.result[e]
    bit = ONE << np.uint64(v)
    added |= ONE << np.uint64(e)
    red |= bit
    if complete(g, v, added):
        dirty |= bit & g.costly
    return added, red, dirty


@lean_inner_kernel
def without_dead(g, added, red, dirty):
    """Return the state without the complete values that nobody reads any more."""
    x = red
    while x:
        v = lowest_bit(x)
        x &= x - ONE
        if complete(g, v, added) and g.out[v] & ~added == NONE:
            red &= ~(ONE << np.uint64(v))
    return added, red, dirty & red


@lean_inner_kernel
def comes_at_once(g, e, added, red, dirty):
    """Return whether aggregating along e costs nothing that is not paid otherwise (items 4, 5)."""
    u, v = g.operand[e], g.result[e]
    ubit, vbit = ONE << np.uint64(u), ONE << np.uint64(v)
    if red & ubit == NONE or not complete(g, u, added):
        return False
    if red & vbit:
        return True
    if g.into[v] & added != NONE or dirty & ubit == NONE:
        return False
    if g.out[u] & ~added != ONE << np.uint64(e) or words_at(g.words, v) > words_at(g.words, u):
        return False
    return weigh(g.words, red | vbit) <= g.memory


@lean_inner_kernel
def settled(g, added, red, dirty):
    """Return the state after all that comes at once."""
    changed = True
    while changed:
        changed = False
        left = g.full & ~added
        while left:
            e = lowest_bit(left)
            left &= left - ONE
            if comes_at_once(g, e, added, red, dirty):
                added, red, dirty = mark(g, e, added, red, dirty)
                added, red, dirty = without_dead(g, added, red, dirty)
                changed = True
    return added, red, dirty


@lean_inner_kernel
def dominates(s, g, x, added, red, dirty, spent):
    """Return whether node x turns into a state for no more than that one has spent (item 7)."""
    red0, dirty0 = s.node[x]["red"], s.node[x]["third"]
    cost = s.node[x]["spent"]
    removed = red0 & ~red
    while removed:
        cost += price_of(g, lowest_bit(removed), added, dirty0)
        removed &= removed - ONE
    return cost + weigh(g.words, red0 & red & dirty0 & ~dirty) <= spent


@lean_inner_kernel
def enter(s, g, added, red, dirty, spent, parent, limit):
    """Enter a state unless another is as good; return False if the store is full."""
    added, red, dirty = settled(g, added, red, dirty)
    if spent >= limit:
        return True
    i = list_of(s, added, red)
    x = s.first[i]
    s.at[WORK] += g.operand.size
    while x >= 0:
        s.at[WORK] += 1
        if s.node[x]["opened"] != BEATEN and dominates(s, g, x, added, red, dirty, spent):
            return True
        x = s.node[x]["sibling"]
    if not has_room(s, spent):
        return False
    x = s.first[i]
    new = add_node(s, i, added, red, dirty, spent, parent, spent)
    while x >= 0:
        node = s.node[x]
        if node["opened"] != BEATEN and dominates(
            s, g, new, added, node["red"], node["third"], node["spent"]
        ):
            s.node[x]["opened"] = BEATEN
        x = s.node[x]["sibling"]
    return True


@lean_inner_kernel
def step_along(s, g, e, added, red, dirty, spent, parent, limit):
    """Enter the states after edge e, for each way to make room (item 2)."""
    ends = ONE << np.uint64(g.operand[e]) | ONE << np.uint64(g.result[e])
    need = weigh(g.words, red | ends) - g.memory
    count = candidates(g.choice, g.words, red & ~ends)
    depth = k = 0
    while True:
        s.at[WORK] += 1
        if need > 0 and k < count and g.choice[REST, k] >= need and spent < limit:
            v = g.choice[VALUES, k]
            g.choice[CHOSEN, depth] = k
            depth += 1
            need -= words_at(g.words, v)
            spent += price_of(g, v, added, dirty)
            k += 1
            continue
        if need <= 0 and spent < limit:
            out, minimal = chosen_set(g.choice, g.words, depth, -need)
            if minimal:
                state = mark(g, e, added, (red | ends) & ~out, dirty & ~out)
                state = without_dead(g, state[0], state[1], state[2])
                if not enter(s, g, state[0], state[1], state[2], spent, parent, limit):
                    return False
        if depth == 0:
            return True
        depth -= 1
        k = g.choice[CHOSEN, depth]
        v = g.choice[VALUES, k]
        need += words_at(g.words, v)
        spent -= price_of(g, v, added, dirty)
        k += 1


@lean_inner_kernel
def open_node(s, g, limit, x):
    """Enter the states after node x; return False if the store is full."""
    added, red, dirty = s.node[x]["done"], s.node[x]["red"], s.node[x]["third"]
    spent = s.node[x]["spent"]
    left = g.full & ~added
    while left:
        e = lowest_bit(left)
        left &= left - ONE
        if complete(g, g.operand[e], added):
            if not step_along(s, g, e, added, red, dirty, spent, x, limit):
                return False
    return True


@lean_kernel
def begin(s, g):
    """Enter the first state: nothing aggregated, nothing in fast memory."""
    if s.level.size > 0 and s.at[LATER] < 0:
        s.at[LATER] = 0
        return
    enter(s, g, NONE, NONE, NONE, 0, -1, 1)


@lean_kernel
def search(s, g, limit, steps):
    """Go on for some steps: FOUND a play below `limit`, EXHAUSTED all states, FULL or RUNNING."""
    for _ in range(steps):
        x = next_node(s, limit)
        if x < 0:
            return EXHAUSTED
        if s.node[x]["done"] == g.full:
            s.at[GOAL] = x
            return FOUND
        if not open_node(s, g, limit, x):
            enqueue(s, x, s.at[LEVEL])
            return FULL
    return RUNNING
