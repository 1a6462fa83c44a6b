"""Stencils and grids: pencils along one axis of skewed coordinates."""

from collections.abc import Iterator
from math import prod

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array


def stencil_orders(dag: CDAG, memory: int) -> Iterator[Int32Array]:
    """Yield time-skewed orders of a stencil, one for each side of a tile near the best.

    With x_i + t for each coordinate x_i no operand lies ahead in any coordinate, so that space
    can be cut into tiles of b points a side that are run through all time steps one after
    another: pencils along the time axis. A pencil keeps its cross-section of b^d points; at each
    step two layers a side come in from the pencils before and go out to those behind: about
    4d / b words a point.

    Source
    ------
    M. E. Wolf and M. S. Lam, A data locality optimizing algorithm, PLDI 1991 (skewing and
    tiling); H. T. Kung, 1986, section 3.3, for the law M^(1/d).
    """
    shape, steps = dag.params["shape"], dag.params["steps"]
    if dag.params["periodic"]:
        return  # what wraps around cannot be skewed
    points = prod(shape)
    for side in _sides(memory, len(shape), max(shape) + steps):
        yield points + _skewed(shape, steps, side)


def grid_orders(dag: CDAG, memory: int) -> Iterator[Int32Array]:
    """Yield orders of a grid by pencils along its last axis and along its first.

    All operands lie behind in every coordinate, so that tiles need no skew. A pencil of b points
    a side in the other d - 1 axes keeps one cross-section of b^(d-1) points, and one layer a
    side comes in and goes out: 2 (d - 1) / b words a point. With two axes, p x q points in strips
    of M - 2 columns move at most 2 p (ceil(q / (M - 2)) - 1) + 2 words.
    """
    shape = dag.params["shape"]
    if len(shape) == 1:
        return
    points = np.arange(prod(shape), dtype=np.int32).reshape(shape)
    for side in _sides(memory, len(shape) - 1, max(shape)):
        for view in (points, np.moveaxis(points, 0, -1)):
            order = _tiled(view, side)
            yield order[order > 0]  # point 0 is the input


def pyramid_orders(dag: CDAG, memory: int) -> Iterator[Int32Array]:
    """Yield orders of a pyramid by strips of its columns, from the right.

    Vertex i of a row reads i and i + 1 of the row below, so that nothing lies ahead to the left:
    a strip of b columns runs from the bottom to the top, keeps b words, and takes one word a row
    from the strip on its right: 2 / b words a vertex.
    """
    height = dag.params["height"]
    row = np.repeat(np.arange(height + 1), height + 1 - np.arange(height + 1))
    column = np.arange(dag.n) - np.searchsorted(row, row)
    vertex = np.arange(dag.n, dtype=np.int32)
    for side in _sides(memory, 1, height + 1):
        order = np.lexsort((-column, row, -(column // side)))
        yield vertex[order][row[order] > 0]


def _sides(memory: int, dimensions: int, most: int) -> list[int]:
    """Return sides of tiles whose cross-sections fit, with some room to spare, or nearly."""
    largest = int(memory ** (1 / dimensions) + 1e-9)
    spare = range(2, 7) if dimensions == 1 else range(3)
    return sorted({min(max(largest - less, 1), most) for less in spare}, reverse=True)


def _skewed(shape: tuple[int, ...], steps: int, side: int) -> Int32Array:
    """Return (step - 1) * P + point of all points of all steps, by tiles of skewed coordinates."""
    points = np.arange(steps * prod(shape), dtype=np.int32).reshape(steps, *shape)
    time = np.arange(steps).reshape(-1, *(1,) * len(shape))
    tile = np.zeros(points.shape, np.int64)
    for axis, length in enumerate(shape):
        coordinate = np.arange(length).reshape(-1, *(1,) * (len(shape) - 1 - axis))
        tiles = (length + steps) // side + 1
        tile = tile * tiles + (coordinate + time) // side
    order: Int32Array = np.argsort(tile.reshape(-1), kind="stable").astype(np.int32)
    return points.reshape(-1)[order]


def _tiled(points: Int32Array, side: int) -> Int32Array:
    """Return a grid of points by tiles of `side` in all axes but the last, run along the last."""
    tile = np.zeros(points.shape, np.int64)
    for axis, length in enumerate(points.shape[:-1]):
        coordinate = np.arange(length).reshape(-1, *(1,) * (points.ndim - 1 - axis))
        tile = tile * (length // side + 1) + coordinate // side
    along = np.broadcast_to(np.arange(points.shape[-1]), points.shape)
    flat = points.reshape(-1)
    order = np.lexsort((flat, along.reshape(-1), tile.reshape(-1)))
    return flat[order]
