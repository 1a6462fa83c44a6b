"""Certificates of moments and pieces that share stores, and loads in each stage."""

from collections.abc import Iterator, Sequence
from functools import partial
from operator import itemgetter
from typing import Any

import numpy as np

from dags import CDAG
from pebble import Budget, Game, Rules, compulsory_words
from proofs.bounds.pieces.orders import least_seconds, more_would_pay, ordered, seconds_of
from proofs.bounds.pieces.packing import (
    Inequality,
    Moments,
    Packed,
    Packing,
    ShareProgram,
    StagedAccounts,
    exact_shares,
    pack,
    reach_of,
)
from proofs.bounds.pieces.packing.pieces import Proof
from proofs.certificates import Certificate
from proofs.certificates.pieces.ledger import STAGED, STAGED_PARTS
from proofs.certificates.pieces.piece import Cutter, Piece, Stages

# Share of the time, at most, for moments with one stage for each value: those are soon found.
PLAIN = 0.3
# Worths of loads and stores by which a bound on a piece charges both, loads alone, stores alone.
QUOTAS = (1.0, 1.0), (0.0, 1.0), (1.0, 0.0)


class Staged:
    """One DAG with stages of its values: `proofs.certificates.pieces.ledger` has the theorem.

    Parameters
    ----------
    dag
        The DAG, not too large for `Stages`.
    stages
        The stages of its values.
    """

    def __init__(self, dag: CDAG, stages: Stages) -> None:
        self.dag = dag
        self._cutter = Cutter(dag)
        self.whole = self._cutter.whole()
        self.stages = stages
        self.accounts = StagedAccounts(self.whole, self.stages)

    def inequality(
        self, piece: Piece, memory: int, rules: Rules, proof: Proof
    ) -> Iterator[Inequality]:
        """Yield a bound on a piece in rows of `accounts`: of a moment, by all that it can charge.

        Parameters
        ----------
        piece, memory, rules
            The game on the piece.
        proof
            The bound.
        """
        excess, kind, data = proof
        vertices = piece.vertices
        if kind not in ("front", "wavefront"):
            rows = self.accounts.all_of(vertices, piece)
            yield Inequality(*rows, excess, lambda: (vertices, kind, data))
            return
        name = "front" if kind == "front" else "moment"
        bound, through = STAGED[name].shown(piece, memory, rules, data)
        flowing = np.flatnonzero(through)
        front = vertices[np.atleast_1d(data["front" if kind == "front" else "vertex"])]
        for loads, stores in QUOTAS:
            worth = self.accounts.worth_of(loads, stores)
            charge = self.accounts.charge_front(front, vertices[flowing], through[flowing], worth)
            part = partial(self.accounts.part, (vertices, name, data), charge)
            yield Inequality(charge.rows, charge.words, bound, part)

    def _again(self, entry: Inequality, memory: int, rules: Rules) -> Iterator[Inequality]:
        """Yield a moment that uses one row of each value, in rows of `accounts`."""
        vertices, _, data = entry.part()
        proof = entry.least, "wavefront", data
        return self.inequality(self._cutter.cut(vertices), memory, rules, proof)

    def packed(
        self, memory: int, rules: Rules, inequalities: Sequence[Inequality], budget: Budget
    ) -> tuple[int, Certificate]:
        """The words that moments and given inequalities prove, with the certificate.

        Parameters
        ----------
        memory, rules
            The game.
        inequalities
            Bounds on pieces, in rows of `accounts`.
        budget
            Of the search, about.
        """
        game = self.whole, memory, rules
        first = budget.at_most(budget.left - seconds_of(self.whole, budget.left))
        moments = Moments(*game, reach_of(memory))
        plain = pack(*game, moments=moments, budget=first.share(PLAIN))
        start = [
            inequality
            for entry in plain.inequalities
            for inequality in self._again(entry, memory, rules)
        ]
        packing = Packing(moments.charged_to(self.accounts), inequalities, start)
        solution = packing.packed(first)
        best = known = self._certified(solution)
        if budget.left < least_seconds(self.whole):
            return best
        # The others prove nothing here, and moments of one order would take longer with them.
        useful = [
            inequality
            for inequality in inequalities
            if any(inequality is peer for peer in solution.inequalities)
        ]
        for tried in self._ordered(memory, rules, useful, budget):
            best, floor = max(best, tried, key=itemgetter(0)), compulsory_words(self.dag)
            if not more_would_pay(self.whole, tried[0] - floor, known[0] - floor, budget.left):
                return max(best, self._certified(packing.packed(budget)), key=itemgetter(0))
        return best

    def _ordered(
        self, memory: int, rules: Rules, inequalities: Sequence[Inequality], budget: Budget
    ) -> Iterator[tuple[int, Certificate]]:
        """Yield bounds by some moments of one order, and more of them, with the given ones."""
        for moments in ordered(self.whole, self.stages, memory, rules, inequalities, budget):
            certificate = Certificate("staged", self._data(*moments))
            game = Game.of(self.dag, memory, rules)
            yield STAGED_PARTS.words(game, certificate.data), certificate

    def weighed(self, inequalities: Sequence[Inequality]) -> tuple[int, Certificate]:
        """The words that given inequalities prove together, without moments.

        Parameters
        ----------
        inequalities
            Bounds on pieces, in rows of `accounts`.
        """
        program = ShareProgram(self.accounts.budget, self.dag.n)
        while program.add(inequalities):
            pass
        return self._certified(program.packed)

    def _certified(self, solution: Packed) -> tuple[int, Certificate]:
        """The bound by inequalities with shares, with the certificate."""
        shares = exact_shares(solution, self.accounts.budget)
        parts = []
        for inequality, share in zip(shares.inequalities, shares.numerators, strict=True):
            if share:
                vertices, kind, data = inequality.part()
                parts.append({"vertices": vertices, "share": share, "proof": kind, "data": data})
        io = compulsory_words(self.dag) - (-shares.words // shares.denominator)
        return io, Certificate("staged", self._data(shares.denominator, parts))

    def _data(self, denominator: int, parts: list[dict[str, Any]]) -> dict[str, Any]:
        """The fields of a certificate."""
        chains = {"owners": self.stages.owners, "readers": self.stages.readers}
        return {**chains, "denominator": denominator, "parts": parts}
