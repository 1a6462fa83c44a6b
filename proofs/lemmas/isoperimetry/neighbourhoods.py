"""Least points that a set of grid points sees: the beta of `layers` (S2).

N[X] is X and all neighbours of X. In endless grids |N[X]| >= (|X|^(1/d) + 2)^d for boxes, and for
stars the number found layer by layer, from the middle outwards; with borders (S11) from the first
layer on; in periodic grids lines across an axis see two points more unless they are full.
|N[X]| does not fall if X grows.

The proof is S2 in docs/theory/sets.md.

**Borders (S11).** Let a grid be cut into n layers across an axis along which it ends, x_i
points of X in layer i. With beta for a layer, and p(x) = x for stars, p = beta for boxes, layers
may be taken to grow thinner, x_1 >= x_2 >= ...:

    |N[X]| >= sum over i = 1, ..., n of max(beta(x_i), p(x_(i-1))),

without the second term for i = 1.

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
from math import comb, prod
from typing import Literal

import numpy as np

from dags.arrays import Int64Array, lock
from proofs.lemmas.isoperimetry import _kernels
from proofs.lemmas.isoperimetry.layers import convex_sums

Border = Literal["endless", "open", "periodic"]


def seen_in_borders(sides: tuple[int, ...], base: Int64Array, box: bool) -> Int64Array:
    """(most+1,) how many points so many points see at least.

    Parameters
    ----------
    sides
        Of the axes along which the grid ends, each at least 2; layers are cut across the last
        one first. Sets of more points than there are see themselves.
    base
        (most+1,) the same for the axes along which it goes on: 0, 1, ..., most if there are none.
    box
        Whether neighbourhoods are boxes; otherwise stars.
    """
    sizes = np.arange(base.size, dtype=np.int64)
    if not sides:
        return base
    *first_sides, side = sides
    endless = base.size > 2 and base[1] > 1
    if not first_sides and not endless:
        return np.where(sizes > 0, np.maximum(np.minimum(sizes + 1, side), sizes), 0)
    layer = base.size if endless else min(base.size, prod(first_sides) + 1)
    beta = lock(seen_in_borders(tuple(first_sides), base, box)[:layer].astype(np.int32))
    passed = beta if box else lock(np.arange(layer, dtype=np.int32))
    seen = np.full(base.size, 2**40, np.int64)
    _kernels.thinner_layers(beta, passed, side, seen)
    return np.maximum.accumulate(np.where(seen < 2**29, seen, sizes))


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
    axes
        How many more axes there are, along which an open grid goes on.
    """

    shape: tuple[int, ...]
    box: bool
    border: Border
    axes: int = 0

    def __call__(self, limit: int) -> Int64Array:
        """(most+1,) how many points so many points see at least."""
        d, shortest = len(self.shape), min(self.shape, default=1)
        sizes = np.arange(limit + 1, dtype=np.int64)
        if self.border == "open":
            return _in_borders(tuple(sorted(self.shape)), self.axes, self.box, _rounded(limit))[
                : limit + 1
            ]
        if not d:
            return sizes
        endless = sizes if self.border == "endless" else sizes[: (shortest + 1) // 2]
        seen = sizes.copy()
        seen[: endless.size] = _endless(endless, d, self.box)
        if self.border == "periodic":
            np.maximum(seen, _by_lines(sizes, d, shortest), out=seen)
        seen[0] = 0
        return np.maximum.accumulate(seen)


@dataclass(frozen=True)
class Corners:
    """Points of Z^d that see themselves and the points before them along each axis."""

    d: int

    def __call__(self, limit: int) -> Int64Array:
        """(most+1,) how many points so many points see at least."""
        sizes = np.arange(limit + 1, dtype=np.int64)
        if self.d == 1:
            return sizes + (sizes > 0)
        return sizes + np.searchsorted(convex_sums(Corners(self.d - 1), limit + 2), sizes)


@lru_cache(maxsize=64)
def _in_borders(sides: tuple[int, ...], axes: int, box: bool, limit: int) -> Int64Array:
    """(most+1,) how many points so many points see where axes end, and others go on."""
    base = np.arange(limit + 1, dtype=np.int64)
    return lock(seen_in_borders(sides, _endless(base, axes, box) if axes else base, box))


def _endless(sizes: Int64Array, d: int, box: bool) -> Int64Array:
    """How many points 0, 1, ... points of an endless grid see, at least; of none, any."""
    return _in_boxes(sizes, d) if box else _in_stars(sizes.size - 1, d)


def _rounded(limit: int) -> int:
    """A number of points up to which tables are made: one that is asked for again."""
    longest = 32
    while longest < limit:
        longest += longest // 4
    return longest


def _in_stars(limit: int, d: int) -> Int64Array:
    """(most+1,) how many points so many points of an endless grid see in stars, at least."""
    return _in_stars_up_to(_rounded(limit), d)[: limit + 1]


@lru_cache(maxsize=32)
def _in_stars_up_to(limit: int, d: int) -> Int64Array:
    """The same, made anew."""
    sizes = np.arange(limit + 1, dtype=np.int64)
    if d == 1:
        return sizes + 2 * (sizes > 0)
    if d > 2:
        seen = np.full_like(sizes, 2**40)
        _kernels.outwards(_in_stars_up_to(limit, d - 1), seen)
        return seen
    corners = sizes + 1 + np.ceil(np.sqrt(4 * sizes)).astype(np.int64)
    corners[0] = 0
    seen = sizes.copy()
    for x in range(limit + 1):  # with any number of them even
        even, odd = slice(x + 1), slice(x, None, -1)
        by_even = np.maximum(sizes[odd], corners[even])
        seen[x] = (by_even + np.maximum(sizes[even], corners[odd])).min()
    return seen


def _in_boxes(sizes: Int64Array, d: int) -> Int64Array:
    """How many points `sizes` points of an endless grid see in boxes, at least."""
    seen: Int64Array = sizes + 2**d
    for k in range(1, d):
        seen += _each(partial(_box_term, d, k), sizes)
    return seen


def _box_term(d: int, k: int, x: int) -> int:
    """C(d, k) 2^k x^((d - k) / d), rounded down where others are added, or else up."""
    power = (comb(d, k) * 2**k) ** d * x ** (d - k)
    return root_above(power, d) if d == 2 else root_above(power + 1, d) - 1


def _by_lines(sizes: Int64Array, d: int, side: int) -> Int64Array:
    """How many points `sizes` points of a periodic grid see, at least."""
    if d == 1:
        return np.minimum(sizes + 2, np.maximum(side, sizes))
    full = side - 1

    def boundary(x: int) -> int:
        lines = root_above((2 * full) ** d * x ** (d - 1), d)  # times 2 full, rounded up
        return max(-((2 * x - lines) // full), 0)

    return sizes + _each(boundary, sizes)


def root_above(n: int, d: int) -> int:
    """The least integer whose d-th power is at least `n`."""
    root = int(n ** (1 / d))
    while root**d >= n > 0:
        root -= 1
    while root**d < n:
        root += 1
    return root


def _each(function: Callable[[int], int], sizes: Int64Array) -> Int64Array:
    return np.array([function(x) for x in sizes.tolist()], np.int64)
