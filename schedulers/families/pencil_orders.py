"""The order that tiles of a stencil give its vertices; how rings are opened so that tiles fit."""

from collections.abc import Iterable, Iterator
from functools import reduce
from math import prod

import numpy as np

from dags.arrays import Int32Array, Int64Array
from schedulers.families.stable_sort import in_turn
from schedulers.families.stencil_tiles import Pencils


def pencil_order(
    pencils: Pencils, shape: tuple[int, ...], steps: int, periodic: bool
) -> Int32Array:
    """Return (step - 1) * P + point of all points of all steps, by tiles.

    No operand is ahead in c_i + time for any coordinate c_i that changes by 1 at most between
    neighbours, nor in the phases of hexagons, so that tiles can be played one after another.
    """
    return sorted_places((steps, *shape), _keys(pencils, shape, steps, periodic))


def _keys(
    pencils: Pencils, shape: tuple[int, ...], steps: int, periodic: bool
) -> Iterator[Int64Array]:
    """Yield what places are sorted by: of many points, one array of them is there at a time."""
    time, *points = np.ogrid[tuple(slice(side) for side in (steps, *shape))]
    if pencils.height:
        yield time // pencils.height
    if periodic:
        opening, points = _opened(pencils, shape, time, points)
        yield from opening
    c = [_combined(row, points) for row in pencils.coordinates]
    if pencils.hexagon is not None:
        yield from pencils.hexagon.tile(c[1], time)
    for coordinate, length in zip(c, pencils.lengths, strict=True):
        if length:
            yield (coordinate + time) // length
    yield c[0] + time if pencils.swept else time


def open_axes(pencils: Pencils) -> list[int]:
    """Return the axes along which tiles are cut or played: there rings must be opened."""
    used = [bool(length) for length in pencils.lengths]
    used[0] |= pencils.swept
    if pencils.hexagon is not None:
        used[1] = True
    rows = np.array(pencils.coordinates)[used]
    return np.flatnonzero(rows.any(axis=0)).tolist()


def opens_once(pencils: Pencils) -> bool:
    """Return whether rings can be opened for all steps at once: each tile cuts along one axis."""
    return pencils.hexagon is None and (np.abs(pencils.coordinates).sum(axis=1) == 1).all()


def _opened(
    pencils: Pencils, shape: tuple[int, ...], time: Int64Array, points: list[Int64Array]
) -> tuple[list[Int64Array], list[Int64Array]]:
    """Return keys that come first, and coordinates in which no operand is far ahead.

    A ring opened once is read off from a seam that moves on by one point a step: from x = time
    on. What wraps round reads the beginning, which is far behind in x + time.

    Where tiles need an operand to be near in all coordinates, the points that no value from
    across the seam at 0 has reached are played first, and then the wedge around the seam that is
    left. After half a ring's steps all is begun anew.
    """
    axes = open_axes(pencils)
    if opens_once(pencils):
        return [], [
            time + (x - time) % side if axis in axes else x
            for axis, (x, side) in enumerate(zip(points, shape, strict=True))
        ]
    if not axes:
        return [], points
    height = min(shape[axis] for axis in axes) // 2
    since = time % height
    keys, centred = [time // height], list(points)
    for axis in axes:
        x, side = points[axis], shape[axis]
        wedge = (x < since) | (x >= side - since)
        keys.append(wedge.astype(np.int64))
        centred[axis] = np.where(wedge & (2 * x >= side), x - side, x)
    return keys, centred


def _combined(row: tuple[int, ...], points: list[Int64Array]) -> Int64Array:
    """Return a coordinate of all points, as far as it depends on them."""
    terms = [sign * x for sign, x in zip(row, points, strict=True) if sign]
    return reduce(np.add, terms)


def sorted_places(shape: tuple[int, ...], keys: Iterable[Int64Array]) -> Int32Array:
    """Return the places in an array of `shape` sorted by keys, the first one outermost."""
    total = np.zeros((1,) * len(shape), np.int64)
    for key in keys:
        lowest = key.min()
        total *= key.max() - lowest + 1
        if np.broadcast_shapes(total.shape, key.shape) == total.shape:
            total += key
        else:
            total = total + key
        total -= lowest
    whole = np.broadcast_to(total, shape).reshape(prod(shape))
    return in_turn(whole).astype(np.int32)
