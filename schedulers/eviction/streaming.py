"""Plays of an order that is given a block at a time."""

from collections.abc import Iterable, Iterator

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array, Int64Array, lock
from dags.cdag.rows import reader_counts
from pebble import Schedule
from schedulers.eviction import Traffic
from schedulers.eviction._kernels import streaming as _kernels

STEPS = 1 << 20  # of a block at least, and four times as many at most
FORESIGHT = 256  # steps of a block, between these, for each value that fits into fast memory


def streamed(
    dag: CDAG, order: Iterable[Int32Array], memory: int, *, price: int
) -> Iterator[Schedule]:
    """Yield the moves of a play that computes in `order`, a block at a time.

    A value leaves as under `belady_clean` (`price` 1) or `belady_cost` (2), by the touches of the
    current block; other values are taken to be needed right after it. Where one block is all of the
    order, that is the policy but for ties. Beside the DAG it takes 9 bytes for each vertex, and the
    room of a block.

    Parameters
    ----------
    dag
        The computation.
    order
        Its computed vertices, operands before results, in arrays of any sizes.
    memory
        Words of fast memory, enough for every step.
    price
        How many words a value costs that must be stored before it leaves, if another costs one.
    """
    state = np.zeros(3, np.int64)
    yield from _moves(dag, order, memory, price, state)


def streamed_traffic(dag: CDAG, order: Iterable[Int32Array], memory: int, *, price: int) -> Traffic:
    """The words that `streamed` moves; parameters likewise. `evictions` is not counted."""
    state = np.zeros(3, np.int64)
    for _ in _moves(dag, order, memory, price, state):
        pass
    _, loads, stores = state.tolist()
    return Traffic(loads, stores, 0)


def _moves(
    dag: CDAG, order: Iterable[Int32Array], memory: int, price: int, state: Int64Array
) -> Iterator[Schedule]:
    left = reader_counts(dag.pred_indices, dag.n, dtype=np.int32)
    use = np.full(dag.n, -1, np.int32)
    flags = np.zeros(dag.n, np.uint8)
    flags[dag.inputs] = _kernels.BLUE
    flags[dag.outputs] |= _kernels.OUTPUT
    later, sizes = np.empty((2, min(memory, dag.n)), np.int32), np.zeros(2, np.int64)
    held = _kernels.Memory(use, left, flags, later, sizes, state)
    for steps in in_blocks(order, min(max(STEPS, FORESIGHT * memory), 4 * STEPS)):
        count = int((dag.pred_indptr[steps + 1] - dag.pred_indptr[steps]).sum()) + steps.size
        places = [np.empty(count, np.int32) for _ in range(3)]
        _kernels.look_ahead(dag.pred_indptr, dag.pred_indices, steps, use, *places)
        # each access can load, store and delete its value, and each value held can leave
        room = 5 * count + 2 * int(sizes.sum())
        op, vertex = np.empty(room, np.uint8), np.empty(room, np.int32)
        block = _kernels.Block(steps, *places)
        filled = _kernels.play_block(
            dag.pred_indptr, dag.sizes, block, held, memory, price, op, vertex
        )
        yield Schedule(lock(op[:filled].copy()), lock(vertex[:filled].copy()))


def in_blocks(order: Iterable[Int32Array], size: int) -> Iterator[Int32Array]:
    """Yield the entries of `order`, about `size` at a time."""
    waiting: list[Int32Array] = []
    for part in order:
        for start in range(0, part.size, size):
            waiting.append(part[start : start + size])
            if sum(block.size for block in waiting) >= size:
                yield np.concatenate(waiting)
                waiting = []
    if waiting:
        yield np.concatenate(waiting)
