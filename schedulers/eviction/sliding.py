"""From an order to a play that slides wherever that saves room."""

import numpy as np

from dags.arrays import lock
from pebble import Schedule
from schedulers.eviction import Traffic
from schedulers.eviction._kernels import sliding as _kernels
from schedulers.orders.access_order import Accesses

UNWRITTEN = np.empty(0, np.uint8), np.empty(0, np.int32)  # where moves are only counted


def sliding_traffic(accesses: Accesses, memory: int, *, price: int) -> Traffic:
    """The traffic of an order if results slide onto operands.

    A result takes the place of the largest operand that no later step needs. Where there is none
    or that is too small, others leave as by `belady_clean` (`price` 1) or `belady_cost` (2); and if
    only operands are left, the result takes the place of the one that is cheapest to bring back.

    Parameters
    ----------
    accesses
        The touches of an order.
    memory
        Words of fast memory, enough for every step under sliding rules.
    price
        How many words a value costs that must be stored before it leaves, if another costs one.
    """
    loads, stores, evictions, _ = _run(accesses, memory, price, *UNWRITTEN)
    return Traffic(loads, stores, evictions)


def sliding_schedule(accesses: Accesses, memory: int, *, price: int) -> Schedule:
    """The moves that `sliding_traffic` counts; parameters likewise."""
    *_, moves = _run(accesses, memory, price, *UNWRITTEN)
    op, vertex = np.empty(moves, np.uint8), np.empty(moves, np.int32)
    _run(accesses, memory, price, op, vertex)
    return Schedule(lock(op), lock(vertex))


def _run(
    accesses: Accesses,
    memory: int,
    price: int,
    op: np.typing.NDArray[np.uint8],
    vertex: np.typing.NDArray[np.int32],
) -> tuple[int, int, int, int]:
    """Return words loaded and stored, victims and moves; fill the moves in if there is room."""
    sequence = _kernels.Sequence(
        accesses.touched,
        accesses.start,
        accesses.following,
        accesses.landmarks,
        accesses.name,
        accesses.words,
        accesses.slides,
    )
    red = np.zeros(accesses.values, np.uint8)
    board = _kernels.SlidingBoard(red, accesses.is_input.copy(), accesses.is_output)
    counts: tuple[int, int, int, int] = _kernels.slide_by_cost(
        sequence, board, memory, price, op, vertex
    )
    return counts
