"""Parts of a certificate that are moments of one order, and bounds on pieces beside them."""

import math
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from dags.arrays import Int64Array
from pebble import Rules
from proofs.bounds.pieces.orders.relaxation import FloatArray, Relaxation
from proofs.bounds.pieces.orders.rounding import moments_of
from proofs.bounds.pieces.orders.solution import row_prices
from proofs.bounds.pieces.packing import Inequality
from proofs.certificates.pieces.orders import MOST_DUE
from proofs.certificates.pieces.piece import Piece
from proofs.certificates.pieces.stages import Stages

DENOMINATOR = 10**6
LARGEST = 2**20  # words of a value, so that parts of all words can be added up
# Steps that a program takes until its prices are worth rounding, and until they are good; seconds
# that one takes for each edge and vertex around which there is a flow.
FEW, MANY = 1000, 2500
STEP = 1.1e-7
MOST_FLOWS = 2**21  # edges times vertices: a program of so many takes a gigabyte
# Share of the time that is kept for moments of one order, at most.
MOST = 0.6


def seconds_of(whole: Piece, seconds: float) -> float:
    """Return how much of some time is kept for moments of one order, 0 if it is not enough.

    Parameters
    ----------
    whole
        All of a DAG.
    seconds
        The time.
    """
    return (
        0.0 if least_seconds(whole) > MOST * seconds else min(MOST * seconds, MANY * _step(whole))
    )


def least_seconds(whole: Piece) -> float:
    """Return the seconds with which moments of one order are worth a trial, infinite for none.

    Parameters
    ----------
    whole
        All of a DAG.
    """
    n, edges = whole.size, whole.pred_indices.size
    if n * n > MOST_DUE or n * edges > MOST_FLOWS or int(whole.words.max()) > LARGEST:
        return math.inf
    return FEW * _step(whole)


def ordered(
    whole: Piece,
    stages: Stages,
    memory: int,
    rules: Rules,
    given: Sequence[Inequality],
    seconds: float,
) -> tuple[int, list[dict[str, Any]]]:
    """Return a denominator, and the parts of a certificate: moments, and some of what is given.

    Parameters
    ----------
    whole, stages
        All of a DAG, and the stages of its values.
    memory, rules
        The game, in which each value is computed once.
    given
        Bounds on pieces and moments, in half words of loads in each stage and of stores.
    seconds
        When to stop, about.
    """
    end = time.monotonic() + min(seconds, MANY * _step(whole))
    relaxation = Relaxation(whole, stages, memory, rules, given)
    prices = row_prices(relaxation.program(), max(0.0, end - time.monotonic()))
    first = relaxation.given
    budget = 2 * DENOMINATOR * np.concatenate((whole.words[stages.values], whole.words))
    shares, left = _shares(given, prices[first : first + len(given)], budget)
    parts = []
    for entry, share in zip(given, shares.tolist(), strict=True):
        if share:
            vertices, kind, data = entry.part()
            parts.append({"vertices": vertices, "share": share, "proof": kind, "data": data})
    found = moments_of(relaxation.moments, prices, whole, stages, DENOMINATOR, left // 2)
    parts += [{"vertices": "all", "share": 1, "proof": "order", "data": data} for data in found]
    return DENOMINATOR, parts


def _step(whole: Piece) -> float:
    """Return the seconds of a step, about."""
    return STEP * whole.size * whole.pred_indices.size


def _shares(
    given: Sequence[Inequality], prices: FloatArray, budget: Int64Array
) -> tuple[Int64Array, Int64Array]:
    """Return the shares of what is given, whole numbers, and the half words that are left."""
    shares = np.floor(np.maximum(prices, 0) * DENOMINATOR)
    used = np.zeros(budget.size)
    for entry, share in zip(given, shares, strict=True):
        used[entry.vertices] += share * entry.words
    over = float(np.max(used / np.maximum(budget, 1), initial=1.0))
    whole = np.floor(shares / over * (1 - 1e-9)).astype(np.int64)
    left = budget.copy()
    for entry, share in zip(given, whole.tolist(), strict=True):
        left[entry.vertices] -= share * entry.words
    return whole, np.maximum(left, 0)
