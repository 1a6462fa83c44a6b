"""The relaxation: gaps that are away in part, and prices of room in floating point."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from schedulers.exact.fixed_order.use_gaps import Gaps

FloatArray = npt.NDArray[np.float64]


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
    least = (np.zeros(count + stored.size), problem.lack, np.zeros(slides))
    most = (np.ones(count + stored.size), np.full(rows, np.inf), np.ones(slides))
    # One slide a row; stores and rights to slide are bounded by variables.
    limits = (np.zeros(int(problem.dirty.sum()) + slides), -problem.slide_lack[slid])
    solution = linprog(
        np.concatenate(costs),
        A_ub=_limits(problem, stored, slid),
        b_ub=np.concatenate((*limits, np.ones(slid.size))),
        A_eq=_rooms(problem, stored.size),
        b_eq=np.zeros(rows),
        bounds=np.column_stack((np.concatenate(least), np.concatenate(most))),
        method="highs-ipm",  # on grids many times as fast as the simplex method
        options={} if time_limit is None else {"time_limit": max(time_limit, 0.0)},
    )
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
    """Return what is 0 at each row: its room, less the one before, less what begins or ends."""
    from scipy.sparse import csr_matrix, eye, hstack

    rows, slides = problem.step.size, problem.slide_row.size
    gap, words = np.arange(problem.value.size), problem.words.astype(np.float64)
    ends = np.flatnonzero(problem.last < rows)
    places = np.concatenate((problem.first, problem.last[ends]))
    # A gap without rows, of an operand that may be slid onto, begins and ends in one place.
    inside = places < rows
    entries = np.concatenate((-words, words[ends]))[inside]
    where = places[inside], np.concatenate((gap, gap[ends]))[inside]
    change = csr_matrix((entries, where), shape=(rows, gap.size))
    rooms = eye(rows) - eye(rows, k=-1)
    return hstack((change, csr_matrix((rows, stores)), rooms, csr_matrix((rows, slides))), "csr")


def _limits(problem: Gaps, stored: npt.NDArray[np.int64], slid: npt.NDArray[np.int64]) -> Any:
    """Return what is bounded: away less stored, slid less away, less room and slides, slides."""
    from scipy.sparse import block_array, csr_matrix, eye

    count, rows, slides = problem.value.size, problem.step.size, problem.slide_row.size
    dirty, turn = np.flatnonzero(problem.dirty), np.arange(slides)
    row = np.searchsorted(slid, problem.slide_row)

    def matrix(at: Any, columns: Any, entries: Any, shape: tuple[int, int]) -> Any:
        return csr_matrix((np.broadcast_to(entries, at.shape).astype(float), (at, columns)), shape)

    pair = np.arange(dirty.size)
    store = np.searchsorted(stored, problem.value[dirty])
    away = matrix(pair, dirty, 1, (dirty.size, count))
    stores = matrix(pair, store, -1, (dirty.size, stored.size))
    rights = matrix(turn, problem.slide_gap, -1, (slides, count))
    rooms = matrix(np.arange(slid.size), slid, -1, (slid.size, rows))
    won = matrix(row, turn, -problem.slide_room, (slid.size, slides))
    once = matrix(row, turn, 1, (slid.size, slides))
    blocks = [
        [away, stores, None, None],
        [rights, None, None, eye(slides)],
        [None, None, rooms, won],
        [None, None, None, once],
    ]
    return block_array(blocks, format="csr")
