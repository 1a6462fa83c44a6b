"""Grids and stencils."""

from math import prod
from typing import Any

import numpy as np

from dags.arrays import lock
from dags.cdag import CDAG
from dags.limits import require_at_least, require_room
from dags.neighbourhoods import Neighbourhood, neighbours, radius_one, require_shape


def stencil(
    shape: tuple[int, ...],
    steps: int,
    neighbourhood: Neighbourhood = "star",
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
    params = {"steps": steps, "neighbourhood": neighbourhood, "periodic": periodic}
    return _sweeps("stencil", {"shape": shape, **params}, shape, steps, neighbourhood, periodic)


def sweep(
    shape: tuple[int, ...], neighbourhood: Neighbourhood = "star", periodic: bool = False
) -> CDAG:
    """Return one Jacobi sweep over a grid: the `stencil` of one step, a family of its own.

    A value serves only the points around it, so that all reuse is between neighbours: what a
    memory can save ends with a few cross-sections of the grid, where the stencil of many steps
    goes on saving.

    Vertex x is grid point x (row-major) before the sweep and P + x after it, with P points.
    Each point is computed from itself and its neighbours. 2P vertices; a periodic star has
    (2d + 1) P edges and a periodic box 3^d P; without wrapping a star with sides s_1, ..., s_d
    has P + sum over axes of 2 P (s_i - 1) / s_i and a box the product of all 3 s_i - 2.

    Parameters
    ----------
    shape, neighbourhood, periodic
        As in `stencil`.

    Source
    ------
    H. T. Kung, Memory requirements for balanced computer architectures, 1986, section 3.3: one
    of its iterations.

    Examples
    --------
    >>> sweep((4, 4))
    <sweep(shape=(4, 4), neighbourhood=star, periodic=False): 32 vertices, 64 edges>
    """
    params = {"shape": shape, "neighbourhood": neighbourhood, "periodic": periodic}
    return _sweeps("sweep", params, shape, 1, neighbourhood, periodic)


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
    require_shape(shape)
    points = prod(shape)
    require_room(points, len(shape) * points)
    back = [tuple(-int(a == axis) for a in range(len(shape))) for axis in range(len(shape))]
    degrees, row = neighbours(shape, back, periodic=False)
    indptr = np.zeros(points + 1, np.int64)
    np.cumsum(degrees, out=indptr[1:])
    return CDAG(
        lock(indptr), lock(row.astype(np.int32)), work=1, family="grid", params={"shape": shape}
    )


def _sweeps(
    family: str,
    params: dict[str, Any],
    shape: tuple[int, ...],
    steps: int,
    neighbourhood: Neighbourhood,
    periodic: bool,
) -> CDAG:
    offsets = radius_one(shape, neighbourhood, periodic)
    require_at_least(1, steps=steps)
    points = prod(shape)
    require_room((steps + 1) * points, len(offsets) * steps * points)
    degrees, row = neighbours(shape, offsets, periodic)
    indptr = np.zeros((steps + 1) * points + 1, np.int64)
    ends = indptr[points + 1 :].reshape(steps, points)
    np.add(row.size * np.arange(steps)[:, None], np.cumsum(degrees), out=ends)
    indices = np.empty(steps * row.size, np.int32)
    before = points * np.arange(steps, dtype=np.int32)[:, None]
    np.add(before, row.astype(np.int32), out=indices.reshape(steps, row.size))
    return CDAG(lock(indptr), lock(indices), work=1, family=family, params=params)
