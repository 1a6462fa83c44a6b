"""Counted plays of the iterated Dirac operator: a stencil's tiles along time, and their links."""

from collections.abc import Iterator
from functools import lru_cache
from math import prod

import numpy as np
import numpy.typing as npt

from dags import CDAG
from dags.families.lattice_qcd import LINK, SPINOR, links_of
from schedulers.counted.sides import boxes
from schedulers.counted.stencil_counts import (
    INSIDE,
    SAFE,
    Cut,
    axis_sums,
    folded,
    reads,
    sheets,
    stencil_words,
)
from schedulers.counted.stencils import (
    Shape,
    ring_tiles,
    room_along_time,
    sides_of,
    tiles_of,
)
from schedulers.counted.tiles import Moved, Params, Tiles

PROMISING = 2  # cuts whose words are counted


def dirac_steps(p: Params, memory: int) -> Moved | None:
    """Return what skewed tiles of a lattice move; None where a ring has an odd number of sites.

    Tiles are those of `stencils.stencil` along time, each value a spinor; a tile loads each link
    that any of its sites reads once. The links of a step are those with an end in its box; as the
    box only moves down along each axis, a link that is needed again is needed at all steps
    between, and so those of one step are all that are kept. A lattice that wraps round is folded
    flat (`stencil_counts`); a ring has two links more than its sheets, which these share.
    """
    shape, steps, wraps = p["shape"], p["steps"], p["periodic"]
    half = folded(shape) if wraps else shape
    if half is None:
        return None
    cut = best_cut(shape, steps, memory, periodic=wraps)
    if not wraps:
        return _moved(shape, steps, cut or Cut(1, (1,) * len(shape)), 1)
    if cut is None:
        points = steps * prod(shape)
        links = 2 * len(shape) * points
        return Moved(SPINOR * steps * reads(shape, False) + LINK * links, SPINOR * points)
    return _moved(half, steps, cut, sheets(shape))


def dirac_steps_tiles(dag: CDAG, memory: int) -> Tiles:
    """Return the tiles that `dirac_steps` counts."""
    shape, steps = dag.params["shape"], dag.params["steps"]
    wraps = dag.params["periodic"]
    cut, inputs = best_cut(shape, steps, memory, periodic=wraps), links_of(shape, wraps)
    inputs += prod(shape)
    if wraps:
        return ring_tiles(shape, steps, cut, inputs)
    return tiles_of(shape, steps, cut or Cut(1, (1,) * len(shape)), inputs)


def best_cut(shape: Shape, steps: int, memory: int, *, periodic: bool = False) -> Cut | None:
    """Return the cut that moves least of those that promise most; None if none fits.

    Parameters
    ----------
    shape, steps, periodic
        The lattice; if it is periodic, its cells are cut.
    memory
        Words of fast memory.
    """
    cells, points = (folded(shape), sheets(shape)) if periodic else (shape, 1)
    if cells is None:
        return None
    fitting = set(_fitting(cells, steps, memory // points, periodic))
    promising = sorted(fitting, key=lambda cut: _cuts(cells, cut))[:PROMISING]
    return min(promising, key=lambda cut: sum(_moved(cells, steps, cut, points)), default=None)


def _fitting(shape: Shape, steps: int, memory: int, periodic: bool) -> Iterator[Cut]:
    """Yield tiles along time that fit."""

    def cut(own: Shape) -> Cut:
        return Cut(steps, sides_of(shape, own))

    def fits(own: Shape) -> bool:
        return _room(shape, cut(own), periodic) <= memory

    for own in boxes(shape, fits):
        yield cut(own)


@lru_cache(maxsize=2**14)  # searches with other memories ask for the same tiles
def _room(shape: Shape, cut: Cut, periodic: bool) -> int:
    """Return the words that suffice for a tile along time, of a periodic lattice for each sheet."""
    own = [side or length for side, length in zip(cut.sides, shape, strict=True)]
    links = sum(
        prod(own) // each * (side + 1 if side else length - 1 + periodic)
        for each, side, length in zip(own, cut.sides, shape, strict=True)
    )
    return SPINOR * (room_along_time(shape, cut) + periodic) + LINK * links


def _cuts(shape: Shape, cut: Cut) -> float:
    """Return the cuts that a site passes, about."""
    return sum(1 / side for side in cut.sides if side)


@lru_cache(maxsize=1024)
def _moved(shape: Shape, steps: int, cut: Cut, points: int) -> Moved:
    """Return what tiles of cells move, which have a point or one of each sheet."""
    spinors = stencil_words(shape, steps, False, cut)
    links = _links_loaded(shape, steps, cut, wraps=points > 1) * max(1, points // 2)
    return Moved(points * SPINOR * spinors.loads + LINK * links, points * SPINOR * spinors.stores)


def _links_loaded(shape: Shape, steps: int, cut: Cut, *, wraps: bool) -> int:
    """Return the links that tiles touch, each in as many tiles as touch it.

    If the lattice wraps, of a pair of sheets.
    """
    kind = np.int64 if 4 * prod(shape) * steps < SAFE else object
    again = (np.arange(steps) % cut.height != 0).astype(kind)  # steps that begin no band

    def along(sums: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        return sums.astype(kind)[np.arange(steps) % sums.size]

    axes = list(zip(shape, cut.sides, strict=True))
    kept = [along(axis_sums(length, side, steps).kept) for length, side in axes]
    total = 0
    for axis, (length, side) in enumerate(axes):
        touched, still = map(along, link_sums(length, side, steps))
        if wraps:
            touched, still = 2 * touched + 2, 2 * still + along(_ends_kept(length, side, steps))
        others = [each for other, each in enumerate(kept) if other != axis]
        points = prod(shape) // length
        overlap = still * again
        for each in others:
            overlap = overlap * each
        total += int(np.sum(touched * points)) - int(np.sum(overlap))
    return total


def _ends_kept(length: int, side: int, steps: int) -> npt.NDArray[np.int64]:
    """Return (min(b, T),) ends of an axis that are in the tile in which they were a step before."""
    if not side:
        return np.full(1, 2, np.int64)
    t = np.arange(1, min(side, steps) + 1)
    kept: npt.NDArray[np.int64] = (t % side != 0).astype(np.int64) + ((length - 1 + t) % side != 0)
    return kept


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
