"""Lattices of paths and of subsets: strips and subcubes; patterns of grids for little memory."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array, Int64Array, lock
from schedulers.families.lattice_patterns import Lattice, System, pattern_orders
from schedulers.families.tiles import sorted_by
from schedulers.orders import least_live, natural
from schedulers.orders._kernels import traversals as _kernels

# Points on a line in time; tiles are played along time, along place, or along a diagonal.
LINE = Lattice((tuple((0, (1, place)) for place in (-1, 0, 1)),))
LINE_SYSTEMS: tuple[System, ...] = (((1, 1), (1, 0)), ((1, 0), (1, 1)), ((1, 1), (1, -1)))
# The points of a grid, each of which reads the one before in each axis.
GRIDS = {
    axes: Lattice((tuple((0, tuple(row)) for row in np.eye(axes, dtype=int).tolist()),))
    for axes in (2, 3)
}
GRID_SYSTEMS: dict[int, tuple[System, ...]] = {
    2: (((0, 1), (1, 0)), ((0, 1), (1, 1))),
    3: (((1, 0, 0), (0, 1, 0), (0, 0, 1)),),
}
LARGEST = 1 << 16  # vertices: all that are ready are looked at in each step
QUARTERS = 4  # parts of a word in which prices are given
# Prices of what is read for the last time, of that in memory, and of an operand, for greedy orders
# of subsets: the first few for large lattices.
PRICES = (
    (3, 0, 0),
    (1, 4, 0),
    (3, 6, 2),
    (3, 6, 0),
    (2, 0, 0),
    (4, 2, 0),
    (0, 6, 0),
    (2, 6, 1),
)
MANY_PRICES = 1 << 12  # vertices


def line_patterns(memory: int, length: int, steps: int) -> Iterator[Int32Array]:
    """Yield (step - 1) * length + point of all points of all steps, by the best patterns."""
    points = partial(_places, (steps, length))
    yield from pattern_orders(LINE, LINE_SYSTEMS, memory, steps * length, points)


def box_patterns(memory: int, shape: tuple[int, ...]) -> Iterator[Int32Array]:
    """Yield the points of a grid of 2 or 3 axes by the best patterns, run along different axes."""
    for turned in (0, 1):
        points = partial(_places, shape, turned)
        yield from grid_patterns(memory, len(shape), int(np.prod(shape)), points)


def grid_patterns(
    memory: int, axes: int, count: int, points: Callable[[], Int64Array]
) -> Iterator[Int32Array]:
    """Yield the points of part of a grid in the order of the best patterns.

    Two axes take 3/2, 5/6, 7/12, 7/15 and 7/18 words a vertex with 3 to 7 words of memory, where
    strips take 2 / (M - 2) = 2, 1, 2/3, 1/2 and 2/5.
    """
    yield from pattern_orders(GRIDS[axes], GRID_SYSTEMS[axes], memory, count, points)


def _places(shape: tuple[int, ...], turned: int = 0) -> Int64Array:
    """(axes, points) the coordinates of all points, the last `turned` axes first."""
    return np.roll(np.indices(shape).reshape(len(shape), -1), turned, axis=0)


def fewest_loads(
    dag: CDAG, memory: int, *, dying: int = 2, freed: int = 2, operand: int = 0
) -> Int32Array:
    """The order that greedily computes the vertex that loads fewest operands.

    Values touched last stay in memory. Of the vertices that are ready the next one is that with the
    least loads, less something for each operand of which it is the last reader: it will not be
    loaded again, and if it is in memory it makes room. Of equals the first.

    Parameters
    ----------
    dag
        Of `LARGEST` vertices at most.
    memory
        Words of fast memory.
    dying, freed
        Quarters of a load that the last reader of a value is worth; and the last reader of one
        that is in memory, besides.
    operand
        Quarters of a load that each operand is worth: vertices that read more come earlier.

    Examples
    --------
    >>> from dags import chain
    >>> fewest_loads(chain(4), 2).tolist()
    [1, 2, 3]
    """
    if dag.n > LARGEST:
        raise ValueError(f"{dag.n} vertices are more than {LARGEST}")
    order = np.empty(dag.computed.size, np.int32)
    prices = lock(np.array([QUARTERS, dying, freed, operand], np.int64))
    rows = dag.pred_indptr, dag.pred_indices, *dag.successors
    _kernels.fewest_loads(*rows, dag.sizes, memory, prices, order)
    return lock(order)


def binomial_orders(dag: CDAG, memory: int) -> Iterator[Int32Array]:
    """Yield orders of Pascal's triangle by strips of its columns, from the left.

    Entry j of a row reads j - 1 and j of the row above, so that nothing lies ahead to the right:
    a strip of b columns runs from the top to the bottom, keeps b words, and takes one word a row
    from the strip on its left. With b = M - 2 each of the strips' borders, at column c = b, 2b,
    ..., is stored and loaded once in each of n - c + 1 rows: 2 / b words a vertex. With little
    memory patterns move fewer (`lattice_patterns`).
    """
    n = dag.params["n"]
    row = np.repeat(np.arange(n + 1), np.arange(1, n + 2))[1:]
    vertex = np.arange(1, dag.n, dtype=np.int32)
    column = vertex - row * (row + 1) // 2
    largest = max(memory - 2, 1)
    for width in sorted({max(largest - reduction, 1) for reduction in range(3)}, reverse=True):
        yield sorted_by(vertex, column // width, row, -column)
    for order in grid_patterns(memory, 2, dag.n - 1, lambda: np.array([row - column, column])):
        yield vertex[order]


def hypercube_orders(dag: CDAG, memory: int) -> Iterator[Int32Array]:
    """Yield orders of the lattice of subsets: greedy ones, counting, and least live words.

    Counting plays, for every e at once, subcubes of 2^e subsets one after another, with the high
    bits fixed. Where 2^e + d - e words are there, a subcube stays, and each of its values loads one
    operand for each high bit that it has: 2^(d-1) (d - e) + 2^d - 2^e + 2 words. The order that
    keeps least alive moves a few percent less where little fits, and half where nearly all does. In
    lattices of up to 16 things the vertex that loads fewest operands next moves 2 to 22 percent
    less than both; no price of values read for the last time is best for all memories.
    """
    yield natural(dag)
    yield least_live(dag)
    if dag.n <= LARGEST:
        for dying, freed, operand in PRICES if dag.n <= MANY_PRICES else PRICES[:2]:
            yield fewest_loads(dag, memory, dying=dying, freed=freed, operand=operand)
