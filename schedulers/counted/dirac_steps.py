"""Counted plays of the iterated Dirac operator: a stencil's tiles along time, and their links."""

from collections.abc import Iterator
from functools import lru_cache
from math import prod

import numpy as np
import numpy.typing as npt

from dags import CDAG
from dags.lattice_qcd import LINK, SPINOR
from dags.lattice_steps import links_of
from schedulers.counted.sides import boxes
from schedulers.counted.stencil_counts import INSIDE, SAFE, Cut, axis_sums, stencil_words
from schedulers.counted.stencils import Shape, room_along_time, sides_of, tiles_of
from schedulers.counted.tiles import Moved, Params, Tiles

PROMISING = 2  # cuts whose words are counted


def dirac_steps(p: Params, memory: int) -> Moved | None:
    """Return what skewed tiles of a lattice move; None of one that wraps round.

    Tiles are those of `stencils.stencil` along time, each value a spinor; a tile loads each link
    that any of its sites reads once. The links of a step are those with an end in its box; as the
    box only moves down along each axis, a link that is needed again is needed at all steps
    between, and so those of one step are all that are kept.
    """
    if p["periodic"]:
        return None
    shape, steps = p["shape"], p["steps"]
    return _moved(shape, steps, best_cut(shape, steps, memory))


def dirac_steps_tiles(dag: CDAG, memory: int) -> Tiles:
    """Return the tiles that `dirac_steps` counts."""
    shape, steps = dag.params["shape"], dag.params["steps"]
    inputs = links_of(shape, periodic=False) + prod(shape)
    return tiles_of(shape, steps, best_cut(shape, steps, memory), inputs)


def best_cut(shape: Shape, steps: int, memory: int) -> Cut:
    """Return the cut that moves least of those that promise most; point by point if none fits.

    Parameters
    ----------
    shape, steps
        The lattice.
    memory
        Words of fast memory.
    """
    promising = sorted(set(_fitting(shape, steps, memory)), key=lambda cut: _cuts(shape, cut))
    found = promising[:PROMISING] or [Cut(1, (1,) * len(shape))]
    return min(found, key=lambda cut: sum(_moved(shape, steps, cut)))


def _fitting(shape: Shape, steps: int, memory: int) -> Iterator[Cut]:
    """Yield tiles along time that fit."""

    def cut(own: Shape) -> Cut:
        return Cut(steps, sides_of(shape, own))

    def fits(own: Shape) -> bool:
        return _room(shape, cut(own)) <= memory

    for own in boxes(shape, fits):
        yield cut(own)


def _room(shape: Shape, cut: Cut) -> int:
    """Return the words that suffice for a tile along time."""
    own = [side or length for side, length in zip(cut.sides, shape, strict=True)]
    links = sum(
        prod(own) // each * (side + 1 if side else length - 1)
        for each, side, length in zip(own, cut.sides, shape, strict=True)
    )
    return SPINOR * room_along_time(shape, cut) + LINK * links


def _cuts(shape: Shape, cut: Cut) -> float:
    """Return the cuts that a site passes, about."""
    return sum(1 / side for side in cut.sides if side)


@lru_cache(maxsize=1024)
def _moved(shape: Shape, steps: int, cut: Cut) -> Moved:
    spinors = stencil_words(shape, steps, False, cut)
    links = _links_loaded(shape, steps, cut)
    return Moved(SPINOR * spinors.loads + LINK * links, SPINOR * spinors.stores)


def _links_loaded(shape: Shape, steps: int, cut: Cut) -> int:
    """Return the links that tiles touch, each in as many tiles as touch it."""
    kind = np.int64 if 4 * prod(shape) * steps < SAFE else object
    again = (np.arange(steps) % cut.height != 0).astype(kind)  # steps that begin no band

    def along(sums: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        return sums.astype(kind)[np.arange(steps) % sums.size]

    axes = list(zip(shape, cut.sides, strict=True))
    kept = [along(axis_sums(length, side, steps).kept) for length, side in axes]
    total = 0
    for axis, (length, side) in enumerate(axes):
        touched, still = map(along, link_sums(length, side, steps))
        others = [each for other, each in enumerate(kept) if other != axis]
        points = prod(shape) // length
        overlap = still * again
        for each in others:
            overlap = overlap * each
        total += int(np.sum(touched * points)) - int(np.sum(overlap))
    return total


@lru_cache(maxsize=256)
def link_sums(length: int, side: int, steps: int) -> npt.NDArray[np.int64]:
    """Return (2, min(b, T)) links that the tiles along an axis touch, and those of the step before.

    Parameters
    ----------
    length
        Points of the axis.
    side
        Points of a tile; 0 for one tile of all.
    steps
        Of the lattice.
    """
    if not side:
        return np.full((2, 1), length - 1, np.int64)
    short, seen = INSIDE * side + length % side, min(side, steps)
    if length <= short + side:
        return links_one_by_one(length, side, seen)
    once, again = links_one_by_one(short, side, seen), links_one_by_one(short + side, side, seen)
    found: npt.NDArray[np.int64] = once + (again - once) * ((length - short) // side)
    return found


def links_one_by_one(length: int, side: int, steps: int) -> npt.NDArray[np.int64]:
    """Return the sums of `link_sums` tile by tile, at steps up to T <= b.

    Parameters
    ----------
    length, side, steps
        As in `link_sums`.
    """
    t = np.arange(1, steps + 1)[:, None]
    first = np.arange(length // side + 3) * side - t
    low, high, some = _links_at(first, length, side)
    old_low, old_high, before = _links_at(first + 1, length, side)
    both = np.minimum(high, old_high) - np.maximum(low, old_low)
    return np.array(
        [((high - low) * some).sum(axis=1), (np.maximum(both, 0) * some * before).sum(axis=1)],
        np.int64,
    )


def _links_at(
    first: npt.NDArray[np.int64], length: int, side: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """Return the links from and to the points of intervals, and whether these have any points."""
    low, high = np.clip(first, 0, length), np.clip(first + side, 0, length)
    return np.maximum(low - 1, 0), np.minimum(high, length - 1), high > low
