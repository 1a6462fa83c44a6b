"""Passes within passes: a block of a Fourier transform is played in two parts, block by block.

The k levels of a block of r^k points are cut in two: first the r^(k-a) blocks of the lower a
levels, one after the other, then the r^a blocks of the others, each part again as is best. What is
in fast memory between the parts need not be stored and loaded: that saves 2 words for about each
word of the memory, once in every block, where passes over all points save as much once a pass.
With 12 words two parts of 3 levels on 64 points take 3.84 words a point, two passes 4. A part of
one level is the way to use memory between the powers of two: of two blocks of e levels, what fits
beside the second one stays for the level above both.

Source
------
J.-W. Hong and H. T. Kung, STOC 1981, section 4, for passes. The choice of parts by counting is
ours.
"""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np

from dags import fft
from dags.arrays import Int32Array, lock
from pebble import ONE_SHOT, min_memory
from schedulers.families.networks import level_by_level
from schedulers.families.plays import plays_in_orders
from schedulers.families.searched_blocks import stored_schedule

COUNTED = 1024  # points of a block up to which its plays are counted
FLAT = 256  # points up to which a block is also played level by level


class Part(NamedTuple):
    """A way to play the blocks of some levels.

    Attributes
    ----------
    words
        That a block moves; counted for blocks of up to `COUNTED` points, for larger ones the sum of
        those of both parts.
    order
        Of the computed vertices of a block, as `dags.fft` numbers them, if it is counted.
    lower
        Levels of the first part of a larger block.
    """

    words: int
    order: Int32Array | None
    lower: int


def nested_order(radix: int, depth: int, memory: int) -> Int32Array:
    """Return the order of a Fourier transform of radix^depth points by the best parts.

    Parameters
    ----------
    radix, depth
        The transform.
    memory
        Words of fast memory.
    """
    parts = tuple(part_of(radix, levels, memory) for levels in range(depth + 1))
    return _order(parts, radix, depth)


@cache
def part_of(radix: int, depth: int, memory: int) -> Part:
    """Return the best way found to play blocks of some levels.

    Parameters
    ----------
    radix, depth
        The blocks have radix^depth points.
    memory
        Words of fast memory.
    """
    if depth == 0:
        return Part(0, None, 0)
    below = tuple(part_of(radix, levels, memory) for levels in range(depth))
    points = radix**depth
    if points > COUNTED:
        words, lower = min(
            (
                below[some].words * radix ** (depth - some)
                + below[depth - some].words * radix**some,
                some,
            )
            for some in range(1, depth)
        )
        return Part(words, None, lower)
    dag = fft(points, radix=radix)
    room = max(memory, min_memory(dag))
    found = (
        Part(play.io, lock(order), 0)
        for order in _candidates(below, radix, depth, memory)
        for play in plays_in_orders(dag, [order], room, ONE_SHOT)
    )
    return min(found, key=lambda part: part.words)


def _candidates(
    below: tuple[Part, ...], radix: int, depth: int, memory: int
) -> Iterator[Int32Array]:
    """Yield orders of a block: level by level, as a search found, in two parts."""
    if radix**depth <= FLAT:
        yield level_by_level(radix, range(depth))
    known = stored_schedule((radix, tuple(range(depth)), memory))
    if known is not None:
        computed: Int32Array = known.vertex[known.vertex >= radix**depth]
        yield computed[np.sort(np.unique(computed, return_index=True)[1])].astype(np.int32)
    for lower in range(1, depth):
        first, then = _order(below, radix, lower), _order(below, radix, depth - lower)
        yield _in_turn(first, then, radix, lower, depth)
        yield _in_turn(_mirrored(first, radix**lower), then, radix, lower, depth)


def _order(parts: tuple[Part, ...], radix: int, depth: int) -> Int32Array:
    """Return the order of a block of `depth` levels."""
    part = parts[depth]
    if part.order is not None:
        return part.order
    first, then = (_order(parts, radix, some) for some in (part.lower, depth - part.lower))
    return _in_turn(first, then, radix, part.lower, depth)


def _in_turn(first: Int32Array, then: Int32Array, radix: int, lower: int, depth: int) -> Int32Array:
    """Return the order of blocks of `lower` levels, and then of the levels above them.

    Parameters
    ----------
    first, then
        Orders of a block of each part; the blocks of the second come backwards.
    radix, lower, depth
        Points are numbers of `depth` digits, of which the first part mixes the lower ones.
    """
    low, high = radix**lower, radix ** (depth - lower)
    level, point = np.divmod(first, low)
    blocks = np.arange(0, low * high, low, dtype=np.int32)[:, None]
    below = blocks + (level * (low * high) + point)
    level, point = np.divmod(then, high)
    blocks = np.arange(low, dtype=np.int32)[::-1, None]
    above = blocks + ((level + lower) * (low * high) + point * low)
    return np.concatenate((below.reshape(-1), above.reshape(-1))).astype(np.int32)


def _mirrored(order: Int32Array, points: int) -> Int32Array:
    """Return the order with the last point in the place of the first, and so on."""
    level, point = np.divmod(order, points)
    order = level * points + (points - 1 - point)
    return order.astype(np.int32)
