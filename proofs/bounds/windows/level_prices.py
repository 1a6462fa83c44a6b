"""Prices of the levels of a lattice of subsets, by which segments prove most."""

import time
from math import comb
from typing import Any, NamedTuple

import numpy as np

from dags import CDAG
from dags.arrays import Int64Array, lock
from pebble import Game, Rules
from proofs.core.windows import Cuts, moves_of
from proofs.lemmas.isoperimetry.linked_halves import exchanged
from proofs.lemmas.prices.levels import (
    LARGEST_SET,
    level_prices,
    levels_priced,
    priced_boundaries,
)

SECONDS = 10.0  # unless a limit is given
DENOMINATOR = 1000  # parts of a move
ROUNDS = 60  # of the linear program for one number of segments
WIDEST = 20.0  # price in moves
FIRST = 2.5  # subsets of a segment, for each word of memory, to begin with
STEP = 0.04  # of the segments are more, or fewer, in the next try
MARGIN = 1.2  # by which windows that begin anywhere may be longer
PATIENCE = 6  # numbers of segments that prove no more, before that is given up


class Priced(NamedTuple):
    """Moves that are proved beyond the compulsory ones, and the proof.

    Attributes
    ----------
    moves
        Beyond the compulsory ones.
    data
        Of the certificate.
    """

    moves: int
    data: dict[str, Any]


def best_prices(dag: CDAG, memory: int, rules: Rules, time_limit: float | None) -> Priced:
    """Return the most that segments are found to prove of a hypercube.

    The number of segments is changed as long as that proves more; for each one, prices are found
    by a linear program with the sets for which they are too high.

    Parameters
    ----------
    dag
        One of `dags.hypercube`.
    memory, rules
        The game.
    time_limit
        Seconds; a few unless given.
    """
    end = time.monotonic() + (SECONDS if time_limit is None else time_limit)
    d, vertices = dag.params["d"], dag.n - 1
    saved = 2 * Game.of(dag, memory, rules).red
    fewest = max(2, -(-vertices // LARGEST_SET))
    start = max(fewest, round(vertices / (FIRST * memory)))
    best = priced(d, start, saved, 0, end)
    for sign in (-1, 1):
        count, waited = start, 0
        while waited < PATIENCE and time.monotonic() < end:
            count += sign * max(round(STEP * count), 1)
            if not fewest <= count <= vertices:
                break
            found = priced(d, count, saved, best.moves, end)
            waited = 0 if found.moves > best.moves else waited + 1
            best = max(best, found, key=lambda each: each.moves)
    return _rolling(d, saved, best) if best.moves else best


def _rolling(d: int, saved: int, best: Priced) -> Priced:
    """Return what windows that begin anywhere prove at the same prices, if that is more.

    Parameters
    ----------
    d
        Of the hypercube.
    saved
        Moves that each cut saves at most.
    best
        Known prices and sizes.
    """
    prices = np.array(best.data["prices"], np.int64)
    longest = min(LARGEST_SET, 2**d - 1, round(MARGIN * max(best.data["sizes"])) + 1)
    count = levels_priced(d, prices, DENOMINATOR, longest).count(DENOMINATOR)
    for length in range(2, longest + 1):
        moves = moves_of(count, Cuts(length=length), saved)
        if moves > best.moves:
            data = {"d": d, "prices": prices.tolist(), "denominator": DENOMINATOR}
            best = Priced(moves, {**data, "length": length})
    return best


def priced(d: int, count: int, saved: int, known: int, end: float) -> Priced:
    """Return the most that so many segments of nearly equal sizes are found to prove.

    Parameters
    ----------
    d
        Of the hypercube.
    count
        Segments.
    saved
        Moves that each cut saves at most.
    known
        What is proved otherwise: the search ends where no more than that can come.
    end
        When to be done, on the clock `time.monotonic`.
    """
    sets = _nearly_equal(2**d - 1, count)
    program = _Program(d, sets)
    best = Priced(0, {})
    prices = np.zeros(d, np.int64)
    for _ in range(ROUNDS):
        least = program.separated(prices)
        parts = level_prices(d, prices) + sum(sets[size] * least[size] for size in sets)
        moves = -(-parts // DENOMINATOR) - saved * (count - 1)
        if moves > best.moves:
            best = Priced(moves, _data(d, prices, sets))
        prices, above = program.next_prices()
        if above - saved * (count - 1) < max(best.moves, known) + 1 or time.monotonic() > end:
            break
    return best


class _Program:
    """The linear program of prices, with the sets that were found for others so far."""

    def __init__(self, d: int, sets: dict[int, int]) -> None:
        self.d, self.sets = d, sets
        self.counts = np.array([comb(d, j) for j in range(1, d + 1)], np.int64)
        self.rows: list[Int64Array] = []
        self.limits: list[int] = []

    def separated(self, prices: Int64Array) -> dict[int, int]:
        """Return the least boundary less prices for each size, in parts; keep the sets."""
        most = max(self.sets)
        found = priced_boundaries(self.d, lock(prices.copy()), DENOMINATOR, most)
        least = {}
        for number, size in enumerate(self.sets):
            members = self._members(found, prices, size)
            least[size] = int(found[-1][:, size].min())
            of_size = np.zeros(len(self.sets), np.int64)
            of_size[number] = 1
            self.rows.append(np.concatenate((members, of_size)))
            self.limits.append((least[size] + int(members @ prices)) // DENOMINATOR)
        return least

    def next_prices(self) -> tuple[Int64Array, float]:
        """Return prices (d,) that the sets so far allow, in parts, and what they would prove."""
        from scipy.optimize import linprog

        gain = np.concatenate((self.counts, list(self.sets.values())))
        bounds = [(-WIDEST, WIDEST)] * self.d + [(None, None)] * len(self.sets)
        given = {"A_ub": np.array(self.rows), "b_ub": np.array(self.limits), "bounds": bounds}
        solution = linprog(-gain, method="highs", **given)
        if solution.x is None:
            return np.zeros(self.d, np.int64), 0.0
        prices = np.round(DENOMINATOR * solution.x[: self.d]).astype(np.int64)
        return prices, -float(solution.fun)

    def _members(self, found: list[Int64Array], prices: Int64Array, size: int) -> Int64Array:
        """Return (d,) how many subsets of each level the cheapest set of a size has."""
        members = np.zeros(self.d, np.int64)
        own = int(found[-1][:, size].argmin())
        for k in range(self.d, 1, -1):
            members[k - 1] = own
            before = found[k - 2]
            words = exchanged(self.d, k, max(self.sets))[: before.shape[0], own]
            size -= own
            own = int((before[:, size] + DENOMINATOR * words).argmin())
        members[0] = own
        return members


def _nearly_equal(total: int, count: int) -> dict[int, int]:
    """Return sizes that differ by one at most and sum to `total`, with how many there are."""
    size, larger = divmod(total, count)
    sets = {size: count - larger, size + 1: larger}
    return {size: often for size, often in sets.items() if often}


def _data(d: int, prices: Int64Array, sets: dict[int, int]) -> dict[str, Any]:
    return {
        "d": d,
        "prices": prices.tolist(),
        "denominator": DENOMINATOR,
        "sizes": list(sets),
        "times": list(sets.values()),
    }
