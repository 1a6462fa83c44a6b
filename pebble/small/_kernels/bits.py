"""Sets of numbers below 64, as the bits of a uint64, and those of values that leave for a step.

Values leave one after another, and none too many. Rows of ``choice`` (4 or 3, 66) int64: `VALUES`
that may leave, the words from each on, `REST`, the places of those that were `CHOSEN`, and where
they differ their `PRICES`.
"""

from typing import NamedTuple

import numpy as np

from dags._numba import count_bits, lean_inner_kernel, lean_part

ONE = np.uint64(1)
NONE = np.uint64(0)
BYTE = np.uint64(255)


class Words(NamedTuple):
    """Sizes of values.

    by_byte (8, 256) int64 words of the values in each byte of a set; unit: all sizes are 1.
    """

    by_byte: np.ndarray
    unit: bool


@lean_inner_kernel
def lowest_bit(x):
    """Return the lowest member of a set that is not empty."""
    return count_bits((x & (~x + ONE)) - ONE)


@lean_inner_kernel
def weigh(words, x):
    """Return the words of a set of values."""
    if words.unit:
        return count_bits(x)
    total = 0
    b = 0
    while x:
        total += words.by_byte[b, x & BYTE]
        x >>= np.uint64(8)
        b += 1
    return total


@lean_inner_kernel
def words_at(words, r):
    """Return the words of one value."""
    return words.by_byte[r >> 3, 1 << (r & 7)]


@lean_inner_kernel
def largest(words, x):
    """Return the words of the largest value in a set, 0 if it is empty."""
    widest = 0
    while x:
        widest = max(widest, words_at(words, lowest_bit(x)))
        x &= x - ONE
    return widest


@lean_inner_kernel
def mixed(x):
    """Return a number whose low bits depend on all bits of x; shifts alone, so no overflow."""
    x ^= x >> np.uint64(32)
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    return x ^ x >> np.uint64(29)


VALUES, REST, CHOSEN, PRICES = range(4)


@lean_part
def add_rests(choice, words, count):
    """Fill `REST` for the first `count` values."""
    choice[REST, count] = 0
    for k in range(count - 1, -1, -1):
        choice[REST, k] = choice[REST, k + 1] + words_at(words, choice[VALUES, k])


@lean_inner_kernel
def candidates(choice, words, values):
    """Fill `choice` with values and the words from each on; return how many they are."""
    count = 0
    while values:
        choice[VALUES, count] = lowest_bit(values)
        values &= values - ONE
        count += 1
    add_rests(choice, words, count)
    return count


@lean_part
def chosen_set(choice, words, depth, spare):
    """Return the chosen values as a set, and whether none of them could stay."""
    out = NONE
    minimal = True
    for j in range(depth):
        r = choice[VALUES, choice[CHOSEN, j]]
        out |= ONE << np.uint64(r)
        minimal &= words_at(words, r) > spare
    return out, minimal
