"""Boundaries in stencils with borders, with a price for a point on a border.

A point of a layer, a box of d axes with P points, reads itself and its neighbours along each axis,
where these are there (a star). Let Y be v points of V in a layer, b times on a face of the box: on
each face as often as there are points of Y on it. Behind each of these there is one point of the
grid without end that Y would read, another one for each; and beta(v) bounds what v points see there
from below, eta(v) the most points that see v only; beta'(v) and eta'(v) are the same in the box
(`neighbourhoods`). So

- Y reads at least max(beta(v) - b, beta'(v)) points;
- let K be the points of the layer before that are read by Y alone. In the grid without end they see
  v points of Y and, behind the faces, as many as K is on: all that points on a face see on it is in
  Y, so that these are no more than b; and if d = 2, where faces are lines, less than b unless Y has
  a whole face: |K| <= min(eta(v + b - [d = 2 and 0 < b < all faces]), eta'(v)).

If a point pays a price p for each face that it is on, u points in the layer before and v in this
one exchange and pay

    minimum over b of max(0, max(beta(v) - b, beta'(v)) - u) + max(0, u - |K|) + p b

at least, with the bound on |K| for |K|, and the least of the sums of these over all sequences of
layers is found layer by layer. As v <= beta'(v), no layer has more points than half of what is
exchanged (`layers`). Waived are P inputs and P outputs, and p for each face of each computed point.

With p = 2 the grid has no borders, with p = 0 nothing is known of how few points are at borders:
between them a set that lies flat at a border pays for it.

Source
------
Derived here; the argument is complete.
"""

from math import prod

import numpy as np

from dags.arrays import Int64Array, lock
from proofs.certificates.certificate import CertificateError
from proofs.certificates.windows.contacts.prices import Priced
from proofs.certificates.windows.isoperimetry import _kernels
from proofs.certificates.windows.isoperimetry.neighbourhoods import Points

MOST_ENTRIES = 2**25  # vertices of a set, times those of a layer
LARGEST = 2**29  # number in a table


def stencil_contacts(
    most: int,
    prices: tuple[int],
    parts: int,
    *,
    shape: tuple[int, ...],
    steps: int,
    neighbourhood: str = "star",
    periodic: bool = False,
) -> Priced:
    """Return what sets of up to `most` vertices of `dags.stencil` exchange and pay.

    Parameters
    ----------
    most
        Vertices of the largest set.
    prices, parts
        What a point pays for a face, in such parts of a move.
    shape, steps, neighbourhood, periodic
        Of the stencil.

    Raises
    ------
    CertificateError
        If it has no borders or no stars, or the set is too large.
    """
    sides = tuple(side for side in shape if side > 1)
    if periodic or neighbourhood != "star" or not sides:
        raise CertificateError("params", "are of no star with borders")
    points, (price,) = prod(sides), prices
    widest = min(points, most, 16 + round(3 * most ** (len(sides) / (len(sides) + 1))))
    if most * widest > MOST_ENTRIES or 2 * (widest + 1) * (parts + price) > LARGEST:
        raise CertificateError("sizes", f"of {most} take too large a table")
    wider = 2 * parts * (widest + 1) if widest < min(points, most) else LARGEST
    least = np.full(most + 1, wider)  # what a wider layer costs
    _kernels.pairs_of_layers(exchanged_and_paid(sides, widest, price, parts), least)
    on_faces = steps * sum(2 * points // side for side in sides)
    return Priced(points * steps, 2 * parts * points + price * on_faces, least)


def exchanged_and_paid(sides: tuple[int, ...], widest: int, price: int, parts: int) -> Int64Array:
    """Return (v+1, u+1) what u points of a layer and v of the next one exchange and pay, int32.

    Parameters
    ----------
    sides
        Of a layer.
    widest
        The most points of either.
    price, parts
        What a point pays for a face, in such parts of a move.
    """
    d = len(sides)
    u, v = np.arange(widest + 1), np.arange(widest + 1)[:, None]
    faces = _most_faces(sides, widest)
    endless = Points(sides, False, "endless")(widest + faces)
    bordered = Points(sides, False, "open")(widest)
    inside = _seeing(bordered, v)
    side = min(sides) if d == 2 else 0
    table = np.full((widest + 1, widest + 1), LARGEST)
    for b in range(faces + 1):
        read = np.maximum(endless[v] - b, bordered[v])
        alone = np.minimum(_seeing(endless, v + b - (0 < b < side)), inside)
        alone = np.where(v > 0, alone, 0)
        cost = parts * (np.maximum(read - u, 0) + np.maximum(u - alone, 0)) + price * b
        table = np.minimum(table, np.where(b <= 2 * d * v, cost, LARGEST))
    found: Int64Array = lock(table.astype(np.int32))
    return found


def _most_faces(sides: tuple[int, ...], widest: int) -> int:
    """Return how many faces, one by one, so many points of a layer are on at most that matters."""
    return min(2 * len(sides) * widest, sum(2 * prod(sides) // side for side in sides))


def _seeing(seen: Int64Array, sizes: Int64Array) -> Int64Array:
    """Return the most points that see so many points only.

    Parameters
    ----------
    seen
        What 0, 1, ... points see at least.
    sizes
        How many they may see.
    """
    return np.searchsorted(seen, sizes, side="right") - 1
