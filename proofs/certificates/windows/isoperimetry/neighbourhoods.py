"""Least points that a set of grid points sees: the beta of `layers`.

N[X] is X and all neighbours of X; |N[X]| does not fall if X grows, so that of bounds for smaller
sets the largest may be taken.

**Endless grids.** On a line |N[X]| >= |X| + 2. In d dimensions, box neighbourhood: put a unit cube
on every point; N[X] is X's cubes plus [-1, 1]^d, so |N[X]| >= (|X|^(1/d) + 2)^d (Brunn and
Minkowski). In the plane, star neighbourhood: the points with even sum of coordinates, x_0 of them
in X, form a square lattice turned by 45 degrees, in which the odd neighbours of a point are the
corners of a unit cell: like before, they are at least (sqrt(x_0) + 1)^2, rounded up, and with the
same for the odd ones |N[X]| >= max(x_1, neighbours of x_0) + max(x_0, neighbours of x_1), where
x_0 + x_1 = |X|. In more dimensions, star: let X have x_p points in layer p across the last axis.
Then N[X] has at least max(beta(x_p), x_(p-1), x_(p+1)) points there, with beta for the grid of one
dimension less. Choose any layer with points as the middle one, and leave out of the three, for all
other layers, the number of the layer further out: the least of these sums over all sequences is
found layer by layer, outwards from the middle.

**Grids with borders, and periodic ones.** A line of n points in X is full. Some axis has at least
|X|^((d-1)/d) lines that meet X, and at most |X| / n that are full; each of the others has a point
outside X next to one in X, and if it is periodic and not full but for one, two of them. If every
side has more than twice as many points as X, two neighbouring layers across each axis are empty: a
periodic grid can be cut open between them, and X does not see that it is not endless.

**Corners.** A point x of Z^d sees x, x - e_1, ..., x - e_d. What X sees outside of itself is what
it reads in the grid whose points are computed from those before them; there the layers of
constant coordinate sum are like Z^(d-1) with these neighbourhoods, and the one-sided bound of
`layers` holds. On a line |N[X]| >= |X| + 1.

Source
------
L. H. Loomis and H. Whitney, An inequality related to the isoperimetric inequality, 1949. For the
lattice points of cubes and the theorem of Brunn and Minkowski: R. J. Gardner, The Brunn-Minkowski
inequality, Bulletin of the AMS 2002. The exact answers (D.-L. Wang and P. Wang, Discrete
isoperimetric problems, 1977; B. Bollobas and I. Leader, 1991) are not needed.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from math import comb
from typing import Literal

import numpy as np

from dags.arrays import Int64Array
from proofs.certificates.windows.isoperimetry import _kernels
from proofs.certificates.windows.isoperimetry.layers import convex_sums

Border = Literal["endless", "open", "periodic"]


@dataclass(frozen=True)
class Points:
    """Grid points and their star or box neighbourhoods.

    Parameters
    ----------
    shape
        The sides, each at least 2.
    box
        Whether neighbourhoods are boxes; otherwise stars.
    border
        Whether the grid goes on beyond its sides, ends there, or begins again.
    """

    shape: tuple[int, ...]
    box: bool
    border: Border

    def __call__(self, most: int) -> Int64Array:
        """Return (most+1,) how many points so many points see at least."""
        d, shortest = len(self.shape), min(self.shape, default=1)
        sizes = np.arange(most + 1, dtype=np.int64)
        if not d:
            return sizes
        endless = sizes if self.border == "endless" else sizes[: (shortest + 1) // 2]
        seen = sizes.copy()
        if self.border != "open":
            near = _in_boxes(endless, d) if self.box else _in_stars(endless.size - 1, d)
            seen[: endless.size] = near
        if self.border != "endless":
            twice = self.border == "periodic"
            np.maximum(seen, _by_lines(sizes, d, shortest, twice), out=seen)
        seen[0] = 0
        return np.maximum.accumulate(seen)


@dataclass(frozen=True)
class Corners:
    """Points of Z^d that see themselves and the points before them along each axis."""

    d: int

    def __call__(self, most: int) -> Int64Array:
        """Return (most+1,) how many points so many points see at least."""
        sizes = np.arange(most + 1, dtype=np.int64)
        if self.d == 1:
            return sizes + (sizes > 0)
        return sizes + np.searchsorted(convex_sums(Corners(self.d - 1), most + 2), sizes)


def _in_stars(most: int, d: int) -> Int64Array:
    """Return (most+1,) how many points so many points of an endless grid see in stars, at least."""
    longest = 32
    while longest < most:  # lengths that are asked for again and again
        longest += longest // 4
    return _in_stars_up_to(longest, d)[: most + 1]


@lru_cache(maxsize=32)
def _in_stars_up_to(most: int, d: int) -> Int64Array:
    """Return the same, made anew."""
    sizes = np.arange(most + 1, dtype=np.int64)
    if d == 1:
        return sizes + 2 * (sizes > 0)
    if d > 2:
        seen = np.full_like(sizes, 2**40)
        _kernels.outwards(_in_stars_up_to(most, d - 1), seen)
        return seen
    corners = sizes + 1 + np.ceil(np.sqrt(4 * sizes)).astype(np.int64)
    corners[0] = 0
    seen = sizes.copy()
    for x in range(most + 1):  # with any number of them even
        even, odd = slice(x + 1), slice(x, None, -1)
        by_even = np.maximum(sizes[odd], corners[even])
        seen[x] = (by_even + np.maximum(sizes[even], corners[odd])).min()
    return seen


def _in_boxes(sizes: Int64Array, d: int) -> Int64Array:
    """Return how many points `sizes` points of an endless grid see in boxes, at least."""
    seen: Int64Array = sizes + 2**d
    for k in range(1, d):
        seen += _each(partial(_box_term, d, k), sizes)
    return seen


def _box_term(d: int, k: int, x: int) -> int:
    """Return C(d, k) 2^k x^((d - k) / d), rounded down where others are added, or else up."""
    power = (comb(d, k) * 2**k) ** d * x ** (d - k)
    return root_above(power, d) if d == 2 else root_above(power + 1, d) - 1


def _by_lines(sizes: Int64Array, d: int, side: int, periodic: bool) -> Int64Array:
    """Return how many points `sizes` points of a grid with borders see, at least."""
    if d == 1:
        return np.minimum(sizes + 1 + periodic, np.maximum(side, sizes))
    c, full = (2, side - 1) if periodic else (1, side)

    def boundary(x: int) -> int:
        lines = root_above((c * full) ** d * x ** (d - 1), d)  # times c full, rounded up
        return max(-((c * x - lines) // full), 0)

    return sizes + _each(boundary, sizes)


def root_above(n: int, d: int) -> int:
    """Return the least integer whose d-th power is at least `n`."""
    root = int(n ** (1 / d))
    while root**d >= n > 0:
        root -= 1
    while root**d < n:
        root += 1
    return root


def _each(function: Callable[[int], int], sizes: Int64Array) -> Int64Array:
    return np.array([function(x) for x in sizes.tolist()], np.int64)
