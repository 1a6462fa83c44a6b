"""Boundaries of large sets in spaces of two axes and more, by a formula (S3).

Layers are points of Z^d, where a point reads its neighbourhood in the layer before. Let every x > 0
points of a layer have (x^(1/d) + w)^d or more in their neighbourhoods, those of readers and of what
is read being alike. Then a set of A vertices with a boundary of b has

    A <= b / (2 m w) (b / (4 - 2^(1-d)))^(1/d) + 3 b / (8 d),    m = d + 1, d >= 2.          (1)

Tables (`layers`, `corner_layers`) prove more, but are too long for large sets.

The proof is S3 in docs/theory/sets.md.

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
