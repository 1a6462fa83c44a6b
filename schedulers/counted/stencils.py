"""Counted plays of stencils, by skewed tiles along time or an axis, and of grids, by boxes."""

from collections.abc import Iterator
from math import prod

import numpy as np

from dags import CDAG
from schedulers.counted.stencil_counts import Cut, folded, places, reads, sheets, stencil_words
from schedulers.counted.tiles import Moved, Params, Tiles, boxes, evened, numbers, tiled

PROMISING = 6  # cuts whose words are counted
FEW_HEIGHTS = 16  # of bands, that are all tried
Shape = tuple[int, ...]


def grid(p: Params, memory: int) -> Moved:
    """The words of tiles of a grid that have b_i points in each axis but the longest.

    A tile goes layer after layer along the longest axis, and keeps a cross-section, of prod(b_i)
    points; besides there are the new value, and the reads of one point from other tiles: one for
    each axis that is cut. At each cut a face of values is stored, those on several cuts once, and
    loaded for every cut. The input and the output come besides.
    """
    shape = p["shape"]
    return _moved(shape, _grid_sides(shape, memory))


def grid_tiles(dag: CDAG, memory: int) -> Tiles:
    """The tiles that `grid` counts."""
    shape = dag.params["shape"]
    axes, sides = _cut_axes(shape), _grid_sides(shape, memory)
    points = np.indices(shape).reshape(len(shape), -1)[:, 1:]
    keys = [points[axis] // side for axis, side in zip(axes[1:], sides, strict=True)]
    order = np.lexsort((*points[list(axes[:0:-1])], points[axes[0]], *keys[::-1]))
    return tiled((order + 1).astype(np.int32), *(key[order] for key in keys))


def _cut_axes(shape: Shape) -> list[int]:
    """The axes, the longest first."""
    return sorted(range(len(shape)), key=lambda axis: (-shape[axis], axis))


def _grid_sides(shape: Shape, memory: int) -> Shape:
    """The sides of a tile in all axes but the longest."""
    across = [shape[axis] for axis in _cut_axes(shape)[1:]]

    def fits(sides: Shape) -> bool:
        cut = sum(b < n for b, n in zip(sides, across, strict=True))
        return prod(sides) + 1 + cut <= memory

    shapes = {tuple(map(evened, across, sides)) for sides in boxes(across, fits)}
    return min(shapes, key=lambda sides: (sum(_moved(shape, sides)), sides))


def _moved(shape: Shape, sides: Shape) -> Moved:
    points = prod(shape)
    across = [shape[axis] for axis in _cut_axes(shape)[1:]]
    cuts = [-(-n // b) - 1 for n, b in zip(across, sides, strict=True)]
    loads = sum(points // n * cut for n, cut in zip(across, cuts, strict=True))
    uncut = prod(n - cut for n, cut in zip(across, cuts, strict=True)) * max(shape)
    # the input is loaded by its own tile too, and is not stored where it lies on a cut
    on_a_cut = any(cut and b == 1 for cut, b in zip(cuts, sides, strict=True))
    return Moved(loads + 1, points - uncut + 1 - on_a_cut)


def stencil(p: Params, memory: int) -> Moved | None:
    """The words of skewed tiles of a stencil; None where a ring has an odd number of points.

    Tiles are boxes in c_i = x_i + t, in which no operand is ahead. Of the axes that are cut every
    cut costs about 4 words at each point that it passes.

    - *Along time*: step after step, in each the points of highest c first, the longest axis of the
      box outermost. A value at c is then read last at c itself, if that is in the tile, and a new
      value takes its room: prod(b_i) words, and one layer more where an axis is not cut. Of the two
      layers before each face there are at most one layer before axis 1, the rims of two layers, and
      three rows: the points read at c lie in three layers, and of the first and the last of these
      no more together than of one, and a row.
    - *Along an axis* that is not cut, in bands of h steps: for each c of that axis step after
      step. Two layers of each step are kept, with their rims, and two more: (2 h + 2) prod(b_i +
      2) + 1 words, over the other axes. Bands cost 2 words a point each.
    - *Point by point*, where nothing else fits.

    A grid that wraps round is folded flat (`stencil_counts`).
    """
    shape, steps, box = _problem(p)
    if not p["periodic"]:
        return stencil_words(shape, steps, box, best_cut(p, memory))
    half = folded(shape)
    if half is None:
        return None
    cut = ring_cut(p, memory)
    if cut is None:
        return Moved(steps * reads(shape, box), steps * prod(shape))
    words = stencil_words(half, steps, box, cut)
    return Moved(sheets(shape) * words.loads, sheets(shape) * words.stores)


def stencil_tiles(dag: CDAG, memory: int) -> Tiles:
    """The tiles that `stencil` counts."""
    shape, steps, _ = _problem(dag.params)
    if dag.params["periodic"]:
        return ring_tiles(shape, steps, ring_cut(dag.params, memory), prod(shape))
    return tiles_of(shape, steps, best_cut(dag.params, memory), prod(shape))


def ring_tiles(shape: Shape, steps: int, cut: Cut | None, inputs: int) -> Tiles:
    """The tiles of a stencil that wraps round.

    Parameters
    ----------
    shape, steps
        The grid.
    cut
        How its cells are cut; None for points, one by one.
    inputs
        The vertices before the first one that is computed.
    """
    if cut is None:
        cells = np.arange(steps * prod(shape))
        return tiled((inputs + cells).astype(np.int32), cells)
    return tiles_of(shape, steps, cut, inputs, periodic=True)


def tiles_of(shape: Shape, steps: int, cut: Cut, inputs: int, *, periodic: bool = False) -> Tiles:
    """The tiles of a stencil.

    Parameters
    ----------
    shape, steps, cut
        The grid, and how it is cut; if it is periodic, its cells.
    inputs
        The vertices before the first one that is computed.
    periodic
        Whether it is folded into cells.
    """
    t, *x = np.indices((steps, *shape), dtype=np.int32).reshape(1 + len(shape), -1)
    if periodic:
        x = [places(coordinate, side) for coordinate, side in zip(x, shape, strict=True)]
        shape = folded(shape) or shape
    c = [place + t + 1 for place in x]
    keys = [t // cut.height]
    keys += [coordinate // side for coordinate, side in zip(c, cut.sides, strict=True) if side]
    falling = [-c[axis] for axis in _axes(shape, cut) if axis != cut.along]
    inside = [*([] if cut.along is None else [c[cut.along]]), t, *falling]
    order = np.lexsort((*inside[::-1], *keys[::-1]))
    return tiled((inputs + order).astype(np.int32), *(key[order] for key in keys))


def best_cut(p: Params, memory: int) -> Cut:
    """The cut that moves least of those that promise most."""
    shape, steps, box = _problem(p)
    cuts = {*_along_time(shape, steps, memory), *_along_an_axis(shape, steps, memory)}
    promising = sorted(cuts, key=lambda cut: (_estimate(shape, steps, cut), str(cut)))
    chosen = promising[:PROMISING] or [Cut(1, (1,) * len(shape))]
    return min(chosen, key=lambda cut: (sum(stencil_words(shape, steps, box, cut)), str(cut)))


def ring_cut(p: Params, memory: int) -> Cut | None:
    """The cut of the cells of a stencil that wraps round; None for points, one by one.

    Parameters
    ----------
    p
        All parameters of the family.
    memory
        Words of fast memory.
    """
    shape, steps, box = _problem(p)
    half, cells = folded(shape), memory // sheets(shape) - 1
    if half is None:
        return None
    cuts = {*_along_time(half, steps, cells), *_along_an_axis(half, steps, cells)}
    promising = sorted(cuts, key=lambda cut: (_estimate(half, steps, cut), str(cut)))
    return min(
        promising[:PROMISING],
        key=lambda cut: (sum(stencil_words(half, steps, box, cut)), str(cut)),
        default=None,
    )


def _problem(p: Params) -> tuple[Shape, int, bool]:
    """The shape, the steps, and whether neighbourhoods are boxes."""
    return p["shape"], p["steps"], p["neighbourhood"] == "box"


def _along_time(shape: Shape, steps: int, memory: int) -> Iterator[Cut]:
    """Yield tiles along time that fit."""

    def fits(tile: Shape) -> bool:
        return room_along_time(shape, Cut(steps, sides_of(shape, tile))) <= memory

    for tile in boxes(shape, fits):
        yield Cut(steps, sides_of(shape, tile))


def _along_an_axis(shape: Shape, steps: int, memory: int) -> Iterator[Cut]:
    """Yield tiles along the longest axis that fit."""
    longest = shape.index(max(shape))
    across = shape[:longest] + shape[longest + 1 :]

    def cut(height: int, tile: Shape) -> Cut:
        return Cut(
            height, sides_of(shape, (*tile[:longest], shape[longest], *tile[longest:])), longest
        )

    for height in {steps, *numbers(steps, FEW_HEIGHTS)}:

        def fits(tile: Shape, height: int = height) -> bool:
            return _room_along_an_axis(shape, cut(height, tile)) <= memory

        if not fits((1,) * len(across)):
            continue
        for tile in boxes(across, fits):
            yield cut(height, tile)


def sides_of(shape: Shape, tile: Shape) -> Shape:
    """The sides of a box, 0 where it is as long as the grid."""
    return tuple(side if side < length else 0 for side, length in zip(tile, shape, strict=True))


def _axes(shape: Shape, cut: Cut) -> list[int]:
    """The axes, those along which a tile is longest first."""
    lengths = [side or length for side, length in zip(cut.sides, shape, strict=True)]
    return sorted(range(len(shape)), key=lambda axis: (-lengths[axis], axis))


def room_along_time(shape: Shape, cut: Cut) -> int:
    """The words that suffice for a tile along time."""
    axes = _axes(shape, cut)
    lengths = [cut.sides[axis] or shape[axis] for axis in axes]
    inside = prod(b + (not cut.sides[axis]) for b, axis in zip(lengths, axes, strict=True)) + 1
    if not any(cut.sides):
        return inside
    if len(axes) == 1:
        return inside + 2
    wide = [b + 2 * bool(cut.sides[axis]) for b, axis in zip(lengths, axes, strict=True)]
    layer, rims = prod(wide[1:]), prod(wide[1:]) - prod(lengths[1:])
    return inside + layer + 2 * rims + 3 * prod(wide[2:])


def _room_along_an_axis(shape: Shape, cut: Cut) -> int:
    """The words that suffice for a tile along an axis."""
    pairs = enumerate(zip(cut.sides, shape, strict=True))
    layer = prod(side + 2 if side else length for a, (side, length) in pairs if a != cut.along)
    return (2 * cut.height + 2) * layer + 1


def _estimate(shape: Shape, steps: int, cut: Cut) -> float:
    """Return about the words a point that cuts cost."""
    pairs = zip(cut.sides, shape, strict=True)
    cuts = sum(4 * ((n + steps) // b) / (n + steps) for b, n in pairs if b)
    return cuts + 2 * (-(-steps // cut.height) - 1) / steps
