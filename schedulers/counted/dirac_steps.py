"""Counted plays of the Dirac operator: plans of one application; many steps by tiles in time."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from math import prod
from typing import get_args

import numpy as np
import numpy.typing as npt

from dags import CDAG
from dags.families.common.dirac_numbers import DIRECTIONS, FACES, LINK, SPINOR, DiracNumbers
from dags.families.dirac import Sweep
from dags.families.dirac_steps import links_of
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
from schedulers.counted.tiles import Moved, Params, Tiles, boxes, evened, numbers
from schedulers.families.dirac_plans import AT_VISIT, SITE, DiracPlan

FEW = 48  # thicknesses of tiles that are all tried
SMALL = 16  # sites along x2 up to which all thicknesses there are tried, with each along x3
PROMISING = 2  # cuts whose words are counted


def dirac(p: Params, memory: int) -> Moved:
    """The words of the best plan that fits, nodes mirrored; where none does, hop by hop.

    Sites are visited by tiles, and hops done, in the order that is best for the memory: where that
    is another one than the parameters say, it is the same operator with its sums in another order.
    Plans slide; a new version of Phi beside the old one takes 24 words more.
    """
    plan = best_plan(p, memory)
    if plan is None:
        return hop_by_hop(p)
    stores = SPINOR * plan.sites + plan.neighbour_io // 2
    return Moved(plan.local_io + plan.neighbour_io - stores, stores)


def hop_by_hop(p: Params) -> Moved:
    """The words moved where each hop loads its link and Psi for itself, in the least memory.

    A site loads its Psi once more to begin Phi, and stores Phi; values from other nodes are loaded
    by the one hop that reads them; sent ones are made of values loaded for them.

    Parameters
    ----------
    p
        All parameters of the family.
    """
    numbers = DiracNumbers(p["k"], p["n4"], p["wrap"], p.get("copies", False))
    n, faces = numbers.sites, FACES * numbers.face  # sites at forward faces, and as many backward
    inner = DIRECTIONS * n - 2 * numbers.outer - 2 * faces
    loads = SPINOR * n + (SPINOR + LINK) * inner
    loads += (SPINOR + LINK) * faces + (SPINOR + numbers.copies * LINK) * faces  # over faces
    loads += SPINOR * faces + (SPINOR + (not numbers.copies) * LINK) * faces  # to send
    return Moved(loads, SPINOR * n + 2 * SPINOR * faces)


def best_plan(p: Params, memory: int) -> DiracPlan | None:
    """The plan that moves least of those that fit where results are placed.

    Parameters
    ----------
    p
        All parameters of the family; tiles and sweep are chosen anew.
    memory
        Words of fast memory.
    """
    return _best(p["k"], p["n4"], p["wrap"], p.get("copies", False), memory - SPINOR)


@lru_cache(maxsize=256)
def _best(k: int, n4: int, wrap: bool, copies: bool, room: int) -> DiracPlan | None:
    """The plan with the least local I/O of those for `room` words, sliding."""
    front = (room - AT_VISIT) // SITE  # sites of a slice
    made = (replace(plan, copies=copies) for plan in _plans(k, n4, wrap, front))
    plans = (plan for plan in made if plan.peak <= room)
    return min(plans, key=lambda plan: (plan.local_io, plan.peak), default=None)


def _plans(k: int, n4: int, wrap: bool, front: int) -> Iterator[DiracPlan]:
    """Yield plans whose slices have up to `front` sites, not all of which fit where x4 closes."""
    if front < 1:
        return
    for sweep in get_args(Sweep):
        for slab in numbers(k, FEW):
            for panel in numbers(k) if sweep == "x1" and k <= SMALL else (k,):
                sides = {"x1": k, "x2": panel, "x3": slab} | {sweep: 1}
                strip = min(
                    n4, n4 if sweep == "x4" else front // (sides["x1"] * panel * sides["x3"])
                )
                if strip:
                    strip = evened(n4, strip)
                    yield DiracPlan(k, n4, wrap, sweep, slab, strip, panel=panel)
                    if wrap and strip == n4:
                        yield DiracPlan(k, n4, wrap, sweep, slab, strip, seam=True, panel=panel)
    for panel, slab, strip in boxes((k, k, n4), lambda box: box[0] * box[1] * box[2] <= front):
        even = evened(k, slab), evened(n4, strip)
        yield DiracPlan(k, n4, wrap, "x1", *even, panel=evened(k, panel))


def dirac_steps(p: Params, memory: int) -> Moved | None:
    """The words of skewed tiles of a lattice; None where a ring has an odd number of sites.

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
    """The tiles that `dirac_steps` counts."""
    shape, steps = dag.params["shape"], dag.params["steps"]
    wraps = dag.params["periodic"]
    cut, inputs = best_cut(shape, steps, memory, periodic=wraps), links_of(shape, wraps)
    inputs += prod(shape)
    if wraps:
        return ring_tiles(shape, steps, cut, inputs)
    return tiles_of(shape, steps, cut or Cut(1, (1,) * len(shape)), inputs)


def best_cut(shape: Shape, steps: int, memory: int, *, periodic: bool = False) -> Cut | None:
    """The cut that moves least of those that promise most; None if none fits.

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

    def cut(tile: Shape) -> Cut:
        return Cut(steps, sides_of(shape, tile))

    def fits(tile: Shape) -> bool:
        return _room(shape, cut(tile), periodic) <= memory

    for tile in boxes(shape, fits):
        yield cut(tile)


@lru_cache(maxsize=2**14)  # searches with other memories ask for the same tiles
def _room(shape: Shape, cut: Cut, periodic: bool) -> int:
    """The words that suffice for a tile along time, of a periodic lattice for each sheet."""
    lengths = [side or length for side, length in zip(cut.sides, shape, strict=True)]
    links = sum(
        prod(lengths) // extent * (side + 1 if side else length - 1 + periodic)
        for extent, side, length in zip(lengths, cut.sides, shape, strict=True)
    )
    return SPINOR * (room_along_time(shape, cut) + periodic) + LINK * links


def _cuts(shape: Shape, cut: Cut) -> float:
    """The cuts that a site passes, about."""
    return sum(1 / side for side in cut.sides if side)


@lru_cache(maxsize=1024)
def _moved(shape: Shape, steps: int, cut: Cut, points: int) -> Moved:
    """The words of tiles of cells, which have a point or one of each sheet."""
    spinors = stencil_words(shape, steps, False, cut)
    links = _links_loaded(shape, steps, cut, wraps=points > 1) * max(1, points // 2)
    return Moved(points * SPINOR * spinors.loads + LINK * links, points * SPINOR * spinors.stores)


def _links_loaded(shape: Shape, steps: int, cut: Cut, *, wraps: bool) -> int:
    """The links that tiles touch, each in as many tiles as touch it.

    If the lattice wraps, of a pair of sheets.
    """
    kind = np.int64 if 4 * prod(shape) * steps < SAFE else object
    recurrent = (np.arange(steps) % cut.height != 0).astype(kind)  # steps that begin no band

    def along_axis(sums: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        return sums.astype(kind)[np.arange(steps) % sums.size]

    axes = list(zip(shape, cut.sides, strict=True))
    kept = [along_axis(axis_sums(length, side, steps).kept) for length, side in axes]
    total = 0
    for axis, (length, side) in enumerate(axes):
        touched, still = map(along_axis, link_sums(length, side, steps))
        if wraps:
            touched, still = (
                2 * touched + 2,
                2 * still + along_axis(_ends_kept(length, side, steps)),
            )
        other_links = [
            links_of_axis for other_axis, links_of_axis in enumerate(kept) if other_axis != axis
        ]
        points = prod(shape) // length
        overlap = still * recurrent
        for kept_links in other_links:
            overlap = overlap * kept_links
        total += int(np.sum(touched * points)) - int(np.sum(overlap))
    return total


def _ends_kept(length: int, side: int, steps: int) -> npt.NDArray[np.int64]:
    """(min(b, T),) ends of an axis that are in the tile in which they were a step before."""
    if not side:
        return np.full(1, 2, np.int64)
    t = np.arange(1, min(side, steps) + 1)
    kept: npt.NDArray[np.int64] = (t % side != 0).astype(np.int64) + ((length - 1 + t) % side != 0)
    return kept


@lru_cache(maxsize=256)
def link_sums(length: int, side: int, steps: int) -> npt.NDArray[np.int64]:
    """(2, min(b, T)) links that the tiles along an axis touch, and those of the step before.

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
    once, repeated = links_one_by_one(short, side, seen), links_one_by_one(short + side, side, seen)
    sums: npt.NDArray[np.int64] = once + (repeated - once) * ((length - short) // side)
    return sums


def links_one_by_one(length: int, side: int, steps: int) -> npt.NDArray[np.int64]:
    """The sums of `link_sums` tile by tile, at steps up to T <= b.

    Parameters
    ----------
    length, side, steps
        As in `link_sums`.
    """
    t = np.arange(1, steps + 1)[:, None]
    first = np.arange(length // side + 3) * side - t
    low, high, nonempty = _links_at(first, length, side)
    old_low, old_high, before = _links_at(first + 1, length, side)
    shared = np.minimum(high, old_high) - np.maximum(low, old_low)
    return np.array(
        [
            ((high - low) * nonempty).sum(axis=1),
            (np.maximum(shared, 0) * nonempty * before).sum(axis=1),
        ],
        np.int64,
    )


def _links_at(
    first: npt.NDArray[np.int64], length: int, side: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """The links from and to the points of intervals, and whether these have any points."""
    low, high = np.clip(first, 0, length), np.clip(first + side, 0, length)
    return np.maximum(low - 1, 0), np.minimum(high, length - 1), high > low
