"""Boundaries of large sets in spaces of two axes and more, by a formula.

Layers are points of Z^d, where a point reads its neighbourhood in the layer before. Let
every x > 0 points of a layer have (x^(1/d) + w)^d or more in their neighbourhoods, those of
readers and of what is read being alike. Then a set of A vertices with a boundary of b has

    A <= b / (2 m w) (b / (4 - 2^(1-d)))^(1/d) + 3 b / (8 d),    m = d + 1, d >= 2.          (1)

*Proof.* Let u_t^d be the number of its vertices in layer t. By `isoperimetry.layers` a layer u
behind a layer p costs max(0, (u + w)^d - p^d) + max(0, p^d - max(0, u - w)^d) of the boundary if u
> 0, else p^d. That is h(u) = (u + w)^d - max(0, u - w)^d and an excess: (u - w)^d - p^d where it
rises by more than w, p^d - (u + w)^d where it falls by more than w, p^d where u = 0. Give layer u
the interval I of radii from u - w/2, or 0, to u + w/2. Then h(u) is at least twice the integral of
d x^(d-1) over I, and w u^d at most that of x^d. Let Q be the upper end of the highest interval, and
n(x) the number of intervals around x. With E for all excesses, w A <= integral of x^d n and b >= E
+ 2 integral of d x^(d-1) n, so that

    2 d w A <= Q b - Q E - integral from 0 to Q of 2 d (Q - x) x^(d-1) n(x).

Go up from the first layer to the highest one: a radius x < Q is in the interval of one of these
layers, or some step leaps over it, whose excess at it has the density d (x - w/2)^(d-1) (0 below
w/2). Go down from there: a radius x < Q - w is in the interval of a later layer, or the excess has
the density d (x + w/2)^(d-1) at it. So the two terms above are, for the way up, at least the
integral of the smaller one of Q d (x - w/2)^(d-1) and 2 d (Q - x) x^(d-1), which is that of the
smaller one of R d x^(d-1) and 2 d (R - x) x^(d-1) up to R = Q - w/2, or more; for the way down the
same with R = Q - w. That integral is j R^m, j = (4 - 2^(1-d)) / (2 m): the first one is smaller
below R / 2. Their sum is 2 j (Q - 3 w / 4)^m or more, as R^m is convex. With q = Q - 3 w / 4,

    2 d w A <= q b - 2 j q^m + 3 w b / 4,

and q b - 2 j q^m is largest for q^d = b / (4 - 2^(1-d)): d / m of q b.

**Neighbourhoods.** In boxes w = 2 (Brunn and Minkowski, for cubes around the points); before a
point of a grid, itself and the d corners, w^d = 1 / d!, and in a star of 2 d + 1 points w^d =
(d + 1) / d!, both by Gardner and Gronchi: finite sets A and B of points of Z^d, B not in a plane,
have |A + B|^(1/d) >= |A|^(1/d) + ((|B| - d) / d!)^(1/d). In the plane stars are known better. By
`isoperimetry.neighbourhoods`, x_0 even and x_1 odd points see max(x_1, (sqrt(x_0) + 1)^2) +
max(x_0, (sqrt(x_1) + 1)^2) or more, which is least where neither exceeds the other in root by more
than 1: then sqrt(x_0) + sqrt(x_1) >= sqrt(2 x - 1), so that they see (sqrt(x - 1/2) + sqrt(2))^2 +
1/2. Count half a vertex of each layer less: (1) holds for what is left with w = sqrt(2); and as h
is 4 at least in a layer of one vertex or more, there are at most b / 4 layers: b / 8 vertices more.

Tables of boundaries (`layers`, `corner_layers`) prove more, but are too long for large sets.

Source
------
Derived here. R. J. Gardner and P. Gronchi, A Brunn-Minkowski inequality for the integer lattice,
Transactions of the AMS 353, 2001.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import factorial

from proofs.lemmas.isoperimetry.boundary import Inverse

Most = Callable[[int], int]  # the most vertices of a set with so many values in its boundary


@dataclass(frozen=True)
class Continued:
    """The least boundary of a set, by a table for small sets, and by (1) for larger ones.

    Parameters
    ----------
    near
        The least boundary of a set of at most `reach` vertices.
    reach
        The largest set that `near` can be asked for.
    far
        The least boundary of larger ones.
    """

    near: Callable[[int], int]
    reach: int
    far: Inverse

    def __call__(self, size: int) -> int:
        """Return the least boundary, in values, of a set of `size` vertices."""
        return self.near(size) if size <= self.reach else self.far(size)


def most_vertices(boundary: int, d: int, volume: tuple[int, int]) -> int:
    """Return the most vertices that (1) allows, or a few more.

    Parameters
    ----------
    boundary
        b, in values.
    d
        Axes of a layer, 2 or more.
    volume
        w^d, as a numerator and a denominator.
    """
    numerator, denominator = volume
    # b (b / (c w^d))^(1/d), c = 4 - 2^(1-d), is the d-th root of b^(d+1) / (c w^d)
    above = boundary ** (d + 1) * denominator * 2 ** (d - 1)
    below = numerator * (2 ** (d + 1) - 1)
    root = least_root(-(-above // below), d)
    return root // (2 * (d + 1)) + 1 + -(-3 * boundary // (8 * d))


def most_between_corners(boundary: int, d: int) -> int:
    """Return the most vertices that (1) allows where points read themselves and d corners."""
    return most_vertices(boundary, d, (1, factorial(d)))


def most_between_stars(boundary: int, d: int) -> int:
    """Return the most vertices that (1) allows where points read stars."""
    if d == 2:
        return most_vertices(boundary, d, (2, 1)) - (-boundary // 8)
    return most_vertices(boundary, d, (d + 1, factorial(d)))


def most_between_boxes(boundary: int, d: int) -> int:
    """Return the most vertices that (1) allows where points read boxes."""
    return most_vertices(boundary, d, (2**d, 1))


def least_root(value: int, d: int) -> int:
    """Return the least whole number whose d-th power is `value` or more."""
    low, high = -1, 1 << -(-value.bit_length() // d)
    while high - low > 1:
        middle = (low + high) // 2
        if middle**d < value:
            low = middle
        else:
            high = middle
    return high
