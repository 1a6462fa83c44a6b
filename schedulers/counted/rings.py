"""Grids that wrap round, folded flat: the cells of an open grid, with a point of each sheet.

A ring of n points, n even, folds into n / 2 places: places y of both sheets are points y and
n - 1 - y. Neighbours on the ring are in the same place or next to each other, so that d rings fold
into an open grid of cells, each with 2^d points, and tiles of cells can be played as tiles of an
open grid are.

A point sees in each sheet what a point of an open grid sees, and at the end of a ring the point of
the other sheet in a cell that it sees anyway. That one is also read by itself, one step later, in
the tile that reads it here. So tiles read, keep and pass on 2^d times what those of the open grid
do, and need room for 2^d times as many values, and for a cell more: a value may be read again
while its own cell is computed.
"""

from math import prod

import numpy as np

from dags.arrays import Int64Array

Shape = tuple[int, ...]


def folded(shape: Shape) -> Shape | None:
    """Return the cells of a grid that wraps round; None if a side is odd."""
    return None if any(side % 2 for side in shape) else tuple(side // 2 for side in shape)


def sheets(shape: Shape) -> int:
    """Return the points of a cell."""
    return 1 << len(shape)


def places(x: Int64Array, side: int) -> Int64Array:
    """Return the places of the points of a folded ring.

    Parameters
    ----------
    x
        The points.
    side
        Points of the ring.
    """
    return np.minimum(x, side - 1 - x)


def reads(shape: Shape, box: bool) -> int:
    """Return how many values all points of a grid that wraps round read in a step.

    Parameters
    ----------
    shape
        The sides, in points.
    box
        Whether neighbourhoods are boxes; otherwise stars.
    """
    return prod(shape) * (3 ** len(shape) if box else 2 * len(shape) + 1)
