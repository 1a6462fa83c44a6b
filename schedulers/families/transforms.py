"""Fourier transforms: passes over the levels, a block of points at a time."""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import accumulate, pairwise
from math import ceil
from typing import NamedTuple

import numpy as np

from dags import CDAG, fft
from dags.arrays import Int32Array, lock
from pebble import ONE_SHOT, min_memory
from schedulers.families.networks import bases, cheapest_passes, level_by_level, within
from schedulers.families.plays import plays_in_orders
from schedulers.families.searched_blocks import stored_schedule

COUNTED = 1024  # points of a block up to which its plays are counted
FLAT = 256  # points up to which a block is also played level by level


class BlockPlay(NamedTuple):
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
    """The order of a Fourier transform of radix^depth points by the best parts.

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
def part_of(radix: int, depth: int, memory: int) -> BlockPlay:
    """The best way found to play blocks of some levels.

    Parameters
    ----------
    radix, depth
        The blocks have radix^depth points.
    memory
        Words of fast memory.
    """
    if depth == 0:
        return BlockPlay(0, None, 0)
    below = tuple(part_of(radix, levels, memory) for levels in range(depth))
    points = radix**depth
    if points > COUNTED:
        words, lower = min(
            (
                below[lower].words * radix ** (depth - lower)
                + below[depth - lower].words * radix**lower,
                lower,
            )
            for lower in range(1, depth)
        )
        return BlockPlay(words, None, lower)
    dag = fft(points, radix=radix)
    room = max(memory, min_memory(dag))
    candidates = (
        BlockPlay(play.io, lock(order), 0)
        for order in _candidates(below, radix, depth, memory)
        for play in plays_in_orders(dag, [order], room, ONE_SHOT)
    )
    return min(candidates, key=lambda part: part.words)


def _candidates(
    below: tuple[BlockPlay, ...], radix: int, depth: int, memory: int
) -> Iterator[Int32Array]:
    """Yield orders of a block: level by level, as a search found, in two parts."""
    if radix**depth <= FLAT:
        yield level_by_level(radix, range(depth))
    known = stored_schedule((radix, tuple(range(depth)), memory))
    if known is not None:
        computed: Int32Array = known.vertex[known.vertex >= radix**depth]
        yield computed[np.sort(np.unique(computed, return_index=True)[1])].astype(np.int32)
    for lower in range(1, depth):
        first, second = _order(below, radix, lower), _order(below, radix, depth - lower)
        yield _in_turn(first, second, radix, lower, depth)
        yield _in_turn(_mirrored(first, radix**lower), second, radix, lower, depth)


def _order(parts: tuple[BlockPlay, ...], radix: int, depth: int) -> Int32Array:
    """The order of a block of `depth` levels."""
    part = parts[depth]
    if part.order is not None:
        return part.order
    first, second = (
        _order(parts, radix, depth_of_part) for depth_of_part in (part.lower, depth - part.lower)
    )
    return _in_turn(first, second, radix, part.lower, depth)


def _in_turn(
    first: Int32Array, second: Int32Array, radix: int, lower: int, depth: int
) -> Int32Array:
    """The order of blocks of `lower` levels, and then of the levels above them.

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
    level, point = np.divmod(second, high)
    blocks = np.arange(low, dtype=np.int32)[::-1, None]
    above = blocks + ((level + lower) * (low * high) + point * low)
    return np.concatenate((below.reshape(-1), above.reshape(-1))).astype(np.int32)


def _mirrored(order: Int32Array, points: int) -> Int32Array:
    """The order with the last point in the place of the first, and so on."""
    level, point = np.divmod(order, points)
    order = level * points + (points - 1 - point)
    return order.astype(np.int32)


def orders(dag: CDAG, memory: int) -> Iterator[Int32Array]:
    """Yield orders of the butterfly by passes, the textbook's first.

    A pass of e levels computes, for every setting of the other index bits, the 2^e points that
    differ in e bits, level by level: each point is loaded once and stored once a pass, 2n words.
    That takes 2^e + 2 words (3 for e = 1, where operands can be dropped at once), so that
    d levels move 2n ceil(d/e) words. Passes are made as equal as they can be. Passes of one
    level more keep some of their points between levels, and fill the gaps between the powers of
    two; and where few words are to be used well, passes of more levels play each block as a search
    plays it alone. Passes within passes (`nested_passes`) keep some words in every block between
    its parts. For another radix r, levels are digits to the base r, and e of them take r^e + r
    words.

    Source
    ------
    J.-W. Hong and H. T. Kung, STOC 1981, section 4; J. E. Savage, Models of Computation, 1998,
    theorem 11.5.4, for sliding pebbles: 2^e + 1 words.
    """
    n, radix = dag.params["n"], dag.params["radix"]
    depth = _depth(n, radix)
    widest = widest_pass(memory, depth, radix)
    for widths in dict.fromkeys(tuple(pass_widths(depth, width)) for width in (widest, widest + 1)):
        yield _in_passes(n, radix, ((run, None) for run in runs(widths)))
    passes = cheapest_passes(range(depth), memory, widest, radix)
    if any(pass_.is_searched for pass_ in passes):
        rising = sorted(passes, key=lambda pass_: len(pass_.levels))
        plays = [pass_.order(radix, range(len(pass_.levels)), memory) for pass_ in rising]
        levels = runs(len(pass_.levels) for pass_ in rising)
        yield _in_passes(n, radix, zip(levels, plays, strict=True))
    yield nested_order(radix, depth, memory)


def runs(widths: Iterable[int]) -> list[range]:
    """The levels of passes of a given number of levels."""
    ends = accumulate(widths, initial=0)
    return [range(start, end) for start, end in pairwise(ends)]


def widest_pass(memory: int, depth: int, radix: int = 2) -> int:
    """The most levels of a pass that fits into `memory`, at most `depth`."""
    levels = 1
    while levels < depth and radix ** (levels + 1) + radix <= memory:
        levels += 1
    return levels


def pass_widths(depth: int, widest: int) -> list[int]:
    """`depth` levels in as few passes as possible, as equal as possible."""
    passes = ceil(depth / widest)
    return [depth // passes + (i < depth % passes) for i in range(passes)]


def predicted_io(n: int, memory: int, radix: int = 2) -> int:
    """2n ceil(d/e), the words of the textbook's passes."""
    depth = _depth(n, radix)
    return 2 * n * ceil(depth / widest_pass(memory, depth, radix))


def _depth(n: int, radix: int) -> int:
    depth = 1
    while radix**depth < n:
        depth += 1
    return depth


def _in_passes(n: int, radix: int, passes: Iterable[tuple[range, Int32Array | None]]) -> Int32Array:
    """The order of passes over some levels each, block by block.

    A pass may have an order for its blocks, else they are played level by level. Every second pass
    visits its blocks backwards, so that values computed last are read first.
    """
    parts = []
    for number, (levels, play) in enumerate(passes):
        order = level_by_level(radix, levels) if play is None else play
        base = bases(n, radix, levels, backwards=number % 2 == 1)
        level, point = within(radix, levels, order)
        block = ((levels.start + level + 1) * n + point).astype(np.int32)
        parts.append((base[:, None] + block).reshape(-1))
    return np.concatenate(parts)
