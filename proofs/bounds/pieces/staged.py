"""Certificates of moments and pieces that share stores, and loads in each stage."""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from dags import CDAG
from pebble import Rules
from proofs.bounds.pieces.chains import longest_chains
from proofs.bounds.pieces.packing import Inequality, StagedAccounts, exact_shares, pack
from proofs.bounds.pieces.packing.pieces import Proof
from proofs.certificates import Certificate
from proofs.certificates.compulsory import compulsory_words
from proofs.certificates.pieces.piece import Cutter, Piece
from proofs.certificates.staged import MOMENTS

# Worths of loads and stores by which a bound on a piece charges both, loads alone, stores alone.
QUOTAS = (1.0, 1.0), (0.0, 1.0), (1.0, 0.0)


class Staged:
    """One DAG with stages of its values: `proofs.certificates.staged` has the theorem.

    Parameters
    ----------
    dag
        The DAG, not too large for `longest_chains`.
    """

    def __init__(self, dag: CDAG) -> None:
        self.dag = dag
        self.whole = Cutter(dag).whole()
        self.stages = longest_chains(dag)
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
        check, where = MOMENTS[name]
        least, through = check(piece, memory, rules, data)
        some = np.flatnonzero(through)
        front = vertices[np.atleast_1d(data[where])]
        for loads, stores in QUOTAS:
            worth = self.accounts.worth_of(loads, stores)
            charge = self.accounts.charge_front(front, vertices[some], through[some], worth)
            part = partial(self.accounts.part, (vertices, name, data), charge)
            yield Inequality(charge.rows, charge.words, least, part)

    def packed(
        self, memory: int, rules: Rules, given: Sequence[Inequality], seconds: float
    ) -> tuple[int, Certificate]:
        """Return the words that moments and what is given prove together, with the certificate.

        Parameters
        ----------
        memory, rules
            The game.
        given
            What bounds on pieces prove, in rows of `accounts`.
        seconds
            When to stop, about.
        """
        accounts = self.accounts
        found = pack(self.whole, memory, rules, accounts=accounts, given=given, seconds=seconds)
        shares = exact_shares(found, accounts.budget)
        parts = []
        for inequality, share in zip(shares.inequalities, shares.numerators, strict=True):
            if share:
                vertices, kind, data = inequality.part()
                parts.append({"vertices": vertices, "share": share, "proof": kind, "data": data})
        chains = {"owners": self.stages.owners, "readers": self.stages.readers}
        io = compulsory_words(self.dag) - (-shares.words // shares.denominator)
        data = {**chains, "denominator": shares.denominator, "parts": parts}
        return io, Certificate("staged", data)
