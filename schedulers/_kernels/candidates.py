"""The rule by which one of two candidates is chosen to leave fast memory.

A value is *clean* if leaving costs no store that is not owed anyway, and *dirty* otherwise. Of each
kind the one that is used furthest ahead is a candidate. The dirty one leaves if its next use is
more than `price` times as far ahead, in steps, as that of the clean one.

The candidates are the highest bits of two sets of places.
"""

from typing import NamedTuple

import numpy as np

from dags._numba import inner_kernel, lean_part
from schedulers._kernels.accesses import LANDMARK, last_bit, new_bit_set, set_bit

# Typed, for a literal is a type of its own and compiles a variant of its own.
LOAD, STORE, COMPUTE, DELETE = np.uint8(0), np.uint8(1), np.uint8(2), np.uint8(3)
NOTHING = np.int64(-1)  # the furthest place of an empty set
APART = 1 << (LANDMARK - 1)  # steps from one landmark to the next: each touches two values or more


class Script(NamedTuple):
    """Arrays that receive moves; empty ones where moves are only counted."""

    op: np.ndarray  # (k,) uint8
    vertex: np.ndarray  # (k,) int32


@lean_part
def note(script, at, move, v):
    """Write a move at place `at`; return the place of the next one."""
    if script.op.size > 0:
        script.op[at] = move
        script.vertex[at] = v
    return at + 1


class Candidates(NamedTuple):
    """Places of next accesses of clean and dirty values, two sets as `new_bit_set` makes them."""

    clean: np.ndarray
    clean_upper: np.ndarray
    clean_top: np.ndarray
    dirty: np.ndarray
    dirty_upper: np.ndarray
    dirty_top: np.ndarray


@inner_kernel
def new_candidates(size):
    """Return empty sets of places below `size`."""
    clean, clean_upper, clean_top = new_bit_set(size)
    dirty, dirty_upper, dirty_top = new_bit_set(size)
    return Candidates(clean, clean_upper, clean_top, dirty, dirty_upper, dirty_top)


@lean_part
def furthest_candidates(held, far_clean, far_dirty):
    """Return the highest places of both sets, given bounds on them."""
    return (
        last_bit(held.clean, held.clean_upper, held.clean_top, far_clean),
        last_bit(held.dirty, held.dirty_upper, held.dirty_top, far_dirty),
    )


@lean_part
def become_candidate(held, settled, place, far_clean, far_dirty):
    """Add the place of a value's next access; return bounds on the highest of both sets."""
    if settled:
        set_bit(held.clean, held.clean_upper, held.clean_top, place)
        return max(far_clean, place), far_dirty
    set_bit(held.dirty, held.dirty_upper, held.dirty_top, place)
    return far_clean, max(far_dirty, place)


@lean_part
def dirty_leaves(clean, dirty, step, price):
    """Return whether the dirty candidate leaves, given the steps of both next uses, -1 for none."""
    return clean < 0 or (dirty > clean and dirty - step > price * (clean - step))


@lean_part
def step_at(start, step, place):
    """Return the step of a place that is not before `step`."""
    while start[step + 1] <= place:
        step += 1
    return step


@lean_part
def dirty_leaves_places(start, landmarks, clean, dirty, step, price):
    """Return `dirty_leaves` of two places of an access sequence, -1 for none.

    start (N + 1,), landmarks: of the sequence. Steps are looked for where they matter alone: the
    landmark before a place is at most `APART` steps before it, which mostly decides.
    """
    if clean < 0 or dirty <= clean:
        return clean < 0
    soon = np.int64(landmarks[clean >> LANDMARK])
    late = np.int64(landmarks[dirty >> LANDMARK])
    if dirty_leaves(soon + APART, late, step, price):
        return True
    if not dirty_leaves(soon, late + APART, step, price):
        return False
    late = step_at(start, late, dirty)
    return dirty_leaves(step_at(start, soon, clean), late, step, price)


@lean_part
def clear_bit(bits, place):
    """Clear the bit of a place."""
    bits[place >> 6] &= ~(np.uint64(1) << np.uint64(place & 63))
