"""Best-first search over the states of the game with recomputation, in compiled code."""

from typing import NamedTuple

import numpy as np

from dags._numba import kernel
from schedulers.exact._kernels import (
    BEATEN,
    EXHAUSTED,
    FOUND,
    FULL,
    GOAL,
    KEPT,
    KEYS,
    LEVEL,
    NODES,
    NONE,
    ONE,
    POOLED,
    RECORDS,
    RUNNING,
    in_order,
    key_of,
    lowest_bit,
    mixed,
    turned,
    weigh,
)
from schedulers.exact.recompute.flow._kernels import remaining


class Game(NamedTuple):
    """A problem and its symmetries as arrays; sets are uint64.

    operands, value, words, twin (c,); sizes (r,); weight (8, 256) words of the values in each byte
    of a set; rounds (k,); turn_done, turn_kept (g, 8, 256) images of bytes. reach (r,) outputs
    that each value leads to; leads (c,) outputs that each computed vertex leads to, itself if it
    is one; above (r,) values that are computed from each value; inputs, outputs: sets; unit,
    sliding: flags.
    """

    operands: np.ndarray
    value: np.ndarray
    words: np.ndarray
    twin: np.ndarray
    sizes: np.ndarray
    weight: np.ndarray
    rounds: np.ndarray
    turn_done: np.ndarray
    turn_kept: np.ndarray
    reach: np.ndarray
    leads: np.ndarray
    above: np.ndarray
    inputs: np.uint64
    outputs: np.uint64
    memory: int
    compulsory: int
    unit: bool
    sliding: bool


class Store(NamedTuple):
    """What the search remembers.

    Nodes: red, blue (N,) uint64; record, spent, parent, sibling, queued (N,) int32; fate (N,)
    uint8. slot (H,) int32: open addressing by record and red values, the first node of those that
    share them. The others are those of the one-shot game, records one for each set of outputs
    that are stored.
    """

    red: np.ndarray
    blue: np.ndarray
    record: np.ndarray
    spent: np.ndarray
    parent: np.ndarray
    sibling: np.ndarray
    queued: np.ndarray
    fate: np.ndarray
    done: np.ndarray
    first: np.ndarray
    still: np.ndarray
    still_end: np.ndarray
    key: np.ndarray
    key_record: np.ndarray
    key_turn: np.ndarray
    pool: np.ndarray
    bucket: np.ndarray
    at: np.ndarray
    slot: np.ndarray


@kernel
def slot_for(s, record, red):
    """Return the place of the nodes with a record and red values, or the free one for them."""
    mask = s.slot.size - 1
    x = mixed(red) ^ np.uint64(record)
    i = np.int64(mixed(x) & np.uint64(mask))
    while s.slot[i] >= 0:
        y = s.slot[i]
        if s.red[y] == red and s.record[y] == record:
            break
        i = (i + 1) & mask
    return i


@kernel
def enter(s, g, done, red, blue, spent, level, parent):
    """Keep a state unless another one is as good; return whether there was room."""
    if (
        2 * s.at[KEYS] + 8 > s.key.size
        or s.at[RECORDS] == s.done.size
        or s.at[POOLED] + g.turn_done.shape[0] > s.pool.size
        or s.at[NODES] == s.red.size
    ):
        return False
    i = key_of(s, g, done)
    record, turn = s.key_record[i], s.key_turn[i]
    if turn:
        red = turned(g.turn_kept, turn, red)
        blue = turned(g.turn_kept, turn, blue)
    red, blue = in_order(g, red, blue)
    red0, blue0 = red, blue
    for k in range(s.still[record], s.still_end[record]):
        red1 = turned(g.turn_kept, s.pool[k], red0)
        blue1 = turned(g.turn_kept, s.pool[k], blue0)
        red1, blue1 = in_order(g, red1, blue1)
        if red1 < red or (red1 == red and blue1 < blue):
            red, blue = red1, blue1
    i = slot_for(s, record, red)
    x = s.slot[i]
    while x >= 0:
        if s.spent[x] <= spent and not blue & ~s.blue[x]:
            return True
        if s.spent[x] >= spent and not s.blue[x] & ~blue:
            s.fate[x] = BEATEN
        x = s.sibling[x]
    x = s.at[NODES]
    s.at[NODES] += 1
    s.red[x] = red
    s.blue[x] = blue
    s.record[x] = record
    s.spent[x] = spent
    s.parent[x] = parent
    s.fate[x] = KEPT
    s.sibling[x] = s.slot[i]
    s.slot[i] = x
    s.queued[x] = s.bucket[level]
    s.bucket[level] = x
    if done == g.outputs:
        s.at[GOAL] = x
    return True


@kernel
def open_node(s, g, f, x, chosen, values):
    """Enter what follows from node x at the current level; return (room, next level of x).

    f, chosen, values: room to work in. The next level is -1 if nothing follows later.
    """
    level = s.at[LEVEL]
    later = -1
    done, red, blue, spent = s.done[s.record[x]], s.red[x], s.blue[x], s.spent[x]
    left = g.outputs & ~done
    for v in range(g.operands.size):
        operands = g.operands[v]
        fetched = operands & ~red
        if not g.leads[v] & left or fetched & ~(blue | g.inputs):
            continue
        result = NONE
        if g.value[v] < 0 and g.twin[v] >= 0 and not done >> np.uint64(g.twin[v]) & ONE:
            continue
        if g.value[v] >= 0:
            result = ONE << np.uint64(g.value[v])
        if result & red:
            continue
        here = weigh(g, red | operands)
        own = NONE
        paid = spent + weigh(g, fetched)
        if (g.outputs & ~done) >> np.uint64(v) & ONE:
            own = result
            paid += g.words[v]
            done_after = done | ONE << np.uint64(v)
        else:
            done_after = done
        left_after = g.outputs & ~done_after
        useful = NONE
        for r in range(g.sizes.size):
            if g.reach[r] & left_after:
                useful |= ONE << np.uint64(r)
        # What follows costs no less than before anybody leaves, and what is stored in addition.
        everything = (red | operands | result) & useful
        blue_after = (blue | own) & useful
        paid -= g.compulsory
        least = paid + remaining(g, f, everything, blue_after, left_after)
        if least > level:
            if later < 0 or least < later:
                later = least
            continue
        replaced = operands
        slide = NONE
        count = 0
        y = red & ~operands
        while y:
            r = lowest_bit(y)
            bit = ONE << np.uint64(r)
            y &= y - ONE
            if bit & useful and here + g.words[v] > g.memory:
                # Nor does it cost less if others leave with r, stored or not.
                total = paid + remaining(g, f, everything & ~bit, blue_after, left_after)
                if total > level and not bit & (blue_after | g.inputs):
                    total = min(total, least + g.sizes[r])
                if total > level:
                    if later < 0 or total < later:
                        later = total
                    continue
            values[count] = r
            count += 1
        while True:
            if slide:
                need = max(here, here + g.words[v] - g.sizes[lowest_bit(slide)]) - g.memory
            else:
                need = here + g.words[v] - g.memory
            depth, k = 0, 0
            while True:
                if need > 0 and k < count:
                    chosen[depth] = k
                    depth += 1
                    need -= g.sizes[values[k]]
                    k += 1
                    continue
                if need <= 0:
                    minimal = True
                    out = slide
                    for j in range(depth):
                        r = values[chosen[j]]
                        out |= ONE << np.uint64(r)
                        if need + g.sizes[r] <= 0:
                            minimal = False
                    if minimal:
                        red_after = everything & ~out
                        storable = out & useful & ~blue_after & ~g.inputs
                        stored = NONE
                        while True:  # every subset of them
                            extra = weigh(g, stored)
                            total = least + extra
                            if total <= level:
                                total = (
                                    paid
                                    + extra
                                    + remaining(g, f, red_after, blue_after | stored, left_after)
                                )
                            if total == level:
                                if not enter(
                                    s,
                                    g,
                                    done_after,
                                    red_after,
                                    blue_after | stored,
                                    paid + extra + g.compulsory,
                                    level,
                                    x,
                                ):
                                    return False, later
                            elif total > level and (later < 0 or total < later):
                                later = total
                            if stored == storable:
                                break
                            stored = ((stored | ~storable) + ONE) & storable
                if depth == 0:
                    break
                depth -= 1
                k = chosen[depth]
                need += g.sizes[values[k]]
                k += 1
            if not g.sliding or not replaced:
                break
            slide = replaced & (~replaced + ONE)
            replaced &= replaced - ONE
    return True, later


@kernel
def search(s, g, f, limit, steps):
    """Go on for some steps; return FOUND, EXHAUSTED (all below `limit`), FULL or RUNNING."""
    chosen = np.empty(65, np.int64)
    values = np.empty(65, np.int64)
    for _ in range(steps):
        if s.at[GOAL] >= 0:
            return FOUND
        while s.bucket[s.at[LEVEL]] < 0:
            s.at[LEVEL] += 1
            if s.at[LEVEL] >= limit:
                return EXHAUSTED
        x = s.bucket[s.at[LEVEL]]
        s.bucket[s.at[LEVEL]] = s.queued[x]
        if s.fate[x] == BEATEN:
            continue
        room, later = open_node(s, g, f, x, chosen, values)
        if not room:
            s.queued[x] = s.bucket[s.at[LEVEL]]
            s.bucket[s.at[LEVEL]] = x
            return FULL
        if 0 <= later < limit:
            s.queued[x] = s.bucket[later]
            s.bucket[later] = x
    return FOUND if s.at[GOAL] >= 0 else RUNNING


@kernel
def fill_slots(s):
    """Enter all nodes into an empty table; those that share a place keep their order."""
    for x in range(s.at[NODES]):
        s.slot[slot_for(s, s.record[x], s.red[x])] = x
