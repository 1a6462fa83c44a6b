"""LRU at every memory size, in one pass."""

from typing import Any

import numpy as np
import numpy.typing as npt

from dags.arrays import lock, number_type
from pebble import min_memory
from schedulers.access_order import Accesses
from schedulers.curves._kernels import lru_stack as _kernels
from schedulers.curves.memory_curve import MemoryCurve, beyond

FIRST_SLOTS = 1 << 13


def lru_curve(accesses: Accesses) -> MemoryCurve:
    """Return the loads and stores of LRU at every memory size.

    The same numbers as the policy `lru` at each size, for the price of about five runs: an
    operand is loaded with M words exactly if M is below its depth in the LRU stack, and a
    computed value that is no output is stored exactly if M is below its largest depth.

    Parameters
    ----------
    accesses
        What an order touches.

    Raises
    ------
    ValueError
        If values differ in size: then larger memories need not hold what smaller ones do.

    Source
    ------
    R. L. Mattson et al., Evaluation techniques for storage hierarchies, IBM Systems Journal 9,
    1970, for the stack. That values die is ours: a value's slot stays in the stack as a hole,
    which what comes to the top fills.

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
    depth = _follow(accesses, hits, stores)
    minimum = min_memory(accesses.dag)
    size = max(depth - minimum, 0) + 1
    cold = int(accesses.is_input.sum())
    owed = accesses.dag.outputs.size
    return MemoryCurve(
        minimum=minimum,
        loads=lock(cold + beyond(hits, minimum, size)),
        stores=lock(owed + beyond(stores, minimum, size)),
    )


def _follow(accesses: Accesses, hits: npt.NDArray[np.int64], stores: npt.NDArray[np.int64]) -> int:
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
        step = _kernels.lru_depths(
            accesses.touched, accesses.start, spills, hits, stores, slot_of, deepest, *stack,
            state, step,
        )  # fmt: skip
        if step == accesses.steps:
            return int(state[_kernels.DEPTH])
        while slots < 2 * (int(state[_kernels.DEPTH]) + widest):
            slots *= 2
        bits, hole, _, _, _, value_at = stack
        stack = _slots(slots)
        _kernels.compact_slots(bits, hole, value_at, slot_of, state, *stack)


def _slots(count: int) -> tuple[npt.NDArray[Any], ...]:
    """Return empty arrays for `count` slots, a power of two: see `_kernels.lru_depths`."""
    words = count >> 6
    return (
        np.zeros(words + 1, np.uint64),
        np.zeros(words + 1, np.uint64),
        np.zeros((words >> 6) + 1, np.uint64),
        np.zeros((words >> 12) + 1, np.uint64),
        np.zeros(2 * words, np.int32),
        np.empty(count, np.int32),
    )
