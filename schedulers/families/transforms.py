"""Fourier transforms: passes over the levels, a block of points at a time."""

from collections.abc import Iterable, Iterator
from itertools import accumulate, pairwise
from math import ceil

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array
from schedulers.families.nested_passes import nested_order
from schedulers.families.networks import bases, cheapest_passes, level_by_level, within


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
    for widths in dict.fromkeys(tuple(pass_widths(depth, most)) for most in (widest, widest + 1)):
        yield _in_passes(n, radix, ((run, None) for run in runs(widths)))
    passes = cheapest_passes(range(depth), memory, widest, radix)
    if any(each.is_searched for each in passes):
        rising = sorted(passes, key=lambda each: len(each.levels))
        plays = [each.order(radix, range(len(each.levels)), memory) for each in rising]
        levels = runs(len(each.levels) for each in rising)
        yield _in_passes(n, radix, zip(levels, plays, strict=True))
    yield nested_order(radix, depth, memory)


def runs(widths: Iterable[int]) -> list[range]:
    """Return the levels of passes of so many levels."""
    ends = accumulate(widths, initial=0)
    return [range(start, end) for start, end in pairwise(ends)]


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


def _in_passes(n: int, radix: int, passes: Iterable[tuple[range, Int32Array | None]]) -> Int32Array:
    """Return the order of passes over some levels each, block by block.

    A pass may have an order for its blocks, else they are played level by level. Every second
    pass visits its blocks backwards, so that what was computed last is read first.
    """
    parts = []
    for number, (levels, play) in enumerate(passes):
        order = level_by_level(radix, levels) if play is None else play
        base = bases(n, radix, levels, backwards=number % 2 == 1)
        level, point = within(radix, levels, order)
        block = ((levels.start + level + 1) * n + point).astype(np.int32)
        parts.append((base[:, None] + block).reshape(-1))
    return np.concatenate(parts)
