"""Best-first search over the states of the game in which values may be computed again.

The theory is in `pebble.small.recompute`.
"""

import numpy as np

from dags._numba import lean_inner_kernel, lean_kernel
from pebble.small._kernels.bits import (
    CHOSEN,
    NONE,
    ONE,
    REST,
    VALUES,
    candidates,
    chosen_set,
    lowest_bit,
    weigh,
    words_at,
)
from pebble.small._kernels.recompute_board import (
    enter,
    makers,
    owed_values,
    still_due,
    useful_values,
)
from pebble.small._kernels.states import (
    EXHAUSTED,
    FOUND,
    FULL,
    GOAL,
    LATER,
    LEVEL,
    RUNNING,
    WORK,
    close_node,
    enqueue,
    next_node,
    postpone,
)


@lean_inner_kernel
def store_some(s, g, x, done, red, blue, forced, storable, spent, minimum):
    """Enter the states in which the values `forced` are stored, and any of `storable`.

    Each costs at least `minimum` and twice the stored words. Return False if the store is full.
    """
    before = s.node[x]["opened"]
    stored = NONE
    while True:
        extra = 2 * weigh(g.words, forced | stored)
        if minimum + extra > s.at[LEVEL]:
            postpone(s, minimum + extra)
        else:
            after = done | makers(g, forced | stored)
            if not enter(s, g, after, red, blue | forced | stored, spent + extra, before, x):
                return False
        if stored == storable:
            return True
        stored = ((stored | ~storable) + ONE) & storable


@lean_inner_kernel
def throw_out(s, g, x, done, red, blue, spent, minimum, slid, leave, plain, storable, need):
    """Enter the states in which values of `leave` have left, `need` words and none too many.

    The values `slid` leave as well. Those of `plain` may leave without being stored, those of
    `storable` may be stored. Return False if the store is full.
    """
    count = candidates(g.choice, g.words, leave)
    depth = k = 0
    while True:
        s.at[WORK] += 1
        if need > 0 and k < count and g.choice[REST, k] >= need:
            g.choice[CHOSEN, depth] = k
            depth += 1
            need -= words_at(g.words, g.choice[VALUES, k])
            k += 1
            continue
        if need <= 0:
            out, minimal = chosen_set(g.choice, g.words, depth, -need)
            out |= slid
            if minimal and not store_some(
                s,
                g,
                x,
                done,
                red & ~out,
                blue,
                out & ~plain,
                out & plain & storable,
                spent,
                minimum,
            ):
                return False
        if depth == 0:
            return True
        depth -= 1
        k = g.choice[CHOSEN, depth]
        need += words_at(g.words, g.choice[VALUES, k])
        k += 1


@lean_inner_kernel
def ways_out(s, g, left, closed, blue, paid, minimum, leaving):
    """Return the values that may leave without being stored, and those that may be stored.

    Later states cost no less if others leave as well. `closed` are red values and owed ones.
    """
    plain = storable = NONE
    x = leaving
    while x:
        r = lowest_bit(x)
        bit = ONE << np.uint64(r)
        x ^= bit
        total = paid + still_due(g, left, closed & ~bit, blue) - g.base
        if total <= s.at[LEVEL]:
            plain |= bit
        else:
            postpone(s, total)
        if not bit & (blue | g.inputs):
            total = minimum + 2 * words_at(g.words, r)
            if total <= s.at[LEVEL]:
                storable |= bit
            else:
                postpone(s, total)
    return plain, storable


@lean_inner_kernel
def compute(s, g, x, v):
    """Enter the states in which step v is computed after node x; return False if full."""
    done, red, blue, spent = (
        s.node[x]["done"],
        s.node[x]["red"],
        s.node[x]["third"],
        s.node[x]["spent"],
    )
    owed = owed_values(g, done)
    operands = g.step[v]["operands"]
    produced = ONE << np.uint64(g.step[v]["result"]) if g.step[v]["result"] >= 0 else NONE
    fetched = operands & ~red
    after = done if produced else done | ONE << v
    left = g.goals & ~after
    useful = useful_values(g, left)
    after &= ~makers(g, owed & (fetched | ~useful))
    paid = spent + weigh(g.words, fetched & ~owed)
    everything = (red | operands | produced) & useful
    closed = everything | owed & ~fetched & useful
    blue = (blue | produced & g.outputs) & useful
    minimum = paid + still_due(g, left, closed, blue) - g.base
    if minimum > s.at[LEVEL]:
        postpone(s, minimum)
        return True
    leave = red & useful & ~operands
    occupied = weigh(g.words, leave | operands)
    need = occupied + g.step[v]["beside"] - g.memory
    plain = storable = NONE
    if need > 0:
        leaving = (leave | operands) & useful if g.sliding else leave
        plain, storable = ways_out(s, g, left, closed, blue, paid, minimum, leaving)
    plain |= operands & ~useful
    leave &= plain | storable
    if not throw_out(
        s, g, x, after, everything, blue, paid, minimum, NONE, leave, plain, storable, need
    ):
        return False
    replaced = operands & (plain | storable) if g.sliding and need > 0 else NONE
    while replaced:
        bit = replaced & (~replaced + ONE)
        replaced ^= bit
        # The result in the place of an operand: placed elsewhere, it takes no more than this.
        room = max(0, g.step[v]["own"] - words_at(g.words, lowest_bit(bit)))
        excess = occupied + g.step[v]["free"] + room - g.memory
        if excess < need and not throw_out(
            s,
            g,
            x,
            after,
            everything & ~bit,
            blue,
            paid,
            minimum,
            bit,
            leave,
            plain,
            storable,
            excess,
        ):
            return False
    return True


@lean_inner_kernel
def open_node(s, g, x):
    """Enter the states after node x up to the current level; return False if the store is full."""
    s.at[LATER] = -1
    done, red = s.node[x]["done"], s.node[x]["red"]
    available = red | s.node[x]["third"] | g.inputs
    left = g.goals & ~done
    for step in range(g.step.size):
        v = np.uint64(step)
        if done >> v & ONE or not g.step[v]["ends"] & left:
            continue
        r, twin = g.step[v]["result"], g.step[v]["twin"]
        if g.step[v]["operands"] & ~available or (r >= 0 and red >> np.uint64(r) & ONE):
            continue
        if twin >= 0 and not done >> np.uint64(twin) & ONE:
            continue
        if not compute(s, g, x, v):
            return False
    return True


@lean_kernel
def search(s, g, limit, steps):
    """Go on for some steps: FOUND a play below `limit`, EXHAUSTED all states, FULL or RUNNING."""
    for _ in range(steps):
        if s.at[GOAL] >= 0:
            return FOUND
        x = next_node(s, limit)
        if x < 0:
            return EXHAUSTED
        opened = open_node(s, g, x)
        s.at[WORK] += g.flow.looked[0]
        g.flow.looked[0] = 0
        if not opened:
            enqueue(s, x, s.at[LEVEL])
            return FULL
        if not close_node(s, x, limit):
            return FULL
    return FOUND if s.at[GOAL] >= 0 else RUNNING
