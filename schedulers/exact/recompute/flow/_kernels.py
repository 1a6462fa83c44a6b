"""How much must be fetched at the least, as a maximum flow, in compiled code."""

from typing import NamedTuple

import numpy as np

from dags._numba import kernel
from schedulers.exact._kernels import NONE, ONE, lowest_bit, mixed

NO_LIMIT = 1 << 40


class Flow(NamedTuple):
    """Room for a maximum flow, and the flows that are known.

    through (64,), inflow (64,) uint64, along (64, 64): flow through and into each value;
    from_in, from_out (64,), queue (128,): the search for a way. known (K, 3) uint64 red, blue and
    left, answer (K,) the words.
    """

    through: np.ndarray
    inflow: np.ndarray
    along: np.ndarray
    from_in: np.ndarray
    from_out: np.ndarray
    queue: np.ndarray
    known: np.ndarray
    answer: np.ndarray


@kernel
def remaining(g, f, red, blue, left):
    """Return the words that must be moved yet at the least, to store the outputs `left`."""
    x = mixed(mixed(red) ^ blue) ^ left
    i = np.int64(mixed(x) & np.uint64(f.answer.size - 1))
    if f.known[i, 0] != red or f.known[i, 1] != blue or f.known[i, 2] != left:
        words = least_fetched(g, f, red, blue, left)
        x = left
        while x:
            words += g.words[lowest_bit(x)]
            x &= x - ONE
        f.known[i, 0], f.known[i, 1], f.known[i, 2] = red, blue, left
        f.answer[i] = words
    return f.answer[i]


@kernel
def least_fetched(g, f, red, blue, left):
    """Return the fewest words that must be fetched, as things are, to compute the outputs `left`.

    On every way from an input to such an output some value is red or will be fetched: so a
    minimum cut, in which red values are free, those in slow memory cost their words, and all
    others cannot be cut; found as a maximum flow (augmenting paths, breadth first).
    """
    closed = red
    target = NONE
    x = left
    while x:
        c = lowest_bit(x)
        x &= x - ONE
        target |= g.operands[c]
    for r in range(g.sizes.size):
        f.through[r] = 0
        f.inflow[r] = NONE
    total = 0
    while True:
        seen_in = g.inputs & ~closed
        seen_out = NONE
        head, tail = 0, 0
        x = seen_in
        while x:
            r = lowest_bit(x)
            x &= x - ONE
            f.from_in[r] = -1
            f.queue[tail] = r
            tail += 1
        end = -1
        while head < tail:
            v = f.queue[head]
            head += 1
            if v < 64:
                room = NO_LIMIT
                if (blue | g.inputs) >> np.uint64(v) & ONE:
                    room = g.sizes[v]
                fresh = f.inflow[v] & ~seen_out
                if f.through[v] < room and not seen_out >> np.uint64(v) & ONE:
                    f.from_out[v] = -1
                    seen_out |= ONE << np.uint64(v)
                    f.queue[tail] = v + 64
                    tail += 1
                    if target >> np.uint64(v) & ONE:
                        end = v
                        break
                    fresh &= ~(ONE << np.uint64(v))
                seen_out |= fresh
                while fresh:
                    u = lowest_bit(fresh)
                    fresh &= fresh - ONE
                    f.from_out[u] = v
                    f.queue[tail] = u + 64
                    tail += 1
            else:
                v -= 64
                fresh = g.above[v] & ~closed & ~seen_in
                if f.through[v] > 0 and not seen_in >> np.uint64(v) & ONE:
                    f.from_in[v] = 64
                    seen_in |= ONE << np.uint64(v)
                    f.queue[tail] = v
                    tail += 1
                seen_in |= fresh
                while fresh:
                    w = lowest_bit(fresh)
                    fresh &= fresh - ONE
                    f.from_in[w] = v
                    f.queue[tail] = w
                    tail += 1
        if end < 0:
            return total
        # A value that cuts is on every way; the narrowest place of this way says how much fits.
        for push in range(2):
            if push == 0:
                amount = NO_LIMIT
            else:
                total += amount
            v, out = end, True
            while True:
                if out:
                    u = f.from_out[v]
                    if u < 0:  # from its own lower half
                        if push:
                            f.through[v] += amount
                        elif (blue | g.inputs) >> np.uint64(v) & ONE:
                            amount = min(amount, g.sizes[v] - f.through[v])
                        out = False
                    else:  # back along v -> u
                        if push:
                            f.along[u, v] -= amount
                            if f.along[u, v] == 0:
                                f.inflow[u] &= ~(ONE << np.uint64(v))
                        else:
                            amount = min(amount, f.along[u, v])
                        v, out = u, False
                else:
                    u = f.from_in[v]
                    if u == -1:
                        break
                    if u == 64:  # back through itself
                        if push:
                            f.through[v] -= amount
                        else:
                            amount = min(amount, f.through[v])
                        out = True
                    else:
                        if push:
                            bit = ONE << np.uint64(u)
                            if not f.inflow[v] & bit:
                                f.inflow[v] |= bit
                                f.along[v, u] = 0
                            f.along[v, u] += amount
                        v, out = u, True
