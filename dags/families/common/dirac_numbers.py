"""The Dirac operator hop by hop: numbers of its vertices, and the order of its hops."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from dags.arrays import Int64Array, lock

FACES: Final = 3  # pairs of them: x4 ends at no other node
SPINOR, LINK = 24, 18  # words of a 3 x 4 and of a 3 x 3 complex matrix
SCALE, ADD, PRODUCT = 24, 24, 264  # flop: K Psi; a sum of spinors; a link times a spinor


@dataclass(frozen=True)
class DiracNumbers:
    """The vertex numbers of `dirac`; its methods take arrays of sites.

    Parameters
    ----------
    k, n4, wrap, copies
        As in `dirac`.
    """

    k: int
    n4: int
    wrap: bool
    copies: bool = False

    @property
    def sites(self) -> int:
        """Number of sites; Psi of each is the vertex of the same number."""
        return self.k**3 * self.n4

    @property
    def face(self) -> int:
        """Number of sites on a face."""
        return self.k**2 * self.n4

    @property
    def outer(self) -> int:
        """Number of links, and of sites at either end, that x4 lacks."""
        return 0 if self.wrap else self.k**3

    @property
    def own(self) -> int:
        """Number of Psi and of links that leave sites forward; copies of others' links follow."""
        return (1 + AXES) * self.sites - self.outer

    @property
    def halo(self) -> int:
        """The first vertex that travels between nodes; before it are Psi and U."""
        return self.own + (FACES * self.face if self.copies else 0)

    @property
    def inputs(self) -> int:
        """Number of inputs."""
        return self.halo + 2 * FACES * self.face

    @property
    def chains(self) -> int:
        """The first vertex of Phi."""
        return self.halo + 4 * FACES * self.face

    @property
    def vertices(self) -> int:
        """Number of vertices."""
        return self.chains + (1 + DIRECTIONS) * self.sites - 2 * self.outer

    @property
    def edges(self) -> int:
        """Number of edges."""
        return 25 * self.sites + 6 * self.face - 6 * self.outer

    def link(self, site: Int64Array, axis: int) -> Int64Array:
        """The link that leaves `site` forward."""
        return (1 + axis) * self.sites + site

    def copy(self, site: Int64Array, axis: int) -> Int64Array:
        """The node's copy of the link that enters `site` over a backward face."""
        return self.own + axis * self.face + self._place(site, axis)

    def spinor_in(self, site: Int64Array, axis: int) -> Int64Array:
        """Psi of the neighbour forward of `site`, as it comes in."""
        return self._message(0, site, axis)

    def product_in(self, site: Int64Array, axis: int) -> Int64Array:
        """The contribution of the neighbour backward of `site`, as it comes in.

        With `copies` that is its Psi.
        """
        return self._message(1, site, axis)

    def spinor_out(self, site: Int64Array, axis: int) -> Int64Array:
        """Psi of `site` as it is sent backward."""
        return self._message(2, site, axis)

    def product_out(self, site: Int64Array, axis: int) -> Int64Array:
        """The contribution of `site` to its neighbour forward, as it is returned.

        With `copies` that is its Psi.
        """
        return self._message(3, site, axis)

    def phi(self, site: Int64Array, version: Int64Array) -> Int64Array:
        """Phi of `site` after `version` hops."""
        missing: Int64Array = np.where(version == DIRECTIONS, self.outer, 0)
        return self.chains + version * self.sites + site - missing

    def _message(self, block: int, site: Int64Array, axis: int) -> Int64Array:
        return self.halo + (FACES * block + axis) * self.face + self._place(site, axis)

    def _place(self, site: Int64Array, axis: int) -> Int64Array:
        """The place of sites on their face."""
        stride = int(self.k**axis)  # to mypy a power of an unknown sign is anything
        place: Int64Array = site // (stride * self.k) * stride + site % stride
        return place


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
    """The order of a sweep along axis `sweep` through tiles k x panel x slab x strip.

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
        neighbour_site = x.copy()
        neighbour_site[axis] = (x[axis] + step) % sides[axis]
        y = np.ravel_multi_index(tuple(neighbour_site[::-1]), sides[::-1])
        around = neighbour_site[axis] != x[axis] + step
        kind[:, d] = np.where(rank[y] < rank, EARLIER, LATER)
        kind[(tile[y] != tile) | (around & seam), d] = CUT
        if axis < AXES - 1:
            kind[around, d] = HALO
        elif not wrap:
            kind[around, d] = ABSENT
        neighbour[:, d] = y
    delay = np.where(kind == LATER, rank[neighbour], kind - np.int64(LATER))
    delay[kind == ABSENT] = rank.size
    direction = np.argsort(delay, axis=1, kind="stable")
    return HopOrder(
        lock(rank), lock(neighbour), lock(kind), lock(direction), lock(np.argsort(direction, 1))
    )


def _inverse(permutation: npt.NDArray[np.signedinteger[Any]]) -> Int64Array:
    inverse = np.empty(permutation.size, np.int64)
    inverse[permutation] = np.arange(permutation.size)
    return inverse
