"""Least points that sets of a rectangle see in stars, by how often they are at its borders (S16).

Let Y be v points of a rectangle, b the sum over its four sides of how many points of Y are on each.
Column x, with y_x points, sees at least

    max(y_x + 2 - c_x if y_x > 0, y_(x-1), y_(x+1))    points,

c_x = 2 if the column is full and at most 1 otherwise; columns of more than h points see v + 2
(h + 1) - b or more.

The proof is S16 in docs/theory/sets.md.

Source
------
Derived here.
"""

from functools import lru_cache
from math import isqrt

import numpy as np

from dags.arrays import Int64Array, lock
from proofs.lemmas.prices._kernels import columns_seen

MOST = 256  # points for which it is known
FAR = 2**20  # of no set


@lru_cache(maxsize=16)
def seen_with_contacts(side: int, columns: int, most: int) -> Int64Array:
    """Return (v+1, b+1) how many points so many see at least that are at borders at most b times.

    Parameters
    ----------
    side, columns
        Points of a column of the rectangle, and how many columns there are.
    most
        Points, up to `MOST`.

    Examples
    --------
    >>> seen_with_contacts(9, 9, 4)[4].tolist()[:6]
    [12, 11, 10, 9, 8, 8]
    """
    high, contacts = min(side, isqrt(2 * most) + 2), 4 * isqrt(most) + 4
    seen = np.full((most + 1, contacts + 1), FAR)
    seen[0, 0] = 0
    columns_seen(lock(np.array([high, high == side])), seen)
    v, b = np.arange(most + 1)[:, None], np.arange(contacts + 1)
    through = v + 2 + (3 * columns + 1) // 2 - b
    seen = np.where(2 * v >= columns, np.minimum(seen, through), seen)
    if high < side:
        seen = np.where(v > high, np.minimum(seen, v + 2 * (high + 1) - b), seen)
    return lock(np.minimum.accumulate(seen, axis=1))
