"""Shared points of two sets of edges in a box, some of whose axes may be rings (S12).

Let D be a product of d paths and rings, K an even number that each ring's length and twice each
path's length divide, m = K^d / |D|, and s(t) straight between the values s(r) of spheres at t =
b(r) of balls on the torus of d rings of K points, level beyond the middle. **Divide the edges of D
into two sets, and let T and T' be the points that either touches. They share S(|T|) or S(|T'|)
points, the smaller one, or more, with S(t) = s(m t) / m.**

The proof is S12 in docs/theory/sets.md.

**Inner boundaries in Z^d (S13).** Let b(r) be the points of the ball of radius r, whose coordinates
add up to at most r without signs, s(r) = b(r) - b(r - 1), and s(t) straight between the values s(r)
at t = b(r), with s(0) = 0. **At least s(t) of any t points of Z^d have a neighbour that is none of
them.**

The proof is S13 in docs/theory/sets.md.

Source
------
B. Bollobas and I. Leader, An isoperimetric inequality on the discrete torus, SIAM Journal on
Discrete Mathematics 3, 1990. O. Riordan, An ordering on the even discrete torus, the same 11, 1998
(and V. M. Karakhanyan, 1982).
D.-L. Wang and P. Wang, Discrete isoperimetric problems, SIAM Journal on Applied Mathematics 32,
1977. W. N. Hsieh and D. J. Kleitman, Normalized matching in direct products of partial orders,
Studies in Applied Mathematics 52, 1973.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb, lcm, prod

import numpy as np

from dags.arrays import Int64Array, lock

LONGEST = 2048  # points of a ring of the torus: four of them have less than 2^63


def ball(d: int, radius: int) -> int:
    """How many points of Z^d are within a distance of the origin; none for -1."""
    if radius < 0:
        return 0
    return sum(2**i * comb(d, i) * comb(radius, i) for i in range(d + 1))


def least_inner(points: int, d: int) -> Fraction:
    """Return s(t): at least so many of so many points have a neighbour that is none of them.

    Examples
    --------
    >>> [str(least_inner(points, 2)) for points in (1, 2, 5, 6, 13)]
    ['1', '7/4', '4', '9/2', '8']
    """
    if points < 1:
        return Fraction(0)
    low, high = 0, 1  # ball(low) is at most `points`
    while ball(d, high) <= points:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if ball(d, middle) <= points else (low, middle)
    sphere, beyond = ball(d, low) - ball(d, low - 1), ball(d, high) - ball(d, low)
    return sphere + Fraction((points - ball(d, low)) * (beyond - sphere), beyond)


@dataclass(frozen=True, eq=False)
class Torus:
    """The spheres of a torus over a box.

    Parameters
    ----------
    spheres, balls
        (r,) points at each distance, and up to it, as far as the middle.
    copies
        Points of the torus over each of the box.
    """

    spheres: Int64Array
    balls: Int64Array
    copies: int

    def least_shared(self, points: int) -> Fraction:
        """S(t): the least that the smaller set shares, if it has so many points or more."""
        above = points * self.copies
        if above >= self.balls[-1]:
            return Fraction(int(self.spheres[-1]), self.copies)
        radius = int(np.searchsorted(self.balls, above, side="right"))
        inner, outer = (int(self.spheres[r]) if r >= 0 else 0 for r in (radius - 1, radius))
        remaining = above - (int(self.balls[radius - 1]) if radius else 0)
        return (inner + Fraction(remaining * (outer - inner), outer)) / self.copies


@lru_cache(maxsize=64)
def torus_over(paths: tuple[int, ...], rings: tuple[int, ...] = ()) -> Torus | None:
    """The torus over a box; None where its rings are too long to count its points.

    Parameters
    ----------
    paths, rings
        The points along the axes of the box, those that are no rings and those that are.

    Examples
    --------
    >>> torus_over((2,), (4,)).spheres.tolist()
    [1, 4, 6]
    """
    around = lcm(2, *(2 * side for side in paths), *rings)
    axes = len(paths) + len(rings)
    if around > LONGEST or around**axes >= 2**63:
        return None
    ring = np.full(around // 2 + 1, 2, np.int64)
    ring[[0, -1]] = 1
    spheres = np.ones(1, np.int64)
    for _ in range(axes):
        spheres = np.convolve(spheres, ring)
    spheres = spheres[: spheres.size // 2 + 1]
    copies = around**axes // prod((*paths, *rings))
    return Torus(lock(spheres), lock(np.cumsum(spheres)), copies)
