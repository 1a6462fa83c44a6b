"""The vertex numbers of the Dirac operator."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from dags.arrays import Int64Array
from dags.families.hop_order import AXES, DIRECTIONS

FACES: Final = 3  # pairs of them: x4 ends at no other node


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
        """Return the link that leaves `site` forward."""
        return (1 + axis) * self.sites + site

    def copy(self, site: Int64Array, axis: int) -> Int64Array:
        """Return the node's copy of the link that enters `site` over a backward face."""
        return self.own + axis * self.face + self._place(site, axis)

    def spinor_in(self, site: Int64Array, axis: int) -> Int64Array:
        """Return Psi of the neighbour forward of `site`, as it comes in."""
        return self._message(0, site, axis)

    def product_in(self, site: Int64Array, axis: int) -> Int64Array:
        """Return the contribution of the neighbour backward of `site`, as it comes in.

        With `copies` that is its Psi.
        """
        return self._message(1, site, axis)

    def spinor_out(self, site: Int64Array, axis: int) -> Int64Array:
        """Return Psi of `site` as it is sent backward."""
        return self._message(2, site, axis)

    def product_out(self, site: Int64Array, axis: int) -> Int64Array:
        """Return the contribution of `site` to its neighbour forward, as it is returned.

        With `copies` that is its Psi.
        """
        return self._message(3, site, axis)

    def phi(self, site: Int64Array, version: Int64Array) -> Int64Array:
        """Return Phi of `site` after `version` hops."""
        missing: Int64Array = np.where(version == DIRECTIONS, self.outer, 0)
        return self.chains + version * self.sites + site - missing

    def _message(self, block: int, site: Int64Array, axis: int) -> Int64Array:
        return self.halo + (FACES * block + axis) * self.face + self._place(site, axis)

    def _place(self, site: Int64Array, axis: int) -> Int64Array:
        """Return the place of sites on their face."""
        stride = int(self.k**axis)  # to mypy a power of an unknown sign is anything
        place: Int64Array = site // (stride * self.k) * stride + site % stride
        return place
