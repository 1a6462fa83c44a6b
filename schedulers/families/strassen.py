"""Strassen's product: one subproduct after another, sums when they are needed or complete."""

from collections.abc import Iterator

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array, Int64Array
from dags.families.fast_matmul import LEFT, RIGHT
from schedulers.families.matmul import block_shapes, blocked
from schedulers.orders import natural

# M4, M7, M5, M1, M3, M6, M2: those next to each other share quadrants, and at most three results
# wait for others. Of the 5040 sequences it moved least for n = 8 with M = 8 and M = 24.
SEQUENCE = (3, 6, 4, 0, 2, 5, 1)


def orders(dag: CDAG, memory: int) -> Iterator[Int32Array]:
    """Yield the order of the recursion.

    The seven products follow each other, each by the same recursion; at the bottom, products are
    made by the best blocks. An entry of a factor that is a sum is computed where it is first
    read, and a sum of products where the last of them is complete: it need not be stored and
    loaded in between.

    Source
    ------
    V. Strassen, Gaussian elimination is not optimal, 1969, for the recursion; G. Bilardi and
    L. De Stefani, The I/O complexity of Strassen's matrix multiplication with recomputation,
    WADS 2017, for the law M (n / sqrt(M))^(log2 7).
    """
    n, levels = dag.params["n"], dag.params["levels"]
    if memory == 3:  # nothing can wait beside a product, and sums made beforehand are read alone
        yield natural(dag)
    turn = _turns(dag, _own_turns(dag, _bottom_order(n >> levels, memory)))
    yield dag.computed[np.argsort(turn[dag.computed], kind="stable")]


def _bottom_order(side: int, memory: int) -> Int64Array:
    """The turn of each vertex of a product at the bottom, by the best blocks."""
    a, b = block_shapes(side, side, side, memory - 3)[0]
    turns: Int64Array = np.argsort(blocked(side, side, side, 2, a, b))
    return turns


def _own_turns(dag: CDAG, within: Int64Array) -> Int64Array:
    """The turns of the vertices of products at the bottom, and -1 for all others."""
    n, levels = dag.params["n"], dag.params["levels"]
    turn = np.full(dag.n, -1)
    starts = 2 * n * n + _bottom_starts(n, levels)
    vertices = starts[:, None] + np.arange(within.size)
    turn[vertices] = np.arange(starts.size)[:, None] * within.size + within
    return turn


def _turns(dag: CDAG, turns: Int64Array) -> Int64Array:
    """Return when each vertex is due: one without a turn of its own takes that of another one.

    Sums of products take the last turn of their operands, sums before products the first one of
    their readers.
    """
    inputs = dag.n - dag.computed.size
    operands = dag.pred_indices.reshape(-1, 2)
    ends = np.cumsum(np.bincount(dag.level))
    levels = np.split(np.argsort(dag.level, kind="stable"), ends[:-1])[1:]
    last = turns.copy()
    for level in levels:
        sums = level[turns[level] < 0]
        last[sums] = last[operands[sums - inputs]].max(axis=1)
    first = np.where(turns >= 0, turns, turns.size)
    for level in reversed(levels):
        readers = level[(turns[level] >= 0) | (last[level] < 0)]
        np.minimum.at(first, operands[readers - inputs], first[readers, None])
    return np.where(last < 0, first, last)


def _bottom_starts(side: int, levels: int) -> Int64Array:
    """The first vertices of the products at the bottom, from that of the whole, in turn."""
    if levels == 0:
        return np.zeros(1, np.int64)
    half = side // 2
    within = _bottom_starts(half, levels - 1)
    starts = []
    cursor = 0
    for left, right in zip(LEFT, RIGHT, strict=True):
        cursor += (len(left) + len(right) - 2) * half**2
        starts.append(cursor + within)
        cursor += _size(half, levels - 1)
    return np.concatenate([starts[product] for product in SEQUENCE])


def _size(side: int, levels: int) -> int:
    """How many vertices a product of two side x side matrices takes."""
    bottom = side >> levels
    size: int = bottom**2 * ((2 * bottom + 5) * 7**levels - 6 * 4**levels)
    return size
