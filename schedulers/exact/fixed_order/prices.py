"""From prices in floating point to prices that prove a bound exactly."""

from dataclasses import dataclass

import numpy as np

from dags.arrays import Int64Array, lock
from schedulers.exact.fixed_order.linear_program import FloatArray, Relaxed
from schedulers.exact.fixed_order.use_gaps import Gaps

DENOMINATORS = (1, 2, 4, 12, 60, 5040, 10**6)
NEARLY = 1e-6  # what the solver may be wrong by
LARGEST = 1 << 61  # sums beyond this could wrap around


@dataclass(frozen=True)
class Prices:
    """Dual prices of room at each step: any such numbers prove a bound on the order.

    Parameters
    ----------
    denominator
        All prices are multiples of its inverse.
    before, after
        (N,) numerators: a word of room at each step, just before and just after the computation.
    slide_step, slide_operand
        (K,) a step, and the vertex of an operand that is used later, too.
    slide
        (K,) numerators: the right to put the step's result in the operand's place.
    """

    denominator: int
    before: Int64Array
    after: Int64Array
    slide_step: Int64Array
    slide_operand: Int64Array
    slide: Int64Array


@dataclass(frozen=True)
class Dual:
    """Whole prices and what they prove: `words` / `denominator` beyond the compulsory ones.

    `of_gap` is (G,) what being away costs more than the room is worth: less than 0 if it pays.
    """

    denominator: int
    words: int
    lack: Int64Array
    slide_lack: Int64Array
    slide: Int64Array
    of_gap: Int64Array


def exact_dual(problem: Gaps, solution: Relaxed) -> Dual | None:
    """Return the solution's prices as integers over the smallest denominator that loses nothing.

    None if no prices prove anything.
    """
    best: Dual | None = None
    for denominator in DENOMINATORS:
        prices = [solution.lack, solution.slide_lack, solution.slide]
        most = denominator * (1 + max(float(p.max(initial=0)) for p in prices))
        sizes = float(problem.words.sum() + problem.lack.sum() + problem.slide_lack.sum())
        if most * (problem.step.size + 1) * (sizes + 1) > LARGEST:
            break
        found = _valued(problem, denominator, [np.rint(p * denominator) for p in prices])
        if best is None or found.words * best.denominator > best.words * denominator:
            best = found
        if found.words > (solution.words - NEARLY) * denominator:
            break
    return best if best is not None and best.words > 0 else None


def _valued(problem: Gaps, denominator: int, prices: list[FloatArray]) -> Dual:
    """Return what prices prove: the least that everybody pays at them, less what room costs.

    The rows' lacks are relaxed at these prices; what is left falls apart into values, each of
    which either stays, or is away in every gap where that pays; and rows, where one operand at
    most is slid onto.
    """
    lack, slide_lack, slide = (price.astype(np.int64) for price in prices)
    worth = np.concatenate(([0], np.cumsum(lack + slide_lack)))
    span = worth[problem.last] - worth[problem.first]
    of_gap = problem.words * (denominator - span)
    np.subtract.at(of_gap, problem.slide_gap, slide)
    values = problem.layout.values
    away = np.zeros(values, np.int64)
    np.add.at(away, problem.value, np.minimum(of_gap, 0))
    store = np.zeros(values, np.int64)
    store[problem.value[problem.dirty]] = denominator
    turn = np.zeros(problem.step.size, np.int64)
    np.minimum.at(
        turn, problem.slide_row, slide - slide_lack[problem.slide_row] * problem.slide_room
    )
    words = (
        int(lack @ problem.lack)
        + int(slide_lack @ problem.slide_lack)
        + int(turn.sum())
        + int(np.minimum(away + store * problem.layout.words, 0).sum())
    )
    return Dual(denominator, words, lack, slide_lack, slide, of_gap)


def prices(problem: Gaps, dual: Dual) -> Prices:
    """Return the prices by step and access, which can be checked independently."""
    before, after = (np.zeros(problem.layout.steps, np.int64) for _ in range(2))
    before[problem.step] = np.where(problem.after, 0, dual.lack)
    after[problem.step] = np.where(problem.after, dual.lack, 0) + dual.slide_lack
    some = np.flatnonzero(dual.slide)
    return Prices(
        denominator=dual.denominator,
        before=lock(before),
        after=lock(after),
        slide_step=lock(problem.step[problem.slide_row[some]]),
        slide_operand=lock(
            problem.layout.name[problem.value[problem.slide_gap[some]]].astype(np.int64)
        ),
        slide=lock(dual.slide[some]),
    )
