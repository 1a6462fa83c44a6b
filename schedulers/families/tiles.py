"""Orders by tiles: index arrays sorted by tile, then by what streams past a resident tile."""

from collections.abc import Iterator
from itertools import islice, product
from math import ceil

import numpy as np
import numpy.typing as npt

from dags.arrays import Int32Array
from schedulers.families.stable_sort import in_turn_by

BEST = 5  # tiles that are tried before strips are
WIDTHS = (2, 3, 4, 6)  # of strips, in halves of what memory holds of them


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


def tilings(
    memory: int, rows: int, columns: int, most: int
) -> Iterator[tuple[int, int, int, int, bool]]:
    """Yield ways to cut a matrix into tiles: sides a and b, both shifts, and the outer loop.

    With shifts the first tiles are cut short instead of the last ones; the flag says whether
    columns of tiles follow each other instead of rows of tiles. Beside the tiles that fit, with
    `a` or with `b` operands that stay, there are strips of a row or a column of tiles that do not:
    what of them does not fit leaves and comes back, which is little where nearly all does.

    Parameters
    ----------
    memory, rows, columns
        Words, and the sides of the matrix.
    most
        Ways to yield.
    """
    fitting = {
        (a, b)
        for a in range(1, min(rows, memory) + 1)
        for b in (min(columns, (memory - 2 - a) // a), min(columns, (memory - 2) // (a + 1)))
        if b >= 1
    }
    shapes = sorted(fitting, key=lambda shape: (1 / shape[0] + 1 / shape[1], shape))
    widths = sorted({min(rows, columns, max(1, memory * part // (2 * rows))) for part in WIDTHS})
    strips = [shape for width in widths for shape in ((1, width), (width, 1))]
    ways = (
        (a, b, shifted * (-rows % a), shifted * (-columns % b), by_columns)
        for a, b in (*shapes[:BEST], *strips, *shapes[BEST:])
        for shifted, by_columns in product((0, 1), (False, True))
    )
    return islice(dict.fromkeys(ways), most)


def divisions(length: int) -> list[int]:
    """Return the sides that cut a length into parts as equal as can be, rising."""
    return sorted({ceil(length / parts) for parts in range(1, length + 1)})
