"""Bounds by charges on values that are away, over every order of the steps of a small DAG."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

import numpy as np
import numpy.typing as npt

from dags import CDAG
from dags.arrays import Int64Array, lock
from pebble import ONE_SHOT, Rules
from pebble.small import small_game
from proofs.base import Bound, require_one_shot
from proofs.bounds.pieces.balances import Ascent
from proofs.bounds.pieces.packing.pieces import Proof
from proofs.bounds.pieces.piece_proofs import searchable
from proofs.bounds.renumbered import as_generated
from proofs.bounds.room_for_all import nothing_to_prove
from proofs.bounds.thinned import thinned
from proofs.certificates import Certificate
from proofs.certificates.compulsory import compulsory_words
from proofs.certificates.pieces.balances import KEYS, Laid, laid
from proofs.certificates.pieces.ideals import Lattice, _kernels, lattice_of, new_desk
from proofs.certificates.pieces.ideals.charges import LIMIT
from proofs.certificates.pieces.piece import Cutter, Piece

SECONDS = 30.0  # unless a limit is given
PARTS = 10**6  # of a word, in which charges are chosen, where that is not too many
# Orders count by how little they cost: one that costs so many words more counts 1 / e as much.
# Fewer words prove more in the end, more words prove more soon.
SPREADS = 0.15, 0.05
# Weights of times grow by so much for each charge that counts; a step that proves less is taken
# back, and the next one is shorter, one that proves more makes the next ones longer.
FIRST, SHORTER, LONGER = 1.0, 0.6, 1.1
# Balances begin where charges are after this share of the time; then those with few accounts have
# so much of what is left, and those of each ideal the rest.
CHARGES, SHARES = 0.15, {"progress": 0.5, "ideals": 1.0}
MOST_ENTRIES = 2**22  # pairs of an ideal and a value alive there, so that steps take a second
# Steps shorter than this end the search at one spread.
SHORTEST = 0.02

FloatArray = npt.NDArray[np.float64]


@thinned
@as_generated
def ideals(
    dag: CDAG,
    memory: int,
    *,
    rules: Rules = ONE_SHOT,
    seed: int = 0,
    time_limit: float | None = None,
) -> Bound:
    """Lower bound by shortest paths over the ideals of a small DAG, whose steps have charges.

    Each value that is away is charged by when it is: in all at most for a load in each stage
    between its readers, and for a store. Of all orders one is charged least, and it is found by a
    shortest path over all sets of steps that can be done first. The charges are chosen so that this
    path is long: those rise that count on short paths. `proofs.certificates.pieces.ideals.charges`
    has the theorem.

    Parameters
    ----------
    dag, memory, rules, seed, time_limit
        As for every bound (`proofs.BoundMethod`).

    Raises
    ------
    NotApplicableError
        If values may be computed again.

    Examples
    --------
    >>> from dags import fft
    >>> ideals(fft(4), 4).io
    11
    """
    require_one_shot("ideals", rules)
    known = nothing_to_prove("ideals", dag, memory, rules)
    if known is not None:
        return known
    seconds = SECONDS if time_limit is None else time_limit
    proof = ideal_excess(Cutter(dag).whole(), memory, rules, time_limit=seconds)
    excess, kind, data = proof or (0, "ideals", {})  # the compulsory words where there are too many
    parts = [{"vertices": "all", "proof": kind, "data": data}] if excess else []
    io = compulsory_words(dag) + excess
    return Bound("ideals", memory, io, rules, Certificate("parts", {"parts": parts}))


def ideal_excess(
    piece: Piece, memory: int, rules: Rules, *, time_limit: float = SECONDS
) -> Proof | None:
    """Return what charges prove of a piece; None if it has too many ideals.

    Parameters
    ----------
    piece, memory, rules
        The game on a piece.
    time_limit
        Seconds.
    """
    end = time.monotonic() + time_limit
    if not searchable(piece):
        return None
    game = small_game(piece, memory, rules)
    lattice = lattice_of(piece, game) if game.playable else None
    parts = min(PARTS, LIMIT // max(int(game.sizes.sum()), 1))
    if lattice is None or not parts:
        return None
    begun = time.monotonic()
    ascent = _Ascent(lattice, parts)
    for spread in SPREADS:
        ascent.climb(spread * parts, begun + CHARGES * (end - begun))
    return max([ascent.proof(), *_balanced(ascent, end)], key=itemgetter(0))


def _balanced(charged: "_Ascent", end: float) -> Iterator[Proof]:
    """Yield what balances prove that begin as charges do, with fewer accounts and with more."""
    found = laid(charged.lattice, MOST_ENTRIES)
    if found is None:
        return
    parts = charged.parts
    away, stored = charged.balances(found)
    for keys, share in SHARES.items():
        accounts = KEYS[keys](found)
        begin = np.zeros((2, accounts[1]))
        begin[:, accounts[0]] = away, stored
        now = time.monotonic()
        ascent = Ascent(found, parts, accounts, *begin)
        ascent.climb(now + share * (end - now), LIMIT)
        away, stored = (table[accounts[0]] for table in ascent.best)
        data = {"parts": parts, "keys": keys, "away": ascent.best[0], "stored": ascent.best[1]}
        yield -(-ascent.least // parts), "balances", data


@dataclass(frozen=True)
class _Point:
    """Logarithms of the weights of times: (times, rows) for loads, (times, values) for stores."""

    loads: FloatArray
    stores: FloatArray


class _Ascent:
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

    def balances(self, found: Laid) -> tuple[Int64Array, Int64Array]:
        """Return (entries,) what is left of prices once charges are paid: loads, and stores."""
        loads, stores = (np.cumsum(table, axis=0) for table in self._tables(self._best))
        values, sets = found.value_of_entry, np.repeat(found.done, np.bitwise_count(found.alive))
        read = np.bitwise_count(found.lattice.game.readers[values] & sets).astype(np.int64)
        times = np.bitwise_count(sets).astype(np.int64) - 1
        costly = found.lattice.costly[values]
        stored = np.where(costly, self._budgets[values] - stores[times, values], 0)
        return stored - loads[times, found.lattice.first[values] + read], stored

    def proof(self) -> tuple[int, str, dict[str, Any]]:
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
