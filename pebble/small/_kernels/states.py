"""The states that a best-first search keeps, and its queue."""

from typing import NamedTuple

import numpy as np

from dags._numba import lean_inner_kernel, lean_kernel, lean_part
from pebble.small._kernels.bits import mixed

# What a search returns.
RUNNING, FOUND, EXHAUSTED, FULL = range(4)
# Places of `Store.at`: number of nodes; level that is searched; next level of the node that is
# being opened, -1 for none; node of a finished play, -1 for none; level for which there is no room;
# steps, states and moves that were looked at.
NODES, LEVEL, LATER, GOAL, WANTED, WORK = range(6)
# In `opened`: nothing has been entered after this node; a better node has been entered.
NEW, BEATEN = -1, -2

# What is looked at together lies together: lists of nodes are long.
NODE = np.dtype(
    [
        ("done", np.uint64),  # steps
        ("red", np.uint64),  # values in fast memory
        ("third", np.uint64),  # dirty values, or blue ones
        ("spent", np.int64),  # words
        ("opened", np.int32),  # what follows has been entered up to this price, or level
        ("parent", np.int32),
        ("sibling", np.int32),  # next node in the same list
        ("queued", np.int32),  # next node of the same level
    ]
)


# A state that was met, and what it comes to: `done1`, `red1` and `third1`, the one up to symmetry
# after all steps that come at once, for `more` words, with `due` words to be paid from there on.
FORM = np.dtype(
    [
        ("done", np.uint64),
        ("red", np.uint64),
        ("third", np.uint64),
        ("done1", np.uint64),
        ("red1", np.uint64),
        ("third1", np.uint64),
        ("more", np.int64),
        ("due", np.int64),
        ("known", np.int64),  # how much of it is: nothing, all but the symmetry, or all
    ]
)
KNOWN_FORMS = 2**12
UNKNOWN, SETTLED, LOWERED = range(3)


class Store(NamedTuple):
    """The states of a search.

    node (N,) of `NODE`. A list of nodes has the same members of `done` and `red` among those of
    keyed (2,) uint64; first (T,) int32 has the first node of each list, by open addressing. level
    (B,) int32 has the first node of each level, where the queue is; at (6,) int64 counters. sets
    (N, k) uint64: a state's further sets, if three are not enough.
    """

    node: np.ndarray
    first: np.ndarray
    level: np.ndarray
    keyed: np.ndarray
    at: np.ndarray
    sets: np.ndarray


@lean_inner_kernel
def list_of(s, done, red):
    """Return the place of a state's list in `first`, or the free place for it."""
    done &= s.keyed[0]
    red &= s.keyed[1]
    bits = s.first.size - 1
    i = np.int64(mixed(mixed(done) ^ red) & np.uint64(bits))
    while s.first[i] >= 0:
        x = s.first[i]
        if s.node[x]["done"] & s.keyed[0] == done and s.node[x]["red"] & s.keyed[1] == red:
            break
        i = (i + 1) & bits
    return i


@lean_inner_kernel
def form_at(forms, done, red, third):
    """Return the place of a state among those that were met; another one may be there."""
    return np.int64(mixed(mixed(mixed(done) ^ red) ^ third) & np.uint64(forms.size - 1))


@lean_inner_kernel
def is_known(form, done, red, third):
    """Return whether the image of this state is known."""
    equal = form["done"] == done and form["red"] == red and form["third"] == third
    return equal and form["known"] != UNKNOWN


@lean_inner_kernel
def fill_form(form, state, settled, third, due):
    """Keep the image of a state, but for the symmetry; both are three sets."""
    form["done"], form["red"], form["third"] = state
    form["done1"], form["red1"], form["third1"] = settled
    form["more"], form["due"], form["known"] = third, due, SETTLED


@lean_inner_kernel
def lowered_form(swaps, form):
    """Return the state that one comes to, up to symmetry."""
    if form["known"] != LOWERED:
        image = lowered(swaps, form["done1"], form["red1"], form["third1"])
        form["done1"], form["red1"], form["third1"] = image
        form["known"] = LOWERED
    return form["done1"], form["red1"], form["third1"]


@lean_kernel
def fill_lists(old, s):
    """Enter the lists of an old store into the empty table of a new one with the same nodes."""
    for i in range(old.first.size):
        x = old.first[i]
        if x >= 0:
            s.first[list_of(s, s.node[x]["done"], s.node[x]["red"])] = x


@lean_inner_kernel
def has_room(s, level):
    """Return whether a level can have one more node."""
    s.at[WANTED] = level
    return level < s.level.size and s.at[NODES] < s.node.size


@lean_inner_kernel
def add_node(s, i, done, red, third, spent, parent, level):
    """Return a new node, put in front of list i and into the queue."""
    x = s.at[NODES]
    s.at[NODES] += 1
    s.at[WORK] += 1
    node = s.node[x]
    node["done"] = done
    node["red"] = red
    node["third"] = third
    node["spent"] = spent
    node["opened"] = NEW
    node["parent"] = parent
    node["sibling"] = s.first[i]
    s.first[i] = x
    enqueue(s, x, level)
    return x


@lean_inner_kernel
def enqueue(s, x, level):
    """Put a node into the queue."""
    s.node[x]["queued"] = s.level[level]
    s.level[level] = x


@lean_part
def to_front(s, i, before, x):
    """Move node x, which follows node `before`, to the front of list i."""
    if before >= 0:
        s.node[before]["sibling"] = s.node[x]["sibling"]
        s.node[x]["sibling"] = s.first[i]
        s.first[i] = x


@lean_part
def drop(s, i, before, x):
    """Take node x, which follows node `before` or none, out of list i: another one is better."""
    s.node[x]["opened"] = BEATEN
    if before < 0:
        s.first[i] = s.node[x]["sibling"]
    else:
        s.node[before]["sibling"] = s.node[x]["sibling"]


@lean_inner_kernel
def next_node(s, limit):
    """Return the next node in the order of levels, or -1 if none is left below `limit`."""
    while True:
        while s.level[s.at[LEVEL]] < 0:
            if s.at[LEVEL] + 1 >= min(limit, s.level.size):
                s.at[LEVEL] = limit  # levels without room have no nodes
                return -1
            s.at[LEVEL] += 1
        x = s.level[s.at[LEVEL]]
        s.at[WORK] += 1
        s.level[s.at[LEVEL]] = s.node[x]["queued"]
        if s.node[x]["opened"] != BEATEN:
            return x


@lean_inner_kernel
def postpone(s, level):
    """Let the node that is being opened come again at `level`, unless it comes before."""
    if s.at[LATER] < 0 or level < s.at[LATER]:
        s.at[LATER] = level


@lean_part
def is_due(s, total, before):
    """Return whether a state that costs `total` is entered now, and was not up to `before`."""
    if total > s.at[LEVEL]:
        postpone(s, total)
        return False
    return total > before


@lean_inner_kernel
def close_node(s, x, limit):
    """Put an opened node back into the queue if it comes again; return False if that is full."""
    level, later = s.at[LEVEL], s.at[LATER]
    if s.node[x]["opened"] == BEATEN or not 0 <= later < limit:
        return True
    s.at[WANTED] = later
    if later >= s.level.size:
        enqueue(s, x, level)
        return False
    s.node[x]["opened"] = level
    enqueue(s, x, later)
    return True


# Bits that change places with those `shift` above them.
EXCHANGE = np.dtype([("low", np.uint64), ("shift", np.uint64)])


class Swaps(NamedTuple):
    """Automorphisms of order two, as exchanges of bits.

    Swap i is the exchanges `steps` (k,) of `EXCHANGE` from starts[i, 0] to starts[i + 1, 0] on a
    set of steps, and `values` from starts[i, 1] to starts[i + 1, 1] on one of values. starts
    (g + 1, 2) int64.
    """

    starts: np.ndarray
    steps: np.ndarray
    values: np.ndarray


@lean_inner_kernel
def image(exchanges, first, last, x):
    """Return the image of a set under some exchanges."""
    for j in range(first, last):
        shift = exchanges[j]["shift"]
        y = (x ^ x >> shift) & exchanges[j]["low"]
        x ^= y | y << shift
    return x


@lean_kernel
def lowered(swaps, done, first, second):
    """Return an image of a state, a set of steps and two of values, that no swap makes smaller.

    States are compared in lexicographic order. Each swap is an automorphism, so the image is worth
    the same as the state, whether or not the swaps are all that there are.
    """
    starts = swaps.starts
    count = starts.shape[0] - 1
    swap = unchanged = 0
    while unchanged < count:
        unchanged += 1
        done1 = image(swaps.steps, starts[swap, 0], starts[swap + 1, 0], done)
        if done1 <= done:
            begin, end = starts[swap, 1], starts[swap + 1, 1]
            first1 = image(swaps.values, begin, end, first)
            if done1 < done or first1 <= first:
                second1 = image(swaps.values, begin, end, second)
                if done1 < done or first1 < first or second1 < second:
                    done, first, second = done1, first1, second1
                    unchanged = 0
        swap += 1
        if swap == count:
            swap = 0
    return done, first, second
