"""The game in which values may be computed again, as arrays, and the words that are still due.

The theory is in `pebble.small.recompute`.
"""

from typing import NamedTuple

import numpy as np

from dags._numba import lean_inner_kernel, lean_kernel
from pebble.small._kernels.bits import NONE, ONE, Words, lowest_bit, mixed, weigh
from pebble.small._kernels.cuts import Cut, Flow, minimum_cut
from pebble.small._kernels.symmetry import Swaps

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
    that are known; forms (K,) of `FORM`: the states.
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
