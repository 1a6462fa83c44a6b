"""What must be loaded yet at the least, as a greatest flow, in compiled code."""

from typing import NamedTuple

import numpy as np

from dags._numba import kernel
from proofs.certificates.search._kernels import NONE, ONE, lowest_bit, weigh

NO_LIMIT = 1 << 40


class Room(NamedTuple):
    """Room for a flow, and the answers that are known.

    through (64,), heads (64,) uint64, along (64, 64): what flows through each value, where it goes
    from there, and how much of it. came (128,), queue (128,): the search for a way; node 2 r is
    where value r is entered, 2 r + 1 where it is left. known (K, 3) uint64 what is not done, red
    and blue; answer (K,) the words.
    """

    through: np.ndarray
    heads: np.ndarray
    along: np.ndarray
    came: np.ndarray
    queue: np.ndarray
    known: np.ndarray
    answer: np.ndarray


@kernel
def mixed(x):
    """Return a number whose low bits depend on all bits of x; shifts alone, so no overflow."""
    x ^= x >> np.uint64(32)
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    return x ^ x >> np.uint64(29)


@kernel
def flow_of(g, left, red, blue):
    """Return the place of the answer: words to be loaded yet, at the least, for the goals `left`.

    Values of `red` are in fast memory, or paid for.
    """
    room = g.room
    x = mixed(mixed(mixed(left) ^ red) ^ blue)
    i = np.int64(x & np.uint64(room.answer.size - 1))
    if room.known[i, 0] != left or room.known[i, 1] != red or room.known[i, 2] != blue:
        room.known[i, 0], room.known[i, 1], room.known[i, 2] = left, red, blue
        room.answer[i] = least_cut(g, room, left, red, blue)
    return i


@kernel
def least_cut(g, room, left, red, blue):
    """Return the fewest words of inputs and blue values that meet all ways into the goals `left`.

    Ways lead from the inputs to the operands of these goals, past no red value. Inputs with a way
    past no blue value are in every cut. What is left goes through blue values: the greatest flow
    into these is found by filling shortest ways.
    """
    ends = NONE
    while left:
        ends |= g.operands[lowest_bit(left)]
        left &= left - ONE
    behind = walked(g, ends & ~red, red, blue)
    certain = behind & g.inputs
    total = weigh(g, certain)
    ends = behind & blue
    if not ends:
        return total
    red |= certain
    region = walked(g, ends, red, NONE)
    if not region & g.inputs:
        return total
    x = region
    while x:
        r = lowest_bit(x)
        x &= x - ONE
        room.through[r] = 0
        room.heads[r] = NONE
    while True:
        end = way(g, room, ends, region, blue)
        if end < 0:
            return total
        amount = narrowest(g, room, end, blue)
        fill(room, end, amount)
        total += amount


@kernel
def walked(g, ends, red, stops):
    """Return the values that are met on the way back from `ends`, past none of `red` or `stops`.

    Those of `stops` are met, but nothing behind them.
    """
    met = ends
    x = ends & ~stops
    while x:
        new = g.made_of[lowest_bit(x)] & ~red & ~met
        x &= x - ONE
        met |= new
        x |= new & ~stops
    return met


@kernel
def capacity(g, r, blue):
    """Return the words of a value that can be loaded; of others no limit."""
    return g.sizes[r] if (g.inputs | blue) >> np.uint64(r) & ONE else NO_LIMIT


@kernel
def way(g, room, ends, region, blue):
    """Return the last node of a way on which more can flow, or -1; `came` says how it goes.

    Ways stay among the values of `region`, and end where a value of `ends` is left.
    """
    entered = g.inputs & region
    parted = NONE
    head = tail = 0
    x = entered
    while x:
        r = lowest_bit(x)
        x &= x - ONE
        room.came[2 * r] = -1
        room.queue[tail] = 2 * r
        tail += 1
    while head < tail:
        node = room.queue[head]
        head += 1
        r = node >> 1
        bit = ONE << np.uint64(r)
        if node & 1:
            if room.through[r] > 0 and not entered & bit:
                entered |= bit
                room.came[node - 1] = node
                room.queue[tail] = node - 1
                tail += 1
            x = g.above[r] & region & ~entered
            entered |= x
            while x:
                u = lowest_bit(x)
                x &= x - ONE
                room.came[2 * u] = node
                room.queue[tail] = 2 * u
                tail += 1
            continue
        x = NONE
        if not parted & bit and room.through[r] < capacity(g, r, blue):
            x = bit
            if ends & bit:
                room.came[node + 1] = node
                return node + 1
        y = g.made_of[r] & region & ~parted  # back to where flow comes from
        while y:
            u = lowest_bit(y)
            y &= y - ONE
            if room.heads[u] & bit:
                x |= ONE << np.uint64(u)
        parted |= x
        while x:
            u = lowest_bit(x)
            x &= x - ONE
            room.came[2 * u + 1] = node
            room.queue[tail] = 2 * u + 1
            tail += 1
    return -1


@kernel
def narrowest(g, room, end, blue):
    """Return how much more can flow on the way that ends in a node."""
    amount = NO_LIMIT
    node = end
    while room.came[node] >= 0:
        last = room.came[node]
        r, u = node >> 1, last >> 1
        if r == u:
            more = capacity(g, r, blue) - room.through[r] if node & 1 else room.through[r]
            amount = min(amount, more)
        elif node & 1:
            amount = min(amount, room.along[r, u])
        node = last
    return amount


@kernel
def fill(room, end, amount):
    """Let so much more flow on the way that ends in a node."""
    node = end
    while room.came[node] >= 0:
        last = room.came[node]
        r, u = node >> 1, last >> 1
        if r == u:
            room.through[r] += amount if node & 1 else -amount
        elif node & 1:
            room.along[r, u] -= amount
            if room.along[r, u] == 0:
                room.heads[r] &= ~(ONE << np.uint64(u))
        else:
            bit = ONE << np.uint64(r)
            if not room.heads[u] & bit:
                room.heads[u] |= bit
                room.along[u, r] = 0
            room.along[u, r] += amount
        node = last
