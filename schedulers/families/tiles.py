"""Orders by tiles: index arrays sorted by tile, then by what streams past a resident tile."""

from math import ceil

import numpy as np
import numpy.typing as npt

from dags.arrays import Int32Array
from schedulers.families.stable_sort import in_turn_by


def sorted_by(vertices: Int32Array, *keys: npt.NDArray[np.integer | np.bool_]) -> Int32Array:
    """Return `vertices` sorted by `keys`, the first one outermost; equal ones stay in turn."""
    return vertices[in_turn_by(keys)]


def tile_shapes(memory: int, rows: int, columns: int) -> list[tuple[int, int]]:
    """Return the three shapes a x b with ab + a + 2 <= memory that reuse most: least 1/a + 1/b.

    That much takes a resident tile, a column of one operand, one entry of the other, and a new
    value beside the old one.
    """
    shapes = {(1, 1)}
    for a in range(1, min(rows, max(memory // 2, 1)) + 1):
        b = min(columns, (memory - 2 - a) // a)
        if b >= 1:
            shapes.add((a, b))
    return sorted(shapes, key=lambda shape: (1 / shape[0] + 1 / shape[1], shape))[:3]


def divisions(length: int) -> list[int]:
    """Return the sides that cut a length into parts as equal as can be, rising."""
    return sorted({ceil(length / parts) for parts in range(1, length + 1)})
