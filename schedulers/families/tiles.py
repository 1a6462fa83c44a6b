"""Orders by tiles: index arrays, sorted stably by tile, then by the stream past it."""

from collections.abc import Iterator, Sequence
from itertools import islice, product
from math import ceil
from typing import Final

import numpy as np
import numpy.typing as npt

from dags.arrays import Int32Array, Int64Array

BITS: Final = 62  # of a number that is sorted

Keys = npt.NDArray[np.integer | np.bool_]
BEST = 5  # tiles that are tried before strips are
WIDTHS = (2, 3, 4, 6)  # of strips, in halves of what memory holds of them


def in_turn(key: Int64Array) -> Int64Array:
    """The places of numbers, the place of the least first, equal ones as they come.

    Numbers alone are sorted several times as fast as places by the numbers there, so each number
    gets its place as its last bits, if there is room for them.
    """
    number_bits = key.size.bit_length()
    if not key.size or (int(key.max()) - int(key.min())).bit_length() + number_bits > BITS:
        return np.argsort(key, kind="stable")
    place: Int64Array = key - key.min()
    place <<= number_bits
    place += np.arange(key.size)
    place.sort()
    place &= (1 << number_bits) - 1
    return place


def in_turn_by(keys: Sequence[Keys]) -> Int64Array:
    """The places in the order of several keys, the first one outermost, as `in_turn`."""
    key = _in_one_number(keys)
    return np.lexsort(keys[::-1]) if key is None else in_turn(key)


def _in_one_number(keys: Sequence[Keys]) -> Int64Array | None:
    """Numbers that sort as keys do; None where they would take too many bits."""
    if not keys[0].size:
        return None
    minima = [int(key.min()) for key in keys]
    bits = [(int(key.max()) - low).bit_length() for key, low in zip(keys, minima, strict=True)]
    if sum(bits) > BITS:
        return None
    packed = np.zeros(keys[0].size, np.int64)
    for key, low, width in zip(keys, minima, bits, strict=True):
        packed <<= width
        packed += key
        packed -= low
    return packed


def sorted_by(vertices: Int32Array, *keys: npt.NDArray[np.integer | np.bool_]) -> Int32Array:
    """`vertices` sorted by `keys`, the first one outermost; equal ones stay in turn."""
    return vertices[in_turn_by(keys)]


def tile_shapes(memory: int, rows: int, columns: int) -> list[tuple[int, int]]:
    """The three shapes a x b with ab + a + 2 <= memory that reuse most: least 1/a + 1/b.

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
    memory: int, rows: int, columns: int, limit: int
) -> Iterator[tuple[int, int, int, int, bool]]:
    """Yield ways to cut a matrix into tiles: sides a and b, both shifts, and the outer loop.

    With shifts the first tiles are cut short instead of the last ones; the flag says whether
    columns of tiles follow each other instead of rows of tiles. Beside the tiles that fit, with `a`
    or with `b` operands that stay, there are strips of a row or a column of tiles that do not: the
    part of them that does not fit leaves and comes back, which is little where nearly all does.

    Parameters
    ----------
    memory, rows, columns
        Words, and the sides of the matrix.
    limit
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
    return islice(dict.fromkeys(ways), limit)


def divisions(length: int) -> list[int]:
    """The sides that cut a length into parts as equal as can be, rising."""
    return sorted({ceil(length / parts) for parts in range(1, length + 1)})
