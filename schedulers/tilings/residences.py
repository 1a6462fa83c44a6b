"""Moves of a play in which each value stays from its first to its last use in each residence.

A residence is a number: uses of a value with the same number are one stay in fast memory. A value
comes in before the first use of a stay, unless it is computed in it, and leaves after the last.
Stays of one value at the same time are one stay.
"""

import numpy as np
import numpy.typing as npt

from dags import CDAG
from dags.arrays import Int32Array, Int64Array, lock
from pebble import Move, Schedule

Reads = tuple[Int64Array, Int64Array, Int64Array]


def reads_of(dag: CDAG, order: Int32Array) -> tuple[Int64Array, Int64Array]:
    """The place in the order, and the operand, of every edge, place after place."""
    start, size = dag.pred_indptr[order], dag.indegree[order]
    place = np.repeat(np.arange(order.size), size)
    within = np.arange(place.size) - np.repeat(np.cumsum(size) - size, size)
    operand = dag.pred_indices[np.repeat(start, size) + within].astype(np.int64)
    return place, operand


def residing(
    dag: CDAG,
    order: Int32Array,
    reads: Reads,
    own: Int64Array,
    made_in: Int64Array,
    left: npt.NDArray[np.bool_],
) -> Schedule:
    """The moves of a play.

    Parameters
    ----------
    dag
        The computation.
    order
        (N,) computed vertices.
    reads
        (e,) of each read of theirs the place in the order, the operand, and the residence.
    own
        (N,) the residence in which each is computed.
    made_in
        (n,) the residence in which each vertex is computed, -1 for inputs.
    left
        (n,) whether the value is stored.
    """
    place, operand, here = reads
    steps = np.arange(order.size)
    touched: Int64Array = np.concatenate((operand, order))
    when: Int64Array = np.concatenate((place, steps))
    residence = np.concatenate((here, own))
    key: Int64Array = residence * dag.n + touched
    by_key = np.lexsort((when, key))
    begins = np.flatnonzero(np.diff(key[by_key], prepend=-1))
    first, last = by_key[begins], by_key[np.append(begins[1:], key.size) - 1]
    first, last = _joined(touched, when, first, last)
    came = first[made_in[touched[first]] != residence[first]]
    stored = steps[left[order]]
    times = (4 * when[came], 4 * steps + 1, 4 * stored + 2, 4 * when[last] + 3)
    moves = (Move.LOAD, Move.COMPUTE, Move.STORE, Move.DELETE)
    vertices = (touched[came], order, order[stored], touched[last])
    turn = np.argsort(np.concatenate(times), kind="stable")
    op = np.repeat(np.array(moves, np.uint8), [each.size for each in times])
    return Schedule(lock(op[turn]), lock(np.concatenate(vertices)[turn].astype(np.int32)))


def _joined(
    touched: Int64Array, when: Int64Array, first: Int64Array, last: Int64Array
) -> tuple[Int64Array, Int64Array]:
    """The first and last uses of stays, those of a value at the same time as one.

    Parameters
    ----------
    touched, when
        Of each use the value, and its place in the order.
    first, last
        Places of the first and of the last use of each stay.
    """
    far = int(when.max(initial=0)) + 1
    order = np.argsort(touched[first] * far + when[first], kind="stable")
    first, last = first[order], last[order]
    end = touched[last] * far + when[last]
    reached = np.maximum.accumulate(end)
    latest = np.maximum.accumulate(np.where(end == reached, np.arange(end.size), 0))
    begins = np.append(True, (touched[first] * far + when[first])[1:] > reached[:-1])[: end.size]
    ends = np.append(begins[1:], True)[: end.size]
    return first[begins], last[latest[ends]]
