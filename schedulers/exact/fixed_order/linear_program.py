"""The relaxation of gaps that are away in part, and prices of room, made exact, that it yields."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dags.arrays import Int64Array, lock
from pebble import Budget
from schedulers.exact.fixed_order.use_gaps import Gaps

FloatArray = npt.NDArray[np.float64]
DENOMINATORS = (1, 2, 4, 12, 60, 5040, 10**6)
NEARLY = 1e-6  # what the solver may be wrong by
LARGEST = 1 << 61  # sums beyond this could wrap around


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


def relaxed(problem: Gaps, budget: Budget) -> Relaxed | None:
    """The best solution of the relaxation; None if there was no time for it.

    Its columns are gaps, stores, room at each row, and slides. Room is the room before plus the
    gaps that begin minus those that end, so that the program has about four entries for each gap,
    however long the gaps are.
    """
    from scipy.optimize import linprog

    stored = np.unique(problem.value[problem.dirty])
    slid = np.unique(problem.slide_row)
    rows, slides = problem.step.size, problem.slide_row.size
    count = problem.value.size
    costs = (problem.words, problem.layout.words[stored], np.zeros(rows + slides))
    lower = (np.zeros(count + stored.size), problem.lack, np.zeros(slides))
    upper = (np.ones(count + stored.size), np.full(rows, np.inf), np.ones(slides))
    # One slide a row; stores and rights to slide are bounded by variables.
    limits = (np.zeros(int(problem.dirty.sum()) + slides), -problem.slide_lack[slid])
    above, equal = _limits(problem, stored, slid), _rooms(problem, stored.size)
    entries = above.nnz + equal.nnz
    solution = linprog(
        np.concatenate(costs),
        A_ub=above,
        b_ub=np.concatenate((*limits, np.ones(slid.size))),
        A_eq=equal,
        b_eq=np.zeros(rows),
        bounds=np.column_stack((np.concatenate(lower), np.concatenate(upper))),
        method="highs-ipm",  # on grids many times as fast as the simplex method
        options=budget.iterations("barrier", entries),
    )
    budget.charge_iterations("barrier", entries, solution.nit)
    if solution.status != 0:
        return None
    room = count + stored.size
    dirty, right = int(problem.dirty.sum()), int(problem.dirty.sum()) + slides
    worth = -solution.ineqlin.marginals
    slide_price = np.zeros(rows)
    slide_price[slid] = worth[right : right + slid.size]
    return Relaxed(
        away=solution.x[:count],
        words=float(solution.fun),
        lack=np.maximum(solution.lower.marginals[room : room + rows], 0),
        slide_lack=np.maximum(slide_price, 0),
        slide=np.maximum(worth[dirty:right], 0),
    )


def _rooms(problem: Gaps, stores: int) -> Any:
    """The sums that are 0 at rows: room, less the one before, less gaps there."""
    from scipy.sparse import csr_matrix, eye, hstack

    rows, slides = problem.step.size, problem.slide_row.size
    gap, words = np.arange(problem.value.size), problem.words.astype(np.float64)
    ends = np.flatnonzero(problem.last < rows)
    places = np.concatenate((problem.first, problem.last[ends]))
    # A gap without rows, of an operand that may be slid onto, begins and ends in one place.
    inside = places < rows
    entries = np.concatenate((-words, words[ends]))[inside]
    kept_columns = places[inside], np.concatenate((gap, gap[ends]))[inside]
    change = csr_matrix((entries, kept_columns), shape=(rows, gap.size))
    rooms = eye(rows) - eye(rows, k=-1)
    return hstack((change, csr_matrix((rows, stores)), rooms, csr_matrix((rows, slides))), "csr")


def _limits(problem: Gaps, stored: npt.NDArray[np.int64], slid: npt.NDArray[np.int64]) -> Any:
    """The bounded sums: away less stored, slid less away, less room and slides, slides."""
    from scipy.sparse import block_array, csr_matrix, eye

    count, rows, slides = problem.value.size, problem.step.size, problem.slide_row.size
    dirty, turn = np.flatnonzero(problem.dirty), np.arange(slides)
    row = np.searchsorted(slid, problem.slide_row)

    def matrix(rows_of_entries: Any, columns: Any, entries: Any, shape: tuple[int, int]) -> Any:
        return csr_matrix(
            (
                np.broadcast_to(entries, rows_of_entries.shape).astype(float),
                (rows_of_entries, columns),
            ),
            shape,
        )

    pair = np.arange(dirty.size)
    store = np.searchsorted(stored, problem.value[dirty])
    absence = matrix(pair, dirty, 1, (dirty.size, count))
    stores = matrix(pair, store, -1, (dirty.size, stored.size))
    rights = matrix(turn, problem.slide_gap, -1, (slides, count))
    rooms = matrix(np.arange(slid.size), slid, -1, (slid.size, rows))
    won = matrix(row, turn, -problem.slide_room, (slid.size, slides))
    once = matrix(row, turn, 1, (slid.size, slides))
    blocks = [
        [absence, stores, None, None],
        [rights, None, None, eye(slides)],
        [None, None, rooms, won],
        [None, None, None, once],
    ]
    return block_array(blocks, format="csr")


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
    """Whole prices and their bound: `words` / `denominator` beyond the compulsory ones.

    `of_gap` is (G,) the cost of being away beyond the price of the room: less than 0 if it pays.
    """

    denominator: int
    words: int
    lack: Int64Array
    slide_lack: Int64Array
    slide: Int64Array
    of_gap: Int64Array


def exact_dual(problem: Gaps, solution: Relaxed) -> Dual | None:
    """The solution's prices as integers over the smallest denominator that loses nothing.

    None if no prices prove anything.
    """
    best: Dual | None = None
    for denominator in DENOMINATORS:
        prices = [solution.lack, solution.slide_lack, solution.slide]
        largest = denominator * (1 + max(float(p.max(initial=0)) for p in prices))
        sizes = float(problem.words.sum() + problem.lack.sum() + problem.slide_lack.sum())
        if largest * (problem.step.size + 1) * (sizes + 1) > LARGEST:
            break
        bound = _valued(problem, denominator, [np.rint(p * denominator) for p in prices])
        if best is None or bound.words * best.denominator > best.words * denominator:
            best = bound
        if bound.words > (solution.words - NEARLY) * denominator:
            break
    return best if best is not None and best.words > 0 else None


def _valued(problem: Gaps, denominator: int, prices: list[FloatArray]) -> Dual:
    """The bound of prices: the least that everybody pays at them, less the price of room.

    The rows' lacks are relaxed at these prices; the rest falls apart into values, each of which
    either stays, or is away in every gap where that pays; and rows, where one operand at most is
    slid onto.
    """
    lack, slide_lack, slide = (price.astype(np.int64) for price in prices)
    worth = np.concatenate(([0], np.cumsum(lack + slide_lack)))
    span = worth[problem.last] - worth[problem.first]
    of_gap = problem.words * (denominator - span)
    np.subtract.at(of_gap, problem.slide_gap, slide)
    values = problem.layout.values
    charges = np.zeros(values, np.int64)
    np.add.at(charges, problem.value, np.minimum(of_gap, 0))
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
        + int(np.minimum(charges + store * problem.layout.words, 0).sum())
    )
    return Dual(denominator, words, lack, slide_lack, slide, of_gap)


def prices(problem: Gaps, dual: Dual) -> Prices:
    """The prices by step and access, which can be checked independently."""
    before, after = (np.zeros(problem.layout.steps, np.int64) for _ in range(2))
    before[problem.step] = np.where(problem.after, 0, dual.lack)
    after[problem.step] = np.where(problem.after, dual.lack, 0) + dual.slide_lack
    slid = np.flatnonzero(dual.slide)
    return Prices(
        denominator=dual.denominator,
        before=lock(before),
        after=lock(after),
        slide_step=lock(problem.step[problem.slide_row[slid]]),
        slide_operand=lock(
            problem.layout.name[problem.value[problem.slide_gap[slid]]].astype(np.int64)
        ),
        slide=lock(dual.slide[slid]),
    )
