"""Boundaries in grids, with a price for a point on a last face.

A point of a grid of d axes, d >= 2, reads the point before it along each axis; its first and last
faces across an axis have the points with the least and the greatest coordinate. In a grid without
end V would exchange b(V) values, as in `corner_layers`. In this grid

    boundary(V) = b(V) - first(V) - kept(V),

where first(V) sums over all first faces how many points of V are on them, for the point before each
of these is not there, and no other point reads it; and kept(V) are the points of V on last faces
whose readers, those that are there, are all in V. The first term is a sum over the points of V,
and is *waived* for all of them. The second is less than the points of V on last faces: one of them
is kept with all that is around it only. So let each pay a price instead.

**Kept on one face.** Let layers have the same sum of coordinates, and Y be the part of V in one,
with y points on one last face each, and q points on several. The points on the last face across
axis i of the layer before that are kept, and on no other last face, have all d - 1 readers in Y on
the same face. There they are like points of Z^(d-2) that are read by Y's: at most eta(y_i), the
most points X with |X + T| <= y_i, T = {0, e_1, ..., e_(d-2)}, by `Corners`, where Y has y_i points
on that face. As eta(x) + eta(x') <= eta(x + x'), all faces together have eta(y + z) at most, with z
= y_1 + ... + y_d - y. They are members of V in the layer before, on one last face each: no more
than these, x of them.

What z can be: at most d q. If d = 3, faces are lines in a layer, eta(y_i) = y_i - 1 for y_i > 0,
and several faces are an edge, which has one point in a layer. One such point is on two lines, two
are on three lines, as three are: the sum of y_i - 1 is at most y, y + 1 and y + 3, which is
eta(y + z) for z = 1, 2 and 4. The output, on all faces, is alone in its layer: z = 1 does. If d =
2, only the output is on several faces, z = 2, and y <= 2.

**Kept on several faces** are at most the points of V there; these are waived, too.

**Prices.** A point on one last face pays p, a point on several p'. With u points in a layer and v
in the next one, b(V) counts at least exchanged(u, v) for these layers (`corner_layers`), of which
at least beta(v) - u are read. So they exchange and pay, beyond what is waived,

    max(exchanged(u, v) - s, beta(v) - u, 0) + p y + p' q,    s <= min(x, eta(y + z)),

where y <= v - q, and the least sum over all sequences of layers is found layer by layer. A set with
a layer of more than w points reads more than w values, by the terms beta(v) - u.

Waived are the input; first(V), sum over axes of N / side - 1 for N points; the points on several
last faces, the output among them, for which b(V) has one though it is no part of the boundary; and
what all points pay.

Source
------
Derived here; the argument is complete.
"""

from math import prod

import numpy as np

from dags.arrays import Int64Array, lock
from proofs.core.certificate import CertificateError
from proofs.lemmas.isoperimetry.corner_layers import between_corners, exchanged
from proofs.lemmas.isoperimetry.neighbourhoods import Corners
from proofs.lemmas.prices._kernels import layers_with_contacts
from proofs.lemmas.prices.prices import Priced

MOST_ENTRIES = 2**23  # of the table: vertices of a set, times those of a layer and its contacts
FAR = 2**50


def grid_contacts(
    most: int, prices: tuple[int, int], parts: int, *, shape: tuple[int, ...]
) -> Priced:
    """Return what sets of up to `most` vertices of `dags.grid` exchange and pay.

    Parameters
    ----------
    most
        Vertices of the largest set.
    prices, parts
        What a point on one last face pays, and one on several, in such parts of a move.
    shape
        Of the grid.

    Raises
    ------
    CertificateError
        If it has one axis, or the set is too large.
    """
    sides = tuple(side for side in shape if side > 1)
    d, points = len(sides), prod(sides)
    if d < 2:
        raise CertificateError("shape", "is that of a line")
    widest = min(most, int(between_corners(d - 1)(most)))  # what is wider exchanges more than that
    several = lock(_on_several_faces(d, widest))
    kept = lock(_kept(d, widest + int(several[:, 1].max())))
    if (most + 1) * (widest + 1) ** 2 > MOST_ENTRIES:
        raise CertificateError("sizes", f"of {most} take a table of more than {MOST_ENTRIES}")
    wider = parts * (widest + 1) if widest < most else FAR  # what a wider layer costs
    least = np.full(most + 1, wider)
    read, both = lock(Corners(d - 1)(widest)), _both(d, widest)
    single = min(2, widest) if d == 2 else widest
    layers_with_contacts(both, read, several, kept, single, parts, *prices, least)
    inside = prod(side - 1 for side in sides)
    first = sum(points // side - 1 for side in sides)
    on_one = sum(inside // (side - 1) for side in sides)
    on_several = points - inside - on_one
    pays = prices[0] * on_one + prices[1] * on_several
    return Priced(points - 1, parts * (1 + first + on_several) + pays, least)


def _on_several_faces(d: int, widest: int) -> Int64Array:
    """Return (k, 2) q points on several faces, and what they may count for as z."""
    if d == 2:
        return np.array([(0, 0), (1, 2)])
    if d == 3:
        return np.array([(0, 0), (1, 1), (2, 2), (3, 4)])
    q = np.arange(widest + 1)
    return np.stack((q, d * q), axis=1)


def _both(d: int, widest: int) -> Int64Array:
    """Return (v+1, u+1) what u points of a layer and v of the next one exchange at least."""
    if d > 2:
        return lock(exchanged(d - 1, widest).astype(np.int64))
    u = np.arange(widest + 1)
    v = u[:, None]
    table = np.maximum(2, np.abs(u - v) + 1)
    return lock(np.where((u > 0) & (v > 0), table, u + v + (v > 0)))


def _kept(d: int, most: int) -> Int64Array:
    """Return (most+1,) eta: how many points on one last face so many of the next layer keep."""
    sizes = np.arange(most + 1)
    if d == 2:
        return sizes
    return np.searchsorted(Corners(d - 2)(most), sizes, side="right") - 1
