"""Counted plays of grids: boxes in all axes but one, which they follow from end to end."""

from math import prod

import numpy as np

from dags import CDAG
from schedulers.counted.sides import boxes, evened
from schedulers.counted.tiles import Moved, Params, Tiles, tiled

Shape = tuple[int, ...]


def grid(p: Params, memory: int) -> Moved:
    """Return what tiles of a grid move that have b_i points in each axis but the longest.

    A tile goes layer after layer along the longest axis, and keeps a cross-section, of prod(b_i)
    points; besides there are the new value, and what one point reads of other tiles: one for each
    axis that is cut. At each cut a face of values is stored, those on several cuts once, and loaded
    for every cut. The input and the output come besides.
    """
    shape = p["shape"]
    return _moved(shape, _sides(shape, memory))


def grid_tiles(dag: CDAG, memory: int) -> Tiles:
    """Return the tiles that `grid` counts."""
    shape = dag.params["shape"]
    axes, sides = _axes(shape), _sides(shape, memory)
    points = np.indices(shape).reshape(len(shape), -1)[:, 1:]
    keys = [points[axis] // side for axis, side in zip(axes[1:], sides, strict=True)]
    order = np.lexsort((*points[list(axes[:0:-1])], points[axes[0]], *keys[::-1]))
    return tiled((order + 1).astype(np.int32), *(key[order] for key in keys))


def _axes(shape: Shape) -> list[int]:
    """Return the axes, the longest first."""
    return sorted(range(len(shape)), key=lambda axis: (-shape[axis], axis))


def _sides(shape: Shape, memory: int) -> Shape:
    """Return the sides of a tile in all axes but the longest."""
    across = [shape[axis] for axis in _axes(shape)[1:]]

    def fits(sides: Shape) -> bool:
        cut = sum(b < n for b, n in zip(sides, across, strict=True))
        return prod(sides) + 1 + cut <= memory

    found = {tuple(map(evened, across, sides)) for sides in boxes(across, fits)}
    return min(found, key=lambda sides: (sum(_moved(shape, sides)), sides))


def _moved(shape: Shape, sides: Shape) -> Moved:
    points = prod(shape)
    across = [shape[axis] for axis in _axes(shape)[1:]]
    cuts = [-(-n // b) - 1 for n, b in zip(across, sides, strict=True)]
    loads = sum(points // n * cut for n, cut in zip(across, cuts, strict=True))
    uncut = prod(n - cut for n, cut in zip(across, cuts, strict=True)) * max(shape)
    # the input is loaded by its own tile too, and is not stored where it lies on a cut
    on_a_cut = any(cut and b == 1 for cut, b in zip(cuts, sides, strict=True))
    return Moved(loads + 1, points - uncut + 1 - on_a_cut)
