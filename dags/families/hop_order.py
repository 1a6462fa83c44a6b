"""The sites of a node of a four-dimensional lattice, and the order in which they are joined."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from dags.arrays import Int64Array, lock

AXES: Final = 4
DIRECTIONS: Final = 2 * AXES  # 2a is back along axis a, 2a + 1 is on; axes 0..3 are x1..x4

# What a site's hop in some direction is. Hops of a later class come later in the site's chain.
HALO, CUT, EARLIER, LATER, ABSENT = range(5)


@dataclass(frozen=True, eq=False)
class HopOrder:
    """The order in which sites are visited, and in which each adds its neighbours' contributions.

    Site ((x4 k + x3) k + x2) k + x1 has coordinates x1, ..., x4.

    Parameters
    ----------
    rank
        (n,) when each site is visited.
    neighbour
        (n, 8) the site that lies in each direction, around all borders.
    kind
        (n, 8) HALO: the neighbour is on another node. CUT: in another tile. EARLIER, LATER: in
        the same tile, visited before or after. ABSENT: there is none.
    direction
        (n, 8) the directions in the order in which a site's hops are done; absent ones last.
    place
        (n, 8) its inverse: how many hops of the site come before the one in each direction.
    """

    rank: Int64Array
    neighbour: Int64Array
    kind: npt.NDArray[np.int8]
    direction: npt.NDArray[np.signedinteger[Any]]
    place: npt.NDArray[np.signedinteger[Any]]


def hop_order(
    k: int,
    n4: int,
    wrap: bool,
    sweep: int,
    slab: int,
    strip: int,
    seam: bool,
    panel: int | None = None,
) -> HopOrder:
    """Return the order of a sweep along axis `sweep` through tiles k x panel x slab x strip.

    Tiles follow each other; the sites of one are visited slice after slice, each lexicographically.
    A hop is done when the later of its two sites is visited, unless the sites are in different
    tiles or nodes, or lie around x4 from each other and there is a `seam`: then each does its own
    hop at its own visit, before all others.

    Parameters
    ----------
    k, n4
        Sites along the first three axes and along x4.
    wrap
        Whether x4 is a ring.
    sweep
        Axis along which the slices of a tile follow each other, 0..3.
    slab, strip
        Sides of a tile along x3 and x4, in sites.
    seam
        Whether a hop around x4 is done at both sites instead of at the later one.
    panel
        Side of a tile along x2, in sites; None for k.
    """
    sides = (k, k, k, n4)
    x = np.indices((n4, k, k, k)).reshape(AXES, -1)[::-1]
    tile = (x[3] // strip * k + x[2] // slab) * k + x[1] // (panel or k)
    inside = [x[axis] for axis in range(AXES) if axis != sweep]
    rank = _inverse(np.lexsort((*inside, x[sweep], tile)))
    neighbour = np.empty((rank.size, DIRECTIONS), np.int64)
    kind = np.empty((rank.size, DIRECTIONS), np.int8)
    for d in range(DIRECTIONS):
        axis, step = d // 2, d % 2 * 2 - 1
        there = x.copy()
        there[axis] = (x[axis] + step) % sides[axis]
        y = np.ravel_multi_index(tuple(there[::-1]), sides[::-1])
        around = there[axis] != x[axis] + step
        kind[:, d] = np.where(rank[y] < rank, EARLIER, LATER)
        kind[(tile[y] != tile) | (around & seam), d] = CUT
        if axis < AXES - 1:
            kind[around, d] = HALO
        elif not wrap:
            kind[around, d] = ABSENT
        neighbour[:, d] = y
    when = np.where(kind == LATER, rank[neighbour], kind - np.int64(LATER))
    when[kind == ABSENT] = rank.size
    direction = np.argsort(when, axis=1, kind="stable")
    return HopOrder(
        lock(rank), lock(neighbour), lock(kind), lock(direction), lock(np.argsort(direction, 1))
    )


def _inverse(permutation: npt.NDArray[np.signedinteger[Any]]) -> Int64Array:
    inverse = np.empty(permutation.size, np.int64)
    inverse[permutation] = np.arange(permutation.size)
    return inverse
