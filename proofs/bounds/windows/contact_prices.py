"""Prices of points at the borders of grids and stencils, and windows, that prove most."""

import time
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from proofs.certificates import CertificateError
from proofs.certificates.windows.contacts import PRICED, Priced
from proofs.certificates.windows.rolling import moves_beyond, windows_of

PARTS = 12  # of a move
FIRST = {"grid": (6, 12), "stencil": (18,)}  # prices that are tried first
STEPS = 3, 1  # by which they change
HIGHEST = 2 * PARTS
SHORTEST, LONGER = 24, 1.7  # vertices of the longest window that is tried first, and then
LONGEST = 2000
MARGIN = 1.2  # by which windows could be longer than the best one
HARDER = 6  # times as long as the last table the next one takes
ENOUGH = 4  # windows that exchange so many times what is saved at a cut are longer than the best


class Found(NamedTuple):
    """Prices and windows.

    Attributes
    ----------
    moves
        Beyond the compulsory ones that they prove.
    length
        Vertices of most windows.
    prices
        Of points at borders.
    windows
        As a certificate has them.
    dearest
        What the largest set that was looked at exchanges and pays at least, in parts.
    """

    moves: int
    length: int
    prices: tuple[int, ...]
    windows: dict[str, Any]
    dearest: int


def best_contact_prices(
    family: str, params: Mapping[str, Any], saved: int, floor: int, end: float
) -> tuple[int, dict[str, Any]] | None:
    """Return the moves beyond the compulsory ones that are proved, and how, if above `floor`.

    Parameters
    ----------
    family, params
        A generator and its arguments.
    saved
        Moves that are saved at each cut at most.
    floor
        Moves that are proved otherwise.
    end
        When to be done, on the clock `time.monotonic`; it may take a second more.
    """
    if family not in PRICED:
        return None
    try:
        best = _descended(family, params, saved, end)
    except CertificateError:  # periodic, or no stars
        return None
    if best.moves <= floor:
        return None
    plain = {k: list(v) if isinstance(v, tuple) else v for k, v in params.items()}
    data = {"family": family, "params": plain, "prices": list(best.prices)}
    return best.moves, {**data, "denominator": PARTS, "windows": best.windows}


def _descended(family: str, params: Mapping[str, Any], saved: int, end: float) -> Found:
    """Return prices that no change by a step makes better, and windows for them.

    Parameters
    ----------
    family, params, saved, end
        As for `best_contact_prices`.
    """
    best, reach = _long_enough(family, params, saved, end)
    tried = {best.prices}
    for step in STEPS if best.moves else ():
        better = True
        while better:
            better = False
            for prices in _around(best.prices, step):
                if prices in tried or time.monotonic() > end:
                    continue
                tried.add(prices)
                other = _with_prices(family, params, prices, reach, saved)
                if other.moves > best.moves:
                    best, better = other, True
    return best


def _long_enough(
    family: str, params: Mapping[str, Any], saved: int, end: float
) -> tuple[Found, int]:
    """Return the best windows at the first prices, and up to which length they were looked for.

    Parameters
    ----------
    family, params, saved, end
        As for `best_contact_prices`.
    """
    reach, vertices = SHORTEST, _vertices(family, params)
    best = _with_prices(family, params, FIRST[family], reach, saved)
    while reach < min(LONGEST, vertices):
        begun = time.monotonic()
        if best.dearest > ENOUGH * saved * PARTS or (best.moves and best.length * MARGIN < reach):
            break
        try:
            longer = int(reach * LONGER)
            best = _with_prices(family, params, FIRST[family], longer, saved)
            reach = longer
        except CertificateError:  # the tables are too large
            break
        now = time.monotonic()
        if now + HARDER * (now - begun) > end:
            break
    return best, reach


def _vertices(family: str, params: Mapping[str, Any]) -> int:
    """Return how many vertices a member of the family computes."""
    count, of = PRICED[family]
    return of(2, (0,) * count, PARTS, **params).vertices


def _around(prices: tuple[int, ...], step: int) -> list[tuple[int, ...]]:
    """Return prices of which one is a step higher or lower."""
    return [
        (*prices[:place], other, *prices[place + 1 :])
        for place, price in enumerate(prices)
        for other in (price - step, price + step)
        if 0 <= other <= HIGHEST
    ]


def _with_prices(
    family: str, params: Mapping[str, Any], prices: tuple[int, ...], reach: int, saved: int
) -> Found:
    """Return the best windows at these prices.

    Parameters
    ----------
    family, params
        A generator and its arguments.
    prices
        Of points at borders.
    reach
        The most vertices of a window.
    saved
        Moves that are saved at each cut at most.
    """
    _, exchanged_and_paid = PRICED[family]
    size = min(reach, exchanged_and_paid(2, prices, PARTS, **params).vertices)
    priced = exchanged_and_paid(size, prices, PARTS, **params)
    found = (_rolling(priced, saved), _cut(priced, saved))
    moves = [_moves(priced, saved, windows) for windows in found]
    best = int(np.argmax(moves))
    length = found[best].get("length") or found[best]["sizes"][0]
    return Found(moves[best], int(length), prices, found[best], int(priced.least[-1]))


def _moves(priced: Priced, saved: int, windows: dict[str, Any]) -> int:
    """Return the moves beyond the compulsory ones that windows prove.

    Parameters
    ----------
    priced
        What sets exchange and pay.
    saved
        Moves that are saved at each cut at most.
    windows
        As a certificate has them.
    """
    least, cut = priced.least.tolist(), windows_of(windows, priced.vertices)
    return moves_beyond(cut, least.__getitem__, priced.vertices, saved, priced.waived, PARTS)


def _rolling(priced: Priced, saved: int) -> dict[str, Any]:
    """Return the best windows that begin anywhere."""
    length = np.arange(2, priced.least.size)
    below = np.cumsum(priced.least)[1:-1]
    total = (priced.vertices - length + 1) * priced.least[2:] + 2 * below
    total -= PARTS * saved * (priced.vertices - 1) + length * priced.waived
    return {"length": int(length[(total / (length - 1)).argmax()])}


def _cut(priced: Priced, saved: int) -> dict[str, Any]:
    """Return the best windows that follow each other: all but one of the same size."""
    size = np.arange(1, priced.least.size)
    times, rest = np.divmod(priced.vertices, size)
    total = times * priced.least[1:] + priced.least[rest]
    total -= PARTS * saved * (times + (rest > 0) - 1)
    best = int(total.argmax())
    sizes, often = [int(size[best])], [int(times[best])]
    if rest[best]:
        sizes, often = [*sizes, int(rest[best])], [*often, 1]
    return {"sizes": sizes, "times": often}
