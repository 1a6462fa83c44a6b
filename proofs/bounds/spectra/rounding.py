"""Rounds weights to the integers of a certificate."""

from typing import Any

import numpy as np

from proofs.bounds.spectra.ascent import Weights
from proofs.certificates.pieces.piece import Piece

DENOMINATOR = 2**22
ROOM = 2**50  # for the sum of all weights


def rounded(piece: Piece, weights: Weights, theta: int) -> dict[str, Any]:
    """Return the weights as integers over a common denominator, none above its share."""
    denominator = _denominator(int(piece.words.sum()))
    capacity = piece.words * np.minimum(theta, piece.price) * (denominator // 2)
    spread = weights.spread
    # A part in 10^12 less: shares of one owner may add up to a rounding error more than 1.
    charges = spread.shares * (1 - 1e-12) * capacity[spread.owners]
    units = (charges / (spread.sizes**2 // 4)).astype(np.int64)
    kept = spread.chosen(units > 0)
    diagonal = np.rint(weights.diagonal[np.unique(kept.members)] * denominator)
    return {
        "theta": theta,
        "denominator": denominator,
        "owners": kept.owners.tolist(),
        "sizes": kept.sizes.tolist(),
        "members": kept.members.tolist(),
        "weights": units[units > 0].tolist(),
        "diagonal": diagonal.astype(np.int64).tolist(),
    }


def _denominator(words: int) -> int:
    """Return a power of two, at least 2, that leaves room for so many words."""
    return max(2, min(DENOMINATOR, 1 << (ROOM // max(1, words)).bit_length() >> 1))
