"""Ascent to charges that prove much: those rise that count in orders that cost little."""

import time
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dags.arrays import Int64Array, lock
from proofs.bounds.pieces.packing.pieces import Proof
from proofs.certificates.pieces.balances import Laid
from proofs.certificates.pieces.ideals import Lattice, _kernels, new_desk

# Weights of times grow by so much for each charge that counts; a step that proves less is taken
# back, and the next one is shorter, one that proves more makes the next ones longer.
FIRST, SHORTER, LONGER = 1.0, 0.6, 1.1
# Steps shorter than this end the search at one spread.
SHORTEST = 0.02


FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True)
class _Point:
    """Logarithms of the weights of times: (times, rows) for loads, (times, values) for stores."""

    loads: FloatArray
    stores: FloatArray


class ChargeAscent:
    """The charges that have proved most so far, and the search for better ones.

    Parameters
    ----------
    lattice
        All ideals.
    parts
        Parts of a word.
    """

    def __init__(self, lattice: Lattice, parts: int) -> None:
        self.lattice, self.parts = lattice, parts
        self._counts = np.diff(lattice.first)
        self._budgets = parts * lattice.game.sizes
        able = self._able()
        stored = np.logical_or.reduceat(able, lattice.first[:-1], axis=1) & lattice.costly
        self._best = _Point(np.where(able, 0.0, -np.inf), np.where(stored, 0.0, -np.inf))
        self._least, self._gains = self._proved(self._best)

    def _able(self) -> npt.NDArray[np.bool_]:
        """Return (times, rows) when a value may be alive with so many readers done."""
        lattice = self.lattice
        able = np.zeros((len(lattice.layers), int(lattice.first[-1])), np.bool_)
        for row, layer in zip(able, lattice.layers, strict=True):
            _kernels.mark_alive(lattice.board, layer.done, row)
        return able

    def climb(self, spread: float, end: float) -> None:
        """Take steps while they prove more; `spread` is in parts of a word.

        Where some order takes nothing, no value that has any charge is away in it: then no charges
        prove anything.
        """
        if not self._least:
            return
        pace = FIRST
        blame = self._blame(spread)
        while pace > SHORTEST and time.monotonic() < end:
            point = self._moved(blame, pace)
            least, gains = self._proved(point)
            if least <= self._least:
                pace *= SHORTER
                continue
            self._best, self._least, self._gains = point, least, gains
            blame, pace = self._blame(spread), pace * LONGER

    def _moved(self, blame: FloatArray, pace: float) -> _Point:
        """Return weights that have grown where charges count."""
        stores = np.add.reduceat(blame, self.lattice.first[:-1], axis=1)
        return _Point(self._best.loads + pace * blame, self._best.stores + pace * stores)

    def _proved(self, point: _Point) -> tuple[int, list[Int64Array]]:
        """Return the parts of words that all orders take at least, and what each step takes."""
        gains = self.lattice.gains(self._charges(point))
        return self.lattice.least(gains), gains

    def _tables(self, point: _Point) -> tuple[Int64Array, Int64Array]:
        """Return (times, rows) and (times, values) charges."""
        loads = _shared(point.loads, np.repeat(self._budgets, self._counts))
        return loads, _shared(point.stores, self._budgets)

    def _charges(self, point: _Point) -> Int64Array:
        """Return (times, rows) charges for loads and stores together."""
        loads, stores = self._tables(point)
        return loads + np.repeat(stores, self._counts, axis=1)

    def _blame(self, spread: float) -> FloatArray:
        """Return (times, rows) how often charges count in orders drawn by what they cost."""
        lattice = self.lattice
        charges, desk = self._charges(self._best), new_desk()
        blame = np.zeros(charges.shape)
        turns = zip(lattice.layers, charges, self._drawn(spread), blame, strict=True)
        for layer, row, share, found in turns:
            rows = layer.done, layer.starts, layer.steps, lock(row.copy())
            _kernels.blame_rows(lattice.board, *rows, desk, share, found)
        return blame

    def _drawn(self, spread: float) -> list[FloatArray]:
        """Return for each layer (e,) how often each step is taken."""
        layers = self.lattice.layers
        to_come, chances = np.zeros(1), list[FloatArray]()
        for layer, gains in zip(reversed(layers), reversed(self._gains), strict=True):
            starts = layer.starts[:-1]
            odds = to_come[layer.after] - gains / spread
            most = np.maximum.reduceat(odds, starts)
            each = np.exp(odds - np.repeat(most, np.diff(layer.starts)))
            total = np.add.reduceat(each, starts)
            chances.append(each / np.repeat(total, np.diff(layer.starts)))
            to_come = most + np.log(total)
        drawn = list[FloatArray]()
        here: FloatArray = np.ones(1)
        for layer, chance in zip(layers, reversed(chances), strict=True):
            drawn.append(np.repeat(here, np.diff(layer.starts)) * chance)
            here = np.bincount(layer.after, drawn[-1]).astype(np.float64)
        return drawn

    @property
    def least(self) -> int:
        """Parts of words that all orders are charged at least."""
        return self._least

    def balances(self, found: Laid, parts: int) -> tuple[FloatArray, FloatArray]:
        """Return (entries,) what is left of prices once charges are paid: away, and stored."""
        tables = self._tables(self._best)
        loads, stores = (np.cumsum(table, axis=0) * (parts / self.parts) for table in tables)
        values, sets = found.value_of_entry, np.repeat(found.done, np.bitwise_count(found.alive))
        read = np.bitwise_count(found.lattice.game.readers[values] & sets).astype(np.int64)
        times = np.bitwise_count(sets).astype(np.int64) - 1
        costly = found.lattice.costly[values]
        stored = np.where(
            costly, parts * found.lattice.game.sizes[values] - stores[times, values], 0
        )
        return stored - loads[times, found.lattice.first[values] + read], stored

    def proof(self) -> Proof:
        """Return the excess that is proved, with its proof."""
        loads, stores = self._tables(self._best)
        data = {"parts": self.parts, "loads": loads.T.ravel(), "stores": stores.T.ravel()}
        return -(-self._least // self.parts), "ideals", data


def _shared(weights: FloatArray, budgets: Int64Array) -> Int64Array:
    """Return (times, rows) shares of what each row has, by logarithms of weights; rounded down."""
    most = weights.max(axis=0, initial=-np.inf)
    each = np.exp(weights - np.where(np.isfinite(most), most, 0.0))
    total = each.sum(axis=0)
    # Rounding up in floating point must not give a row more than it has.
    share = each / np.where(total > 0, total, 1.0) * (1 - 1e-12)
    return np.floor(share * budgets).astype(np.int64)
