"""Forests of values that are read once, where the optimum is known: fewest cuts (P7).

A cut vertex moves two words beyond the compulsory ones, or one if it is an output. The rest are
trees of which each needs M words at most: need(leaf) = 1, and with operands u_1, ..., u_d in the
order of falling needs

    need(v) = max(d + 1, max over i of need(u_i) + i - 1)    (d in place of d + 1 if it slides).

The proof is P7 in docs/theory/pieces.md.
"""

import numpy as np

from pebble import Game, Rules
from proofs.certificates.pieces import _kernels
from proofs.certificates.pieces.piece import ALL, Cutter, Piece, PieceLemma, Shown
from proofs.core.records import CertificateError, Nothing
from proofs.core.windows import Lemma
from proofs.lemmas.generated import is_single_use


def is_forest(piece: Piece) -> bool:
    """Whether every value is one word and has one reader at most."""
    readers = np.bincount(piece.pred_indices, minlength=piece.size)
    return bool(np.all(readers <= 1) and np.all(piece.words == 1))


def forest_excess(piece: Piece, memory: int, rules: Rules) -> int:
    """The least excess of a piece that is a forest.

    Parameters
    ----------
    piece, memory, rules
        The game on a piece.
    """
    spills = int(
        _kernels.least_spills(piece.pred_indptr, piece.pred_indices, memory, int(not rules.sliding))
    )
    readers = np.bincount(piece.pred_indices, minlength=piece.size)
    cheap = int(np.sum(piece.is_output & (readers > 0)))
    return 2 * spills - min(spills, cheap)


def excess(piece: Piece, memory: int, rules: Rules, _: Nothing) -> Shown:
    """The excess of a piece."""
    if not is_forest(piece):
        raise CertificateError("proof", "holds only for forests of values of one word")
    return forest_excess(piece, memory, rules), ALL


def whole(game: Game, _: Nothing) -> int:
    """The words that playing a whole forest takes, under any rules (M5)."""
    if game.rules.recompute and not is_single_use(game.dag):
        raise CertificateError("rules", "some value has uses besides its one reader")
    return game.compulsory + excess(Cutter(game.dag).whole(), game.memory, game.rules, _)[0]


FORESTS = PieceLemma(Nothing, excess, ("P7",))
FOREST = Lemma(Nothing, whole, lambda _: ("P7", "M5"))
