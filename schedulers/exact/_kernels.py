"""What the two searches share, in compiled code: sets, symmetries, and records of sets.

`g` is a `Game` and `s` a `Store` of either search.
"""

import numpy as np

from dags._numba import count_bits, kernel

# What `search` returns.
RUNNING, FOUND, EXHAUSTED, FULL = range(4)
# Places of `Store.at`.
NODES, RECORDS, KEYS, POOLED, LEVEL, GOAL = range(6)
# What became of a node.
KEPT, BEATEN = range(2)

ONE = np.uint64(1)
NONE = np.uint64(0)


@kernel
def lowest_bit(x):
    """Return the index of the lowest bit of a uint64 other than 0."""
    return count_bits((x & (~x + ONE)) - ONE)


@kernel
def weigh(g, x):
    """Return the words of a set of values."""
    if g.unit:
        return count_bits(x)
    total = 0
    for b in range(8):
        total += g.weight[b, (x >> np.uint64(8 * b)) & np.uint64(255)]
    return total


@kernel
def turned(table, turn, x):
    """Return the image of a set under an automorphism."""
    y = NONE
    for b in range(table.shape[1]):
        y |= table[turn, b, (x >> np.uint64(8 * b)) & np.uint64(255)]
    return y


@kernel
def in_order(g, red, dirty):
    """Return the state with twins in order: dirty red, then clean red, then the others."""
    for k in range(g.rounds.size):
        low = g.rounds[k]
        r0, r1 = red & low, red >> ONE & low
        d0, d1 = dirty & low, dirty >> ONE & low
        swap = (r1 & ~r0) | (~(r0 ^ r1) & d1 & ~d0)
        x = (r0 ^ r1) & swap
        red ^= x | x << ONE
        x = (d0 ^ d1) & swap
        dirty ^= x | x << ONE
    return red, dirty


@kernel
def mixed(x):
    """Return a number whose low bits depend on all bits of x; shifts alone, so no overflow."""
    x ^= x >> np.uint64(32)
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    return x ^ x >> np.uint64(29)


@kernel
def slot_of(s, done):
    """Return the place of a set of computed vertices among the keys, or the free one for it."""
    mask = s.key.size - 1
    i = np.int64(mixed(done) & np.uint64(mask))
    while s.key_record[i] >= 0 and s.key[i] != done:
        i = (i + 1) & mask
    return i


@kernel
def new_record(s, g, done):
    """Return a new record for a set of computed vertices that no automorphism makes smaller."""
    record = s.at[RECORDS]
    s.at[RECORDS] += 1
    s.done[record] = done
    s.first[record] = -1
    s.still[record] = s.at[POOLED]
    for turn in range(1, g.turn_done.shape[0]):
        if turned(g.turn_done, turn, done) == done:
            s.pool[s.at[POOLED]] = turn
            s.at[POOLED] += 1
    s.still_end[record] = s.at[POOLED]
    return record


@kernel
def key_of(s, g, done):
    """Return the place among the keys of `done`, entered with its record if it is new."""
    i = slot_of(s, done)
    if s.key_record[i] >= 0:
        return i
    best, by = done, 0
    for turn in range(1, g.turn_done.shape[0]):
        image = turned(g.turn_done, turn, done)
        if image < best:
            best, by = image, turn
    j = i if by == 0 else slot_of(s, best)
    if s.key_record[j] < 0:
        s.key[j] = best
        s.key_record[j] = new_record(s, g, best)
        s.key_turn[j] = 0
        s.at[KEYS] += 1
    if by:
        i = slot_of(s, done)  # the other may have taken the place
        s.key[i] = done
        s.key_record[i] = s.key_record[j]
        s.key_turn[i] = by
        s.at[KEYS] += 1
    return i


@kernel
def move_keys(old, new):
    """Enter all keys of a store into the empty table of another."""
    for i in range(old.key.size):
        if old.key_record[i] >= 0:
            j = slot_of(new, old.key[i])
            new.key[j] = old.key[i]
            new.key_record[j] = old.key_record[i]
            new.key_turn[j] = old.key_turn[i]
