"""Writes spectral proofs."""

import time
from typing import Any

import numpy as np
import numpy.typing as npt

from pebble import Rules
from proofs.bounds.spectra.ascent import Ascent
from proofs.bounds.spectra.counting import Counting
from proofs.bounds.spectra.rounding import rounded
from proofs.certificates.pieces.piece import Piece
from proofs.certificates.spectra.cliques import read_cliques
from proofs.certificates.spectra.spectral import excess_of, red_words

STEPS = 24
CLIMB = 0.5  # of the time is for better weights, the rest for counting

Proof = tuple[int, str, dict[str, Any]]


def spectral_excess(
    piece: Piece,
    memory: int,
    rules: Rules,
    time_limit: float | None = None,
    *,
    seed: int = 0,
) -> Proof | None:
    """Return an excess of `piece`, the kind of its proof and the proof; None if there is none.

    Its time grows with the piece times the fill of its elimination; `time_limit` is in seconds.

    Parameters
    ----------
    piece, memory, rules
        The game on a piece.
    time_limit
        Seconds; None for no limit.
    seed
        Of the random vectors that estimate eigenvalues.
    """
    read = np.diff(piece.successors[0]) > 0
    if rules.recompute or not read.any():
        return None
    factors = _factors(piece, read)
    best: Proof | None = None
    for theta in factors:
        limit = None if time_limit is None else time_limit / len(factors)
        found = _with_factor(piece, memory, rules, theta, limit, seed)
        if found is not None and (best is None or found[0] > best[0]):
            best = found
    return best


def _factors(piece: Piece, read: npt.NDArray[np.bool_]) -> list[int]:
    """Return whether to count loads, 1, or stores too, 2, or to try both."""
    loads, both = (int((piece.words * np.minimum(f, piece.price))[read].sum()) for f in (1, 2))
    if loads == both:
        return [1]
    return [2] if 3 * both > 5 * loads else [2, 1]


def _with_factor(
    piece: Piece, memory: int, rules: Rules, theta: int, limit: float | None, seed: int
) -> Proof | None:
    """Return the best proof that counts stores or not, as `theta` says."""
    started = time.monotonic()
    end = np.inf if limit is None else limit
    linked = np.flatnonzero((np.diff(piece.successors[0]) > 0) | (np.diff(piece.pred_indptr) > 0))
    saved = theta * red_words(piece, linked, memory, rules)
    capacity = piece.words * np.minimum(theta, piece.price) / 2
    weights = Ascent(piece, capacity, saved, seed).climb(STEPS, started + CLIMB * end)
    if weights.value <= 0 or time.monotonic() > started + end:
        return None
    data = rounded(piece, weights, theta)
    if not data["owners"]:
        return None
    cliques = read_cliques(piece, data)
    counting = Counting(cliques, theta * red_words(piece, cliques.vertices, memory, rules), seed)
    data["parts"] = counting.run(started + end)
    data["shifts"] = sorted(counting.counts)
    data["counts"] = [counting.counts[shift] for shift in data["shifts"]]
    data["slack"] = counting.slack
    excess = excess_of(piece, memory, rules, cliques, data)
    return (excess, "spectral", data) if excess > 0 else None
