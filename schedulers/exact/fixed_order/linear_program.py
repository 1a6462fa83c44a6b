"""The relaxation: gaps that are away in part, and prices of room that prove a bound."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dags.arrays import Int64Array, lock
from schedulers.exact.fixed_order.gaps import Gaps

FloatArray = npt.NDArray[np.float64]
DENOMINATORS = (1, 2, 4, 12, 60, 5040, 10**6)
NEARLY = 1e-6  # what the solver may be wrong by
LARGEST = 1 << 61  # sums beyond this could wrap around


@dataclass(frozen=True)
class Prices:
    """What room is worth at each step: any such numbers prove a bound on the order.

    Parameters
    ----------
    denominator
        All prices are multiples of its inverse.
    before, after
        (N,) numerators: a word of room at each step, just before and just after the computation.
    slide_access
        (K,) accesses that begin a gap, of operands whose place the result may take.
    slide
        (K,) numerators: the right to do so.
    """

    denominator: int
    before: Int64Array
    after: Int64Array
    slide_access: Int64Array
    slide: Int64Array


@dataclass(frozen=True)
class Relaxed:
    """A solution of the relaxation.

    Parameters
    ----------
    away
        (G,) how far each gap is away, from 0 to 1.
    words
        Words beyond the compulsory ones, in floating point.
    lack, slide_lack
        (R,) prices of a word of room at each row of `Gaps`.
    slide
        (K,) prices of the right to take an operand's place.
    """

    away: FloatArray
    words: float
    lack: FloatArray
    slide_lack: FloatArray
    slide: FloatArray


def relaxed(problem: Gaps, time_limit: float | None) -> Relaxed | None:
    """Return the best solution of the relaxation; None if there was no time for it.

    Room is a variable per row, the room before plus the gaps that begin minus those that end, so
    that the program has about four entries for each gap, however long the gaps are.
    """
    from scipy.optimize import linprog
    from scipy.sparse import csr_matrix

    count, rows, slides = problem.value.size, problem.step.size, problem.slide_row.size
    stored, store_of = np.unique(problem.value[problem.dirty], return_inverse=True)
    # Columns: gaps, stores, room, slides.
    store, room = count, count + stored.size
    slide = room + rows
    columns = slide + slides
    costs = np.zeros(columns)
    costs[:count] = problem.words
    costs[store:room] = problem.layout.words[stored]
    least, most = np.zeros(columns), np.ones(columns)
    least[room:slide], most[room:slide] = problem.lack, np.inf

    gap, row, begins = np.arange(count), np.arange(rows), problem.first < problem.last
    ends = begins & (problem.last < rows)
    change = _matrix(
        (row, room + row, np.ones(rows)),
        (row[1:], room + row[:-1], -np.ones(max(rows - 1, 0))),
        (problem.first[begins], gap[begins], -problem.words[begins]),
        (problem.last[ends], gap[ends], problem.words[ends]),
    )
    dirty = np.flatnonzero(problem.dirty)
    slid_rows, slid = np.unique(problem.slide_row, return_inverse=True)
    pair, turn = np.arange(dirty.size), np.arange(slides)
    right, lack = dirty.size, dirty.size + slides
    one = lack + slid_rows.size
    limits = _matrix(
        (pair, dirty, np.ones(dirty.size)),
        (pair, store + store_of, -np.ones(dirty.size)),
        (right + turn, slide + turn, np.ones(slides)),
        (right + turn, problem.slide_gap, -np.ones(slides)),
        (lack + np.arange(slid_rows.size), room + slid_rows, -np.ones(slid_rows.size)),
        (lack + slid, slide + turn, -problem.slide_room),
        (one + slid, slide + turn, np.ones(slides)),
    )
    at_most = np.zeros(one + slid_rows.size)
    at_most[lack:one], at_most[one:] = -problem.slide_lack[slid_rows], 1.0
    solution = linprog(
        costs,
        A_ub=csr_matrix(limits, shape=(at_most.size, columns)),
        b_ub=at_most,
        A_eq=csr_matrix(change, shape=(rows, columns)),
        b_eq=np.zeros(rows),
        bounds=np.column_stack((least, most)),
        method="highs-ds",
        options={} if time_limit is None else {"time_limit": max(time_limit, 0.0)},
    )
    if solution.status != 0:
        return None
    slide_price = np.zeros(rows)
    slide_price[slid_rows] = -solution.ineqlin.marginals[lack:one]
    return Relaxed(
        away=solution.x[:count],
        words=float(solution.fun),
        lack=np.maximum(solution.lower.marginals[room:slide], 0),
        slide_lack=np.maximum(slide_price, 0),
        slide=np.maximum(-solution.ineqlin.marginals[right:lack], 0),
    )


def _matrix(
    *blocks: tuple[Int64Array, Int64Array, npt.NDArray[np.number]],
) -> tuple[FloatArray, tuple[Int64Array, Int64Array]]:
    """Return (data, (rows, columns)) of blocks of (rows, columns, data)."""
    rows, columns, data = (np.concatenate(part) for part in zip(*blocks, strict=True))
    return data.astype(np.float64), (rows, columns)


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
    """Return the prices by step and access, which somebody else can check."""
    before, after = (np.zeros(problem.layout.steps, np.int64) for _ in range(2))
    before[problem.step] = np.where(problem.after, 0, dual.lack)
    after[problem.step] = np.where(problem.after, dual.lack, 0) + dual.slide_lack
    some = np.flatnonzero(dual.slide)
    return Prices(
        dual.denominator,
        lock(before),
        lock(after),
        lock(problem.access[problem.slide_gap[some]]),
        lock(dual.slide[some]),
    )
