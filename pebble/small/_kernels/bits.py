"""Sets of numbers below 64, as the bits of a uint64."""

from typing import NamedTuple

import numpy as np

from dags._numba import count_bits, lean_inner_kernel

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
    most = 0
    while x:
        most = max(most, words_at(words, lowest_bit(x)))
        x &= x - ONE
    return most


@lean_inner_kernel
def mixed(x):
    """Return a number whose low bits depend on all bits of x; shifts alone, so no overflow."""
    x ^= x >> np.uint64(32)
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    return x ^ x >> np.uint64(29)
