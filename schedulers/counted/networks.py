"""Counted plays of networks: passes over levels, a block of points at a time."""

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array
from dags.transforms import depth_of
from schedulers.counted.tiles import Moved, Params, Tiles, tiled
from schedulers.families.networks import bases, level_by_level, within
from schedulers.families.sorting import passes
from schedulers.families.transforms import pass_widths, runs, widest_pass


def fft(p: Params, memory: int) -> Moved:
    """Return what passes of e levels move: 2 n ceil(d / e) words.

    A block of a pass has r^e points, loads and stores each once, and takes r^e + r words; 3 for
    e = 1 and r = 2.
    """
    n, radix = p["n"], p["radix"]
    depth = depth_of(n, radix)
    number = -(-depth // widest_pass(memory, depth, radix))
    return Moved(n * number, n * number)


def fft_tiles(dag: CDAG, memory: int) -> Tiles:
    """Return the tiles that `fft` counts."""
    n, radix = dag.params["n"], dag.params["radix"]
    depth = depth_of(n, radix)
    widths = pass_widths(depth, widest_pass(memory, depth, radix))
    parts = []
    for run in runs(widths):
        level, point = within(radix, run, level_by_level(radix, run))
        base = bases(n, radix, run, backwards=False)
        parts.append(_block_by_block((run.start + level + 1) * n + point, base))
    return _joined(parts)


def bitonic_sort(p: Params, memory: int) -> Moved:
    """Return what passes over the levels of bitonic sort move: 2 n words each.

    A pass is a longest run of levels on at most e bits; its blocks have 2^e wires.
    """
    n = p["n"]
    number = len(passes(_bits(n), widest_pass(memory, depth_of(n, 2))))
    return Moved(n * number, n * number)


def bitonic_sort_tiles(dag: CDAG, memory: int) -> Tiles:
    """Return the tiles that `bitonic_sort` counts."""
    n = dag.params["n"]
    bits = _bits(n)
    parts = []
    for run in passes(bits, widest_pass(memory, depth_of(n, 2))):
        own = bits[run.start : run.stop]
        level, point = within(2, own, level_by_level(2, own))
        wire = bases(n, 2, own, backwards=False)[:, None] + point
        bit = np.array(own)[level]
        comparator = ((wire >> (bit + 1)) << bit) + (wire & ((1 << bit) - 1))
        vertex = n + (run.start + level) * n + 2 * comparator + (wire >> bit & 1)
        parts.append((vertex.astype(np.int32).reshape(-1), len(wire)))
    return _joined(parts)


def _bits(n: int) -> list[int]:
    """Return the bits that the levels of bitonic sort compare."""
    return [bit for stage in range(1, depth_of(n, 2) + 1) for bit in reversed(range(stage))]


def _block_by_block(block: Int32Array, base: Int32Array) -> tuple[Int32Array, int]:
    """Return the order of a pass and its number of blocks."""
    return (base[:, None] + block).astype(np.int32).reshape(-1), base.size


def _joined(parts: list[tuple[Int32Array, int]]) -> Tiles:
    """Return passes one after the other, each of equal blocks."""
    order = np.concatenate([own for own, _ in parts])
    sizes = [own.size // blocks for own, blocks in parts for _ in range(blocks)]
    return tiled(order, np.repeat(np.arange(len(sizes)), sizes))
