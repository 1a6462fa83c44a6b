"""The widest wavefronts of a piece."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from dags.arrays import Int32Array
from pebble import Budget, Rules
from proofs.bounds.pieces.cuts.classes import first_of_each_class
from proofs.bounds.pieces.cuts.wavefronts import Wavefronts
from proofs.certificates.pieces.piece import Piece

SECONDS = 40.0  # unless a limit is given
AT_ONCE = 64  # vertices between two looks at the budget, at most,
BATCH = 0.1  # and seconds of work, about

Score = tuple[int, int, dict[str, Any]]  # score, price, data of the certificate


def widest_scores(piece: Piece, rules: Rules, budget: Budget) -> list[Score]:
    """Return, for each price, the best score that was found, and its proof.

    With M words the excess is at least the score less the price times M.

    Parameters
    ----------
    piece, rules
        The game on a piece, with any memory.
    budget
        Of the search; `SECONDS` where it has no limit.
    """
    network = Wavefronts(piece, rules)
    candidates = first_of_each_class(piece) if network.fit else np.empty(0, np.int32)
    budget, count = budget.limited(SECONDS), len(network.prices)
    search = _by_rounds if network.is_large else _in_batches
    scores = []
    for number, price in enumerate(network.prices):
        best = search(network, price, candidates, budget.share(1 / (count - number)))
        if best is not None:
            scores.append((best[0], price, best[1]))
    return scores


def best_excess(scores: Sequence[Score], memory: int) -> tuple[int, dict[str, Any]] | None:
    """The largest excess that `scores` prove, and its proof; None if it is nothing."""
    proofs = [(score - price * memory, data) for score, price, data in scores]
    best = max(proofs, key=lambda proof: proof[0], default=(0, {}))
    return best if best[0] > 0 else None


def wavefront_excess(
    piece: Piece, memory: int, rules: Rules, budget: Budget
) -> tuple[int, str, dict[str, Any]] | None:
    """An excess of `piece`, the kind of its proof and the proof; None if there is none.

    Parameters
    ----------
    piece, memory, rules
        The game on a piece.
    budget
        As for `widest_scores`.
    """
    best = best_excess(widest_scores(piece, rules, budget), memory)
    return None if best is None else (best[0], "wavefront", best[1])


def _in_batches(
    network: Wavefronts, price: int, candidates: Int32Array, budget: Budget
) -> tuple[int, dict[str, Any]] | None:
    """The best score that was found in time, and its certificate.

    Batches of vertices double as long as they take no time to speak of.
    """
    vertex, best = -1, 0
    start, batch = 0, 1
    while start < candidates.size:
        began = budget.used
        if start and budget.over:
            break
        better, best = network.widest(price, candidates[start : start + batch], best)
        vertex = better if better >= 0 else vertex
        start += batch
        batch = max(1, batch // 2) if budget.used - began > BATCH else min(2 * batch, AT_ONCE)
    return None if vertex < 0 else (best, network.certificate(vertex, price))


def _by_rounds(
    network: Wavefronts, price: int, candidates: Int32Array, budget: Budget
) -> tuple[int, dict[str, Any]] | None:
    """The same for a network in which even one flow may take too long."""
    best: tuple[int, dict[str, Any]] | None = None
    for vertex in candidates.tolist():
        if budget.over:
            break
        known = 0 if best is None else best[0]
        best = network.wider(price, vertex, known, lambda: budget.over) or best
    return best
