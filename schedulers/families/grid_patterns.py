"""Patterns of grids in two and three axes, and of stencils on a line, where memory is small."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from dags.arrays import Int32Array, Int64Array
from schedulers.families.lattice_patterns import Lattice, System, pattern_orders

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
    """Return (axes, points) the coordinates of all points, the last `turned` axes first."""
    return np.roll(np.indices(shape).reshape(len(shape), -1), turned, axis=0)
