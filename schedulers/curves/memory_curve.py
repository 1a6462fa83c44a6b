"""I/O as a function of the memory size, for every size: of furthest next use, and of LRU."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from dags.arrays import Int64Array, lock, number_type
from pebble import MemoryTooSmallError, min_memory
from schedulers.curves._kernels import critical_stack, lru_stack
from schedulers.orders.access_order import Accesses

FIRST_POINTS = 1 << 12
FIRST_SLOTS = 1 << 13


@dataclass(frozen=True, eq=False)
class MemoryCurve:
    """Words moved at every memory size from the smallest that works.

    Parameters
    ----------
    minimum
        The smallest memory, in words.
    loads
        (K,) words loaded with ``minimum + i`` words; words at the last size are those at every
        larger one.
    stores
        (K,) words stored, those of outputs among them; None where only loads are counted.
    """

    minimum: int
    loads: Int64Array
    stores: Int64Array | None

    @property
    def memories(self) -> Int64Array:
        """(K,) the memory sizes."""
        return self.minimum + np.arange(self.loads.size)

    @property
    def io(self) -> Int64Array:
        """(K,) words moved both ways.

        Raises
        ------
        ValueError
            If stores are not counted.
        """
        if self.stores is None:
            raise ValueError("this curve counts loads alone")
        return self.loads + self.stores

    def loads_at(self, memory: int) -> int:
        """The words loaded with `memory` words; raises MemoryTooSmallError below all."""
        return int(self.loads[self._place(memory)])

    def stores_at(self, memory: int) -> int:
        """The words stored with `memory` words, like `loads_at`."""
        if self.stores is None:
            raise ValueError("this curve counts loads alone")
        return int(self.stores[self._place(memory)])

    def _place(self, memory: int) -> int:
        if memory < self.minimum:
            raise MemoryTooSmallError(memory, self.minimum, "with most operands")
        return min(memory - self.minimum, self.loads.size - 1)


def beyond(histogram: Int64Array, minimum: int, size: int) -> Int64Array:
    """(size,) how much of `histogram` lies beyond ``minimum + i``."""
    total = np.cumsum(histogram[::-1])[::-1]  # from each place on
    padded = np.zeros(minimum + size + 1, np.int64)
    kept = min(padded.size, total.size)
    padded[:kept] = total[:kept]
    return lock(padded[minimum + 1 :].copy())


def belady_loads(accesses: Accesses) -> MemoryCurve:
    """The loads of furthest next use at every memory size, without the stores.

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
    """The loads and stores of furthest next use at every memory size.

    The same numbers as the policy `belady` at each size. An access takes O(log D) time, D the most
    values that are live at once, and no step needs the future.

    Parameters
    ----------
    accesses
        The touches of an order.

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

    - Time is a row of *points*. When step t begins, values in the set of step t-1 and not in that
      of t fall out, at a new point. For each value of the new set that was not in the old one a
      token goes to a point behind it: a new value brings the token of a new size; an operand that
      was touched before takes one from an earlier point.
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
    peak = int(critical_stack.peak_live(accesses.touched, accesses.start))
    hits, stores = np.zeros((2, peak + 2), np.int64)
    _follow(accesses, peak, hits, stores)
    return _curve(accesses, peak, hits, stores)


def _follow(
    accesses: Accesses, peak: int, hits: npt.NDArray[np.int64], stores: npt.NDArray[np.int64]
) -> None:
    """Fill the histograms of `critical_stack.belady_depths`."""
    spills = lock(1 - accesses.settled)
    seq = critical_stack.Sequence(accesses.touched, accesses.start, spills)
    counts = critical_stack.Counts(hits, stores, np.zeros(accesses.values, np.int32))
    recent = np.full(accesses.values, -1, np.int32)
    point_of = np.full(accesses.values, -1, np.int32)
    histogram = np.zeros(peak + 1, np.int32)
    widest = int(np.diff(accesses.start).max(initial=0))
    count = FIRST_POINTS
    while count < 4 * (widest + 1):
        count *= 2
    points, tree = _points(count), _tree(count)
    state = np.zeros(critical_stack.BELADY_STATE, np.int64)
    step = 0
    while True:
        board = critical_stack.StackBoard(recent, point_of, histogram, *points)
        step = critical_stack.belady_depths(seq, counts, board, tree, state, step)
        if step == accesses.steps:
            return
        in_use, new_place = np.zeros(count, np.uint8), np.empty(count, np.int32)
        fewer = _points(count)
        critical_stack.compact_points(
            point_of, histogram, *points, state, in_use, new_place, *fewer
        )
        points = fewer
        if 2 * int(state[critical_stack.POINTS]) + 4 * widest > count:
            points = tuple(np.concatenate((column, np.empty_like(column))) for column in points)
            count *= 2
        tree = _tree(count)


def _points(count: int) -> tuple[npt.NDArray[np.int32], ...]:
    """Arrays for `count` points, the last columns of `critical_stack.StackBoard`."""
    return tuple(np.empty(count, np.int32) for _ in range(4))


def _tree(count: int) -> critical_stack.Tree:
    """The tree over `count` empty points, a power of two."""
    zeros = np.zeros(2 * count, np.int32)
    return critical_stack.Tree(
        zeros, zeros.copy(), np.full(2 * count, critical_stack.NO_TOKEN, np.int32)
    )


def lru_curve(accesses: Accesses) -> MemoryCurve:
    """The loads and stores of LRU at every memory size.

    The same numbers as the policy `lru` at each size, for the price of about five runs: an
    operand is loaded with M words exactly if M is below its depth in the LRU stack, and a
    computed value that is no output is stored exactly if M is below its largest depth.

    Parameters
    ----------
    accesses
        The touches of an order.

    Raises
    ------
    ValueError
        If values differ in size: then larger memories need not hold all that smaller ones do.

    Source
    ------
    R. L. Mattson et al., Evaluation techniques for storage hierarchies, IBM Systems Journal 9,
    1970, for the stack. That values die is ours: a value's slot stays in the stack as a hole, which
    a value that comes to the top fills.

    Examples
    --------
    >>> from dags import fft
    >>> from schedulers import accesses
    >>> dag = fft(4)
    >>> lru_curve(accesses(dag, dag.computed)).io.tolist()
    [20, 14, 10, 8]
    """
    if accesses.dag.words is not None:
        raise ValueError("one pass counts for all memory sizes only if all values have one size")
    hits = np.zeros(accesses.values + 2, np.int64)
    stores = np.zeros(accesses.values + 2, np.int64)
    depth = _follow_lru(accesses, hits, stores)
    return _curve(accesses, depth, hits, stores)


def _curve(
    accesses: Accesses, limit: int, hits: npt.NDArray[np.int64], stores: npt.NDArray[np.int64]
) -> MemoryCurve:
    """The curve of two histograms, up to the words from which nothing changes."""
    minimum = min_memory(accesses.dag)
    size = max(limit - minimum, 0) + 1
    cold = int(accesses.is_input.sum())
    owed = accesses.dag.outputs.size
    return MemoryCurve(
        minimum=minimum,
        loads=lock(cold + beyond(hits, minimum, size)),
        stores=lock(owed + beyond(stores, minimum, size)),
    )


def _follow_lru(
    accesses: Accesses, hits: npt.NDArray[np.int64], stores: npt.NDArray[np.int64]
) -> int:
    """Fill the two histograms by depth; return the greatest depth of the stack."""
    spills = lock(1 - accesses.settled)
    slot_of = np.full(accesses.values, -1, number_type(2 * accesses.values))
    deepest = np.zeros(accesses.values, slot_of.dtype)
    widest = int(np.diff(accesses.start).max(initial=0))
    slots = FIRST_SLOTS
    while slots < 2 * widest:
        slots *= 2
    stack = _slots(slots)
    state = np.array([0, 0, -1, 0], np.int64)
    step = 0
    while True:
        step = lru_stack.lru_depths(
            accesses.touched, accesses.start, spills, hits, stores, slot_of, deepest, *stack,
            state, step,
        )  # fmt: skip
        if step == accesses.steps:
            return int(state[lru_stack.DEPTH])
        while slots < 2 * (int(state[lru_stack.DEPTH]) + widest):
            slots *= 2
        bits, hole, _, _, _, value_at = stack
        stack = _slots(slots)
        lru_stack.compact_slots(bits, hole, value_at, slot_of, state, *stack)


def _slots(count: int) -> tuple[npt.NDArray[Any], ...]:
    """Empty arrays for `count` slots, a power of two: see `lru_stack.lru_depths`."""
    words = count >> 6
    return (
        np.zeros(words + 1, np.uint64),
        np.zeros(words + 1, np.uint64),
        np.zeros((words >> 6) + 1, np.uint64),
        np.zeros((words >> 12) + 1, np.uint64),
        np.zeros(2 * words, np.int32),
        np.empty(count, np.int32),
    )
