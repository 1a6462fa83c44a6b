"""Fourier transforms: passes over the levels, a block of points at a time."""

from collections.abc import Iterator
from math import ceil

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array


def orders(dag: CDAG, memory: int) -> Iterator[Int32Array]:
    """Yield orders of the butterfly by passes, the textbook's first.

    A pass of e levels computes, for every setting of the other index bits, the 2^e points that
    differ in e bits, level by level: each point is loaded once and stored once a pass, 2n words.
    That takes 2^e + 2 words (3 for e = 1, where operands can be dropped at once), so that
    d levels move 2n ceil(d/e) words. Passes are made as equal as they can be. Passes of one
    level more keep some of their points between levels, and fill the gaps between the powers of
    two.

    Source
    ------
    J.-W. Hong and H. T. Kung, STOC 1981, section 4; J. E. Savage, Models of Computation, 1998,
    theorem 11.5.4, for sliding pebbles: 2^e + 1 words.
    """
    n = dag.params["n"]
    if dag.params["radix"] != 2:
        return  # its levels are digits, not bits
    depth = n.bit_length() - 1
    widest = widest_pass(memory, depth)
    for levels in dict.fromkeys((widest, min(widest + 1, depth))):
        yield _in_passes(n, pass_widths(depth, levels))


def widest_pass(memory: int, depth: int) -> int:
    """Return the most levels of a pass that fits into `memory`, at most `depth`."""
    levels = 1
    while levels < depth and 2 ** (levels + 1) + 2 <= memory:
        levels += 1
    return levels


def pass_widths(depth: int, widest: int) -> list[int]:
    """Return `depth` levels in as few passes as possible, as equal as possible."""
    passes = ceil(depth / widest)
    return [depth // passes + (i < depth % passes) for i in range(passes)]


def predicted_io(n: int, memory: int) -> int:
    """Return 2n ceil(d/e), what the textbook's passes move."""
    depth = n.bit_length() - 1
    return 2 * n * ceil(depth / widest_pass(memory, depth))


def _in_passes(n: int, widths: list[int]) -> Int32Array:
    """Return the order of passes of `widths` levels, block by block, butterfly by butterfly.

    Every second pass visits its blocks backwards, so that what was computed last is read first.
    """
    parts = []
    first = 0
    for number, width in enumerate(widths):
        low = np.arange(1 << first, dtype=np.int32)
        high = np.arange(n >> (first + width), dtype=np.int32) << (first + width)
        base = (high[:, None] + low).reshape(-1)
        if number % 2:
            base = base[::-1]
        block = np.array([_butterflies(width, bit) for bit in range(width)]) << first
        level = np.arange(first + 1, first + width + 1, dtype=np.int32) * n
        parts.append((base[:, None, None] + level[:, None] + block).astype(np.int32).reshape(-1))
        first += width
    return np.concatenate(parts)


def _butterflies(width: int, bit: int) -> Int32Array:
    """Return the 2^width points of a block with those next to each other that differ in `bit`."""
    high = np.arange(1 << (width - bit - 1), dtype=np.int32)[:, None, None] << (bit + 1)
    low = np.arange(1 << bit, dtype=np.int32)[None, :, None]
    pair = np.array([0, 1 << bit], np.int32)
    return (high + low + pair).reshape(-1)
