"""Grids and stencils."""

from itertools import product
from math import prod
from typing import Literal

import numpy as np

from dags.arrays import Int64Array, lock
from dags.cdag import CDAG
from dags.errors import InvalidSpecError
from dags.limits import require_at_least, require_room


def stencil(
    shape: tuple[int, ...],
    steps: int,
    neighbourhood: Literal["star", "box"] = "star",
    periodic: bool = False,
) -> CDAG:
    """Return `steps` sweeps of a radius-1 stencil over a grid: Jacobi iteration, explicit PDEs.

    Vertex t*P + x is grid point x (row-major) after step t, with P points; step 0 holds the
    inputs. A point is computed from itself and its neighbours one step before.

    Parameters
    ----------
    shape
        Side lengths, 1 to 4 of them.
    steps
        Number of sweeps.
    neighbourhood
        "star": the 2d neighbours along the axes; "box": all 3^d - 1 around.
    periodic
        Wrap around at the borders; every side must then be at least 3.

    Source
    ------
    H. T. Kung, Memory requirements for balanced computer architectures, 1986, section 3.3.

    Examples
    --------
    >>> stencil((4, 4), 2)
    <stencil(shape=(4, 4), steps=2, neighbourhood=star, periodic=False): 48 vertices, 128 edges>
    """
    _require_shape(shape)
    require_at_least(1, steps=steps)
    if neighbourhood not in ("star", "box"):
        raise InvalidSpecError(f"neighbourhood must be 'star' or 'box', not {neighbourhood!r}")
    if periodic and min(shape) < 3:
        raise InvalidSpecError(f"a periodic side must be at least 3, not {min(shape)}")
    points = prod(shape)
    require_room((steps + 1) * points, 3 ** len(shape) * steps * points)
    offsets = [
        offset
        for offset in product((-1, 0, 1), repeat=len(shape))
        if neighbourhood == "box" or sum(map(abs, offset)) <= 1
    ]
    degrees, row = _neighbours(shape, offsets, periodic)
    indptr = np.zeros((steps + 1) * points + 1, np.int64)
    np.cumsum(np.tile(degrees, steps), out=indptr[points + 1 :])
    indices = np.empty(steps * row.size, np.int32)
    sweep = points * np.arange(steps, dtype=np.int32)[:, None]
    np.add(sweep, row.astype(np.int32), out=indices.reshape(steps, row.size))
    return CDAG(
        lock(indptr),
        lock(indices),
        work=1,
        family="stencil",
        params={
            "shape": shape,
            "steps": steps,
            "neighbourhood": neighbourhood,
            "periodic": periodic,
        },
    )


def grid(shape: tuple[int, ...]) -> CDAG:
    """Return the grid in which a point is computed from the point before it along each axis.

    Points are numbered row-major; point 0 is the only input, the last one the only sink.
    With sides p, q, ...: p*q*... vertices and, for two sides, 2pq - p - q edges.

    Source
    ------
    J.-W. Hong and H. T. Kung, I/O complexity: the red-blue pebble game, STOC 1981, section 5
    (the snake-like array); also called the diamond DAG.

    Examples
    --------
    >>> grid((4, 4))
    <grid(shape=(4, 4)): 16 vertices, 24 edges>
    """
    _require_shape(shape)
    points = prod(shape)
    require_room(points, len(shape) * points)
    back = [tuple(-int(a == axis) for a in range(len(shape))) for axis in range(len(shape))]
    degrees, row = _neighbours(shape, back, periodic=False)
    indptr = np.zeros(points + 1, np.int64)
    np.cumsum(degrees, out=indptr[1:])
    return CDAG(
        lock(indptr), lock(row.astype(np.int32)), work=1, family="grid", params={"shape": shape}
    )


def _require_shape(shape: tuple[int, ...]) -> None:
    if not 1 <= len(shape) <= 4:
        raise InvalidSpecError(f"shape must have 1 to 4 sides, not {len(shape)}")
    for side in shape:
        require_at_least(1, side=side)


def _neighbours(
    shape: tuple[int, ...], offsets: list[tuple[int, ...]], periodic: bool
) -> tuple[Int64Array, Int64Array]:
    """Return how many points each point sees under `offsets`, and which, rising, one after another.

    `offsets` rise lexicographically, so that rows rise by themselves unless they wrap.
    """
    coordinates = np.indices(shape).reshape(len(shape), -1)
    sides = np.array(shape)[:, None]
    seen = np.empty((prod(shape), len(offsets)), np.int64)
    inside = np.ones_like(seen, bool)
    for column, offset in enumerate(offsets):
        moved = coordinates + np.array(offset)[:, None]
        if periodic:
            moved %= sides
        else:
            inside[:, column] = ((moved >= 0) & (moved < sides)).all(axis=0)
            moved = np.clip(moved, 0, sides - 1)
        seen[:, column] = np.ravel_multi_index(tuple(moved), shape)
    if periodic:
        seen.sort(axis=1)
    return inside.sum(axis=1), seen[inside]
