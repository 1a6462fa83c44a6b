"""Furthest next use at every memory size, in one pass."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from dags.arrays import lock
from pebble import min_memory
from schedulers.access_order import Accesses
from schedulers.curves._kernels import critical_stack as _kernels
from schedulers.curves.memory_curve import MemoryCurve, beyond

FIRST_POINTS = 1 << 12


def belady_loads(accesses: Accesses) -> MemoryCurve:
    """Return the loads of furthest next use at every memory size, without the stores.

    They are the fewest loads that the order allows; parameters and errors as for `belady_curve`.

    Examples
    --------
    >>> from dags import fft
    >>> from schedulers import accesses
    >>> dag = fft(4)
    >>> belady_loads(accesses(dag, dag.computed)).loads.tolist()
    [12, 8, 5, 4]
    """
    return replace(belady_curve(accesses), stores=None)


def belady_curve(accesses: Accesses) -> MemoryCurve:
    """Return the loads and stores of furthest next use at every memory size.

    The same numbers as the policy `belady` at each size. An access takes O(log D) time, D the most
    values that are live at once, and no step needs the future.

    Parameters
    ----------
    accesses
        What an order touches.

    Raises
    ------
    ValueError
        If values differ in size.

    Notes
    -----
    Whether an operand x, last touched by step s, is still there at step t depends on the memory
    sizes M that were *full* at some time since: those that kept, past some step u in between,
    as many values for later steps as there was room beside the operands of u. M is critical
    last at the step before an access that M is just large enough to keep; and then it has a
    *token* there, one for every M. Write a step's computed vertex and operands as its set.

    - Time is a row of *points*. When step t begins, what was in the set of step t-1 and is not
      in that of t falls out, at a new point. For each value of the new set that was not in the
      old one a token goes to a point behind it: a new value brings the token of a new size; an
      operand that was touched before takes one from an earlier point.
    - The *balance* behind a point is the number of tokens there less the number of values that
      have fallen out there and have not been touched since. It is never negative, and where it
      is zero, all tokens behind are bound to the values behind.
    - So the operand x, which fell out at point p, takes the smallest token at or before the
      first point from p on behind which the balance is zero. Its size is the smallest memory
      with which x is still there.
    - Sizes up to the size of the step's set are no help to any value and stay without a token;
      they gain one when sets get smaller and lose it when sets get larger.

    A tree over points with sums, largest partial sums and smallest tokens finds both in
    O(log). Points without tokens or waiting values are merged from time to time.

    Source
    ------
    G. Bilardi, K. Ekanadham and P. Pattnaik, Optimal on-line computation of stack distances for
    MIN and OPT, CF 2017 (the critical stack). Steps that need several values at once, and
    values that die, are ours; the tests compare with `belady` at every size on random DAGs.

    Examples
    --------
    >>> from dags import fft
    >>> from schedulers import accesses
    >>> dag = fft(4)
    >>> belady_curve(accesses(dag, dag.computed)).io.tolist()
    [20, 15, 10, 8]
    """
    if accesses.dag.words is not None:
        raise ValueError("one pass counts for all memory sizes only if all values have one size")
    peak = int(_kernels.peak_live(accesses.touched, accesses.start))
    hits, stores = np.zeros((2, peak + 2), np.int64)
    _follow(accesses, peak, hits, stores)
    minimum = min_memory(accesses.dag)
    size = max(peak - minimum, 0) + 1
    cold = int(accesses.is_input.sum())
    owed = accesses.dag.outputs.size
    return MemoryCurve(
        minimum=minimum,
        loads=lock(cold + beyond(hits, minimum, size)),
        stores=lock(owed + beyond(stores, minimum, size)),
    )


def _follow(
    accesses: Accesses, peak: int, hits: npt.NDArray[np.int64], stores: npt.NDArray[np.int64]
) -> None:
    """Fill the histograms of `_kernels.belady_depths`."""
    spills = lock(1 - accesses.settled)
    seq = _kernels.Sequence(accesses.touched, accesses.start, spills)
    counts = _kernels.Counts(hits, stores, np.zeros(accesses.values, np.int32))
    recent = np.full(accesses.values, -1, np.int32)
    point_of = np.full(accesses.values, -1, np.int32)
    where = np.zeros(peak + 1, np.int32)
    widest = int(np.diff(accesses.start).max(initial=0))
    count = FIRST_POINTS
    while count < 4 * (widest + 1):
        count *= 2
    points, tree = _points(count), _tree(count)
    state = np.zeros(_kernels.BELADY_STATE, np.int64)
    step = 0
    while True:
        board = _kernels.Board(recent, point_of, where, *points)
        step = _kernels.belady_depths(seq, counts, board, tree, state, step)
        if step == accesses.steps:
            return
        in_use, new_place = np.zeros(count, np.uint8), np.empty(count, np.int32)
        fewer = _points(count)
        _kernels.compact_points(point_of, where, *points, state, in_use, new_place, *fewer)
        points = fewer
        if 2 * int(state[_kernels.POINTS]) + 4 * widest > count:
            points = tuple(np.concatenate((column, np.empty_like(column))) for column in points)
            count *= 2
        tree = _tree(count)


def _points(count: int) -> tuple[npt.NDArray[np.int32], ...]:
    """Return arrays for `count` points, the last columns of `_kernels.Board`."""
    return tuple(np.empty(count, np.int32) for _ in range(4))


def _tree(count: int) -> _kernels.Tree:
    """Return the tree over `count` empty points, a power of two."""
    zeros = np.zeros(2 * count, np.int32)
    return _kernels.Tree(zeros, zeros.copy(), np.full(2 * count, _kernels.NO_TOKEN, np.int32))
