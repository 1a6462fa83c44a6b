"""Parts of a certificate that are moments of one order, and bounds on pieces beside them."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from dags.arrays import Int64Array
from pebble import Budget, Rules
from proofs.bounds.pieces.orders.relaxation import ENTRY, NOTHING, Relaxation, solved_nearly
from proofs.bounds.pieces.orders.rounding import moments_of
from proofs.bounds.pieces.packing import Inequality
from proofs.bounds.quick_programs import FloatArray
from proofs.certificates.pieces.orders import MOST_DUE
from proofs.certificates.pieces.piece import Piece, Stages

DENOMINATOR = 10**6
LARGEST = 2**20  # words of a value, so that parts of all words can be added up
# Tries with ever more moments, each of which begins where the one before ended: the share of the
# time that is left.
TRIES = (1 / 4, 1.0)
STEPS = 500  # of a try, for which it has time
ENOUGH = 800  # steps until prices are good
MANY = 2500  # steps after which more of them change nothing
MOST_ENTRIES = 2**24  # a program of so many entries takes half a gigabyte
FLOW = 14  # numbers in the rows of a moment, for each edge of the DAG, at most about
# Share of the time that is kept for moments of one order, at most, and seconds of it, at least.
MOST = 0.7
LEAST = 0.5
# Time for this share of all moments is the least that is worth a try.
FEWEST = 0.005
# A try has to prove this share of what moments that are apart prove, less the share of all moments
# that would fit into the next one.
PROMISING = 0.9


def seconds_of(whole: Piece, seconds: float) -> float:
    """The seconds reserved for moments of one order; 0 if the time is too short for any.

    Parameters
    ----------
    whole
        All of a DAG.
    seconds
        The time.
    """
    kept = min(MOST * seconds, MANY * _step(whole))
    return kept if kept >= least_seconds(whole) else 0.0


def least_seconds(whole: Piece) -> float:
    """The seconds with which moments of one order are worth a trial, infinite for none.

    Parameters
    ----------
    whole
        All of a DAG.
    """
    if whole.size**2 > MOST_DUE or int(whole.words.max()) > LARGEST:
        return math.inf
    enough = ENOUGH * _step(whole)
    return max(min(LEAST, enough), FEWEST * enough)


def more_would_pay(whole: Piece, tried: int, known: int, seconds: float) -> bool:
    """Whether a try with more moments is likely to prove more than moments that are apart.

    On graphs where values have few readers the many moments prove more than few; elsewhere few
    moments of one order prove more than many that are apart.

    Parameters
    ----------
    whole
        All of a DAG.
    tried, known
        Words beyond the compulsory ones that a try has proved, and moments that are apart.
    seconds
        For the next try.
    """
    enough = ENOUGH * _step(whole)  # 0 without edges
    share = seconds / enough if enough > seconds else 1.0
    return tried >= (PROMISING - share) * known


def ordered(
    whole: Piece,
    stages: Stages,
    memory: int,
    rules: Rules,
    given: Sequence[Inequality],
    budget: Budget,
) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """Yield a denominator, and the parts of a certificate: moments, and some given ones.

    The second one, if the first had not all moments, need not prove more.

    Parameters
    ----------
    whole, stages
        All of a DAG, and the stages of its values.
    memory, rules
        The game, in which each value is computed once.
    given
        Bounds on pieces and moments, in half words of loads in each stage and of stores.
    budget
        Of all of it, about.
    """
    solution, entries = NOTHING, 0.0
    for share in TRIES:
        able = min(share * budget.left / (STEPS * ENTRY), MOST_ENTRIES)
        entries = max(entries, able)  # also where the one before took longer than it should
        relaxation = Relaxation(whole, stages, memory, rules, given, entries)
        program = relaxation.program()
        seconds = budget.left * (1.0 if relaxation.complete else share)
        seconds = min(seconds, MANY * ENTRY * program.matrix.nnz)
        solution = solved_nearly(program, seconds, solution)
        yield DENOMINATOR, _parts(relaxation, solution.prices, whole, stages, given)
        if relaxation.complete:
            return


def _parts(
    relaxation: Relaxation,
    prices: FloatArray,
    piece: Piece,
    stages: Stages,
    inequalities: Sequence[Inequality],
) -> list[dict[str, Any]]:
    """The parts of a certificate from prices of rows."""
    first = relaxation.given
    budget = 2 * DENOMINATOR * np.concatenate((piece.words[stages.values], piece.words))
    shares, left = _shares(inequalities, prices[first : first + len(inequalities)], budget)
    parts = []
    for entry, share in zip(inequalities, shares.tolist(), strict=True):
        if share:
            vertices, kind, data = entry.part()
            parts.append({"vertices": vertices, "share": share, "proof": kind, "data": data})
    moments = moments_of(relaxation.moments, prices, piece, stages, DENOMINATOR, left // 2)
    parts += [{"vertices": "all", "share": 1, "proof": "order", "data": data} for data in moments]
    return parts


def _step(piece: Piece) -> float:
    """The seconds of a step with the moments of all vertices, at most about."""
    return ENTRY * FLOW * piece.size * piece.pred_indices.size


def _shares(
    inequalities: Sequence[Inequality], prices: FloatArray, budget: Int64Array
) -> tuple[Int64Array, Int64Array]:
    """The shares of given inequalities, whole numbers, and the half words that are left."""
    shares = np.floor(np.maximum(prices, 0) * DENOMINATOR)
    used = np.zeros(budget.size)
    for entry, share in zip(inequalities, shares, strict=True):
        used[entry.vertices] += share * entry.words
    over = float(np.max(used / np.maximum(budget, 1), initial=1.0))
    floored = np.floor(shares / over * (1 - 1e-9)).astype(np.int64)
    left = budget.copy()
    for entry, share in zip(inequalities, floored.tolist(), strict=True):
        left[entry.vertices] -= share * entry.words
    return floored, np.maximum(left, 0)
