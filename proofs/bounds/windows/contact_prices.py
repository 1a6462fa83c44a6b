"""Prices of points at the borders of grids and stencils, and windows, that prove most."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from dags.work import charge
from pebble import Budget
from proofs.bounds.windows.prices import anywhere
from proofs.certificates import CertificateError
from proofs.core.windows import Cuts, moves_of
from proofs.lemmas.prices import LAYERED, PRICED, Priced

PARTS = 24  # of a move
FIRST = {"grid": (12, 24), "stencil": (36,)}  # prices that are tried first
SIMPLICES = 24, 12, 4  # by how much they differ at first, in parts, and once more each
CLOSE = 0.5  # parts of a price, and moves, by which prices differ at last
HIGHEST = 2 * PARTS
SHORTEST, LONGER = 24, 1.7  # vertices of the longest window that is tried first, and then
LONGEST = 2000
HOPELESS = 0.15  # moves less than none for each vertex: no change of prices is worth that
MARGIN = 1.2  # by which windows could be longer than the best one
HARDER = 6  # times as long as the last table the next one takes
OUTER = 4  # layers at either end have prices of their own, those between have one
LONGER_YET = 1.3  # windows where layers have prices
ENOUGH = 4  # windows that exchange so many times what is saved at a cut are longer than the best


class ContactPrices(NamedTuple):
    """Prices and windows.

    Attributes
    ----------
    moves
        Beyond the compulsory ones that they prove.
    worth
        The same as a fraction, below 0 where they prove nothing.
    length
        Vertices of most windows.
    prices
        Of points at borders.
    windows
        As a certificate has them.
    dearest
        The least that the largest set looked at exchanges and pays, in parts.
    layers
        Prices of a point of each layer; None if they have none.
    """

    moves: int
    worth: float
    length: int
    prices: tuple[int, ...]
    windows: dict[str, Any]
    dearest: int
    layers: tuple[int, ...] | None = None


def best_contact_prices(
    family: str, params: Mapping[str, Any], saved: int, floor: int, budget: Budget
) -> tuple[int, dict[str, Any]] | None:
    """The moves beyond the compulsory ones that are proved, and how, if above `floor`.

    Parameters
    ----------
    family, params
        A generator and its arguments.
    saved
        Moves that are saved at each cut at most.
    floor
        Moves that are proved otherwise.
    budget
        Of the search, which may take a second more.
    """
    if family not in PRICED:
        return None
    try:
        best, reach = _long_enough(family, params, saved, budget)
        if _hopeful(family, params, best):
            proven = partial(_with_prices, family, params, reach=reach, saved=saved)
            soon = budget.share(1 / 2) if family in LAYERED else budget
            best = _climbed(best, best.prices, len(best.prices), proven, soon)
            best = _with_layers(family, params, saved, budget, best)
        best = best._replace(moves=_checked(family, params, saved, best))
    except CertificateError:  # periodic, or no stars
        return None
    if best.moves <= floor:
        return None
    plain = {k: list(v) if isinstance(v, tuple) else v for k, v in params.items()}
    data = {"family": family, "params": plain, "prices": list(best.prices)}
    if best.layers is not None:
        data["layers"] = list(best.layers)
    return best.moves, {**data, "denominator": PARTS, "windows": best.windows}


def _with_layers(
    family: str, params: Mapping[str, Any], saved: int, budget: Budget, plain: ContactPrices
) -> ContactPrices:
    """The same with prices of layers, if they prove more.

    Parameters
    ----------
    family, params, saved, budget
        As for `best_contact_prices`.
    plain
        Prices of points at borders, and windows.
    """
    if family not in LAYERED:
        return plain
    steps, count = params["steps"], len(plain.prices)
    reach = round(LONGER_YET * plain.length) + 1

    def proven(prices: tuple[int, ...]) -> ContactPrices:
        layers = _of_layers(prices[count:], steps)
        return _with_prices(family, params, prices[:count], reach, saved, layers)

    known = plain.prices + (0,) * min(OUTER, (steps + 1) // 2)
    return _climbed(plain, known, count, proven, budget)


def _climbed(
    best: ContactPrices,
    known: tuple[int, ...],
    count: int,
    proven: Callable[[tuple[int, ...]], ContactPrices],
    budget: Budget,
) -> ContactPrices:
    """The bound by prices of the method of Nelder and Mead, or the known one.

    The bound by prices is nearly concave in all of them together, with ridges along which no change
    of a single one proves more.

    Parameters
    ----------
    best, known
        The best bound so far, and its prices.
    count
        How many prices there are that are not below 0, the first ones.
    proven
        The bound by prices.
    budget
        Of the search.
    """
    from scipy.optimize import minimize  # not before it is needed: it takes long to import

    lowest, tried = np.repeat([0, -HIGHEST], [count, len(known) - count]), {known: best}

    def lost(point: np.ndarray) -> float:
        prices = tuple(np.clip(np.rint(point), lowest, HIGHEST).astype(int).tolist())
        if prices not in tried:
            if budget.over:
                raise StopIteration
            try:
                tried[prices] = proven(prices)
            except CertificateError:  # the tables are too large
                return np.inf
        return -tried[prices].worth

    with suppress(StopIteration):
        for size in SIMPLICES:
            start = max(tried, key=lambda prices: tried[prices].worth)
            inwards = np.where(np.array(start) + size <= HIGHEST, size, -size)
            neighbours = (start + np.diag(inwards))[::-1]  # those of layers first: they matter most
            simplex = np.vstack([start, neighbours])
            options = {"initial_simplex": simplex, "xatol": CLOSE, "fatol": CLOSE}
            minimize(lost, start, method="Nelder-Mead", options=options)
    return max(tried.values(), key=lambda priced: priced.worth)


def _hopeful(family: str, params: Mapping[str, Any], best: ContactPrices) -> bool:
    """Whether other prices may prove something."""
    return best.worth > -HOPELESS * _vertices(family, params)


def _of_layers(outer: tuple[int, ...], steps: int) -> tuple[int, ...]:
    """(steps,) prices of layers, by those from either end on."""
    last = len(outer) - 1
    return tuple(outer[min(t, steps - 1 - t, last)] for t in range(steps))


def _long_enough(
    family: str, params: Mapping[str, Any], saved: int, budget: Budget
) -> tuple[ContactPrices, int]:
    """The best windows at the first prices, and up to which length they were looked for.

    Parameters
    ----------
    family, params, saved, budget
        As for `best_contact_prices`.
    """
    reach, vertices = SHORTEST, _vertices(family, params)
    best = _with_prices(family, params, FIRST[family], reach, saved)
    while reach < min(LONGEST, vertices):
        begun = budget.used
        if best.dearest > ENOUGH * saved * PARTS or (best.moves and best.length * MARGIN < reach):
            break
        try:
            longer = int(reach * LONGER)
            best = _with_prices(family, params, FIRST[family], longer, saved)
            reach = longer
        except CertificateError:  # the tables are too large
            break
        if HARDER * (budget.used - begun) > budget.left:
            break
    return best, reach


def _vertices(family: str, params: Mapping[str, Any]) -> int:
    """How many vertices a member of the family computes."""
    count, of = PRICED[family]
    return of(2, (0,) * count, PARTS, **params).vertices


def _with_prices(
    family: str,
    params: Mapping[str, Any],
    prices: tuple[int, ...],
    reach: int,
    saved: int,
    layers: tuple[int, ...] | None = None,
) -> ContactPrices:
    """The best windows at these prices.

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
    layers
        Of layers, if they have any.
    """
    size = min(reach, _vertices(family, params))
    charge("exchange", size)
    priced = _priced(family, params, prices, size, layers)
    rolling, cuts = anywhere(priced, PARTS, saved)
    ways = (rolling, {"length": cuts.length}), _cut(priced, saved)
    worth, windows = max(ways, key=itemgetter(0))
    length = windows.get("length") or windows["sizes"][0]
    moves, dearest = _moves(priced, saved, windows), int(priced.least[-1])
    return ContactPrices(moves, worth, int(length), prices, windows, dearest, layers)


def _priced(
    family: str,
    params: Mapping[str, Any],
    prices: tuple[int, ...],
    limit: int,
    layers: tuple[int, ...] | None,
) -> Priced:
    """The words that sets of up to `limit` vertices exchange and pay."""
    if layers is None:
        return PRICED[family][1](limit, prices, PARTS, **params)
    return LAYERED[family](limit, prices, layers, PARTS, **params)


def _checked(family: str, params: Mapping[str, Any], saved: int, prices: ContactPrices) -> int:
    """The moves that a certificate proves, whose tables end with the longest window.

    Exchanges of wide layers are known by fewer of their points there.

    Parameters
    ----------
    family, params, saved
        As for `best_contact_prices`.
    prices
        Prices and windows.
    """
    longest = Cuts(**prices.windows).longest
    priced = _priced(family, params, prices.prices, longest, prices.layers)
    return _moves(priced, saved, prices.windows)


def _moves(priced: Priced, saved: int, windows: dict[str, Any]) -> int:
    """The moves beyond the compulsory ones that windows prove.

    Parameters
    ----------
    priced
        Words that sets exchange and pay.
    saved
        Moves that are saved at each cut at most.
    windows
        As a certificate has them.
    """
    return max(0, moves_of(priced.count(PARTS), Cuts(**windows), saved))


def _cut(priced: Priced, saved: int) -> tuple[float, dict[str, Any]]:
    """The best windows that follow each other, all but one of the same size, as above."""
    size = np.arange(1, priced.least.size)
    times, remainder = np.divmod(priced.vertices, size)
    total = times * priced.least[1:] + priced.least[remainder]
    total -= PARTS * saved * (times + (remainder > 0) - 1)
    best = int(total.argmax())
    sizes, often = [int(size[best])], [int(times[best])]
    if remainder[best]:
        sizes, often = [*sizes, int(remainder[best])], [*often, 1]
    worth = (int(total[best]) - priced.waived) / PARTS
    return worth, {"sizes": sizes, "times": often}
