"""Kernels that look for sets of steps which save more than they pay, built from few steps on."""

from typing import NamedTuple

import numpy as np

from dags._numba import inner_kernel, kernel, lean_part
from proofs.certificates.windows.reuse._kernels.visits import join


class Peel(NamedTuple):
    """The set that is looked at; rows by how many of its steps there are."""

    count: np.ndarray  # (n,) int64: members that touch each value
    gain: np.ndarray  # (4, N) int64: weight of each step's values that 0, 1, 2, more members touch
    inside: np.ndarray  # (N,) bool: members
    chosen: np.ndarray  # (A,) int64: members
    saved: np.ndarray  # (A+1,) int64: what the first members save,
    paid: np.ndarray  # (A+1,) int64: and pay
    shared: np.ndarray  # (A+1, 3) int64: weight of values that two members touch, that more touch,
    # and of these for each member that does
    next: np.ndarray  # (A+1,) int64: the step that is tried next
    hull: np.ndarray  # (3, A+1, row) uint64: as `join` says


@inner_kernel
def new_peel(steps, values, length):
    """Return room for sets of up to `length` steps."""
    size, row = steps.above.shape
    return Peel(
        np.zeros(values, np.int64),
        np.zeros((4, size), np.int64),
        np.zeros(size, np.bool_),
        np.empty(length, np.int64),
        np.zeros(length + 1, np.int64),
        np.zeros(length + 1, np.int64),
        np.zeros((length + 1, 3), np.int64),
        np.zeros(length + 1, np.int64),
        np.zeros((3, length + 1, row), np.uint64),
    )


@lean_part
def counted(t, size, length):
    """Return A (A - 1) times what a value counts that t of `size` members touch."""
    if t < 2:
        return np.int64(0)
    if t == 2:
        return np.int64(length * (length - 1))
    return np.int64((size - 1) * (t * length - size))


@lean_part
def touch(steps, weight, peel, u, change):
    """Let one member more (1) or less (-1) touch value u."""
    before = min(peel.count[u], 3)
    peel.count[u] += change
    after = min(peel.count[u], 3)
    if before != after:
        for k in range(steps.touch_starts[u], steps.touch_starts[u + 1]):
            z = steps.touching[k]
            peel.gain[before, z] -= weight[u]
            peel.gain[after, z] += weight[u]


@lean_part
def take(steps, charge, weight, peel, size, y):
    """Let step y join the `size` members."""
    saved, paid = peel.saved[size], peel.paid[size] + charge[y]
    by_two, by_more, times = peel.shared[size, 0], peel.shared[size, 1], peel.shared[size, 2]
    join(steps, peel.hull, size + 1, y)
    for k in range(steps.starts[y], steps.starts[y + 1]):
        u = steps.values[k]
        touch(steps, weight, peel, u, 1)
        members, w = peel.count[u], weight[u]
        if members > 1:
            saved += w
        if members == 2:
            by_two += w
        elif members == 3:
            by_two, by_more, times = by_two - w, by_more + w, times + 3 * w
        elif members > 3:
            times += w
    peel.chosen[size], peel.inside[y], peel.next[size + 1] = y, True, 0
    peel.saved[size + 1], peel.paid[size + 1] = saved, paid
    peel.shared[size + 1, 0], peel.shared[size + 1, 1] = by_two, by_more
    peel.shared[size + 1, 2] = times


@lean_part
def give_back(steps, weight, peel, size):
    """Let the last of the `size` members go."""
    y = peel.chosen[size - 1]
    peel.inside[y] = False
    for k in range(steps.starts[y], steps.starts[y + 1]):
        touch(steps, weight, peel, steps.values[k], -1)


@lean_part
def loss(steps, charge, weight, peel, x, size, length):
    """Return what a member beside `size` others adds to what they count, beyond what it pays."""
    worth = np.int64(0)
    for k in range(steps.starts[x], steps.starts[x + 1]):
        u = steps.values[k]
        t = peel.count[u]
        worth += weight[u] * (counted(t, size, length) - counted(t - 1, size, length))
    return worth - length * (size - 1) * charge[x]


@lean_part
def comes_off_first(steps, charge, weight, peel, size, z, length):
    """Return whether z is the step that the `size` members with z lose first."""
    for k in range(steps.starts[z], steps.starts[z + 1]):
        peel.count[steps.values[k]] += 1
    last = loss(steps, charge, weight, peel, z, size, length)
    first = True
    for i in range(size - 1, -1, -1):  # the last ones are soon told from z
        x = peel.chosen[i]
        worth = loss(steps, charge, weight, peel, x, size, length)
        if worth < last or (worth == last and x < z):
            first = False
            break
    for k in range(steps.starts[z], steps.starts[z + 1]):
        peel.count[steps.values[k]] -= 1
    return first


@lean_part
def next_to_take(steps, charge, weight, peel, size, length):
    """Return the next step with which members count enough, and which they lose first, or -1."""
    two = counted(2, size + 1, length)
    three = counted(3, size + 1, length) - two
    surplus = np.int64(length * size)  # for each member beyond three, and the price of what is paid
    by_two, by_more, times = peel.shared[size, 0], peel.shared[size, 1], peel.shared[size, 2]
    short = surplus * peel.paid[size] - by_two * two - surplus * times + size * (size + 1) * by_more
    gain = peel.gain
    for z in range(peel.next[size], charge.size):
        counts = gain[1, z] * two + gain[2, z] * three + gain[3, z] * surplus
        if counts - surplus * charge[z] <= short or peel.inside[z]:
            continue
        if join(steps, peel.hull, size + 1, z) <= length and comes_off_first(
            steps, charge, weight, peel, size, z, length
        ):
            peel.next[size] = z + 1
            return np.int64(z)
    return np.int64(-1)


@kernel
def peeled(steps, charge, weight, length, first, last, limit, short):
    """Fill `short` with sets that save more than they pay; return (sets looked at, filled rows).

    Looked at are the sets of up to `length` steps from whose last step, among those from `first` up
    to `last`, they are built as `savings` says: if `short` (k, A) int64, -1 behind each set, has a
    row left, there are no others. At most `limit` sets are looked at; -1 of them if there are more.
    """
    peel = new_peel(steps, weight.size, length)
    looked = filled = 0
    for root in range(first, last):
        y, size = np.int64(root), 0
        while True:
            if y >= 0:
                take(steps, charge, weight, peel, size, y)
                size += 1
                looked += 1
                if looked > limit:
                    return -1, filled
                if peel.saved[size] > peel.paid[size]:
                    for i in range(length):
                        short[filled, i] = peel.chosen[i] if i < size else -1
                    filled += 1
                    if filled == short.shape[0]:
                        return looked, filled
            y = np.int64(-1)
            if size < length:
                y = next_to_take(steps, charge, weight, peel, size, length)
            if y < 0:
                give_back(steps, weight, peel, size)
                size -= 1
                if size == 0:
                    break
    return looked, filled
