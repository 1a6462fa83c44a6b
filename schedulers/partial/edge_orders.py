"""Orders of the edges of a DAG, in which operands are aggregated, from an order of its vertices.

In all of them every edge out of a value comes after all edges into it: what is sorted by rises
along every path.
"""

from collections.abc import Callable

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array, Int64Array, lock
from schedulers.access_order import accesses

MOST_BITS = 31  # of the place of a vertex


def gathered(operand: Int64Array, result: Int64Array) -> Int64Array:
    """Return the order that completes one value after the other.

    Parameters
    ----------
    operand, result
        (m,) the places of the ends of each edge in an order of the vertices.
    """
    return np.lexsort((operand, result))


def scattered(operand: Int64Array, result: Int64Array) -> Int64Array:
    """Return the order that aggregates one value after the other into all of its readers.

    Parameters
    ----------
    operand, result
        (m,) the places of the ends of each edge in an order of the vertices.
    """
    return np.lexsort((result, operand))


def interleaved(operand: Int64Array, result: Int64Array) -> Int64Array:
    """Return the order along a Z-curve: blocks of values into blocks of values, at all sizes.

    Parameters
    ----------
    operand, result
        (m,) the places of the ends of each edge in an order of the vertices.
    """
    return np.argsort(_spread(operand) | _spread(result) << np.uint64(1), kind="stable")


def _spread(places: Int64Array) -> np.ndarray:
    """Return the bits of each number with a gap after each."""
    x = places.astype(np.uint64)
    for shift, mask in (
        (16, 0x0000FFFF0000FFFF),
        (8, 0x00FF00FF00FF00FF),
        (4, 0x0F0F0F0F0F0F0F0F),
        (2, 0x3333333333333333),
        (1, 0x5555555555555555),
    ):
        x = (x | x << np.uint64(shift)) & np.uint64(mask)
    return x


EDGE_ORDERS: dict[str, Callable[[Int64Array, Int64Array], Int64Array]] = {
    "gathered": gathered,
    "scattered": scattered,
    "interleaved": interleaved,
}


def edges_in(dag: CDAG, order: Int32Array, name: str) -> tuple[Int32Array, Int32Array]:
    """Return the operand and the result of each edge, (m,) each, in one of `EDGE_ORDERS`.

    Inputs have their places in the order where they are first read.

    Parameters
    ----------
    dag
        The computation.
    order
        (N,) its computed vertices, operands before results.
    name
        The order of edges.
    """
    place = np.zeros(dag.n, np.int64)
    touched = accesses(dag, order).name
    place[touched] = np.arange(touched.size)
    results = np.repeat(np.arange(dag.n, dtype=np.int32), dag.indegree)
    sequence = EDGE_ORDERS[name](place[dag.pred_indices], place[results])
    return lock(dag.pred_indices[sequence]), lock(results[sequence])
