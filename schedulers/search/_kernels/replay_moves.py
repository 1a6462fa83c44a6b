"""The moves of a play on record. Legend: `records`."""

from typing import NamedTuple

import numpy as np

from dags._numba import kernel, lean_inner_kernel, lean_part
from schedulers.orders._kernels.accesses import COMPUTE, DELETE, LOAD, STORE, Script, note
from schedulers.search._kernels.records import ANY

OWED, SETTLED = np.uint8(1), np.uint8(0)  # whether leaving costs a store


class Sides(NamedTuple):
    """State of both memories, and values by the step at which they leave."""

    red: np.ndarray  # (n,) bool
    blue: np.ndarray  # (n,) bool
    leaving: np.ndarray  # (N,) int32: the first edge with gone == t, -1 for none
    further: np.ndarray  # (m,) int32: the next such edge


@lean_part
def let_go(script, sides, u, owed, filled):
    """Take u from fast memory, stored before if `owed` and not blue; return the next move."""
    if owed and not sides.blue[u]:
        filled = note(script, filled, STORE, u)
        sides.blue[u] = True
    sides.red[u] = False
    return note(script, filled, DELETE, u)


@lean_part
def largest_dying(game, play, v):
    """Return the largest operand onto which v slides and that is not read again, -1 for none."""
    under = -1
    onto = game.slides[v] if game.slides.size > 1 else game.slides[0]
    if not onto:
        return under
    for e in range(game.indptr[v], game.indptr[v + 1]):
        u = game.indices[e]
        fits = onto == ANY or game.words[u] == game.words[v]
        if fits and play.after[e] < 0 and (under < 0 or game.words[u] > game.words[under]):
            under = u
    return under


@lean_inner_kernel
def emit_steps(game, play, sides, output, script):
    """Write the moves of all steps; return how many."""
    indptr, indices = game.indptr, game.indices
    filled = np.int64(0)
    for t in range(play.order.size):
        v = play.order[t]
        under = -1
        e = sides.leaving[t]
        while e >= 0:
            u = indices[e]
            if play.before[e] >= 0 and game.reader[play.before[e]] == v:
                under = u
            else:
                filled = let_go(script, sides, u, OWED, filled)
            e = sides.further[e]
        for e in range(indptr[v], indptr[v + 1]):
            u = indices[e]
            if not sides.red[u]:
                filled = note(script, filled, LOAD, u)
                sides.red[u] = True
        forced = under >= 0
        if not forced:
            under = largest_dying(game, play, v)
        if under >= 0 and not sides.blue[under] and (forced or output[under]):
            filled = note(script, filled, STORE, under)
            sides.blue[under] = True
        filled = note(script, filled, COMPUTE, v)
        sides.red[v] = True
        if under >= 0:
            filled = let_go(script, sides, under, SETTLED, filled)
        for e in range(indptr[v], indptr[v + 1]):
            if sides.red[indices[e]] and play.after[e] < 0:
                filled = let_go(script, sides, indices[e], output[indices[e]], filled)
        if play.first[v] < 0:
            filled = let_go(script, sides, v, output[v], filled)
    return filled


@kernel
def emit(game, play, output, op, vertex):
    """Fill the moves of the play on record; return how many.

    output (n,) uint8; op (k,) uint8 and vertex (k,) int32 with room for all.
    """
    indptr, departure = game.indptr, play.gone
    blue = np.empty(indptr.size - 1, np.bool_)
    for v in range(blue.size):
        blue[v] = indptr[v] == indptr[v + 1]
    leaving = np.full(play.order.size, -1, np.int32)
    further = np.full(departure.size, -1, np.int32)
    for e in range(departure.size - 1, -1, -1):
        if departure[e] >= 0:
            further[e] = leaving[departure[e]]
            leaving[departure[e]] = e
    sides = Sides(np.zeros(blue.size, np.bool_), blue, leaving, further)
    return emit_steps(game, play, sides, output, Script(op, vertex))
