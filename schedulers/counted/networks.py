"""Counted plays of networks: passes over levels, a block of points at a time."""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array, Int64Array
from dags.families.transforms import depth_of
from schedulers.counted.tiles import NOTHING, Moved, Params, Tiles, tiled
from schedulers.families.networks import bases, level_by_level, within
from schedulers.families.sorting import passes
from schedulers.families.transforms import pass_widths, runs, widest_pass


class Passes(NamedTuple):
    """Passes over the levels of a butterfly: first `wide` ones of e + 1 levels, then plain ones.

    Attributes
    ----------
    levels
        e, of a block of r^e points that fits.
    wide
        How many passes have a level more, with r = 2.
    kept
        Values of the first half of a wide block that stay until its last level.
    plain
        The levels of each of the other passes, at most e.
    """

    levels: int
    wide: int
    kept: int
    plain: list[int]


def fft(p: Params, memory: int) -> Moved:
    """The words of passes over the levels.

    A plain pass has e levels: a block has r^e points, loads and stores each once, and takes r^e + r
    words; 3 for e = 1 and r = 2. In a wide pass, with r = 2, one half of a block of 2^(e+1) points
    is made and stored, but for x values that stay, then the other half, and then the last level,
    for which stored values are loaded again. That takes 2^e + x + 2 words, and moves 2 - x / 2^e
    words of each point beyond those of a plain pass, and between: 3 - x / 2^e for e + 1 levels
    instead of 2 for e.
    """
    n, radix = p["n"], p["radix"]
    best = _passes(depth_of(n, radix), memory, radix)
    block = radix**best.levels
    rereads = n // (2 * block) * (block - best.kept) * best.wide
    once = n * (best.wide + len(best.plain))
    return Moved(once + rereads, once + rereads)


def _passes(depth: int, memory: int, radix: int) -> Passes:
    """The passes that move least."""
    levels = widest_pass(memory, depth, radix)
    block = radix**levels
    kept = min(block, memory - block - 2)
    pass_count = depth // (levels + 1) if radix == 2 and kept >= 0 else 0

    def words(wide: int) -> tuple[int, int]:
        narrow = depth - wide * (levels + 1)
        return 2 * block * -(-narrow // levels) + wide * (3 * block - kept), wide

    wide = min(range(pass_count + 1), key=words)
    remainder = depth - wide * (levels + 1)
    return Passes(levels, wide, kept, pass_widths(remainder, levels) if remainder else [])


def fft_levels(
    p: Params, memories: Sequence[int], prices: Sequence[Fraction | int] = ()
) -> list[Moved]:
    """The words across each boundary of passes whose blocks are played by passes of blocks.

    A block of r^w points of a larger memory is a transform of w levels, which the memory below
    plays by passes of its own; in place, it takes no more than its points there: what a block below
    has loaded gives its room to what it stores. Of all ways to cut levels into passes, those within
    passes included, the cheapest is taken.

    Parameters
    ----------
    p
        The transform.
    memories
        Words of each level but the last, rising.
    prices
        Of a word across each boundary; () for 1 at all.
    """
    n, radix = p["n"], p["radix"]
    depth = depth_of(n, radix)
    # By the number of levels of a block: the cost, and the passes at each boundary so far.
    best: list[tuple[Fraction | int, tuple[int, ...]]] = [(0, ())] * (depth + 1)
    for place, memory in enumerate(memories):
        widest = widest_pass(memory, depth, radix)
        price = prices[place] if prices else 1
        below, best = best, [(0, (0,) * (place + 1))]
        for levels in range(1, depth + 1):
            ways = []
            for width in range(1, min(widest, levels) + 1):
                inner, upper_levels = below[width], best[levels - width]
                passes = (*inner[1], 1)
                together = tuple(a + b for a, b in zip(passes, upper_levels[1], strict=True))
                ways.append((inner[0] + price + upper_levels[0], together))
            best.append(min(ways))
    return [Moved(n * passes, n * passes) for passes in best[depth][1]]


def fft_tiles(dag: CDAG, memory: int) -> Tiles:
    """The tiles that `fft` counts."""
    n, radix = dag.params["n"], dag.params["radix"]
    best = _passes(depth_of(n, radix), memory, radix)
    plays, kept = [], [NOTHING]
    for run in runs([best.levels + 1] * best.wide + best.plain):
        base = bases(n, radix, run, backwards=False)[:, None]
        wide = len(run) > best.levels
        play, sizes = _halves(best) if wide else _whole(level_by_level(radix, run))
        level, point = within(radix, run, play)
        plays.append((base + (run.start + level + 1) * n + point, sizes))
        if wide:
            level, point = within(radix, run, _stays(best))
            kept.append((base + (run.start + level + 1) * n + point).reshape(-1).astype(np.int32))
    return _joined(plays)._replace(kept=np.concatenate(kept))


def _halves(best: Passes) -> tuple[Int32Array, list[int]]:
    """The order of a wide block, and the sizes of its two tiles."""
    size = 2**best.levels
    level, point = np.divmod(level_by_level(2, range(best.levels)), size)
    half = (2 * size * level + point).astype(np.int32)
    last = np.arange(2 * size, dtype=np.int32).reshape(2, size).T.reshape(-1)
    order = np.concatenate((half, half + size, 2 * size * (best.levels + 1) + last))
    return order.astype(np.int32), [half.size, half.size + last.size]


def _stays(best: Passes) -> Int32Array:
    """The values of a wide block that stay until its last level, in its own numbering."""
    first = 2 ** (best.levels + 1) * best.levels
    return np.arange(first, first + best.kept, dtype=np.int32)


def _whole(order: Int32Array) -> tuple[Int32Array, list[int]]:
    """The order of a block that is one tile."""
    return order, [order.size]


def bitonic_sort(p: Params, memory: int) -> Moved:
    """The words of passes over the levels of bitonic sort: 2 n words each.

    A pass is a longest run of levels on at most e bits; its blocks have 2^e wires.
    """
    n = p["n"]
    number = len(passes(_bits(n), widest_pass(memory, depth_of(n, 2))))
    return Moved(n * number, n * number)


def bitonic_sort_tiles(dag: CDAG, memory: int) -> Tiles:
    """The tiles that `bitonic_sort` counts."""
    n = dag.params["n"]
    bits = _bits(n)
    plays = []
    for run in passes(bits, widest_pass(memory, depth_of(n, 2))):
        pass_bits = bits[run.start : run.stop]
        play, sizes = _whole(level_by_level(2, pass_bits))
        level, point = within(2, pass_bits, play)
        wire = bases(n, 2, pass_bits, backwards=False)[:, None] + point
        bit = np.array(pass_bits)[level]
        comparator = ((wire >> (bit + 1)) << bit) + (wire & ((1 << bit) - 1))
        plays.append((n + (run.start + level) * n + 2 * comparator + (wire >> bit & 1), sizes))
    return _joined(plays)


def _bits(n: int) -> list[int]:
    """The bits that the levels of bitonic sort compare."""
    return [bit for stage in range(1, depth_of(n, 2) + 1) for bit in reversed(range(stage))]


def _joined(plays: list[tuple[Int64Array, list[int]]]) -> Tiles:
    """Passes one after the other: (blocks, vertices) each, and the sizes of its tiles."""
    order = np.concatenate([play.reshape(-1) for play, _ in plays]).astype(np.int32)
    sizes = [
        size for play, sizes_of_pass in plays for _ in range(len(play)) for size in sizes_of_pass
    ]
    return tiled(order, np.repeat(np.arange(len(sizes)), sizes))
