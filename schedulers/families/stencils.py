"""Stencils and grids: tiles along one direction of skewed coordinates."""

from collections.abc import Iterable, Iterator
from functools import reduce
from math import ceil, prod

import numpy as np

from dags import CDAG, stencil
from dags.arrays import Int32Array, Int64Array
from dags.families.common.dirac_numbers import LINK, SPINOR
from schedulers.families.lattices import box_patterns, grid_patterns, line_patterns
from schedulers.families.stencil_tiles import (
    ROTATIONS,
    Hexagon,
    Pencils,
    Space,
    best_hexagon,
    plans,
)
from schedulers.families.tiles import in_turn, in_turn_by

SHARES = (0.93, 1.0)  # of the memory: how much of it a tile may fill by the estimate
LARGE = 1 << 22  # vertices from which fewer orders are tried


def pencil_order(
    pencils: Pencils, shape: tuple[int, ...], steps: int, periodic: bool
) -> Int32Array:
    """(step - 1) * P + point of all points of all steps, by tiles.

    No operand is ahead in c_i + time for any coordinate c_i that changes by 1 at most between
    neighbours, nor in the phases of hexagons, so that tiles can be played one after another.
    """
    return sorted_places((steps, *shape), _keys(pencils, shape, steps, periodic))


def _keys(
    pencils: Pencils, shape: tuple[int, ...], steps: int, periodic: bool
) -> Iterator[Int64Array]:
    """Yield keys to sort places by: of many points, one array of them is there at a time."""
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
    """The axes along which tiles are cut or played: there rings must be opened."""
    used = [bool(length) for length in pencils.lengths]
    used[0] |= pencils.swept
    if pencils.hexagon is not None:
        used[1] = True
    rows = np.array(pencils.coordinates)[used]
    return np.flatnonzero(rows.any(axis=0)).tolist()


def opens_once(pencils: Pencils) -> bool:
    """Whether rings can be opened for all steps at once: each tile cuts along one axis."""
    return pencils.hexagon is None and (np.abs(pencils.coordinates).sum(axis=1) == 1).all()


def _opened(
    pencils: Pencils, shape: tuple[int, ...], time: Int64Array, points: list[Int64Array]
) -> tuple[list[Int64Array], list[Int64Array]]:
    """Keys that come first, and coordinates in which no operand is far ahead.

    A ring opened once is read off from a seam that moves on by one point a step: from x = time on.
    The part that wraps round reads the beginning, which is far behind in x + time.

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
    """A coordinate of all points, as far as it depends on them."""
    terms = [sign * x for sign, x in zip(row, points, strict=True) if sign]
    return reduce(np.add, terms)


def sorted_places(shape: tuple[int, ...], keys: Iterable[Int64Array]) -> Int32Array:
    """The places in an array of `shape` sorted by keys, the first one outermost."""
    total = np.zeros((1,) * len(shape), np.int64)
    for key in keys:
        lowest = key.min()
        total *= key.max() - lowest + 1
        if np.broadcast_shapes(total.shape, key.shape) == total.shape:
            total += key
        else:
            total = total + key
        total -= lowest
    combined = np.broadcast_to(total, shape).reshape(prod(shape))
    return in_turn(combined).astype(np.int32)


def stencil_orders(dag: CDAG, memory: int) -> Iterator[Int32Array]:
    """Yield orders of a stencil by tiles that are long in one direction, the most hopeful first.

    In coordinates c_1, ..., c_d that differ by 1 at most between neighbours no operand is ahead in
    c_i + t, so that cuts across these make tiles that can be played one after another. A cut costs
    4 words at each point that it passes: two values a step are stored on the one side and loaded on
    the other. A tile keeps the values across it, and its operands from others. With S for the
    memory, the words a vertex and their number for the best sides:

    - tiles b on each side, played along time, keep b^d values: 4d / b = 4d / S^(1/d);
    - tiles played along c_1 + t keep two values, of b^(d-1) points at h steps, and are cut
      across time at 2 words: 4 (d-1) / b + 2 / h, the same; but few steps need no such cut;
    - with hexagons of c_2 and t, whose 6 r^2 points move 12 r words, 4 (d-2) / b + 2 / r:
      d (12 4^(d-2) / S)^(1/d), which is 6.93 / S^(1/2), 10.90 / S^(1/3), 14.89 / S^(1/4).

    A box has the grid's own coordinates. A star fits into a box of sums and differences of them,
    in which a grid point takes the volume D = 2, 4, 16 for d = 2, 3, 4 (the largest determinant
    of d rows of signs), so that a tile keeps D times fewer values:
    4d / (D S)^(1/d) played along time, and with hexagons 4.90 / S^(1/2), 6.87 / S^(1/3), 7.44 /
    S^(1/4). Lower bounds are 4.32, 5.13 and 5.70; for boxes 6.11, 9.32, 12.62.
    In one dimension 4 / S is the least that such plays can reach: a word that is moved takes one
    end of a row of at most S kept neighbours one point on, and the row past S / 4 vertices. With
    little memory bands of h = S / 2 - 1 steps played along c_1 + t take 2 / h = 4 / (S - 2), and
    odd S is used best by orders that are searched for (`periodic`).

    Rings are opened at a seam, which costs 4 words wherever it passes as any other cut.

    Source
    ------
    M. E. Wolf and M. S. Lam, A data locality optimizing algorithm, PLDI 1991 (skewing and
    tiling); H. T. Kung, 1986, section 3.3, for the law M^(1/d). The rotated coordinates and the
    constants are ours.
    """
    shape, steps, periodic = dag.params["shape"], dag.params["steps"], dag.params["periodic"]
    spaces = list(_spaces(shape, steps, dag.params["neighbourhood"] == "star"))
    tried: list[Pencils] = []
    for share in SHARES:
        room = max(int(share * memory) - 3, 1)
        candidates = [
            (cost + _seams(pencils, shape, steps, periodic), pencils)
            for space in spaces
            for cost, pencils in plans(space, room)
        ]
        tried += [
            pencils for _, pencils in sorted(candidates, key=lambda candidate: candidate[0])[:3]
        ]
    tried += [_cubes(spaces[0], side) for side in _cube_sides(memory, len(shape))]
    for pencils in dict.fromkeys(tried if dag.n <= LARGE else tried[:3]):
        yield prod(shape) + pencil_order(pencils, shape, steps, periodic)
    if len(shape) == 1 and not periodic:
        for order in line_patterns(memory, shape[0], steps):
            yield shape[0] + order


def dirac_steps_orders(dag: CDAG, memory: int) -> Iterator[Int32Array]:
    """Yield the orders of `stencil_orders` for a lattice whose points are spinors with links.

    A site keeps its Psi and a link along each axis: in sites, memory is as large as for a stencil.
    """
    shape, steps, periodic = dag.params["shape"], dag.params["steps"], dag.params["periodic"]
    links = dag.n - (steps + 1) * prod(shape)
    room = memory // (SPINOR + LINK * len(shape))
    for order in stencil_orders(stencil(shape, steps, periodic=periodic), room):
        yield order + np.int32(links)


def grid_orders(dag: CDAG, memory: int) -> Iterator[Int32Array]:
    """Yield orders of a grid by pencils along its last axis and along its first.

    All operands lie behind in every coordinate, so that tiles need no skew. A pencil of b points
    a side in the other d - 1 axes keeps one cross-section of b^(d-1) points, and one layer a
    side comes in and goes out: 2 (d - 1) / b words a point. With two axes, p x q points in strips
    of M - 2 columns move at most 2 p (ceil(q / (M - 2)) - 1) + 2 words, and no play that
    keeps a row of neighbours does better than the leading 2 / M. With little memory patterns
    move fewer (`lattices`).

    With three, x - y and x + y are place and time of a `Hexagon`, of which every other point is
    one of the grid: 3 r^2 points move 6 r words, so that pencils with such a cross-section cost
    3.46 / M^(1/2) words a vertex, where squares cost 4 / M^(1/2); but at the faces of the grid
    hexagons are cut, so that they win only in grids of very many pencils.
    """
    shape = dag.params["shape"]
    if len(shape) == 1:
        return
    points = np.arange(prod(shape), dtype=np.int32).reshape(shape)
    views = points, np.moveaxis(points, 0, -1)
    for side in _sides(memory, len(shape) - 1, max(shape)):
        for view in views:
            order = _tiled(view, side)
            yield order[order > 0]  # point 0 is the input
    for view in views if len(shape) == 3 else ():
        order = _hexagonal(view, best_hexagon(max(2 * (memory - 3), 2)))
        yield order[order > 0]
    for pattern in box_patterns(memory, shape) if len(shape) <= 3 else ():
        yield pattern[pattern > 0]


def pyramid_orders(dag: CDAG, memory: int) -> Iterator[Int32Array]:
    """Yield orders of a pyramid by strips of its columns, from the right.

    Vertex i of a row reads i and i + 1 of the row below, so that nothing lies ahead to the left:
    a strip of b columns runs from the bottom to the top, keeps b words, and takes one word a row
    from the strip on its right: 2 / b words a vertex. With little memory patterns move fewer
    (`lattices`).
    """
    height = dag.params["height"]
    row = np.repeat(np.arange(height + 1), height + 1 - np.arange(height + 1))
    column = np.arange(dag.n) - np.searchsorted(row, row)
    vertex = np.arange(dag.n, dtype=np.int32)
    for side in _sides(memory, 1, height + 1):
        order = in_turn_by((-(column // side), row, -column))
        yield vertex[order][row[order] > 0]
    for pattern in grid_patterns(memory, 2, dag.n, lambda: np.array([row + column, -column])):
        yield pattern[row[pattern] > 0]


def _sides(memory: int, dimensions: int, limit: int) -> list[int]:
    """Sides of tiles whose cross-sections fit, with some room to spare, or nearly."""
    largest = int(memory ** (1 / dimensions) + 1e-9)
    spare = range(2, 7) if dimensions == 1 else range(3)
    return sorted({min(max(largest - reduction, 1), limit) for reduction in spare}, reverse=True)


def _spaces(shape: tuple[int, ...], steps: int, star: bool) -> Iterator[Space]:
    """Yield the grid in its own coordinates, long axes first, and a star in rotated ones."""
    axes = sorted(range(len(shape)), key=lambda axis: -shape[axis])
    unit_rows = tuple(
        tuple(int(axis == other_axis) for other_axis in range(len(shape))) for axis in axes
    )
    rotated = [ROTATIONS[len(shape)]] if star and len(shape) in ROTATIONS else []
    for coordinates in (unit_rows, *rotated):
        extents = tuple(
            1 + sum(abs(sign) * (side - 1) for sign, side in zip(row, shape, strict=True))
            for row in coordinates
        )
        sparsity = round(abs(np.linalg.det(np.array(coordinates))))
        yield Space(coordinates, extents, steps, sparsity)


def _cube_sides(memory: int, dimensions: int) -> tuple[int, int]:
    """Sides of tiles that fill the memory; in 1-D all but the three words of one step."""
    side = memory - 3 if dimensions == 1 else int(memory ** (1 / dimensions) + 1e-9)
    return max(side, 1), max(side - 1, 1)


def _cubes(space: Space, side: int) -> Pencils:
    """Tiles of one side along all axes, played along time."""
    return Pencils(space.coordinates, tuple(side if side < n else 0 for n in space.extents))


def _seams(pencils: Pencils, shape: tuple[int, ...], steps: int, periodic: bool) -> float:
    """The words a vertex that opening the rings costs."""
    axes = open_axes(pencils) if periodic else []
    words = sum(4 / shape[axis] for axis in axes)
    if axes and not opens_once(pencils):
        words += 2 * (ceil(steps / (min(shape[axis] for axis in axes) // 2)) - 1) / steps
    return words


def _hexagonal(points: Int32Array, hexagon: Hexagon) -> Int32Array:
    """A 3-D grid of points by hexagons in its first two axes, run along the last."""
    x, y, z = np.ogrid[tuple(slice(side) for side in points.shape)]
    order = sorted_places(points.shape, [*hexagon.tile(x - y, x + y), z])
    return points.reshape(-1)[order]


def _tiled(points: Int32Array, side: int) -> Int32Array:
    """A grid of points by tiles of `side` in all axes but the last, run along the last."""
    tile = np.zeros(points.shape, np.int64)
    for axis, length in enumerate(points.shape[:-1]):
        coordinate = np.arange(length).reshape(-1, *(1,) * (points.ndim - 1 - axis))
        tile = tile * (length // side + 1) + coordinate // side
    position = np.broadcast_to(np.arange(points.shape[-1]), points.shape)
    flat = points.reshape(-1)
    order = in_turn_by((tile.reshape(-1), position.reshape(-1), flat))
    return flat[order]
