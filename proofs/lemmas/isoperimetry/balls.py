"""Inner boundaries in the lattice Z^d: sets of points that have neighbours outside (S13).

Let b(r) be the points of the ball of radius r, whose coordinates add up to at most r without signs,
s(r) = b(r) - b(r - 1), and s(t) straight between the values s(r) at t = b(r), with s(0) = 0.
**At least s(t) of any t points of Z^d have a neighbour that is none of them.**

The proof is S13 in docs/theory/sets.md.

Source
------
D.-L. Wang and P. Wang, Discrete isoperimetric problems, SIAM Journal on Applied Mathematics 32,
1977. W. N. Hsieh and D. J. Kleitman, Normalized matching in direct products of partial orders,
Studies in Applied Mathematics 52, 1973.
"""

from fractions import Fraction
from math import comb


def ball(d: int, radius: int) -> int:
    """Return how many points of Z^d are within a distance of the origin; none for -1."""
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
    sphere, more = ball(d, low) - ball(d, low - 1), ball(d, high) - ball(d, low)
    return sphere + Fraction((points - ball(d, low)) * (more - sphere), more)
