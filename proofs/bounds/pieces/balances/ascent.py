"""Ascent to balances that prove much: by how often orders that cost little leave each state."""

from typing import Any

import numpy as np
import numpy.typing as npt

from dags.arrays import Int64Array, lock
from dags.work import charge
from pebble import Budget
from proofs.bounds.pieces.balances import _kernels
from proofs.certificates.pieces.balances import Laid, new_desk
from proofs.certificates.pieces.balances import _kernels as checked

FloatArray = npt.NDArray[np.float64]
# An order that costs so many words more counts 1 / e as much in the end.
NARROW = 0.004
# A balance moves by so much of that at most, and keeps so much of the way it went.
PACE, MOMENTUM = 1.0, 0.8
REFRESH = 6  # steps after which ideals that hardly any order visits are looked at again
RARE = 1e-6  # visits of such


def even_balances(found: Laid, parts: int) -> tuple[FloatArray, FloatArray]:
    """(entries,) balances to begin with, away and stored.

    They are the rest of a load and a store where these are paid in equal parts, at all times at
    which the value may be alive with so many readers done: the steps that are done are the time.

    Parameters
    ----------
    found
        The ideals.
    parts
        Parts of a word.
    """
    game, values = found.lattice.game, found.value_of_entry
    sets = np.repeat(found.done, np.bitwise_count(found.alive))
    times = np.bitwise_count(sets).astype(np.int64)
    counts = np.bitwise_count(game.readers).astype(np.int64)
    rows = (np.cumsum(counts) - counts)[values]
    rows += np.bitwise_count(game.readers[values] & sets)
    words = parts * game.sizes[values]
    stored = np.where(found.lattice.costly[values], words * (1 - _paid(times, values)), 0.0)
    return stored - words * _paid(times, rows), stored


def _paid(times: Int64Array, rows: Int64Array) -> FloatArray:
    """(entries,) shares of the times of an entry's row that are before it."""
    if not times.size:
        return np.zeros(0)
    able = np.zeros((int(times.max()) + 1, int(rows.max()) + 1))
    able[times, rows] = 1
    before = np.cumsum(able, axis=0) - able
    paid: FloatArray = before[times, rows] / able.sum(axis=0)[rows]
    return paid


class Ascent:
    """Balances that have proved most so far, and the search for better ones.

    Parameters
    ----------
    found
        The ideals.
    parts
        Parts of a word.
    accounts, count
        (entries,) accounts, and how many.
    away, stored
        (accounts,) balances to begin with, in parts.
    """

    def __init__(
        self,
        found: Laid,
        parts: int,
        accounts: tuple[Any, int],
        away: FloatArray,
        stored: FloatArray,
    ) -> None:
        self._parts = parts
        self._most = parts * int(found.lattice.game.sizes.sum())  # that is checked
        self._board, self._ways = found.board(parts), found.ways(accounts[0])
        costly = np.zeros(accounts[1], np.bool_)
        costly[accounts[0]] = found.lattice.costly[found.value_of_entry]
        self._costly = costly
        self._at = away.astype(np.float64), np.where(costly, stored, 0.0)
        self._way = np.zeros((2, accounts[1]))
        edges, ideals = self._ways.steps.size, self._ways.alive.size
        self._gains, self._kept = np.empty(edges, np.int64), np.empty(edges, np.uint64)
        self._chances = np.empty(edges)
        self._to_come = np.empty(ideals, np.int64)
        self._soft, self._visits = np.empty(ideals), np.ones(ideals)
        self._desk = new_desk()
        self.best = self._tables()
        self.least = self._weigh(*self.best)

    def climb(self, wide: float, steps: int, budget: Budget) -> None:
        """Take steps; the best that they prove is kept.

        Parameters
        ----------
        wide
            Words more that make an order count 1 / e as much, at first.
        steps
            Steps, at most.
        budget
            Of the steps.
        """
        step, size = 0, self._gains.size + self._to_come.size
        while not budget.over and step < steps:
            passed = max(budget.spent, step / steps)
            self._move(wide * (NARROW / wide) ** passed * self._parts)
            tables = self._tables()
            charge("ideal", size)
            step += 1
            lowest = self._weigh(*tables, is_complete=step % REFRESH == 0)
            if step % REFRESH == 0 and lowest > self.least:
                self.best, self.least = tables, lowest

    def _tables(self) -> tuple[Int64Array, Int64Array]:
        """Whole balances, away and stored."""
        absence, stored = (
            lock(np.rint(np.clip(balances, -self._most, self._most)).astype(np.int64))
            for balances in self._at
        )
        return absence, stored

    def _weigh(self, absence: Int64Array, stored: Int64Array, *, is_complete: bool = True) -> int:
        """The least cost of all orders; `is_complete`: of all ideals, visited or not."""
        active = np.ones(self._visits.size, np.bool_) if is_complete else self._visits > RARE
        tables = self._board, self._ways, absence, stored
        checked.weigh_ways(*tables, self._desk, active, self._gains, self._kept)
        checked.least_ways(self._ways, self._gains, self._to_come)
        self._now = absence, stored
        return int(self._to_come[0])

    def _move(self, spread: float) -> None:
        """Move balances: up where states are left more often than they are entered."""
        drawn = self._chances, self._visits
        _kernels.draw_ways(self._ways, self._gains, spread, self._soft, *drawn)
        mass, *rise = np.zeros((3, self._costly.size))
        tables = self._board, self._ways, *self._now
        _kernels.blame_balances(*tables, self._desk, self._kept, *drawn, mass, *rise)
        rise[1] *= self._costly
        self._way = MOMENTUM * self._way + np.array(rise) / np.maximum(mass, _kernels.SELDOM)
        self._at = tuple(np.array(self._at) + PACE * (1 - MOMENTUM) * spread * self._way)
