"""Boundaries in stencils with borders, with a price for a point on a border (S15).

If a point pays a price p for each face that it is on, u points in the layer before and v in this
one exchange and pay at least

    minimum over b of max(0, f(v, b) - u) + max(0, u - alone(v, b)) + p b,

f(v, b) = max(beta(v) - b, beta'(v)), more if d = 2 (S16), alone(v, b) the largest number of
points that v points b times on faces alone read; and a price p_t of each point of layer t besides.
Waived are the inputs and outputs, and all prices.

The proof is S15 in docs/theory/sets.md.

**Planes (S16).** Let Y be v points of a rectangle, b the sum over its four sides of how many points
of Y are on each. Column x, with y_x points, sees at least

    max(y_x + 2 - c_x if y_x > 0, y_(x-1), y_(x+1))    points,

c_x = 2 if the column is full and at most 1 otherwise; columns of more than h points see v + 2
(h + 1) - b or more.

Source
------
Derived here.
"""

from functools import lru_cache
from math import isqrt, prod

import numpy as np

from dags.arrays import Int64Array, lock
from proofs.core.records import CertificateError
from proofs.lemmas.isoperimetry import _kernels
from proofs.lemmas.isoperimetry.neighbourhoods import Points
from proofs.lemmas.prices._kernels import columns_seen, layers_with_prices
from proofs.lemmas.prices.prices import Priced

MOST = 256  # points for which it is known
FAR = 2**20  # of no set
MOST_ENTRIES = 2**25  # vertices of a set, times those of a layer
LARGEST = 2**29  # number in a table
LONGEST = 2**14  # vertices of a set where layers have prices
MOST_SUMS = 2**33  # that are compared where layers have prices
WIDER = 2  # times as wide are the layers that are looked at there: sets avoid some layers


@lru_cache(maxsize=16)
def seen_with_contacts(side: int, columns: int, limit: int) -> Int64Array:
    """(v+1, b+1) how many points so many see at least that are at borders at most b times.

    Parameters
    ----------
    side, columns
        Points of a column of the rectangle, and how many columns there are.
    limit
        Points, up to `MOST`.

    Examples
    --------
    >>> seen_with_contacts(9, 9, 4)[4].tolist()[:6]
    [12, 11, 10, 9, 8, 8]
    """
    high, contacts = min(side, isqrt(2 * limit) + 2), 4 * isqrt(limit) + 4
    seen = np.full((limit + 1, contacts + 1), FAR)
    seen[0, 0] = 0
    columns_seen(lock(np.array([high, high == side])), seen)
    v, b = np.arange(limit + 1)[:, None], np.arange(contacts + 1)
    through = v + 2 + (3 * columns + 1) // 2 - b
    seen = np.where(2 * v >= columns, np.minimum(seen, through), seen)
    if high < side:
        seen = np.where(v > high, np.minimum(seen, v + 2 * (high + 1) - b), seen)
    return lock(np.minimum.accumulate(seen, axis=1))


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
    """Exchanges and prices of sets of up to `most` vertices of `dags.stencil`.

    Parameters
    ----------
    most
        Vertices of the largest set.
    prices, parts
        Price of a point for a face, in such parts of a move.
    shape, steps, neighbourhood, periodic
        Of the stencil.

    Raises
    ------
    CertificateError
        If it has no borders or no stars, or the set is too large.
    """
    sides, points = _bordered(shape, neighbourhood, periodic)
    (price,), widest = prices, _widest(sides, most)
    wider = _fits(most, widest, points, parts, price)
    costs = np.full(most + 1, wider)  # what a wider layer costs
    _kernels.pairs_of_layers(exchanged_and_paid(sides, widest, price, parts), costs)
    waived = 2 * parts * points + price * _on_faces(sides) * steps
    return Priced(points * steps, waived, costs)


def stencil_layers(
    most: int,
    prices: tuple[int],
    layers: tuple[int, ...],
    parts: int,
    *,
    shape: tuple[int, ...],
    steps: int,
    neighbourhood: str = "star",
    periodic: bool = False,
) -> Priced:
    """The same where each point of a layer has a price besides.

    Parameters
    ----------
    most, prices, parts
        As for `stencil_contacts`.
    layers
        (steps,) price of a point of each layer besides, of any sign.
    shape, steps, neighbourhood, periodic
        Of the stencil.

    Raises
    ------
    CertificateError
        As for `stencil_contacts`; or if layers have no price each.
    """
    sides, points = _bordered(shape, neighbourhood, periodic)
    if len(layers) != steps:
        raise CertificateError("layers", f"have no prices for {steps} steps")
    (price,), lowest = prices, min(*layers, 0)
    widest = min(WIDER * _widest(sides, most) - lowest * most // (2 * parts), points, most)
    wider = _fits(most, widest, points, parts, price)
    if steps * most * widest**2 > MOST_SUMS or most > LONGEST:
        raise CertificateError("sizes", f"of {most} in {steps} layers take too long")
    costs = wider + lowest * np.arange(most + 1)
    table = lock(exchanged_and_paid(sides, widest, price, parts).T.copy())
    layers_with_prices(table, lock(np.array(layers, np.int64)), costs)
    waived = 2 * parts * points + price * _on_faces(sides) * steps + points * sum(layers)
    return Priced(points * steps, waived, costs)


def _bordered(
    shape: tuple[int, ...], neighbourhood: str, periodic: bool
) -> tuple[tuple[int, ...], int]:
    """The sides of a layer that are longer than 1, and its points."""
    sides = tuple(side for side in shape if side > 1)
    if periodic or neighbourhood != "star" or not sides:
        raise CertificateError("params", "are of no star with borders")
    return sides, prod(sides)


def _widest(sides: tuple[int, ...], limit: int) -> int:
    """The most points of a layer that are looked at, for sets of up to `limit` vertices."""
    enough: int = 16 + round(3 * limit ** (len(sides) / (len(sides) + 1)))
    return min(prod(sides), limit, enough)


def _fits(limit: int, widest: int, points: int, parts: int, price: int) -> int:
    """The exchange of a layer of more than `widest` points, if the tables are not too large.

    Parameters
    ----------
    most, widest, points
        Vertices of the largest set, points of the widest layer of a table, and of each layer.
    parts, price
        Parts of a move, and the price of a point for a face.
    """
    if limit * widest > MOST_ENTRIES or 2 * (widest + 1) * (parts + price) > LARGEST:
        raise CertificateError("sizes", f"of {limit} take too large a table")
    return 2 * parts * (widest + 1) if widest < min(points, limit) else LARGEST


def _on_faces(sides: tuple[int, ...]) -> int:
    """How many times points of a layer are on faces."""
    return sum(2 * prod(sides) // side for side in sides)


@lru_cache(maxsize=4)
def exchanged_and_paid(sides: tuple[int, ...], widest: int, price: int, parts: int) -> Int64Array:
    """(v+1, u+1) exchanges and prices of u points of a layer and v of the next, int32.

    Parameters
    ----------
    sides
        Of a layer.
    widest
        The most points of either.
    price, parts
        Price of a point for a face, in such parts of a move.
    """
    d, sizes = len(sides), np.arange(widest + 1)
    side = min(sides) if d == 2 else 0
    table = np.full((widest + 1, widest + 1), LARGEST)
    at_most = [least_seen(sides, widest, b) for b in range(_most_faces(sides, widest) + 1)]
    for b, read in enumerate(at_most):
        seen = at_most[b - (0 < b < side)]
        kept = np.searchsorted(seen, sizes, side="right") - 1
        missing = np.maximum(read[:, None] - sizes, 0) + np.maximum(sizes - kept[:, None], 0)
        cost = parts * missing + price * b
        able = b <= 2 * d * sizes[:, None]
        table = np.minimum(table, np.where(able, cost, LARGEST))
    table_of: Int64Array = lock(table.astype(np.int32))
    return table_of


def least_seen(sides: tuple[int, ...], widest: int, faces: int) -> Int64Array:
    """(widest+1,) points seen by so many of a layer that are so often on faces at most.

    Parameters
    ----------
    sides
        Of a layer.
    widest
        Points.
    faces
        How often.
    """
    endless = Points(sides, False, "endless")(widest)
    seen = np.maximum(endless - faces, Points(sides, False, "open")(widest))
    if len(sides) == 2:  # layers are about so wide that matter
        plane = seen_with_contacts(min(sides), max(sides), min(widest, widest // 2 + 8, MOST))
        if faces < plane.shape[1]:
            seen[: len(plane)] = np.maximum(seen[: len(plane)], plane[:, faces])
    seen[0] = 0
    return np.maximum.accumulate(seen)


def _most_faces(sides: tuple[int, ...], widest: int) -> int:
    """How many faces, one by one, so many points of a layer are on at most that matters."""
    return min(2 * len(sides) * widest, _on_faces(sides))
