"""From shares in floating point to shares that are exact."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dags.arrays import Int64Array
from proofs.bounds.pieces.packing.inequality import Inequality
from proofs.bounds.pieces.packing.linear_program import Packed

DENOMINATORS = (1, 2, 6, 12, 60, 5040, 10**6)
NEARLY = 1e-6  # a share so close below a whole number is meant to be that number


@dataclass(frozen=True)
class ExactShares:
    """Shares of inequalities, as integers over a denominator; `words` is what they prove, too."""

    denominator: int
    words: int
    inequalities: tuple[Inequality, ...]
    numerators: tuple[int, ...]


def exact_shares(packed: Packed, budget: Int64Array) -> ExactShares:
    """Return the shares that were found, rounded so that they use no more than `budget` (n,).

    The smallest denominator is taken that loses next to nothing.
    """
    least = np.array([entry.least for entry in packed.inequalities], np.int64)
    best = ExactShares(1, 0, (), ())
    for denominator in DENOMINATORS:
        numerators = _rounded(packed, denominator, budget)
        words = int(numerators @ least)
        if words / denominator > best.words / best.denominator + NEARLY:
            counts = tuple(numerators.tolist())
            best = ExactShares(denominator, words, packed.inequalities, counts)
        if words / denominator > packed.words - NEARLY:
            break
    return best


def _rounded(packed: Packed, denominator: int, budget: Int64Array) -> Int64Array:
    """Return numerators: rounded down, but what is nearly a whole number to that number."""
    exact = packed.shares * denominator
    for numerators in (exact + NEARLY, exact * (1 - NEARLY), 0 * exact):
        rounded: Int64Array = np.floor(numerators).astype(np.int64)
        if _fits(packed.inequalities, rounded, denominator * budget):
            break
    return rounded


def _fits(inequalities: Sequence[Inequality], numerators: Int64Array, budget: Int64Array) -> bool:
    """Return whether no value is used for more than all of it."""
    used = np.zeros(budget.size, np.int64)
    for numerator, entry in zip(numerators.tolist(), inequalities, strict=True):
        used[entry.vertices] += numerator * entry.words
    return bool((used <= budget).all())
