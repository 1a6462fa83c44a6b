"""Loads and stores of the skewed tiles of a stencil, counted axis by axis.

A tile is a box in c_i = x_i + t for the axes that are cut, the whole length of the others, and a
band of steps. At step t its points are a box of x, A; at step t - 1 another one, B. In an axis
that is cut [k b - t, (k + 1) b - t) is the interval of tile k, as far as it is in the grid.

So the values that a tile reads at a step, those of them that it made itself, and those of its own
that nobody else reads, are numbers of points in boxes, or, for a star, of a box and of the points
next to its faces. Summed over all tiles, such products are products of sums over k, an axis each.
The sums depend on t mod b alone; and where a grid is longer by b there is one more tile inside,
which adds the same each time.

**Rings.** A ring of n points, n even, folds into n / 2 places: places y of both sheets are points y
and n - 1 - y. Neighbours on the ring are in the same place or next to each other, so that d rings
fold into an open grid of cells, each with 2^d points, and tiles of cells can be played as tiles of
an open grid are. A point sees in each sheet the points that one of an open grid sees, and at the
end of a ring the point of the other sheet in a cell that it sees anyway. That one is also read by
itself, one step later, in the tile that reads it here. So tiles read, keep and pass on 2^d times as
much as those of the open grid, and need room for 2^d times as many values, and for a cell more: a
value may be read again while its own cell is computed.
"""

from collections.abc import Callable
from functools import lru_cache, reduce
from math import prod
from operator import mul
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dags.arrays import Int32Array
from schedulers.counted.tiles import Moved

Shape = tuple[int, ...]
Whole = npt.NDArray[Any]  # (T,) integers, Python's own where they are large
SAFE = 2**62
INSIDE = 4  # tiles inside a grid, of which only so many are looked at one by one


def folded(shape: Shape) -> Shape | None:
    """The cells of a grid that wraps round; None if a side is odd."""
    return None if any(side % 2 for side in shape) else tuple(side // 2 for side in shape)


def sheets(shape: Shape) -> int:
    """The points of a cell."""
    return 1 << len(shape)


def places(x: Int32Array, side: int) -> Int32Array:
    """The places of the points of a folded ring.

    Parameters
    ----------
    x
        The points.
    side
        Points of the ring.
    """
    return np.minimum(x, side - 1 - x)


def reads(shape: Shape, box: bool) -> int:
    """How many values all points of a grid that wraps round read in a step.

    Parameters
    ----------
    shape
        The sides, in points.
    box
        Whether neighbourhoods are boxes; otherwise stars.
    """
    return prod(shape) * (3 ** len(shape) if box else 2 * len(shape) + 1)


class Cut(NamedTuple):
    """The tiles of a stencil.

    Attributes
    ----------
    height
        Steps of a band.
    sides
        Points of a tile in each axis; 0 where it is not cut.
    along
        The axis along which tiles are played, which is not cut; None for time.
    """

    height: int
    sides: tuple[int, ...]
    along: int | None = None


class AxisSums(NamedTuple):
    """Sums over the tiles along an axis, (min(b, T),) at steps 1, 2, ...; they repeat after b.

    Attributes
    ----------
    seen
        Points of A and next to them.
    kept
        Points of A and of B.
    seen_kept
        Points of A and next to them, of B.
    inner
        Points of B all of whose neighbours are in A.
    """

    seen: npt.NDArray[np.int64]
    kept: npt.NDArray[np.int64]
    seen_kept: npt.NDArray[np.int64]
    inner: npt.NDArray[np.int64]


@lru_cache(maxsize=256)
def axis_sums(length: int, side: int, steps: int) -> AxisSums:
    """The sums over the tiles along an axis.

    Parameters
    ----------
    length
        Points of the axis.
    side
        Points of a tile; 0 for one tile of all.
    steps
        Of the stencil.
    """
    if not side:
        return AxisSums(*np.full((4, 1), length, np.int64))
    short, seen = INSIDE * side + length % side, min(side, steps)
    if length <= short + side:
        return AxisSums(*one_by_one(length, side, seen))
    once, period = one_by_one(short, side, seen), one_by_one(short + side, side, seen)
    return AxisSums(*(once + (period - once) * ((length - short) // side)))


def one_by_one(length: int, side: int, steps: int) -> npt.NDArray[np.int64]:
    """The sums of `AxisSums`, (4, T), tile by tile, at steps up to T <= b."""
    t = np.arange(1, steps + 1)[:, None]
    first = np.arange(length // side + 3) * side - t
    low, high = np.clip(first, 0, length), np.clip(first + side, 0, length)
    old_low, old_high = np.clip(first + 1, 0, length), np.clip(first + 1 + side, 0, length)
    nonempty = high > low
    seen_low, seen_high = np.maximum(low - 1, 0), np.minimum(high + 1, length)
    inner_low, inner_high = low + (low > 0), high - (high < length)

    def between(lows: npt.NDArray[np.int64], highs: npt.NDArray[np.int64]) -> list[int]:
        return (np.maximum(highs - lows, 0) * nonempty).sum(axis=1).tolist()  # type: ignore[no-any-return]

    return np.array(
        [
            between(seen_low, seen_high),
            between(np.maximum(low, old_low), np.minimum(high, old_high)),
            between(np.maximum(seen_low, old_low), np.minimum(seen_high, old_high)),
            between(np.maximum(inner_low, old_low), np.minimum(inner_high, old_high)),
        ],
        np.int64,
    )


def stencil_words(shape: tuple[int, ...], steps: int, box: bool, cut: Cut) -> Moved:
    """Return the words that tiles of a stencil load and store in all.

    Parameters
    ----------
    shape, steps, box
        The stencil, without wrapping; whether neighbourhoods are boxes.
    cut
        The tiles.
    """
    points = prod(shape)
    step = np.arange(1, steps + 1)
    kind = np.int64 if points * steps * 3 ** len(shape) < SAFE else object
    begins = (step - 1) % cut.height == 0
    sums = [axis_sums(length, side, steps) for length, side in zip(shape, cut.sides, strict=True)]

    def at_steps(quantity: Callable[[AxisSums], npt.NDArray[np.int64]]) -> list[Whole]:
        return [
            quantity(sums_of_axis).astype(kind)[(step - 1) % quantity(sums_of_axis).size]
            for sums_of_axis in sums
        ]

    seen, kept = at_steps(lambda axis: axis.seen), at_steps(lambda axis: axis.kept)
    seen_kept, inner = at_steps(lambda axis: axis.seen_kept), at_steps(lambda axis: axis.inner)
    if box:
        read, kept_product = _product(seen), _product(seen_kept)
    else:
        full = [np.full(steps, length, kind) for length in shape]
        read, kept_product = _stars(seen, full), _stars(seen_kept, kept)
    loads = int(np.sum(read)) - int(np.sum(kept_product[~begins]))
    stored = points - _product(inner)
    stores = points * int(begins[1:].sum()) + int(np.sum(stored[~begins])) + points
    return Moved(loads, stores)


def _stars(near: list[Whole], stars_kept: list[Whole]) -> Whole:
    """The points of boxes and next to their faces, from sums per axis."""
    total = _product(stars_kept)
    for axis, (wide, narrow) in enumerate(zip(near, stars_kept, strict=True)):
        other_sums = [sums for other_axis, sums in enumerate(stars_kept) if other_axis != axis]
        total = total + (wide - narrow) * _product(other_sums)
    return total


def _product(factors: list[Whole]) -> Whole:
    """The product, step by step; of no factors 1."""
    return reduce(mul, factors, np.ones(1, np.int64))
