"""Boundaries in grids, with a price for a point on a last face (S14).

With u points in a layer and v in the next one, y of them on one last face and q on several, where a
point on one pays p and a point on several p', a set exchanges and pays at least

    max(exchanged(u, v) - s, beta(v) - u, 0) + p y + p' q,    s <= min(x, eta(y + z)),

x of the layer before on one last face each, z at most d q. Waived are the input, reads of first
faces, the points on several last faces, and the prices of all points.

The proof is S14 in docs/theory/sets.md.

Source
------
Derived here.
"""

from math import prod

import numpy as np

from dags.arrays import Int64Array, lock
from proofs.core.records import CertificateError
from proofs.lemmas.isoperimetry.corner_layers import between_corners, exchanged
from proofs.lemmas.isoperimetry.neighbourhoods import Corners
from proofs.lemmas.prices._kernels import layers_with_contacts
from proofs.lemmas.prices.prices import Priced

MOST_ENTRIES = 2**23  # of the table: vertices of a set, times those of a layer and its contacts
FAR = 2**50


def grid_contacts(
    most: int, prices: tuple[int, int], parts: int, *, shape: tuple[int, ...]
) -> Priced:
    """Exchanges and prices of sets of up to `most` vertices of `dags.grid`.

    Parameters
    ----------
    most
        Vertices of the largest set.
    prices, parts
        Price of a point on one last face, and of one on several, in such parts of a move.
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
    costs = np.full(most + 1, wider)
    read, exchanged_layers = lock(Corners(d - 1)(widest)), _both(d, widest)
    single = min(2, widest) if d == 2 else widest
    layers_with_contacts(exchanged_layers, read, several, kept, single, parts, *prices, costs)
    inside = prod(side - 1 for side in sides)
    first = sum(points // side - 1 for side in sides)
    on_one = sum(inside // (side - 1) for side in sides)
    on_several = points - inside - on_one
    pays = prices[0] * on_one + prices[1] * on_several
    return Priced(points - 1, parts * (1 + first + on_several) + pays, costs)


def _on_several_faces(d: int, widest: int) -> Int64Array:
    """(k, 2) q points on several faces, and the most they may count for as z."""
    if d == 2:
        return np.array([(0, 0), (1, 2)])
    if d == 3:
        return np.array([(0, 0), (1, 1), (2, 2), (3, 4)])
    q = np.arange(widest + 1)
    return np.stack((q, d * q), axis=1)


def _both(d: int, widest: int) -> Int64Array:
    """(v+1, u+1) least exchanges of u points of a layer and v of the next one."""
    if d > 2:
        return lock(exchanged(d - 1, widest).astype(np.int64))
    u = np.arange(widest + 1)
    v = u[:, None]
    table = np.maximum(2, np.abs(u - v) + 1)
    return lock(np.where((u > 0) & (v > 0), table, u + v + (v > 0)))


def _kept(d: int, limit: int) -> Int64Array:
    """(most+1,) eta: how many points on one last face so many of the next layer keep."""
    sizes = np.arange(limit + 1)
    if d == 2:
        return sizes
    return np.searchsorted(Corners(d - 2)(limit), sizes, side="right") - 1
