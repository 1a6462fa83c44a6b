"""Best-first search over the states of the game in which values may be computed again.

The theory is in `pebble.small.recompute`.
"""

from typing import NamedTuple

import numpy as np

from dags._numba import lean_kernel
from pebble.small._kernels.bits import NONE, ONE, Words, largest, lowest_bit, mixed, weigh, words_at
from pebble.small._kernels.cuts import Cut, Flow, minimum_cut
from pebble.small._kernels.states import (
    BEATEN,
    EXHAUSTED,
    FOUND,
    FULL,
    GOAL,
    LATER,
    LEVEL,
    RUNNING,
    add_node,
    close_node,
    enqueue,
    has_room,
    list_of,
    next_node,
    postpone,
)
from pebble.small._kernels.symmetry import Swaps, lowered

STEP = np.dtype(
    [
        ("operands", np.uint64),
        ("ends", np.uint64),  # goals that it leads to, itself if it is one
        ("below", np.uint64),  # values that lead to it
        ("result", np.int64),  # number of the value, -1 if nobody reads it
        ("own", np.int64),  # words of it
        ("free", np.int64),  # words of operands that come from nothing
        ("beside", np.int64),  # words that it takes beside the others if none of them is replaced
        ("twin", np.int64),  # an earlier goal that is a twin, or -1
    ]
)
KNOWN = np.dtype(
    [("left", np.uint64), ("closed", np.uint64), ("blue", np.uint64), ("words", np.int64)]
)


class Board(NamedTuple):
    """A game as arrays; sets are uint64.

    step (c,) of `STEP`; maker (r,) int64 the step that makes a value, or -1; links (r,) of
    `LINKS`; sizes (r,) int64 words of values, words the same by sets; own: words of what sets of
    steps make. inputs, outputs: values; goals: steps; base: words of the inputs. choice (3, 66)
    int64: room to choose values that leave; flow: room for cuts; known (K,) of `KNOWN`: the cuts
    that are known.
    """

    step: np.ndarray
    maker: np.ndarray
    links: np.ndarray
    sizes: np.ndarray
    words: Words
    own: Words
    inputs: np.uint64
    outputs: np.uint64
    goals: np.uint64
    base: int
    swaps: Swaps
    memory: int
    sliding: bool
    choice: np.ndarray
    flow: Flow
    known: np.ndarray


# Rows of `Board.choice`: values that may leave, the words from each on, the places of the chosen.
VALUES, REST, CHOSEN = range(3)


@lean_kernel
def useful_values(g, left):
    """Return the values that lead to one of the goals `left`."""
    useful = NONE
    while left:
        useful |= g.step[lowest_bit(left)]["below"]
        left &= left - ONE
    return useful


@lean_kernel
def owed_values(g, done):
    """Return the values that are stored and have not been loaded since."""
    owed = NONE
    x = done & ~g.goals
    while x:
        owed |= ONE << np.uint64(g.step[lowest_bit(x)]["result"])
        x &= x - ONE
    return owed


@lean_kernel
def makers(g, values):
    """Return the steps that make some values."""
    steps = NONE
    while values:
        steps |= ONE << np.uint64(g.maker[lowest_bit(values)])
        values &= values - ONE
    return steps


@lean_kernel
def walked(g, ends, closed, stops):
    """Return the values that are met on the way back from `ends`, past none of `closed` or `stops`.

    Those of `stops` are met, but nothing behind them.
    """
    met = ends
    x = ends & ~stops
    while x:
        new = g.links[lowest_bit(x)]["made_of"] & ~closed & ~met
        x &= x - ONE
        met |= new
        x |= new & ~stops
    return met


@lean_kernel
def least_loaded(g, left, closed, blue):
    """Return the fewest words of inputs and blue values that meet all ways into the goals `left`.

    Ways lead from the inputs to the operands of these goals, past no value of `closed`. Inputs with
    a way past no blue value are in every cut; for what is left all ways go through blue values.
    """
    ends = NONE
    while left:
        ends |= g.step[lowest_bit(left)]["operands"]
        left &= left - ONE
    met = walked(g, ends & ~closed, closed, blue)
    certain = met & g.inputs
    total = weigh(g.words, certain)
    ends = met & blue
    if not ends:
        return total
    region = walked(g, ends, closed | certain, NONE)
    sources = region & g.inputs
    if not sources:
        return total
    cut = Cut(sources, ends, region, g.inputs | blue, g.sizes, False)
    return total + minimum_cut(g.links, g.flow, cut)


@lean_kernel
def still_due(g, left, closed, blue):
    """Return words to be loaded for the goals `left`, at least; `closed` are there, or paid for."""
    x = mixed(mixed(mixed(left) ^ closed) ^ blue)
    i = np.int64(x & np.uint64(g.known.size - 1))
    known = g.known
    if known[i]["left"] != left or known[i]["closed"] != closed or known[i]["blue"] != blue:
        known[i]["left"] = left
        known[i]["closed"] = closed
        known[i]["blue"] = blue
        known[i]["words"] = least_loaded(g, left, closed, blue)
    return known[i]["words"]


@lean_kernel
def room_beside(g, v, useful, here):
    """Return the least words that goal v takes with all that is there and useful after it."""
    need = here + g.step[v]["beside"]
    if g.sliding:
        free, operands = g.step[v]["free"], g.step[v]["operands"]
        slid = here + g.step[v]["own"] + free - largest(g.words, operands & ~useful)
        need = min(need, max(here + free, slid))
    return need


@lean_kernel
def comes_at_once(g, v, left, red):
    """Return whether step v may come at once (item 6); `left` are the goals not done."""
    made = g.step[v]["result"]
    operands = g.step[v]["operands"]
    missing = operands & ~red
    if made >= 0:
        if missing or red >> np.uint64(made) & ONE:
            return False
        return weigh(g.words, red) + g.step[v]["beside"] <= g.memory
    useful = useful_values(g, left & ~(ONE << np.uint64(v)))
    if missing & ~g.inputs or missing & useful:
        return False
    here = weigh(g.words, (red & useful) | operands)
    return room_beside(g, v, useful, here) <= g.memory


@lean_kernel
def settled(g, done, red, blue, spent):
    """Return the state after all steps that come at once."""
    changed = True
    while changed:
        changed = False
        left = g.goals & ~done
        for v in range(g.step.size):
            bit = ONE << np.uint64(v)
            if done & bit or not g.step[v]["ends"] & left or not comes_at_once(g, v, left, red):
                continue
            changed = True
            operands = g.step[v]["operands"]
            spent += weigh(g.words, operands & ~red)
            if g.step[v]["result"] >= 0:
                made = ONE << np.uint64(g.step[v]["result"])
                red |= made
                blue |= made & g.outputs
            else:
                done |= bit
                left &= ~bit
                useful = useful_values(g, left)
                red = (red | operands) & useful
                blue &= useful
                done &= ~makers(g, owed_values(g, done) & ~useful)
    return done, red, blue, spent


@lean_kernel
def turns_into(g, done, blue, done1, blue1, red, slack):
    """Return whether a state turns into another one with the same red values for `slack` words.

    It stores what the other has stored, and pays for the loads that the other has paid for.
    """
    stored = blue1 & ~blue
    if stored & ~red:
        return False
    return weigh(g.words, stored) + weigh(g.own, done1 & ~done & ~g.goals) <= slack


@lean_kernel
def is_beaten(s, g, i, done, red, blue, spent):
    """Return whether a state of list i is as good as this one; drop those that it beats."""
    nodes = s.node
    x = s.first[i]
    before = -1
    while x >= 0:
        following = nodes[x]["sibling"]
        slack = spent - nodes[x]["spent"]
        done1, blue1 = nodes[x]["done"], nodes[x]["third"]
        if slack >= 0 and turns_into(g, done1, blue1, done, blue, red, slack):
            if before >= 0:  # it will be as good as the next one, too
                nodes[before]["sibling"] = following
                nodes[x]["sibling"] = s.first[i]
                s.first[i] = x
            return True
        if slack <= 0 and turns_into(g, done, blue, done1, blue1, red, -slack):
            nodes[x]["opened"] = BEATEN
            if before < 0:
                s.first[i] = following
            else:
                nodes[before]["sibling"] = following
        else:
            before = x
        x = following
    return False


@lean_kernel
def enter(s, g, done, red, blue, spent, before, parent):
    """Keep a state unless another one is as good, or its turn was before or comes later.

    before: the level up to which the parent has been opened. Return False if the store is full.
    """
    done, red, blue, spent = settled(g, done, red, blue, spent)
    total = spent + still_due(g, g.goals & ~done, red | owed_values(g, done), blue) - g.base
    if total > s.at[LEVEL]:
        postpone(s, total)
        return True
    if total <= before:
        return True
    if not has_room(s, s.at[LEVEL]):
        return False
    done, red, blue = lowered(g.swaps, done, red, blue)
    i = list_of(s, done, red)
    if is_beaten(s, g, i, done, red, blue, spent):
        return True
    x = add_node(s, i, done, red, blue, spent, parent, s.at[LEVEL])
    if done & g.goals == g.goals:
        s.at[GOAL] = x
    return True


@lean_kernel
def begin(s, g):
    """Enter the state before the first step, or say at which level; return False if full."""
    return enter(s, g, NONE, NONE, NONE, 0, -1, -1)


@lean_kernel
def store_some(s, g, x, done, red, blue, forced, storable, spent, least):
    """Enter the states in which the values `forced` are stored, and any of `storable`.

    Each costs at least `least` and twice what is stored. Return False if the store is full.
    """
    before = s.node[x]["opened"]
    stored = NONE
    while True:
        extra = 2 * weigh(g.words, forced | stored)
        if least + extra > s.at[LEVEL]:
            postpone(s, least + extra)
        else:
            after = done | makers(g, forced | stored)
            if not enter(s, g, after, red, blue | forced | stored, spent + extra, before, x):
                return False
        if stored == storable:
            return True
        stored = ((stored | ~storable) + ONE) & storable


@lean_kernel
def candidates(g, values):
    """Fill `choice` with values and the words from each on; return how many they are."""
    count = 0
    while values:
        g.choice[VALUES, count] = lowest_bit(values)
        values &= values - ONE
        count += 1
    g.choice[REST, count] = 0
    for k in range(count - 1, -1, -1):
        g.choice[REST, k] = g.choice[REST, k + 1] + words_at(g.words, g.choice[VALUES, k])
    return count


@lean_kernel
def chosen_set(g, depth, spare):
    """Return the chosen values as a set, and whether none of them could stay."""
    out = NONE
    minimal = True
    for j in range(depth):
        r = g.choice[VALUES, g.choice[CHOSEN, j]]
        out |= ONE << np.uint64(r)
        minimal &= words_at(g.words, r) > spare
    return out, minimal


@lean_kernel
def throw_out(s, g, x, done, red, blue, spent, least, slid, leave, plain, storable, need):
    """Enter the states in which values of `leave` have left, `need` words and none too many.

    The values `slid` leave as well. Those of `plain` may leave without being stored, those of
    `storable` may be stored. Return False if the store is full.
    """
    count = candidates(g, leave)
    depth = k = 0
    while True:
        if need > 0 and k < count and g.choice[REST, k] >= need:
            g.choice[CHOSEN, depth] = k
            depth += 1
            need -= words_at(g.words, g.choice[VALUES, k])
            k += 1
            continue
        if need <= 0:
            out, minimal = chosen_set(g, depth, -need)
            out |= slid
            if minimal and not store_some(
                s, g, x, done, red & ~out, blue, out & ~plain, out & plain & storable, spent, least
            ):
                return False
        if depth == 0:
            return True
        depth -= 1
        k = g.choice[CHOSEN, depth]
        need += words_at(g.words, g.choice[VALUES, k])
        k += 1


@lean_kernel
def ways_out(s, g, left, closed, blue, paid, least, leaving):
    """Return the values that may leave without being stored, and those that may be stored.

    What follows costs no less if others leave as well. `closed` are red values and owed ones.
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
            total = least + 2 * words_at(g.words, r)
            if total <= s.at[LEVEL]:
                storable |= bit
            else:
                postpone(s, total)
    return plain, storable


@lean_kernel
def compute(s, g, x, v):
    """Enter what follows when step v is computed after node x; return False if full."""
    done, red, blue, spent = (
        s.node[x]["done"],
        s.node[x]["red"],
        s.node[x]["third"],
        s.node[x]["spent"],
    )
    owed = owed_values(g, done)
    operands = g.step[v]["operands"]
    made = ONE << np.uint64(g.step[v]["result"]) if g.step[v]["result"] >= 0 else NONE
    fetched = operands & ~red
    after = done if made else done | ONE << np.uint64(v)
    left = g.goals & ~after
    useful = useful_values(g, left)
    after &= ~makers(g, owed & (fetched | ~useful))
    paid = spent + weigh(g.words, fetched & ~owed)
    everything = (red | operands | made) & useful
    closed = everything | owed & ~fetched & useful
    blue = (blue | made & g.outputs) & useful
    least = paid + still_due(g, left, closed, blue) - g.base
    if least > s.at[LEVEL]:
        postpone(s, least)
        return True
    leave = red & useful & ~operands
    here = weigh(g.words, leave | operands)
    need = here + g.step[v]["beside"] - g.memory
    plain = storable = NONE
    if need > 0:
        leaving = (leave | operands) & useful if g.sliding else leave
        plain, storable = ways_out(s, g, left, closed, blue, paid, least, leaving)
    plain |= operands & ~useful
    leave &= plain | storable
    if not throw_out(
        s, g, x, after, everything, blue, paid, least, NONE, leave, plain, storable, need
    ):
        return False
    replaced = operands & (plain | storable) if g.sliding and need > 0 else NONE
    while replaced:
        bit = replaced & (~replaced + ONE)
        replaced ^= bit
        # The result in the place of an operand: placed elsewhere, it takes no more than this.
        own = max(0, g.step[v]["own"] - words_at(g.words, lowest_bit(bit)))
        less = here + g.step[v]["free"] + own - g.memory
        if less < need and not throw_out(
            s, g, x, after, everything & ~bit, blue, paid, least, bit, leave, plain, storable, less
        ):
            return False
    return True


@lean_kernel
def open_node(s, g, x):
    """Enter what follows node x for up to the current level; return False if the store is full."""
    s.at[LATER] = -1
    done, red = s.node[x]["done"], s.node[x]["red"]
    there = red | s.node[x]["third"] | g.inputs
    left = g.goals & ~done
    for v in range(g.step.size):
        if done >> np.uint64(v) & ONE or not g.step[v]["ends"] & left:
            continue
        r, twin = g.step[v]["result"], g.step[v]["twin"]
        if g.step[v]["operands"] & ~there or (r >= 0 and red >> np.uint64(r) & ONE):
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
        if not open_node(s, g, x):
            enqueue(s, x, s.at[LEVEL])
            return FULL
        if not close_node(s, x, limit):
            return FULL
    return FOUND if s.at[GOAL] >= 0 else RUNNING
