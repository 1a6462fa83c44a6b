"""Least points that sets of a rectangle see in stars, by how often they are at its borders.

Let Y be v points of a rectangle, y_x of them in column x, and b the sum over its four sides of how
many points of Y are on each. Points see themselves and their neighbours in the rectangle. In column
x, that is at least

    max(y_x + 2 - c_x if y_x > 0, y_(x-1), y_(x+1))    points,

with c_x = 2 if the column is full, and otherwise c_x <= 1, no more than the points of Y at its two
ends; for as many points as c_x are missing on both sides of y_x in a row (if Y has both ends and is
not full, there is a gap at least). So does the column before the first one of Y see y_x, unless
that one is at a border, where b counts y_x; likewise behind the last one.

Where two columns in a row are empty, what is before them and what is behind does not see each
other. So Y has groups of columns, of which one at most is at the first border, and one at most at
the last one, which may be turned round. The least sum over all sequences of groups, by v and by the
contacts that they need, is found column by column, each of them with a border on one side or none.
Else one group leads from the first column to the last one, of s: of n columns with points and at
most n - 1 empty ones between them, that see a point each. At the ends of columns there are b - 2
contacts at most, so

    seen >= v + 2 n + (s - n) - (b - 2) >= v + 2 + 3 s / 2 - b.

Columns need not be looked at with more than h points. For if Y has one, Y is in m > h rows, each of
which sees two more points than it has, but for those that are missing at borders:

    seen >= v + 2 (h + 1) - b.

Source
------
Derived here; the argument is complete.
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
