"""Prices of the layers of a grid, and sizes of windows, that prove most."""

import time
from math import prod
from typing import Any, NamedTuple

import numpy as np

from dags.arrays import Int64Array
from proofs.bounds.windows.layer_divisions import some_division_exchanges
from proofs.certificates import CertificateError
from proofs.core.windows import Cuts, moves_of
from proofs.lemmas.isoperimetry.box_layers import layer_sizes, least_read, most_kept
from proofs.lemmas.prices.layers import FAR, costs, layers_priced

DENOMINATOR = 1000
RATIO = 1.4  # between numbers of windows that are tried
ROUNDS = 60  # of the linear program
ROUGH, CLOSE = 0.05, 0.002  # share of the words that prices may miss, at first and at last
LONGEST, MARGIN = 256, 1.2  # windows that begin anywhere, and by what they may be longer
DEAREST = 4.0  # price of a vertex: it is read by no more than there are axes


class Priced(NamedTuple):
    """Prices and windows.

    Attributes
    ----------
    moves
        Loads and stores that they prove, but for the stores of outputs.
    data
        Of the certificate.
    """

    moves: int
    data: dict[str, Any]


def best_layer_prices(shape: tuple[int, ...], saved: int, floor: int, end: float) -> Priced | None:
    """Return the prices and windows that prove most, None where no more than `floor` is found.

    Parameters
    ----------
    shape
        Of the grid.
    saved
        Moves that are saved at each cut at most.
    floor
        Moves that are proved otherwise.
    end
        When to be done, on the clock `time.monotonic`; it may take a second more.
    """
    best: Priced | None = None
    known: Priced | None = None
    windows, worse, chosen = 1, 0, 0
    while worse < 2 and time.monotonic() < end:
        windows = max(windows + 1, int(windows * RATIO))
        if windows >= prod(shape):
            break
        prices = _Prices(shape, windows, saved)
        if some_division_exchanges(shape, prices.sets, floor + prices.saved):
            worse += best is not None
            continue
        try:
            known = prices.best(floor, end, known, ROUGH)
        except CertificateError:  # the tables are too large: those of more windows are smaller
            continue
        worse += best is not None
        if known.moves > floor:
            best, floor, worse, chosen = known, known.moves, 0, windows
    if best is None:
        return None
    return _rolling(shape, saved, _Prices(shape, chosen, saved).best(floor, end, best, CLOSE))


def _rolling(shape: tuple[int, ...], saved: int, best: Priced) -> Priced:
    """Return what windows that begin anywhere prove at the same prices, if that is more.

    Parameters
    ----------
    shape
        Of the grid.
    saved
        Moves that are saved at each cut at most.
    best
        Known prices and sizes.
    """
    prices, vertices = np.array(best.data["prices"]), prod(shape) - 1
    longest = min(round(MARGIN * max(best.data["sizes"])) + 1, vertices)
    if longest > LONGEST:
        return best
    count = layers_priced(shape, prices, DENOMINATOR, longest).count(DENOMINATOR)
    for length in range(2, longest + 1):
        moves = moves_of(count, Cuts(length=length), saved)
        if moves + 1 > best.moves:  # the input is loaded besides
            kept = {name: best.data[name] for name in ("shape", "prices", "denominator")}
            best = Priced(moves + 1, {**kept, "length": length})
    return best


class _Prices:
    """The linear program for a number of windows, all but of one size."""

    def __init__(self, shape: tuple[int, ...], windows: int, saved: int) -> None:
        self.shape, self.layers = shape, layer_sizes(shape)
        size, larger = divmod(int(self.layers[1:].sum()), windows)
        self.sets = {size: windows - larger} | ({size + 1: larger} if larger else {})
        self.saved = saved * (windows - 1)
        self.rows: list[Int64Array] = []
        self.needs: list[int] = []

    def best(self, floor: int, end: float, known: Priced | None, close: float) -> Priced:
        """Return the best prices found from known ones on, by sets that they are too high for.

        Parameters
        ----------
        floor
            Moves from which on they matter.
        end
            When to be done.
        known
            Of another number of windows, or worse.
        close
            Share of the words that they may miss.
        """
        best = self._proven(np.full(self.layers.size, DENOMINATOR // 4))
        if known is not None:
            start = self._proven(np.array(known.data["prices"]))
            best = max(best, start, key=lambda each: each.moves)
        for _ in range(ROUNDS):
            if time.monotonic() > end:
                break
            wanted, most = self._program()
            most -= self.saved
            if most < floor or most - best.moves <= close * max(best.moves, 1):
                break
            centre = np.array(best.data["prices"])
            found = self._proven((wanted + centre) // 2), self._proven(wanted)
            best = max(best, *found, key=lambda each: each.moves)
        return best

    def _program(self) -> tuple[Int64Array, float]:
        """Return prices that all sets so far allow, and the words that they would prove."""
        from scipy.optimize import linprog

        matrix = np.array(self.rows, np.float64)
        worth = self.layers[1:].astype(np.float64)
        found = linprog(-worth, A_ub=matrix, b_ub=self.needs, bounds=(0, DEAREST), method="highs")
        return np.append(0, (found.x * DENOMINATOR).astype(np.int64)), -float(found.fun)

    def _proven(self, prices: Int64Array) -> Priced:
        """Return what prices prove, and keep the sets that they are highest for."""
        total = int((prices * self.layers)[1:].sum())
        cost = costs(self.shape, max(self.sets), prices, DENOMINATOR)
        for size, often in self.sets.items():
            total += often * int(cost[-1, size].min())
            self._keep(cost, size)
        sizes = {"sizes": list(self.sets), "times": list(self.sets.values())}
        data = {"shape": list(self.shape), "prices": prices.tolist(), "denominator": DENOMINATOR}
        return Priced(-(-total // DENOMINATOR) - self.saved, {**data, **sizes})

    def _keep(self, cost: Int64Array, size: int) -> None:
        """Keep how many vertices a cheapest set has in each layer, and what it exchanges."""
        most = cost.shape[1] - 1
        read, kept = least_read(self.shape, most), most_kept(self.shape, most)
        layers, need = np.zeros(self.layers.size, np.int64), 0
        v, left = int(cost[-1, size].argmin()), size
        u = np.arange(cost.shape[2])
        for t in range(self.layers.size - 1, 0, -1):
            layers[t], left = v, left - v
            words = np.maximum(read[t, v] - u, 0) + np.maximum(u - kept[t, v], 0)
            v = int((np.minimum(cost[t - 1, left], FAR) + DENOMINATOR * words).argmin())
            need += int(words[v])
        self.rows.append(layers[1:])
        self.needs.append(need)
