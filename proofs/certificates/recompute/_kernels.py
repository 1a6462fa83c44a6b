"""The search of all states of a game with recomputation below a limit, in compiled code."""

from typing import NamedTuple

import numpy as np

from dags._numba import kernel
from proofs.certificates.recompute.loads._kernels import Room, flow_of
from proofs.certificates.search._kernels import (
    BEYOND,
    EXHAUSTED,
    FOUND,
    FULL,
    LEFT_OUT,
    LEVEL,
    NODES,
    NONE,
    ONE,
    RUNNING,
    largest,
    lowest_bit,
    slot_of,
    turned,
    weigh,
)


class Board(NamedTuple):
    """A game as arrays; sets are uint64.

    (c,) for each step: operands; result, the value that it makes, or -1; own, the words of that;
    free, the words of operands that come from nothing; beside, the words that computing it takes
    beside the other operands if none of these is replaced; ends, the goals that it leads to,
    itself if it is one; below, the values that lead to it. (r,) for each value: maker, the step
    that makes it, or -1; sizes; above, the values that are made of it; made_of, those that it is
    made of. inputs, outputs: sets of values; goals: set of steps; base: words of the inputs. words,
    unit, turns, low_steps, shift_steps, low_values, shift_values are those of the one-shot search;
    room is for `loads`.
    """

    operands: np.ndarray
    result: np.ndarray
    maker: np.ndarray
    own: np.ndarray
    free: np.ndarray
    beside: np.ndarray
    ends: np.ndarray
    below: np.ndarray
    above: np.ndarray
    made_of: np.ndarray
    sizes: np.ndarray
    inputs: np.uint64
    outputs: np.uint64
    goals: np.uint64
    base: int
    words: np.ndarray
    turns: np.ndarray
    low_steps: np.ndarray
    shift_steps: np.ndarray
    low_values: np.ndarray
    shift_values: np.ndarray
    memory: int
    unit: bool
    sliding: bool
    room: Room


@kernel
def useful_values(g, left):
    """Return the values that lead to one of the goals `left`."""
    useful = NONE
    while left:
        useful |= g.below[lowest_bit(left)]
        left &= left - ONE
    return useful


@kernel
def owed_values(g, done):
    """Return the values that are stored and have not been loaded since."""
    owed = NONE
    x = done & ~g.goals
    while x:
        owed |= ONE << np.uint64(g.result[lowest_bit(x)])
        x &= x - ONE
    return owed


@kernel
def makers(g, values):
    """Return the steps that make some values."""
    steps = NONE
    while values:
        steps |= ONE << np.uint64(g.maker[lowest_bit(values)])
        values &= values - ONE
    return steps


@kernel
def settled(g, done, red, blue, spent):
    """Return the state after all that can be computed without a departure (item 5)."""
    changed = True
    while changed:
        changed = False
        left = g.goals & ~done
        for v in range(g.operands.size):
            bit = ONE << np.uint64(v)
            if done & bit or not g.ends[v] & left:
                continue
            made = ONE << np.uint64(g.result[v]) if g.result[v] >= 0 else NONE
            if made & red:
                continue
            operands = g.operands[v]
            missing = operands & ~red
            if missing:
                if made or missing & ~g.inputs or missing & useful_values(g, left & ~bit):
                    continue
            here = weigh(g, red | operands)
            need = here + g.beside[v]
            if not made:
                useful = useful_values(g, left & ~bit)
                here = weigh(g, (red & useful) | operands)
                need = here + g.beside[v]
                if g.sliding:
                    slid = here + g.own[v] + g.free[v] - largest(g, operands & ~useful)
                    need = min(need, max(here + g.free[v], slid))
            if need > g.memory:
                continue
            changed = True
            spent += weigh(g, missing)
            if made:
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


@kernel
def enter(s, g, limit, done, red, blue, spent):
    """Keep a state unless it is known or must cost `limit`; return whether there was room."""
    if s.at[NODES] == s.red.size:
        return False
    done, red, blue, spent = settled(g, done, red, blue, spent)
    i = flow_of(g, g.goals & ~done, red | owed_values(g, done), blue)
    total = spent + g.room.answer[i] - g.base
    if total >= limit:
        s.at[BEYOND] = min(s.at[BEYOND], total)
        return True
    done, red, blue = turned(g, done, red, blue)
    i = slot_of(s, done, red, blue)
    x = s.table[i]
    if x >= 0:
        if s.spent[x] <= spent:
            return True
        s.spent[x] = LEFT_OUT
    x = s.at[NODES]
    s.at[NODES] += 1
    s.table[i] = x
    s.done[x] = done
    s.red[x] = red
    s.dirty[x] = blue
    s.spent[x] = spent
    s.queued[x] = s.bucket[total]
    s.bucket[total] = x
    s.at[LEVEL] = min(s.at[LEVEL], total)
    return True


@kernel
def begin(s, g, limit):
    """Enter the state before the first step."""
    enter(s, g, limit, NONE, NONE, NONE, 0)


@kernel
def store_some(s, g, limit, done, red, blue, forced, storable, spent, least):
    """Enter the states in which the values `forced` are stored, and any of `storable`.

    Each costs at least `least` and twice what is stored. Return whether there was room.
    """
    stored = NONE
    while True:
        extra = 2 * weigh(g, forced | stored)
        if least + extra >= limit:
            s.at[BEYOND] = min(s.at[BEYOND], least + extra)
        else:
            after = done | makers(g, forced | stored)
            if not enter(s, g, limit, after, red, blue | forced | stored, spent + extra):
                return False
        if stored == storable:
            return True
        stored = ((stored | ~storable) + ONE) & storable


@kernel
def throw_out(
    s, g, limit, done, red, blue, spent, least, slid, leave, plain, storable, need, away, chosen
):
    """Enter the states in which values of `leave` have left, `need` words and none too many.

    The values `slid` leave as well. Those of `plain` may leave without being stored, those of
    `storable` may be stored. away, chosen (65,): room to work in. Return whether there was room.
    """
    count = 0
    rest = 0
    x = leave
    while x:
        away[count] = lowest_bit(x)
        rest += g.sizes[away[count]]
        x &= x - ONE
        count += 1
    out, depth, k = slid, 0, 0
    while True:
        if need > 0 and k < count and rest >= need:
            r = away[k]
            chosen[depth] = k
            depth += 1
            need -= g.sizes[r]
            rest -= g.sizes[r]
            out |= ONE << np.uint64(r)
            k += 1
            continue
        if need <= 0:
            minimal = True
            for j in range(depth):
                minimal &= need + g.sizes[away[chosen[j]]] > 0
            if minimal and not store_some(
                s, g, limit, done, red & ~out, blue, out & ~plain, out & plain & storable, spent,
                least,
            ):  # fmt: skip
                return False
        # Leave out those from k on that were not chosen, and the last that was.
        if depth == 0:
            return True
        depth -= 1
        while k > chosen[depth] + 1:
            k -= 1
            rest += g.sizes[away[k]]
        k = chosen[depth]
        r = away[k]
        need += g.sizes[r]
        out ^= ONE << np.uint64(r)
        k += 1


@kernel
def ways_out(s, g, limit, left, closed, blue, paid, least, candidates):
    """Return the values that may leave without being stored, and those that may be stored.

    What follows costs no less if others leave as well. `closed` are red values and owed ones.
    """
    plain = storable = NONE
    x = candidates
    while x:
        r = lowest_bit(x)
        bit = ONE << np.uint64(r)
        x ^= bit
        total = paid + g.room.answer[flow_of(g, left, closed & ~bit, blue)] - g.base
        if total < limit:
            plain |= bit
        else:
            s.at[BEYOND] = min(s.at[BEYOND], total)
        if not bit & (blue | g.inputs):
            if least + 2 * g.sizes[r] < limit:
                storable |= bit
            else:
                s.at[BEYOND] = min(s.at[BEYOND], least + 2 * g.sizes[r])
    return plain, storable


@kernel
def follow(s, g, limit, x, away, chosen):
    """Enter all states one step after node x; return whether there was room."""
    done, red, blue, spent = s.done[x], s.red[x], s.dirty[x], s.spent[x]
    owed = owed_values(g, done)
    left = g.goals & ~done
    for v in range(g.operands.size):
        if done >> np.uint64(v) & ONE or not g.ends[v] & left:
            continue
        made = ONE << np.uint64(g.result[v]) if g.result[v] >= 0 else NONE
        operands = g.operands[v]
        fetched = operands & ~red
        if made & red or fetched & ~(blue | g.inputs):
            continue
        after = done if made else done | ONE << np.uint64(v)
        left_after = g.goals & ~after
        useful = useful_values(g, left_after)
        after &= ~makers(g, owed & (fetched | ~useful))
        paid = spent + weigh(g, fetched & ~owed)
        everything = (red | operands | made) & useful
        closed = everything | owed & ~fetched & useful
        blue_after = (blue | made & g.outputs) & useful
        least = paid + g.room.answer[flow_of(g, left_after, closed, blue_after)] - g.base
        if least >= limit:
            s.at[BEYOND] = min(s.at[BEYOND], least)
            continue
        leave = red & useful & ~operands
        here = weigh(g, leave | operands)
        need = here + g.beside[v] - g.memory
        plain = storable = NONE
        if need > 0:
            candidates = (leave | operands) & useful if g.sliding else leave
            plain, storable = ways_out(
                s, g, limit, left_after, closed, blue_after, paid, least, candidates
            )
        plain |= operands & ~useful
        leave &= plain | storable
        if not throw_out(
            s, g, limit, after, everything, blue_after, paid, least,
            NONE, leave, plain, storable, need, away, chosen,
        ):  # fmt: skip
            return False
        replaced = operands & (plain | storable) if g.sliding and need > 0 else NONE
        while replaced:
            bit = replaced & (~replaced + ONE)
            replaced ^= bit
            # The result in the place of an operand: placed elsewhere, it takes no more than this.
            less = here + g.free[v] + max(0, g.own[v] - g.sizes[lowest_bit(bit)]) - g.memory
            if less < need and not throw_out(
                s, g, limit, after, everything & ~bit, blue_after, paid, least,
                bit, leave, plain, storable, less, away, chosen,
            ):  # fmt: skip
                return False
    return True


@kernel
def search(s, g, limit, steps):
    """Go on for some steps: FOUND a play below `limit`, EXHAUSTED all states, FULL or RUNNING."""
    away = np.empty(65, np.int64)
    chosen = np.empty(65, np.int64)
    for _ in range(steps):
        while s.bucket[s.at[LEVEL]] < 0:
            s.at[LEVEL] += 1
            if s.at[LEVEL] >= limit:
                return EXHAUSTED
        x = s.bucket[s.at[LEVEL]]
        s.bucket[s.at[LEVEL]] = s.queued[x]
        if s.spent[x] == LEFT_OUT:
            continue
        if s.done[x] & g.goals == g.goals:
            return FOUND
        if not follow(s, g, limit, x, away, chosen):
            s.queued[x] = s.bucket[s.at[LEVEL]]
            s.bucket[s.at[LEVEL]] = x
            return FULL
    return RUNNING
