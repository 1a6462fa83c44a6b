"""Kernels that look for sets of steps which save more than they pay, built from few steps on."""

from typing import NamedTuple

import numpy as np

from dags._numba import inner_kernel, kernel, lean_part
from proofs.certificates.windows.reuse._kernels.visits import join


class Peel(NamedTuple):
    """The set that is looked at; rows by how many of its steps there are."""

    count: np.ndarray  # (n,) int64: members that touch each value
    gain: np.ndarray  # (N,) int64: weight of the values of each step that some member touches
    inside: np.ndarray  # (N,) bool: members
    chosen: np.ndarray  # (A,) int64: members
    saved: np.ndarray  # (A+1,) int64: what the first members save,
    paid: np.ndarray  # (A+1,) int64: and pay
    next: np.ndarray  # (A+1,) int64: the step that is tried next
    hull: np.ndarray  # (3, A+1, row) uint64: as `join` says


@inner_kernel
def new_peel(steps, values, length):
    """Return room for sets of up to `length` steps."""
    size, row = steps.above.shape
    return Peel(
        np.zeros(values, np.int64),
        np.zeros(size, np.int64),
        np.zeros(size, np.bool_),
        np.empty(length, np.int64),
        np.zeros(length + 1, np.int64),
        np.zeros(length + 1, np.int64),
        np.zeros(length + 1, np.int64),
        np.zeros((3, length + 1, row), np.uint64),
    )


@lean_part
def take(steps, charge, weight, peel, size, y):
    """Let step y join the `size` members."""
    peel.saved[size + 1] = peel.saved[size] + peel.gain[y]
    peel.paid[size + 1] = peel.paid[size] + charge[y]
    peel.chosen[size], peel.inside[y], peel.next[size + 1] = y, True, 0
    join(steps, peel.hull, size + 1, y)
    for k in range(steps.starts[y], steps.starts[y + 1]):
        u = steps.values[k]
        peel.count[u] += 1
        if peel.count[u] == 1:
            for j in range(steps.touch_starts[u], steps.touch_starts[u + 1]):
                peel.gain[steps.touching[j]] += weight[u]


@lean_part
def give_back(steps, weight, peel, size):
    """Let the last of the `size` members go."""
    y = peel.chosen[size - 1]
    peel.inside[y] = False
    for k in range(steps.starts[y], steps.starts[y + 1]):
        u = steps.values[k]
        peel.count[u] -= 1
        if peel.count[u] == 0:
            for j in range(steps.touch_starts[u], steps.touch_starts[u + 1]):
                peel.gain[steps.touching[j]] -= weight[u]


@lean_part
def comes_off_first(steps, charge, weight, peel, size, z, length):
    """Return whether z is the step that the `size` members with z lose first."""
    last = peel.gain[z] * (length - 1) - charge[z] * (size - 1)
    first = True
    for k in range(steps.starts[z], steps.starts[z + 1]):
        peel.count[steps.values[k]] += 1
    for i in range(size):
        x = peel.chosen[i]
        shared = np.int64(0)
        for k in range(steps.starts[x], steps.starts[x + 1]):
            if peel.count[steps.values[k]] > 1:
                shared += weight[steps.values[k]]
        worth = shared * (length - 1) - charge[x] * (size - 1)
        if worth < last or (worth == last and x < z):
            first = False
            break
    for k in range(steps.starts[z], steps.starts[z + 1]):
        peel.count[steps.values[k]] -= 1
    return first


@lean_part
def next_to_take(steps, charge, weight, peel, size, length):
    """Return the next step with which the members save enough, and which they lose first, or -1."""
    saved, paid = peel.saved[size], peel.paid[size]
    for z in range(peel.next[size], charge.size):
        if (saved + peel.gain[z]) * (length - 1) <= (paid + charge[z]) * size or peel.inside[z]:
            continue
        if (
            comes_off_first(steps, charge, weight, peel, size, z, length)
            and join(steps, peel.hull, size + 1, z) <= length
        ):
            peel.next[size] = z + 1
            return np.int64(z)
    return np.int64(-1)


@kernel
def peeled(steps, charge, weight, length, first, last, most, short):
    """Fill `short` with sets that save more than they pay; return (sets looked at, filled rows).

    Looked at are the sets of up to `length` steps from whose last step, among those from `first` up
    to `last`, they are built as `savings` says: if `short` (k, A) int64, -1 behind each set, has a
    row left, there are no others. At most `most` sets are looked at; -1 of them if there are more.
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
                if looked > most:
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
