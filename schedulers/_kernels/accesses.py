"""Kernels that several parts of the package share: access sequences, and sets of places."""

import numpy as np

from dags._kernels import sort_range
from dags._numba import highest_bit, inner_kernel, kernel, lean_part
from dags.arrays import LONG_ROW

LANDMARK = 4  # places between two landmarks, as a power of two


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
    at = 0
    for step in range(order.size):
        v = order[step]
        start[step] = at
        for e in range(indptr[v], indptr[v + 1]):
            u = indices[e]
            x = number[u]
            if x < 0:
                x = values
                number[u] = x
                name[x] = u
                values += 1
            touched[at] = x
            at += 1
        first = start[step]
        if at - first > LONG_ROW:
            sort_range(touched, first, at)
        else:  # insertion, written out: calling a function that does it takes twice as long
            for i in range(first + 1, at):
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
        touched[at] = values
        values += 1
        at += 1
    start[order.size] = at
    return values


@kernel
def mark_last(touched, seen):
    """Turn each value's last access x into ~x; seen (V,) bool is False before."""
    for at in range(touched.size - 1, -1, -1):
        x = touched[at]
        if not seen[x]:
            seen[x] = True
            touched[at] = ~x


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
    for at in range(touched.size - 1, -1, -1):
        x = touched[at]
        if x < 0:
            x = ~x
        following[at] = upcoming[x]
        upcoming[x] = at


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
def set_bit(bits, upper, top, at):
    """Set the bit of place `at`."""
    one = np.uint64(1)
    word = at >> 6
    bits[word] |= one << np.uint64(at & 63)
    upper[word >> 6] |= one << np.uint64(word & 63)
    top[word >> 12] |= one << np.uint64((word >> 6) & 63)


@lean_part
def last_bit(bits, upper, top, at):
    """Return the highest bit that is set at or below `at`, or -1.

    Bits are cleared without a look at the summaries; what is found empty is corrected here.
    """
    if at < 0:
        return at
    one = np.uint64(1)
    word = at >> 6
    below = bits[word] & (~np.uint64(0) >> np.uint64(63 - (at & 63)))
    if below != 0:
        return (word << 6) + highest_bit(below)
    block = word >> 6
    full = upper[block] & ((one << np.uint64(word & 63)) - one)
    while True:
        while full != 0:
            word = (block << 6) + highest_bit(full)
            if bits[word] != 0:
                return (word << 6) + highest_bit(bits[word])
            full &= ~(one << np.uint64(word & 63))
            upper[block] &= ~(one << np.uint64(word & 63))
        group = block >> 6
        full = top[group] & ((one << np.uint64(block & 63)) - one)
        while full == 0:
            group -= 1
            if group < 0:
                return -1
            full = top[group]
        block = (group << 6) + highest_bit(full)
        full = upper[block]
        if full == 0:
            top[group] &= ~(one << np.uint64(block & 63))
