"""The rule by which one of two candidates is chosen to leave fast memory.

A value is *clean* if leaving costs no store that is not owed anyway, and *dirty* otherwise. Of each
kind the one that is used furthest ahead is a candidate. The dirty one leaves if its next use is
more than `price` times as far ahead, in steps, as that of the clean one.

The candidates are the highest bits of two sets, which each kernel has as arrays of its own: a field
of a named tuple that is read in a loop has its references counted, and takes ten times as long.
"""

import numpy as np

from dags._numba import inlined, kernel
from schedulers._kernels.accesses import LANDMARK


@inlined
def dirty_leaves(clean, dirty, step, price):
    """Return whether the dirty candidate leaves, given the steps of both next uses, -1 for none."""
    return clean < 0 or (dirty > clean and dirty - step > price * (clean - step))


@kernel
def step_at(start, landmarks, place):
    """Return the step of a place; landmarks as `fill_landmarks` fills them."""
    step = landmarks[place >> LANDMARK]
    while start[step + 1] <= place:
        step += 1
    return np.int64(step)


@inlined
def dirty_leaves_places(start, landmarks, clean, dirty, step, price):
    """Return `dirty_leaves` of two places of an access sequence, -1 for none.

    start (N + 1,), landmarks: of the sequence. Steps are looked for where they matter alone.
    """
    if clean < 0 or dirty <= clean:
        return clean < 0
    late = step_at(start, landmarks, dirty)
    return dirty_leaves(step_at(start, landmarks, clean), late, step, price)


@inlined
def clear_bit(bits, place):
    """Clear the bit of a place."""
    bits[place >> 6] &= ~(np.uint64(1) << np.uint64(place & 63))
