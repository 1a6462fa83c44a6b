"""States up to symmetry."""

from typing import NamedTuple

import numpy as np

from dags._numba import lean_inner_kernel, lean_kernel

# Bits that change places with those `shift` above them.
EXCHANGE = np.dtype([("low", np.uint64), ("shift", np.uint64)])


class Swaps(NamedTuple):
    """Automorphisms of order two, as exchanges of bits.

    Swap i is the exchanges `steps` (k,) of `EXCHANGE` from starts[i, 0] to starts[i + 1, 0] on a
    set of steps, and `values` from starts[i, 1] to starts[i + 1, 1] on one of values. starts
    (g + 1, 2) int64.
    """

    starts: np.ndarray
    steps: np.ndarray
    values: np.ndarray


@lean_inner_kernel
def image(exchanges, first, last, x):
    """Return the image of a set under some exchanges."""
    for j in range(first, last):
        shift = exchanges[j]["shift"]
        y = (x ^ x >> shift) & exchanges[j]["low"]
        x ^= y | y << shift
    return x


@lean_kernel
def lowered(swaps, done, first, second):
    """Return an image of a state, a set of steps and two of values, that no swap makes smaller.

    States are compared in lexicographic order. Each swap is an automorphism, so the image is worth
    the same as the state, whether or not the swaps are all that there are.
    """
    starts = swaps.starts
    count = starts.shape[0] - 1
    swap = unchanged = 0
    while unchanged < count:
        unchanged += 1
        done1 = image(swaps.steps, starts[swap, 0], starts[swap + 1, 0], done)
        if done1 <= done:
            begin, end = starts[swap, 1], starts[swap + 1, 1]
            first1 = image(swaps.values, begin, end, first)
            if done1 < done or first1 <= first:
                second1 = image(swaps.values, begin, end, second)
                if done1 < done or first1 < first or second1 < second:
                    done, first, second = done1, first1, second1
                    unchanged = 0
        swap += 1
        if swap == count:
            swap = 0
    return done, first, second
