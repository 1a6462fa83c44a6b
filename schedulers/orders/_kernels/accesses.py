"""Kernels that several parts of the package share: access sequences, and sets of places.

**Candidates to leave.** A value is *clean* if leaving costs no store that is not owed anyway, and
*dirty* otherwise. Of each kind the one that is used furthest ahead is a candidate. The dirty one
leaves if its next use is more than `price` times as far ahead, in steps, as that of the clean one.

The candidates are the highest bits of two sets of places.
"""

from typing import NamedTuple

import numpy as np

from dags._kernels import sort_range
from dags._numba import highest_bit, inner_kernel, kernel, lean_part
from dags.arrays import LONG_ROW

LANDMARK = 4  # places between two landmarks, as a power of two
# Typed, for a literal is a type of its own and compiles a variant of its own.
LOAD, STORE, COMPUTE, DELETE = np.uint8(0), np.uint8(1), np.uint8(2), np.uint8(3)
NOTHING = np.int64(-1)  # the furthest place of an empty set
APART = 1 << (LANDMARK - 1)  # steps from one landmark to the next: each touches two values or more


@kernel
def collect(indptr, indices, order, touched, start, name, number):
    """Fill the access sequence of `order`; return how many values it touches.

    ~step where the result of a step has been read before.

    A step touches its operands in the order in which they were first touched, and then its
    result: a regular sequence, however the DAG numbers its vertices.

    indptr, indices: predecessor CSR of n vertices; order (N,) int32 computed vertices;
    touched (T,), start (N+1,), name (n,) int32: results, `name` the vertex of each value;
    number (n,) int32 of -1: room to work in. Last accesses are still to be marked.
    """
    values = 0
    position = 0
    for step in range(order.size):
        v = order[step]
        start[step] = position
        for e in range(indptr[v], indptr[v + 1]):
            u = indices[e]
            x = number[u]
            if x < 0:
                x = values
                number[u] = x
                name[x] = u
                values += 1
            touched[position] = x
            position += 1
        first = start[step]
        if position - first > LONG_ROW:
            sort_range(touched, first, position)
        else:  # insertion, written out: calling a function that does it takes twice as long
            for i in range(first + 1, position):
                x = touched[i]
                k = i
                while k > first and touched[k - 1] > x:
                    touched[k] = touched[k - 1]
                    k -= 1
                touched[k] = x
        if number[v] >= 0:
            return ~step
        number[v] = values
        name[values] = v
        touched[position] = values
        values += 1
        position += 1
    start[order.size] = position
    return values


@kernel
def mark_last(touched, seen):
    """Turn each value's last access x into ~x; seen (V,) bool is False before."""
    for position in range(touched.size - 1, -1, -1):
        x = touched[position]
        if not seen[x]:
            seen[x] = True
            touched[position] = ~x


@kernel
def all_differ(indptr, order, seen):
    """Return whether `order` has no vertex twice and only computed ones; seen (n,) is False."""
    for v in order:
        if v < 0 or v >= seen.size or seen[v] or indptr[v] == indptr[v + 1]:
            return False
        seen[v] = True
    return True


@kernel
def fill_landmarks(start, landmarks):
    """Fill landmarks with the step of each place that is a multiple of 2^LANDMARK."""
    step = 0
    for mark in range(landmarks.size):
        while step < start.size - 2 and start[step + 1] <= mark << LANDMARK:
            step += 1
        landmarks[mark] = step


@kernel
def next_accesses(touched, values, following):
    """Fill following (T,) with the place of each value's next access, -1 behind the last one."""
    upcoming = np.full(values, -1, following.dtype)
    for position in range(touched.size - 1, -1, -1):
        x = touched[position]
        if x < 0:
            x = ~x
        following[position] = upcoming[x]
        upcoming[x] = position


@lean_part
def step_value(x):
    """Return the value of an entry of the access sequence, last access or not."""
    return ~x if x < 0 else x


@inner_kernel
def new_bit_set(size):
    """Return an empty set of places below `size`: bits in words of 64, and two summaries.

    A bit of `upper` says that a word may hold one, a bit of `top` that a word of `upper` may.
    """
    count = (size >> 6) + 1
    bits = np.zeros(count, np.uint64)
    upper = np.zeros((count >> 6) + 1, np.uint64)
    top = np.zeros((count >> 12) + 1, np.uint64)
    return bits, upper, top


@lean_part
def set_bit(bits, upper, top, position):
    """Set the bit of place `position`."""
    unit = np.uint64(1)
    word = position >> 6
    bits[word] |= unit << np.uint64(position & 63)
    upper[word >> 6] |= unit << np.uint64(word & 63)
    top[word >> 12] |= unit << np.uint64((word >> 6) & 63)


@lean_part
def last_bit(bits, upper, top, position):
    """Return the highest bit that is set at or below `position`, or -1.

    Bits are cleared without a look at the summaries; those found empty are corrected here.
    """
    if position < 0:
        return position
    unit = np.uint64(1)
    word = position >> 6
    below = bits[word] & (~np.uint64(0) >> np.uint64(63 - (position & 63)))
    if below != 0:
        return (word << 6) + highest_bit(below)
    block = word >> 6
    full = upper[block] & ((unit << np.uint64(word & 63)) - unit)
    while True:
        while full != 0:
            word = (block << 6) + highest_bit(full)
            if bits[word] != 0:
                return (word << 6) + highest_bit(bits[word])
            full &= ~(unit << np.uint64(word & 63))
            upper[block] &= ~(unit << np.uint64(word & 63))
        group = block >> 6
        full = top[group] & ((unit << np.uint64(block & 63)) - unit)
        while full == 0:
            group -= 1
            if group < 0:
                return -1
            full = top[group]
        block = (group << 6) + highest_bit(full)
        full = upper[block]
        if full == 0:
            top[group] &= ~(unit << np.uint64(block & 63))


class Script(NamedTuple):
    """Arrays that receive moves; empty ones where moves are only counted."""

    op: np.ndarray  # (k,) uint8
    vertex: np.ndarray  # (k,) int32


@lean_part
def note(script, position, move, v):
    """Write a move at place `position`; return the place of the next one."""
    if script.op.size > 0:
        script.op[position] = move
        script.vertex[position] = v
    return position + 1


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
