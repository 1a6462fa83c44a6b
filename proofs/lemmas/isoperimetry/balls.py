"""Inner boundaries in the lattice Z^d: sets of points that have neighbours outside.

Points of Z^d are neighbours if they differ by 1 in one coordinate. Let b(r) be the points of the
ball of radius r, whose coordinates add up to at most r without signs, s(r) = b(r) - b(r - 1) those
of its sphere, and s(t) the function that is straight between the values s(r) at t = b(r), with s(0)
= 0. It rises and is concave, as (s(r + 1) - s(r)) / s(r + 1) falls with r.

**At least s(t) of any t points of Z^d have a neighbour that is none of them.**

1. A set C of b(r) + a s(r + 1) points, 0 <= a <= 1, has at least b(r + 1) + a s(r + 2) in itself
   and its neighbours. Wang and Wang put the points into an order, sphere after sphere, whose
   beginnings have the fewest. Such a beginning is the ball of radius r and a share a of the next
   sphere; its neighbours are the rest of that sphere, and neighbours of the share. Those are a
   share a or more of the sphere after it: spheres of Z^d are the ranks of a product of d partial
   orders, each with the ranks 1, 2, 2, 2, ..., log-concave and of normalized matching, and so the
   product has normalized matching too (Hsieh and Kleitman).
2. Let C be those of the t points whose neighbours are all among the t. They and their neighbours
   are at most t. For t = b(r) + a s(r + 1), item 1 leaves at most b(r - 1) + a s(r) in C, and
   s(r) + a (s(r + 1) - s(r)) outside of it.

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
