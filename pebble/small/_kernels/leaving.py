"""Values that leave fast memory for a step: one after another is chosen, and none too many.

Rows of ``choice`` (4 or 3, 66) int64: `VALUES` that may leave, the words from each on, `REST`, the
places of those that were `CHOSEN`, and where they differ their `PRICES`.
"""

import numpy as np

from dags._numba import lean_part
from pebble.small._kernels.bits import NONE, ONE, words_at

VALUES, REST, CHOSEN, PRICES = range(4)


@lean_part
def add_rests(choice, words, count):
    """Fill `REST` for the first `count` values."""
    choice[REST, count] = 0
    for k in range(count - 1, -1, -1):
        choice[REST, k] = choice[REST, k + 1] + words_at(words, choice[VALUES, k])


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
