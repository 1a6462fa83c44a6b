"""Best-first search over the states of the game in which each value is computed once.

The theory is in `pebble.small.one_shot`.
"""

from typing import NamedTuple

import numpy as np

from dags._numba import lean_inner_kernel, lean_kernel
from pebble.small._kernels.bits import (
    CHOSEN,
    NONE,
    ONE,
    PRICES,
    REST,
    VALUES,
    Words,
    add_rests,
    chosen_set,
    largest,
    lowest_bit,
    weigh,
    words_at,
)
from pebble.small._kernels.pairs import is_stuck, late_operands
from pebble.small._kernels.states import (
    EXHAUSTED,
    FOUND,
    FULL,
    GOAL,
    LATER,
    LEVEL,
    RUNNING,
    WORK,
    Swaps,
    add_node,
    close_node,
    drop,
    enqueue,
    fill_form,
    form_at,
    has_room,
    is_due,
    is_known,
    list_of,
    lowered_form,
    next_node,
    postpone,
    to_front,
)

STEP = np.dtype(
    [
        ("operands", np.uint64),
        ("before", np.uint64),  # steps that make them
        ("result", np.int64),  # number of the value, -1 if nobody reads it
        ("own", np.int64),  # words of it
        ("outside", np.int64),  # words of operands that are no values of the game
        ("replaceable", np.int64),  # words of the largest of them, if a result may slide onto it
        ("twin", np.int64),  # an earlier step that is a twin, or -1
        ("other", np.int64),  # the other step of its pair, or -1
    ]
)
FRONT = np.dtype([("steps", np.uint64), ("score", np.int64)])


class OneShotBoard(NamedTuple):
    """A game as arrays; sets are uint64.

    step (c,) of `STEP`; readers (r,) the steps that read each value; words: of values. costly:
    values that pay twice; full: all steps. front (2, k) of `FRONT`: sets of steps, and the words
    that entering one of them takes at prices 1 and 2, the largest first, 0 behind the last one.
    paired: steps of pairs. choice (4, 66) int64: room to choose values that leave; forms (K,) of
    `FORM`: states that are known.
    """

    step: np.ndarray
    readers: np.ndarray
    words: Words
    costly: np.uint64
    full: np.uint64
    swaps: Swaps
    front: np.ndarray
    paired: np.uint64
    memory: int
    sliding: bool
    choice: np.ndarray
    forms: np.ndarray


@lean_inner_kernel
def is_ready(g, v, done):
    """Return whether step v can come next; of twins only the first."""
    if g.step[v]["before"] & ~done:
        return False
    return g.step[v]["twin"] < 0 or done >> np.uint64(g.step[v]["twin"]) & ONE != NONE


@lean_inner_kernel
def dying_operands(g, v, done):
    """Return the operands of v that no step but v and those of `done` reads."""
    after = done | ONE << np.uint64(v)
    dying = NONE
    x = g.step[v]["operands"]
    while x:
        bit = x & (~x + ONE)
        x ^= bit
        if not g.readers[lowest_bit(bit)] & ~after:
            dying |= bit
    return dying


@lean_kernel
def live_values(g, done):
    """Return the values that have been in fast memory and still have a reader."""
    live = NONE
    for r in range(g.readers.size):
        if g.readers[r] & done and g.readers[r] & ~done:
            live |= ONE << np.uint64(r)
    x = done
    while x:
        r = g.step[lowest_bit(x)]["result"]
        x &= x - ONE
        if r >= 0 and g.readers[r] & ~done:
            live |= ONE << np.uint64(r)
    return live


@lean_inner_kernel
def room_of(g, v, present, dying):
    """Return the words of fast memory that step v takes; `present` are the values there."""
    present += g.step[v]["outside"]
    if not g.sliding:
        return present + g.step[v]["own"]
    slid = max(largest(g.words, dying), g.step[v]["replaceable"])
    return max(present, present + g.step[v]["own"] - slid)


@lean_inner_kernel
def price_of(g, bit, dirty):
    """Return the words that a value pays when it leaves."""
    words = words_at(g.words, lowest_bit(bit))
    return words + words * ((dirty & bit) != NONE)


@lean_inner_kernel
def comes_at_once(g, v, done, red, dirty):
    """Return the operands that die with step v, and whether v may come at once (item 5)."""
    operands = g.step[v]["operands"]
    dying = dying_operands(g, v, done)
    if operands & ~red & ~dying:
        return dying, False
    room = g.step[v]["own"]
    if room_of(g, v, weigh(g.words, red | operands), dying) > g.memory:
        return dying, False
    due = 0
    if g.step[v]["result"] >= 0:
        due = room + room * (g.costly >> np.uint64(g.step[v]["result"]) & ONE != NONE)
    x = dying & red
    while x and due > 0:
        bit = x & (~x + ONE)
        x ^= bit
        if words_at(g.words, lowest_bit(bit)) >= room:
            due -= price_of(g, bit, dirty)
    return dying, due <= 0


@lean_kernel
def settled(g, done, red, dirty, live):
    """Return the state after all steps that come at once."""
    changed = True
    while changed:
        changed = False
        left = g.full & ~done
        while left:
            v = lowest_bit(left)
            left &= left - ONE
            if not is_ready(g, v, done):
                continue
            dying, at_once = comes_at_once(g, v, done, red, dirty)
            if at_once:
                produced = (
                    ONE << np.uint64(g.step[v]["result"]) if g.step[v]["result"] >= 0 else NONE
                )
                red = (red | g.step[v]["operands"]) & ~dying | produced
                dirty = dirty & ~dying | (produced & g.costly)
                live = (live | g.step[v]["operands"]) & ~dying | produced
                done |= ONE << np.uint64(v)
                changed = True
    return done, red, dirty, live


@lean_inner_kernel
def still_due(g, done, red, dirty, live):
    """Return words that will be paid from here on, at least (item 6)."""
    absent = live & ~red
    repeated = red & g.costly & ~dirty
    due = 0
    for price in range(1, 3):
        paid = weigh(g.words, absent)
        if price == 2:
            paid += weigh(g.words, absent & g.costly | repeated)
        for k in range(g.front.shape[1]):
            if g.front[price - 1, k]["score"] - paid <= due:
                break
            if not g.front[price - 1, k]["steps"] & done:
                due = g.front[price - 1, k]["score"] - paid
                break
    return due


@lean_inner_kernel
def turning_price(words, red, dirty, red1, dirty1):
    """Return the words for which a state turns into another one with the same steps done.

    It throws out values that the other does not have, and stores those that the other has stored;
    those that the other has in addition have been paid for.
    """
    lost = red & ~red1
    return weigh(words, lost) + weigh(words, dirty & (lost | ~dirty1))


@lean_inner_kernel
def is_beaten(s, g, i, done, red, dirty, spent):
    """Return whether a state of list i is as good as this one; drop those that it beats."""
    nodes = s.node
    x = s.first[i]
    before = -1
    while x >= 0:
        following = nodes[x]["sibling"]
        s.at[WORK] += 1
        slack = spent - nodes[x]["spent"]
        red1, dirty1 = nodes[x]["red"], nodes[x]["third"]
        if slack >= 0 and turning_price(g.words, red1, dirty1, red, dirty) <= slack:
            if not is_stuck(g, done, dirty1, dirty):
                to_front(s, i, before, x)  # it will be as good as the next one, too
                return True
        if slack <= 0 and turning_price(g.words, red, dirty, red1, dirty1) <= -slack:
            if not is_stuck(g, done, dirty, dirty1):
                drop(s, i, before, x)
                x = following
                continue
        before = x
        x = following
    return False


@lean_inner_kernel
def enter(s, g, done, red, dirty, live, spent, before, parent):
    """Keep a state unless another one is as good, or its turn was before or comes later.

    before: the level up to which the parent has been opened. Return False if the store is full.
    """
    form = g.forms[form_at(g.forms, done, red, dirty)]
    s.at[WORK] += 1
    if not is_known(form, done, red, dirty):  # `live` says no more than `done`
        s.at[WORK] += g.step.size
        done1, red1, dirty1, live = settled(g, done, red, dirty, live)
        due = still_due(g, done1, red1, dirty1, live)
        fill_form(form, (done, red, dirty), (done1, red1, dirty1), 0, due)
    if not is_due(s, spent + form["due"], before):
        return True
    if not has_room(s, s.at[LEVEL]):
        return False
    done, red, dirty = lowered_form(g.swaps, form)
    i = list_of(s, done, red)
    if is_beaten(s, g, i, done, red, dirty, spent):
        return True
    x = add_node(s, i, done, red, dirty, spent, parent, s.at[LEVEL])
    if done == g.full:
        s.at[GOAL] = x
    return True


@lean_kernel
def begin(s, g):
    """Enter the state before the first step, or say at which level; return False if full."""
    return enter(s, g, NONE, NONE, NONE, NONE, 0, -1, -1)


@lean_inner_kernel
def candidates(g, values, dirty):
    """Fill `c` with values, their prices, and the words from each on; return how many they are."""
    count = 0
    while values:
        bit = values & (~values + ONE)
        values ^= bit
        g.choice[VALUES, count] = lowest_bit(bit)
        g.choice[PRICES, count] = price_of(g, bit, dirty)
        count += 1
    add_rests(g.choice, g.words, count)
    return count


@lean_inner_kernel
def throw_out(s, g, limit, x, done, red, dirty, live, paid, keep, need):
    """Enter the states after values outside `keep` leave, `need` words and none too many.

    The state is that after the step, with those values still there and `paid` words spent. Those
    that pay up to the current level are entered if they were not before; the least of the others
    postpones node x. Return False if the store is full.
    """
    budget = s.at[LEVEL]
    before = s.node[x]["opened"]  # level up to which states were entered when x was last opened
    count = candidates(g, red & ~keep, dirty)
    depth = k = 0
    while True:
        # Nobody asks for what costs more than what follows later already; each word pays one.
        s.at[WORK] += 1
        highest = limit - 1 if s.at[LATER] < 0 else max(budget, s.at[LATER] - 1)
        if need > 0 and k < count and g.choice[REST, k] >= need and paid + need <= highest:
            g.choice[CHOSEN, depth] = k
            depth += 1
            need -= words_at(g.words, g.choice[VALUES, k])
            paid += g.choice[PRICES, k]
            k += 1
            continue
        if need <= 0 and paid <= highest:
            out, minimal = chosen_set(g.choice, g.words, depth, -need)
            if minimal and paid > budget:
                postpone(s, paid)
            elif minimal and not enter(s, g, done, red & ~out, dirty & ~out, live, paid, before, x):
                return False
        if depth == 0:
            return True
        depth -= 1
        k = g.choice[CHOSEN, depth]
        need += words_at(g.words, g.choice[VALUES, k])
        paid -= g.choice[PRICES, k]
        k += 1


@lean_inner_kernel
def open_node(s, g, limit, x):
    """Enter the states after node x up to the current level; return False if the store is full."""
    s.at[LATER] = -1
    spent, red, done = s.node[x]["spent"], s.node[x]["red"], s.node[x]["done"]
    live = live_values(g, done)
    late, clean, stay = late_operands(g, done, red, s.node[x]["third"])
    left = g.full & ~done
    while left:
        v = lowest_bit(left)
        left &= left - ONE
        if not is_ready(g, v, done):
            continue
        operands = g.step[v]["operands"]
        keep = stay | operands
        if late >= 0 and v != late:
            if operands & ~red or g.step[v]["outside"] > 0:
                continue
            keep = ~clean
        dying = dying_operands(g, v, done)
        dirty = s.node[x]["third"] | operands & ~red & ~live & g.costly
        after = done | ONE << np.uint64(v)
        produced = ONE << np.uint64(g.step[v]["result"]) if g.step[v]["result"] >= 0 else NONE
        # The result takes the place of nothing or, sliding, of the largest operand that dies, ...
        occupied = weigh(g.words, red | operands)
        need = room_of(g, v, occupied, dying)
        occupied += g.step[v]["outside"]
        if not throw_out(
            s, g, limit, x, after, (red | operands) & ~dying | produced,
            dirty & ~dying | (produced & g.costly), (live | operands) & ~dying | produced,
            spent, keep | produced, need - g.memory,
        ):  # fmt: skip
            return False
        # ... or of one that stays alive.
        replaced = operands & ~dying if g.sliding else NONE
        while replaced:
            bit = replaced & (~replaced + ONE)
            replaced ^= bit
            freed = dying | bit
            need = max(occupied, occupied + g.step[v]["own"] - words_at(g.words, lowest_bit(bit)))
            if not throw_out(
                s, g, limit, x, after, (red | operands) & ~freed | produced,
                dirty & ~freed | (produced & g.costly), (live | operands) & ~dying | produced,
                spent + price_of(g, bit, dirty), operands | produced, need - g.memory,
            ):  # fmt: skip
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
        if not open_node(s, g, limit, x):
            enqueue(s, x, s.at[LEVEL])
            return FULL
        if not close_node(s, x, limit):
            return FULL
    return FOUND if s.at[GOAL] >= 0 else RUNNING
