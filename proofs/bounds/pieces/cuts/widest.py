"""The widest wavefronts of a piece."""

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from dags.arrays import Int32Array
from pebble import Rules
from proofs.bounds.pieces.cuts.classes import first_of_each_class
from proofs.bounds.pieces.cuts.network import Network
from proofs.certificates.pieces.piece import Piece

SECONDS = 40.0  # unless a limit is given
AT_ONCE = 64  # vertices between two looks at the clock

Score = tuple[int, int, dict[str, Any]]  # score, price, data of the certificate


def widest_scores(piece: Piece, rules: Rules, time_limit: float | None = None) -> list[Score]:
    """Return, for each price, the best score that was found, and its proof.

    With M words the excess is at least the score less the price times M.

    Parameters
    ----------
    piece, rules
        The game on a piece, with any memory.
    time_limit
        Seconds; None for `SECONDS`.
    """
    network = Network(piece, rules)
    candidates = first_of_each_class(piece) if network.fits else np.empty(0, np.int32)
    seconds = (SECONDS if time_limit is None else time_limit) / len(network.prices)
    found = []
    for price in network.prices:
        vertex, score = _widest(network, price, candidates, time.monotonic() + seconds)
        if vertex >= 0:
            found.append((score, price, network.certificate(vertex, price)))
    return found


def best_excess(scores: Sequence[Score], memory: int) -> tuple[int, dict[str, Any]] | None:
    """Return the largest excess that `scores` prove, and its proof; None if it is nothing."""
    proofs = [(score - price * memory, data) for score, price, data in scores]
    best = max(proofs, key=lambda proof: proof[0], default=(0, {}))
    return best if best[0] > 0 else None


def wavefront_excess(
    piece: Piece, memory: int, rules: Rules, time_limit: float | None = None
) -> tuple[int, str, dict[str, Any]] | None:
    """Return an excess of `piece`, the kind of its proof and the proof; None if there is none.

    Parameters
    ----------
    piece, memory, rules
        The game on a piece.
    time_limit
        Seconds; None for `SECONDS`.
    """
    best = best_excess(widest_scores(piece, rules, time_limit), memory)
    return None if best is None else (best[0], "wavefront", best[1])


def _widest(network: Network, price: int, candidates: Int32Array, end: float) -> tuple[int, int]:
    """Return (vertex, score) of the best that was found until `end`; vertex -1 if there is none."""
    vertex, best = -1, 0
    for start in range(0, candidates.size, AT_ONCE):
        if start and time.monotonic() > end:
            break
        better, best = network.widest(price, candidates[start : start + AT_ONCE], best)
        vertex = better if better >= 0 else vertex
    return vertex, best
