"""Best-first search over the states of the one-shot game, in compiled code."""

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
    turned,
    weigh,
)

# What is looked at together lies together: lists of nodes are long.
NODE = np.dtype(
    [
        ("red", np.uint64),
        ("dirty", np.uint64),
        ("sibling", np.int32),
        ("spent", np.int32),
        ("record", np.int32),
        ("parent", np.int32),
        ("queued", np.int32),
        ("fate", np.int32),
    ]
)


class Game(NamedTuple):
    """A problem and its symmetries as arrays; sets are uint64.

    operands, before, value, words, twin (c,); readers, sizes (r,); weight (8, 256) words of the
    values in each byte of a set; rounds (k,); turn_done, turn_kept (g, 8, 256) images of bytes;
    full, costly: sets; unit, sliding: flags.
    """

    operands: np.ndarray
    before: np.ndarray
    value: np.ndarray
    words: np.ndarray
    twin: np.ndarray
    readers: np.ndarray
    sizes: np.ndarray
    weight: np.ndarray
    rounds: np.ndarray
    turn_done: np.ndarray
    turn_kept: np.ndarray
    full: np.uint64
    costly: np.uint64
    memory: int
    unit: bool
    sliding: bool


class Store(NamedTuple):
    """What the search remembers.

    node (N,) of `NODE`. Records, one for each set of computed vertices: done (R,) uint64; first,
    still, still_end (R,) int32. Open addressing by such a set as it was met: key (K,) uint64;
    key_record, key_turn (K,) int32. pool (P,) int32 automorphisms that leave a record's set alone.
    bucket (B,) int32 first node of each level; at (6,) int64 counters.
    """

    node: np.ndarray
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


@kernel
def settled(g, done, red, dirty):
    """Return the state after all computations that cost nothing and can only help.

    A sink that nobody reads; or a value v that takes the place of dying values u, none smaller
    than v, which together would cost as much as v to throw out and fetch again. In a best play
    from the state before, let v sit where those u sit until it is computed there, and pay for v
    when the last u is thrown out: that is a play from the state after, and no dearer. What v
    needs must be there, or come in now for the last time: that it is fetched is paid for anyway.
    """
    changed = True
    while changed:
        changed = False
        left = g.full & ~done
        while left:
            v = lowest_bit(left)
            left &= left - ONE
            if g.before[v] & ~done or (g.twin[v] >= 0 and not done >> np.uint64(g.twin[v]) & ONE):
                continue
            operands = g.operands[v]
            after = done | ONE << np.uint64(v)
            dying = NONE
            x = operands
            while x:
                u = lowest_bit(x)
                x &= x - ONE
                if not g.readers[u] & ~after:
                    dying |= ONE << np.uint64(u)
            missing = operands & ~red
            if missing & ~dying:
                continue
            here = weigh(g, red | operands)
            largest = 0
            saved = 0
            own = g.words[v]
            x = dying
            while x:
                u = lowest_bit(x)
                x &= x - ONE
                bit = ONE << np.uint64(u)
                size = g.sizes[u]
                if g.sliding and size > largest:
                    largest = size
                if red & bit and size >= own:
                    saved += size + size * ((dirty & bit) != 0)
            if here > g.memory or here + own - largest > g.memory:
                continue
            r = g.value[v]
            if r >= 0:
                bit = ONE << np.uint64(r)
                price = own + own * ((g.costly & bit) != 0)
                if saved < price:
                    continue
                red = (red | operands) & ~dying | bit
                dirty = dirty & ~dying | (g.costly & bit)
            else:
                red = (red | operands) & ~dying
                dirty &= ~dying
            done = after
            changed = True
    return done, red, dirty


@kernel
def enter(s, g, done, red, dirty, spent, parent):
    """Keep a state unless another one is as good; return whether there was room."""
    if (
        2 * s.at[KEYS] + 8 > s.key.size
        or s.at[RECORDS] == s.done.size
        or s.at[POOLED] + g.turn_done.shape[0] > s.pool.size
        or s.at[NODES] == s.node.size
    ):
        return False
    done, red, dirty = settled(g, done, red, dirty)
    i = key_of(s, g, done)
    record, turn = s.key_record[i], s.key_turn[i]
    if turn:
        red = turned(g.turn_kept, turn, red)
        dirty = turned(g.turn_kept, turn, dirty)
    red, dirty = in_order(g, red, dirty)
    red0, dirty0 = red, dirty
    for k in range(s.still[record], s.still_end[record]):
        red1 = turned(g.turn_kept, s.pool[k], red0)
        dirty1 = turned(g.turn_kept, s.pool[k], dirty0)
        red1, dirty1 = in_order(g, red1, dirty1)
        if red1 < red or (red1 == red and dirty1 < dirty):
            red, dirty = red1, dirty1
    # One state is as good as another if turning it into the other, by throwing out what the other
    # does not have and storing what the other has stored, costs no more than the other has spent.
    x = s.first[record]
    before = -1
    while x >= 0:
        following = s.node[x]["sibling"]
        slack = spent - s.node[x]["spent"]
        if slack >= 0:
            away = s.node[x]["red"] & ~red
            again = s.node[x]["dirty"] & (away | ~dirty)
            if weigh(g, away) + weigh(g, again) <= slack:
                if before >= 0:  # it will be as good as the next one, too
                    s.node[before]["sibling"] = following
                    s.node[x]["sibling"] = s.first[record]
                    s.first[record] = x
                return True
        if slack <= 0:
            away = red & ~s.node[x]["red"]
            again = dirty & (away | ~s.node[x]["dirty"])
            if weigh(g, away) + weigh(g, again) <= -slack:
                s.node[x]["fate"] = BEATEN
                if before < 0:
                    s.first[record] = following
                else:
                    s.node[before]["sibling"] = following
                x = following
                continue
        before = x
        x = following
    x = s.at[NODES]
    s.at[NODES] += 1
    s.node[x]["red"] = red
    s.node[x]["dirty"] = dirty
    s.node[x]["record"] = record
    s.node[x]["spent"] = spent
    s.node[x]["parent"] = parent
    s.node[x]["fate"] = KEPT
    s.node[x]["sibling"] = s.first[record]
    s.first[record] = x
    s.node[x]["queued"] = s.bucket[spent]
    s.bucket[spent] = x
    if done == g.full:
        s.at[GOAL] = x
    return True


@kernel
def open_node(s, g, x, chosen, values, price, rest):
    """Enter what follows from node x at the current level; return (room, next level of x).

    chosen, values, price, rest: room to work in. The next level is -1 if nothing follows later.
    """
    level = s.at[LEVEL]
    budget = level - s.node[x]["spent"]
    later = -1  # the least price above budget
    done, red, dirty = s.done[s.node[x]["record"]], s.node[x]["red"], s.node[x]["dirty"]
    left = g.full & ~done
    while left:
        v = lowest_bit(left)
        left &= left - ONE
        if g.before[v] & ~done or (g.twin[v] >= 0 and not done >> np.uint64(g.twin[v]) & ONE):
            continue
        operands = g.operands[v]
        after = done | ONE << np.uint64(v)
        dying = NONE
        largest = 0
        u = operands
        while u:
            r = lowest_bit(u)
            u &= u - ONE
            if not g.readers[r] & ~after:
                dying |= ONE << np.uint64(r)
                if g.sizes[r] > largest:
                    largest = g.sizes[r]
        here = weigh(g, red | operands)
        result = NONE
        if g.value[v] >= 0:
            result = ONE << np.uint64(g.value[v])
        made = result & g.costly
        # What v replaces: nothing or, sliding, the largest of those that die, or one that stays.
        replaced = operands & ~dying
        slide = NONE
        first_price = 0
        while True:
            if slide == NONE:
                need = here + g.words[v] - g.memory
                if g.sliding:
                    need = max(here - g.memory, need - largest)
            else:
                r = lowest_bit(slide)
                need = max(here, here + g.words[v] - g.sizes[r]) - g.memory
                first_price = g.sizes[r] + g.sizes[r] * ((dirty & slide) != 0)
            kept = (red | operands) & ~dying & ~slide | result
            marks = dirty & ~dying & ~slide | made
            if need <= 0:
                if first_price == budget:
                    if not enter(s, g, after, kept, marks, level, x):
                        return False, later
                elif first_price > budget and (later < 0 or first_price < later):
                    later = first_price
            else:
                # Everybody who may leave; sets of them are tried in lexicographic order.
                count = 0
                u = red & ~operands
                while u:
                    r = lowest_bit(u)
                    u &= u - ONE
                    values[count] = r
                    price[count] = g.sizes[r] + g.sizes[r] * (dirty >> np.uint64(r) & ONE != 0)
                    count += 1
                rest[count] = 0
                for k in range(count - 1, -1, -1):
                    rest[k] = rest[k + 1] + g.sizes[values[k]]
                depth, k = 0, 0
                cost = first_price
                while True:
                    if (
                        need > 0
                        and k < count
                        and rest[k] >= need
                        and (cost + need <= budget or later < 0 or cost + need < later)
                    ):
                        chosen[depth] = k
                        depth += 1
                        need -= g.sizes[values[k]]
                        cost += price[k]
                        k += 1
                        continue
                    if (
                        need <= 0
                        and cost >= budget
                        and (cost == budget or later < 0 or cost < later)
                    ):
                        minimal = True
                        out = NONE
                        for j in range(depth):
                            r = values[chosen[j]]
                            out |= ONE << np.uint64(r)
                            if need + g.sizes[r] <= 0:
                                minimal = False
                        if minimal and cost > budget:
                            later = cost
                        elif minimal and not enter(
                            s, g, after, kept & ~out, marks & ~out, level, x
                        ):
                            return False, later
                    if depth == 0:
                        break
                    depth -= 1
                    k = chosen[depth]
                    need += g.sizes[values[k]]
                    cost -= price[k]
                    k += 1
            if not g.sliding or not replaced:
                break
            slide = replaced & (~replaced + ONE)
            replaced &= replaced - ONE
    return True, later


@kernel
def search(s, g, limit, steps):
    """Go on for some steps; return FOUND, EXHAUSTED (all below `limit`), FULL or RUNNING."""
    chosen = np.empty(65, np.int64)
    values = np.empty(65, np.int64)
    price = np.empty(65, np.int64)
    rest = np.empty(66, np.int64)
    for _ in range(steps):
        if s.at[GOAL] >= 0:
            return FOUND
        while s.bucket[s.at[LEVEL]] < 0:
            s.at[LEVEL] += 1
            if s.at[LEVEL] >= limit:
                return EXHAUSTED
        x = s.bucket[s.at[LEVEL]]
        s.bucket[s.at[LEVEL]] = s.node[x]["queued"]
        if s.node[x]["fate"] == BEATEN:
            continue
        room, later = open_node(s, g, x, chosen, values, price, rest)
        if not room:
            s.node[x]["queued"] = s.bucket[s.at[LEVEL]]
            s.bucket[s.at[LEVEL]] = x
            return FULL
        if later >= 0 and s.node[x]["spent"] + later < limit:
            level = s.node[x]["spent"] + later
            s.node[x]["queued"] = s.bucket[level]
            s.bucket[level] = x
    return FOUND if s.at[GOAL] >= 0 else RUNNING
