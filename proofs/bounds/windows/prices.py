"""Prices of vertices by classes, and numbers of windows, that prove most: levels and layers.

Whatever the prices are, windows of given sizes prove a number that is the least of linear functions
of them, one for each division of the vertices into sets. So sets for which some prices are too high
are collected, and a linear program finds the prices that these allow (cutting planes). The number
of windows is changed as long as that proves more.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dags.arrays import Int64Array
from pebble import Budget
from proofs.core.records import CertificateError
from proofs.core.windows import LONGEST, Cuts
from proofs.lemmas.prices.prices import Priced

PARTS = 1000  # of a move
ROUNDS = 60  # of the linear program for one number of windows
NOTHING = -(2**62)  # moves, fewer than any prices prove
MARGIN = 1.2  # by which windows that begin anywhere may be longer
Members = Callable[[int], Int64Array]
Sets = dict[int, int]  # how many there are of each size


@dataclass(frozen=True)
class Classes:
    """Vertices in classes, those of each of which have a price.

    Parameters
    ----------
    counts
        (k,) vertices of each class.
    first
        (k,) prices to begin with, in parts.
    bounds
        The least and the highest price, in moves.
    ratio, patience, longing
        By which the number of windows is changed, how many numbers that prove no more are tried,
        and whether all are as long as nothing is proved.
    close
        Shares of the moves that prices may miss, at first and at last.
    longest
        The most vertices of windows that begin anywhere.
    table
        Words that sets of up to so many vertices exchange less prices, and a function of the size
        that tells how many vertices of each class a cheapest set has.
    hopeless
        Whether it is known that sets exchange no more than so many values, whatever their prices.
    """

    counts: Int64Array
    first: Int64Array
    bounds: tuple[float, float]
    ratio: float
    patience: int
    longing: bool
    close: tuple[float, float]
    longest: int
    table: Callable[[Int64Array, int], tuple[Priced, Members]]
    hopeless: Callable[[Sets, int], bool]


class ProvedPrices(NamedTuple):
    """Moves beyond the compulsory ones that are proved, prices in parts, and the windows."""

    moves: int
    prices: Int64Array
    cuts: Cuts


def best_prices(
    classes: Classes, number: int, saved: int, floor: int, budget: Budget
) -> ProvedPrices | None:
    """The prices and windows that prove most, None where no more than `floor` is found.

    Parameters
    ----------
    classes
        The vertices that have prices.
    number
        Of windows that are tried first.
    saved
        Moves that are saved at each cut at most.
    floor
        Moves that are proved otherwise.
    budget
        Of the search, which may take a second more.
    """
    best, rough = ProvedPrices(floor, classes.first, Cuts(length=2)), classes.close[0]
    for sign in (-1, 1):
        waited = 0
        for tried in _from(number + (sign > 0), classes, sign):
            if waited == classes.patience or budget.over:
                break
            prices = _PriceProgram(classes, tried, saved).best(best, rough, budget)
            waited = 0 if prices.moves > best.moves else waited
            waited += prices.moves <= best.moves and not (classes.longing and best.moves == floor)
            best = max(best, prices, key=lambda priced: priced.moves)
    if best.moves == floor:
        return None
    fine = _PriceProgram(classes, sum(best.cuts.times or ()), saved).best(
        best, classes.close[1], budget
    )
    return _anywhere(classes, max(best, fine, key=lambda priced: priced.moves), saved)


def _from(number: int, classes: Classes, sign: int) -> Iterator[int]:
    """Yield numbers of windows from one on, to fewer ones or to more."""
    vertices = int(classes.counts.sum())
    while 2 <= number <= vertices:
        yield number
        step = max(1, round(number * (classes.ratio - 1)))
        number += sign * step


def _anywhere(classes: Classes, best: ProvedPrices, saved: int) -> ProvedPrices:
    """The bound by windows that begin anywhere at the same prices, if that is more."""
    longest = min(round(MARGIN * best.cuts.longest) + 1, int(classes.counts.sum()))
    with suppress(CertificateError):  # the table is too large
        known, _ = classes.table(best.prices, min(longest, classes.longest))
        worth, cuts = anywhere(known, PARTS, saved)
        if (moves := int(np.ceil(worth))) > best.moves:
            return ProvedPrices(moves, best.prices, cuts)
    return best


def anywhere(known: Priced, parts: int, saved: int) -> tuple[float, Cuts]:
    """The best windows that begin anywhere, behind the moves that they prove.

    Parameters
    ----------
    known, parts
        Words that sets exchange and pay, in such parts of a move.
    saved
        Moves that are saved at each cut at most.
    """
    length = np.arange(2, min(known.least.size, LONGEST + 1))
    if not length.size:
        return -np.inf, Cuts(length=2)
    total = (known.vertices - length + 1) * known.least[length]
    total += 2 * np.cumsum(known.least)[length - 1]
    total -= parts * saved * (known.vertices - 1) + length * known.waived
    worth = total / (parts * (length - 1))
    best = int(worth.argmax())
    return float(worth[best]), Cuts(length=int(length[best]))


class _PriceProgram:
    """The linear program of prices for a number of windows, with the sets that were found."""

    def __init__(self, classes: Classes, number: int, saved: int) -> None:
        size, larger = divmod(int(classes.counts.sum()), number)
        self.classes, self.saved = classes, saved * (number - 1)
        self.sets = {size: number - larger} | ({size + 1: larger} if larger else {})
        self.cuts = Cuts(sizes=tuple(self.sets), times=tuple(self.sets.values()))
        self.rows: list[Int64Array] = []
        self.needs: list[int] = []
        self.fixed = 0  # parts that are waived at no prices

    def best(self, known: ProvedPrices, close: float, budget: Budget) -> ProvedPrices:
        """The best prices that are found.

        Parameters
        ----------
        known
            Prices to begin with, beside the first ones, and the bound otherwise.
        close
            Share of the moves that prices may miss.
        budget
            Of the search.
        """
        if self.classes.hopeless(self.sets, known.moves + self.saved):
            return ProvedPrices(NOTHING, known.prices, self.cuts)
        best = ProvedPrices(NOTHING, known.prices, self.cuts)
        wanted, tried = known.prices, [self.classes.first, known.prices]
        with suppress(CertificateError):  # the tables are too large
            for _ in range(ROUNDS):
                proofs = [self._proved(prices) for prices in tried]
                best = max(best, *proofs, key=lambda priced: priced.moves)
                before, (wanted, provable) = wanted, self._wanted()
                enough = max(best.moves, known.moves)
                if provable <= enough or provable - best.moves <= close * enough or budget.over:
                    break
                if np.array_equal(wanted, before):  # no set stands against these any more
                    break
                tried = [(wanted + best.prices) // 2, wanted]
        return best

    def _proved(self, prices: Int64Array) -> ProvedPrices:
        """Return the bound by prices, and keep the sets that they are highest for."""
        known, members = self.classes.table(prices, max(self.sets))
        total = -known.waived
        for size, often in self.sets.items():
            own_members, boundary = members(size), int(known.least[size])
            total += often * boundary
            self.rows.append(own_members)
            self.needs.append((boundary + int(own_members @ prices)) // PARTS)
        self.fixed = known.waived + int(self.classes.counts @ prices)
        return ProvedPrices(-(-total // PARTS) - self.saved, prices, self.cuts)

    def _wanted(self) -> tuple[Int64Array, float]:
        """The prices that all sets so far allow, and the moves that they would prove.

        No set is to cost less than nothing at these: as sizes differ by one at most, that all cost
        so much more is as good as that each vertex has so much of it as a price.
        """
        from scipy.optimize import linprog

        gain, matrix = self.classes.counts.astype(np.float64), np.array(self.rows, np.float64)
        limits = {"A_ub": matrix, "b_ub": self.needs, "bounds": self.classes.bounds}
        solution = linprog(-gain, method="highs", **limits)
        if solution.x is None:
            return self.classes.first, -np.inf
        prices = np.rint(solution.x * PARTS).astype(np.int64)
        return prices, -float(solution.fun) - self.fixed / PARTS - self.saved
