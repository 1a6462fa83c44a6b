"""Orders of edges and their plays: the ends of each meet, and its operand is aggregated.

In all orders every edge out of a value comes after all edges into it: the key of sorting rises
along every path.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array, Int64Array, lock
from pebble import Schedule
from schedulers.eviction import EVICTIONS, Policy
from schedulers.orders.access_order import accesses
from schedulers.partial import _kernels as k

MOST_BITS = 31  # of the place of a vertex
# Who leaves, and by which key, under each policy.
POLICIES: dict[Policy, tuple[int, int]] = {
    EVICTIONS["lru"]: (k.ANY, k.RECENT),
    EVICTIONS["fifo"]: (k.ANY, k.ARRIVAL),
    EVICTIONS["belady"]: (k.ANY, k.NEXT),
    EVICTIONS["belady-clean"]: (k.CLEAN_FIRST, k.NEXT),
    EVICTIONS["belady-cost"]: (k.BY_COST, k.NEXT),
}


def gathered(operand: Int64Array, result: Int64Array) -> Int64Array:
    """The order that completes one value after the other.

    Parameters
    ----------
    operand, result
        (m,) the places of the ends of each edge in an order of the vertices.
    """
    return np.lexsort((operand, result))


def scattered(operand: Int64Array, result: Int64Array) -> Int64Array:
    """The order that aggregates one value after the other into all of its readers.

    Parameters
    ----------
    operand, result
        (m,) the places of the ends of each edge in an order of the vertices.
    """
    return np.lexsort((result, operand))


def interleaved(operand: Int64Array, result: Int64Array) -> Int64Array:
    """The order along a Z-curve: blocks of values into blocks of values, at all sizes.

    Parameters
    ----------
    operand, result
        (m,) the places of the ends of each edge in an order of the vertices.
    """
    return np.argsort(_spread(operand) | _spread(result) << np.uint64(1), kind="stable")


def _spread(places: Int64Array) -> np.ndarray:
    """The bits of each number with a gap after each."""
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
    """The operand and the result of each edge, (m,) each, in one of `EDGE_ORDERS`.

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


@dataclass(frozen=True)
class EdgePlay:
    """A play of an order of edges.

    Parameters
    ----------
    dag, memory, policy
        The game and who leaves.
    operand, result
        (m,) the ends of each edge, in the order in which operands are aggregated.
    loads, stores
        Words that it moves.
    length
        Number of its moves.
    """

    dag: CDAG
    memory: int
    policy: Policy
    operand: Int32Array
    result: Int32Array
    loads: int
    stores: int
    length: int

    @property
    def io(self) -> int:
        """Words moved both ways."""
        return self.loads + self.stores

    def moves(self) -> Schedule:
        """Its moves."""
        edges = (self.operand, self.result)
        table = _run(self.dag, edges, self.memory, self.policy, self.length)
        return Schedule(*(lock(column) for column in (table.op, table.vertex, table.operand)))


def edge_play(
    dag: CDAG, edges: tuple[Int32Array, Int32Array], memory: int, *, policy: Policy
) -> EdgePlay:
    """The play of an order of edges, counted.

    Parameters
    ----------
    dag
        The computation.
    edges
        Operands and results, (m,) each: every edge out of a value after all edges into it.
    memory
        Words of fast memory, enough for both ends of every edge.
    policy
        One of `POLICIES`.
    """
    counted = _run(dag, edges, memory, policy, 0).count.tolist()
    return EdgePlay(dag, memory, policy, *edges, counted[k.LOADS], counted[k.STORES], counted[k.AT])


def _run(
    dag: CDAG,
    edges: tuple[Int32Array, Int32Array],
    memory: int,
    policy: Policy,
    length: int,
) -> k.Table:
    """The table after a play, with as many moves as there is room for."""
    following = np.empty((dag.m, 2), np.int64)
    k.next_touches(*edges, dag.n, following)
    flags = np.zeros(dag.n, np.uint8)
    flags[dag.inputs] = k.BLUE
    is_output = np.zeros(dag.n, np.bool_)
    is_output[dag.outputs] = True
    table = k.Table(
        key=np.zeros(dag.n, np.int64),
        flags=flags,
        left=np.diff(dag.pred_indptr),
        touched=~dag.is_computed,
        count=np.zeros(4, np.int64),
        op=np.empty(length, np.uint8),
        vertex=np.empty(length, np.int32),
        operand=np.empty(length, np.int32),
    )
    clean, dirty = (_heap(2 * dag.m) for _ in range(2))
    k.play(
        *edges,
        lock(following),
        dag.sizes,
        lock(is_output),
        min(memory, 2**62),
        *POLICIES[policy],
        table,
        clean,
        dirty,
    )
    return table


def _heap(room: int) -> k.Heap:
    return k.Heap(np.empty(room, np.int64), np.empty(room, np.int32), np.zeros(1, np.int64))
