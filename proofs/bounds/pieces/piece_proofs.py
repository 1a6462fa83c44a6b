"""Ways to prove the excess of one piece over the compulsory words, and the best so far."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from dags.arrays import Int64Array
from dags.cdag.rows import path_lengths
from dags.work import charge
from pebble import Budget, Rules
from pebble.small import BITS
from proofs.bounds.pieces.cuts import Wavefronts, wavefront_excess
from proofs.bounds.pieces.reloads import reload_excess
from proofs.certificates.pieces.exhaustive import MOST_TOGETHER, Form, least_excess
from proofs.certificates.pieces.piece import Piece

# The states that the first search of a piece may keep.
STATES = 3000
# Pieces of up to so many vertices are tried with all of their levels, and with single wavefronts.
MODERATE = 2000
# Vertices of a piece that take as long as any piece does.
PIECE = 300
# So many levels of a larger piece are tried as fronts.
LEVELS = 8

Proof = tuple[int, str, dict[str, Any]]  # excess, kind of proof, its data


def searchable(piece: Piece) -> bool:
    """Whether a piece is small enough for a search: sets of 64 bits hold it."""
    if piece.size <= BITS:
        return True
    steps = np.count_nonzero(np.diff(piece.pred_indptr))
    return bool(steps <= BITS and np.count_nonzero(np.diff(piece.successors[0])) <= BITS)


def set_wavefront_excess(piece: Piece, memory: int, rules: Rules, budget: Budget) -> Proof | None:
    """The bound by the moments before the first vertex of some sets; None if nothing.

    The sets are all sinks, and the vertices at the end of the longest paths of each length: the
    ends and the levels of a network. Of a large piece only some of the latter are tried.

    Parameters
    ----------
    piece, memory, rules
        The game on a piece.
    budget
        Of the search; something is tried in any case.
    """
    flows = Wavefronts(piece, rules)
    best, proof = 0, None
    for front in level_fronts(piece) if flows.fit else []:
        for price in flows.prices:
            if proof is not None and budget.over:
                break
            charge("front", piece.size)
            score, data = flows.score(front, price, best + price * memory)
            if score - price * memory > best:
                best = score - price * memory
                proof = best, "front", data
    return proof


def fronts_of_levels(piece: Piece, memory: int, rules: Rules, budget: Budget) -> Iterator[Proof]:
    """Yield bounds by the moments before the first vertex of each level, and the first sink.

    Parameters
    ----------
    piece, memory, rules
        The game on a piece.
    budget
        Of the search.
    """
    flows = Wavefronts(piece, rules)
    for front in level_fronts(piece) if flows.fit else []:
        for price in flows.prices:
            if budget.over:
                return
            charge("front", piece.size)
            score, data = flows.score(front, price, price * memory)
            if score > price * memory:
                yield score - price * memory, "front", data


def level_fronts(piece: Piece) -> list[Int64Array]:
    """Sets of vertices of which the first may have to wait for much."""
    height = path_lengths(piece.pred_indptr, piece.pred_indices)
    able = ~piece.is_input & (height > 0)
    highest = int(height.max())
    count = highest if piece.size <= MODERATE else min(highest, LEVELS)
    levels = sorted(set(np.linspace(highest, 1, count).astype(np.int64).tolist()), reverse=True)
    sinks = np.flatnonzero(able & (np.diff(piece.successors[0]) == 0))
    fronts = [sinks, *(np.flatnonzero(able & (height == level)) for level in levels)]
    return [front for front in fronts if front.size]


class Known:
    """The best proofs on the pieces of one game; pieces that look the same are proved once."""

    def __init__(self, memory: int, rules: Rules, budget: Budget) -> None:
        self.memory, self.rules, self.budget = memory, rules, budget
        self._forms: dict[int, tuple[Piece, Form]] = {}  # by the id of a piece that is kept
        self._proofs: dict[Form, Proof] = {}
        self._states: dict[Form, int] = {}
        self._room = MOST_TOGETHER  # states that further proofs may keep, all in one certificate
        self._solved: set[Form] = set()

    def form(self, piece: Piece) -> Form:
        """The key of pieces that look the same."""
        known = self._forms.get(id(piece))
        if known is None:
            charge("piece", PIECE + piece.size)
            known = self._forms[id(piece)] = piece, Form(piece, self.memory, self.rules)
        return known[1]

    def proof(self, piece: Piece) -> Proof:
        """The best proof on a piece that is known, after a first quick attempt."""
        form = self.form(piece)
        if form not in self._proofs:
            charge("piece", 2 * PIECE)
            self._proofs[form] = self._quick(piece)
        return self._proofs[form]

    def excess(self, piece: Piece) -> int:
        """The best bound on the excess of a piece."""
        return self.proof(piece)[0]

    def search(self, piece: Piece, states: int, stop: Callable[[], bool]) -> None:
        """Search a piece, unless that has been done, or is too late or in vain.

        Parameters
        ----------
        piece
            The piece.
        states
            How many may be kept.
        stop
            Asked now and then whether to give up.
        """
        form = self.form(piece)
        before = self.excess(piece)
        if stop() or form in self._solved or self._states.get(form, 0) >= states:
            return
        if searchable(piece):
            kept = self.proof(piece)[2].get("states", 0)
            limit = max(min(states, self._room + kept), 1)
            outcome = least_excess(piece, self.memory, self.rules, limit=limit, stop=stop)
            self._states[form] = states
            if outcome.excess > before:
                self._room += kept - outcome.states
                data = {"excess": outcome.excess, "states": outcome.states}
                self._proofs[form] = outcome.excess, "exact", data
            if outcome.complete:
                self._solved.add(form)

    def solved(self, piece: Piece) -> bool:
        """Whether a search has found the least excess of a piece."""
        return self.form(piece) in self._solved

    def _quick(self, piece: Piece) -> Proof:
        """The bound by wavefronts and fronts, 0 where all operands fit."""
        nothing: Proof = (0, "exact", {"excess": 0})
        read = np.diff(piece.successors[0]) > 0
        if int(piece.words[read].sum()) + int((piece.words + piece.outside).max()) <= self.memory:
            self._solved.add(self.form(piece))
            return nothing
        if self.rules.recompute:
            fronts = level_fronts(piece)
            reloads = reload_excess(piece, self.memory, self.rules, fronts, self.budget)
            return reloads or nothing
        ways = (
            [set_wavefront_excess, wavefront_excess]
            if piece.size <= MODERATE
            else [set_wavefront_excess]
        )
        proofs = (way(piece, self.memory, self.rules, self.budget) for way in ways)
        return max((nothing, *filter(None, proofs)), key=lambda proof: proof[0])
