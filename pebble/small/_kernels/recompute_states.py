"""States of the game in which values may be computed again, and those that are kept.

The theory is in `pebble.small.recompute`.
"""

import numpy as np

from dags._numba import lean_inner_kernel, lean_kernel
from pebble.small._kernels.bits import NONE, ONE, largest, weigh
from pebble.small._kernels.recompute_board import makers, owed_values, still_due, useful_values
from pebble.small._kernels.states import (
    GOAL,
    LEVEL,
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


@lean_inner_kernel
def room_beside(g, v, useful, here):
    """Return the least words that goal v takes with all that is there and useful after it."""
    need = here + g.step[v]["beside"]
    if g.sliding:
        free, operands = g.step[v]["free"], g.step[v]["operands"]
        slid = here + g.step[v]["own"] + free - largest(g.words, operands & ~useful)
        need = min(need, max(here + free, slid))
    return need


@lean_inner_kernel
def comes_at_once(g, v, left, red):
    """Return whether step v may come at once (item 6); `left` are the goals not done."""
    made = g.step[v]["result"]
    operands = g.step[v]["operands"]
    missing = operands & ~red
    if made >= 0:
        if missing or red >> np.uint64(made) & ONE:
            return False
        return weigh(g.words, red) + g.step[v]["beside"] <= g.memory
    if missing & ~g.inputs:
        return False
    useful = useful_values(g, left & ~(ONE << v))
    if missing & useful:
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
        for each in range(g.step.size):
            v = np.uint64(each)  # an unsigned place is looked up sooner
            bit = ONE << v
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


@lean_inner_kernel
def turns_into(g, done, blue, done1, blue1, red, slack):
    """Return whether a state turns into another one with the same red values for `slack` words.

    It stores what the other has stored, and pays for the loads that the other has paid for.
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
    if not is_known(form, done, red, blue):
        done1, red1, blue1, more = settled(g, done, red, blue, 0)
        due = still_due(g, g.goals & ~done1, red1 | owed_values(g, done1), blue1) - g.base
        fill_form(form, (done, red, blue), (done1, red1, blue1), more, due)
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
