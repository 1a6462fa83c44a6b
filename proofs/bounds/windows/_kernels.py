"""Kernels that look for sets of steps which save much, and for charges that pay for them."""

import numpy as np

from dags._numba import count_bits, inner_kernel, kernel, lean_part
from proofs.certificates.windows.reuse._kernels.visits import join

FREE, CHOSEN, TOO_FAR = 0, 1, 2


@kernel
def span_together(steps, length, together):
    """Mark in `together` (N, N) bool the pairs of steps that span no more than `length` steps."""
    for x in range(together.shape[0]):
        for y in range(x):
            between = 2
            for w in range(steps.above.shape[1]):
                between += count_bits(steps.below[y, w] & steps.above[x, w])
                between += count_bits(steps.below[x, w] & steps.above[y, w])
                if between > length:
                    break
            together[x, y] = together[y, x] = between <= length


@lean_part
def best_to_join(steps, charge, gain, state, hull, size, length, share):
    """Return the step that saves most beyond a share of its charge, or -1."""
    while True:
        y, highest = np.int64(-1), -np.inf
        for z in range(state.size):
            if state[z] == FREE and gain[z] > 0 and gain[z] - share * charge[z] > highest:
                y, highest = np.int64(z), gain[z] - share * charge[z]
        if y < 0 or join(steps, hull, size + 1, y) <= length:
            return y
        state[y] = TOO_FAR


@lean_part
def touch(steps, weight, count, gain, y, change):
    """Count a step's values once more (1) or less (-1), and the worth of sharing them."""
    for k in range(steps.starts[y], steps.starts[y + 1]):
        u = steps.values[k]
        before = count[u]
        count[u] += change
        if min(before, count[u]) == 0:
            for j in range(steps.touch_starts[u], steps.touch_starts[u + 1]):
                gain[steps.touching[j]] += change * weight[u]


@inner_kernel
def pay(steps, weight, charge, together, root, length, share, count, gain, state, hull, chosen):
    """Let a set that grows from `root` pay for its savings, at its best size."""
    state[:] = FREE
    saved, paid, highest, best, size = 0.0, 0.0, 0.0, 0, 0
    y = np.int64(root)
    while y >= 0:
        saved, paid = saved + gain[y], paid + charge[y]
        chosen[size], state[y] = y, CHOSEN
        join(steps, hull, size + 1, y)
        touch(steps, weight, count, gain, y, 1)
        size += 1
        if saved - paid > highest:
            highest, best = saved - paid, size
        for z in range(state.size):
            if state[z] == FREE and not together[y, z]:
                state[z] = TOO_FAR
        y = np.int64(-1)
        if size < length:
            y = best_to_join(steps, charge, gain, state, hull, size, length, share)
    for i in range(size):
        touch(steps, weight, count, gain, chosen[i], -1)
    for i in range(best):
        charge[chosen[i]] += highest / best


@kernel
def settle(steps, weight, charge, together, length, lower, shares):
    """Lower all of charge (N,) float64 by a share, and raise it for sets that grow from each step.

    shares (N,) float64 say how much of a step's charge counts when a set chooses who joins.
    """
    size, row = steps.above.shape
    count, gain = np.zeros(weight.size, np.int64), np.zeros(size, np.int64)
    state, chosen = np.zeros(size, np.int8), np.zeros(length, np.int64)
    hull = np.zeros((3, length + 1, row), np.uint64)
    for x in range(size):
        charge[x] *= 1 - lower
    for x in range(size):
        arguments = count, gain, state, hull, chosen
        pay(steps, weight, charge, together, x, length, shares[x], *arguments)


@kernel
def raise_short(steps, weight, short, charge):
    """Raise charge (N,) int64 until each set of `short` (k, A), -1 behind it, pays enough."""
    count = np.zeros(weight.size, np.int64)
    for i in range(short.shape[0]):
        missing, size = np.int64(0), 0
        for x in short[i]:
            if x >= 0:
                size += 1
                missing -= charge[x]
                for k in range(steps.starts[x], steps.starts[x + 1]):
                    u = steps.values[k]
                    missing += weight[u] if count[u] > 0 else 0
                    count[u] += 1
        for x in short[i]:
            if x >= 0:
                charge[x] += max(0, -(-missing // size))
                for k in range(steps.starts[x], steps.starts[x + 1]):
                    count[steps.values[k]] = 0
