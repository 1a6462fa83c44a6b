"""Fourier transforms: passes over the levels, a block of points at a time."""

from collections.abc import Iterator, Mapping
from math import ceil

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array
from schedulers.structured.butterfly_kernels import kernel, kernel_widths


def orders(dag: CDAG, memory: int) -> Iterator[Int32Array]:
    """Yield orders of the butterfly by passes, the textbook's first.

    A pass of e levels computes, for every setting of the other index bits, the 2^e points that
    differ in e bits, level by level: each point is loaded once and stored once a pass, 2n words.
    That takes 2^e + 2 words (3 for e = 1, where operands can be dropped at once), so that
    d levels move 2n ceil(d/e) words. Passes are made as equal as they can be. Passes of one
    level more keep some of their points between levels, and fill the gaps between the powers of
    two; and where few words are to be used well, passes of more levels play each block as a search
    plays it alone. For another radix r, levels are digits to the base r, and e of them take r^e +
    r words.

    Source
    ------
    J.-W. Hong and H. T. Kung, STOC 1981, section 4; J. E. Savage, Models of Computation, 1998,
    theorem 11.5.4, for sliding pebbles: 2^e + 1 words.
    """
    n, radix = dag.params["n"], dag.params["radix"]
    depth = _depth(n, radix)
    widest = widest_pass(memory, depth, radix)
    for levels in dict.fromkeys((widest, min(widest + 1, depth))):
        yield _in_passes(n, radix, pass_widths(depth, levels))
    widths = kernel_widths(memory, depth, widest, radix)
    if max(widths) > widest:
        plays = {width: kernel(radix**width, radix, memory).order for width in set(widths)}
        yield _in_passes(n, radix, widths, plays)


def widest_pass(memory: int, depth: int, radix: int = 2) -> int:
    """Return the most levels of a pass that fits into `memory`, at most `depth`."""
    levels = 1
    while levels < depth and radix ** (levels + 1) + radix <= memory:
        levels += 1
    return levels


def pass_widths(depth: int, widest: int) -> list[int]:
    """Return `depth` levels in as few passes as possible, as equal as possible."""
    passes = ceil(depth / widest)
    return [depth // passes + (i < depth % passes) for i in range(passes)]


def predicted_io(n: int, memory: int, radix: int = 2) -> int:
    """Return 2n ceil(d/e), what the textbook's passes move."""
    depth = _depth(n, radix)
    return 2 * n * ceil(depth / widest_pass(memory, depth, radix))


def _depth(n: int, radix: int) -> int:
    depth = 1
    while radix**depth < n:
        depth += 1
    return depth


def _in_passes(
    n: int, radix: int, widths: list[int], plays: Mapping[int, Int32Array] | None = None
) -> Int32Array:
    """Return the order of passes of `widths` levels, block by block, butterfly by butterfly.

    `plays` has another order for the blocks of a width, as vertices of a butterfly of their own.
    Every second pass visits its blocks backwards, so that what was computed last is read first.
    """
    parts = []
    first = 0
    for number, width in enumerate(widths):
        stride = radix**first
        low = np.arange(stride, dtype=np.int32)
        high = np.arange(0, n, stride * radix**width, dtype=np.int32)
        base = (high[:, None] + low).reshape(-1)
        if number % 2:
            base = base[::-1]
        play = _level_by_level(radix, width) if plays is None else plays[width]
        level, point = np.divmod(play, radix**width)
        block = (first + level) * n + point * stride
        parts.append((base[:, None] + block).astype(np.int32).reshape(-1))
        first += width
    return np.concatenate(parts)


def _level_by_level(radix: int, width: int) -> Int32Array:
    """Return the vertices of a butterfly of its own, those with equal operands side by side."""
    rows = [_butterflies(radix, width, digit) for digit in range(width)]
    return np.concatenate([(digit + 1) * radix**width + row for digit, row in enumerate(rows)])


def _butterflies(radix: int, width: int, digit: int) -> Int32Array:
    """Return the points of a block with those next to each other that differ in `digit`."""
    points = np.arange(radix**width, dtype=np.int32).reshape(-1, radix, radix**digit)
    return points.swapaxes(1, 2).reshape(-1)
