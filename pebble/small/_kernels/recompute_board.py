"""The game in which values may be computed again, as arrays: its states, and the words still due.

The theory is in `pebble.small.recompute`.
"""

from typing import NamedTuple

import numpy as np

from dags._numba import lean_inner_kernel, lean_kernel
from pebble.small._kernels.bits import NONE, ONE, Words, largest, lowest_bit, mixed, weigh
from pebble.small._kernels.cuts import Cut, Flow, minimum_cut
from pebble.small._kernels.states import (
    GOAL,
    LEVEL,
    WORK,
    Swaps,
    add_node,
    drop,
    fill_form,
    form_at,
    has_room,
    is_due,
    is_known,
    list_of,
    lowered_form,
    to_front,
)

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


class RecomputeBoard(NamedTuple):
    """A game as arrays; sets are uint64.

    step (c,) of `STEP`; maker (r,) int64 the step that makes a value, or -1; links (r,) of `LINKS`;
    sizes (r,) int64 words of values, words the same by sets; own: words of the results of sets of
    steps. inputs, outputs: values; goals: steps; base: words of the inputs. choice (3, 66) int64:
    room to choose values that leave; flow: room for cuts; known (K,) of `KNOWN`: the cuts that are
    known; forms (K,) of `FORM`: the states.
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
    forms: np.ndarray


@lean_inner_kernel
def useful_values(g, left):
    """Return the values that lead to one of the goals `left`."""
    useful = NONE
    while left:
        useful |= g.step[lowest_bit(left)]["below"]
        left &= left - ONE
    return useful


@lean_inner_kernel
def owed_values(g, done):
    """Return the values that are stored and have not been loaded since."""
    owed = NONE
    x = done & ~g.goals
    while x:
        owed |= ONE << np.uint64(g.step[lowest_bit(x)]["result"])
        x &= x - ONE
    return owed


@lean_inner_kernel
def makers(g, values):
    """Return the steps that make some values."""
    steps = NONE
    while values:
        steps |= ONE << np.uint64(g.maker[lowest_bit(values)])
        values &= values - ONE
    return steps


@lean_inner_kernel
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
    a way past no blue value are in every cut; for the other inputs all ways go through blue values.
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


@lean_inner_kernel
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


@lean_inner_kernel
def room_beside(g, v, useful, occupied):
    """Return the least words that goal v takes with all that is there and useful after it."""
    need = occupied + g.step[v]["beside"]
    if g.sliding:
        free, operands = g.step[v]["free"], g.step[v]["operands"]
        slid = occupied + g.step[v]["own"] + free - largest(g.words, operands & ~useful)
        need = min(need, max(occupied + free, slid))
    return need


@lean_inner_kernel
def comes_at_once(g, v, left, red):
    """Return whether step v may come at once (item 6); `left` are the goals not done."""
    result = g.step[v]["result"]
    operands = g.step[v]["operands"]
    missing = operands & ~red
    if result >= 0:
        if missing or red >> np.uint64(result) & ONE:
            return False
        return weigh(g.words, red) + g.step[v]["beside"] <= g.memory
    if missing & ~g.inputs:
        return False
    useful = useful_values(g, left & ~(ONE << v))
    if missing & useful:
        return False
    occupied = weigh(g.words, (red & useful) | operands)
    return room_beside(g, v, useful, occupied) <= g.memory


@lean_kernel
def settled(g, done, red, blue, spent):
    """Return the state after all steps that come at once."""
    changed = True
    while changed:
        changed = False
        left = g.goals & ~done
        for each in range(g.step.size):
            v = np.uint64(each)  # an unsigned place is looked up sooner
            bit = ONE << v
            if done & bit or not g.step[v]["ends"] & left or not comes_at_once(g, v, left, red):
                continue
            changed = True
            operands = g.step[v]["operands"]
            spent += weigh(g.words, operands & ~red)
            if g.step[v]["result"] >= 0:
                produced = ONE << np.uint64(g.step[v]["result"])
                red |= produced
                blue |= produced & g.outputs
            else:
                done |= bit
                left &= ~bit
                useful = useful_values(g, left)
                red = (red | operands) & useful
                blue &= useful
                done &= ~makers(g, owed_values(g, done) & ~useful)
    return done, red, blue, spent


@lean_inner_kernel
def turns_into(g, done, blue, done1, blue1, red, slack):
    """Return whether a state turns into another one with the same red values for `slack` words.

    It stores the values that the other has stored, and pays for the loads that the other has paid
    for.
    """
    stored = blue1 & ~blue
    if stored & ~red:
        return False
    return weigh(g.words, stored) + weigh(g.own, done1 & ~done & ~g.goals) <= slack


@lean_inner_kernel
def is_beaten(s, g, i, done, red, blue, spent):
    """Return whether a state of list i is as good as this one; drop those that it beats."""
    nodes = s.node
    x = s.first[i]
    before = -1
    while x >= 0:
        following = nodes[x]["sibling"]
        s.at[WORK] += 1
        slack = spent - nodes[x]["spent"]
        done1, blue1 = nodes[x]["done"], nodes[x]["third"]
        if slack >= 0 and turns_into(g, done1, blue1, done, blue, red, slack):
            to_front(s, i, before, x)  # it will be as good as the next one, too
            return True
        if slack <= 0 and turns_into(g, done, blue, done1, blue1, red, -slack):
            drop(s, i, before, x)
        else:
            before = x
        x = following
    return False


@lean_inner_kernel
def enter(s, g, done, red, blue, spent, before, parent):
    """Keep a state unless another one is as good, or its turn was before or comes later.

    before: the level up to which the parent has been opened. Return False if the store is full.
    """
    form = g.forms[form_at(g.forms, done, red, blue)]
    s.at[WORK] += 1
    if not is_known(form, done, red, blue):
        s.at[WORK] += g.step.size
        done1, red1, blue1, extra = settled(g, done, red, blue, 0)
        due = still_due(g, g.goals & ~done1, red1 | owed_values(g, done1), blue1) - g.base
        fill_form(form, (done, red, blue), (done1, red1, blue1), extra, due)
    spent += form["more"]
    if not is_due(s, spent + form["due"], before):
        return True
    if not has_room(s, s.at[LEVEL]):
        return False
    done, red, blue = lowered_form(g.swaps, form)
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
