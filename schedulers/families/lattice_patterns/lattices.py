"""Lattices of vertices, and how they are cut into tiles."""

from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
import numpy.typing as npt

from dags.arrays import Int64Array

Vector = tuple[int, ...]
System = tuple[Vector, ...]  # rows: coordinates in which no operand is ahead


@dataclass(frozen=True)
class Lattice:
    """A DAG that is the same everywhere: vertices of some kinds at each point of a lattice.

    Parameters
    ----------
    reads
        For each kind its operands, as (kind, distance): at point x it reads what is at x -
        distance.
    """

    reads: tuple[tuple[tuple[int, Vector], ...], ...]

    @property
    def kinds(self) -> int:
        """Vertices at each point."""
        return len(self.reads)


@dataclass(frozen=True)
class Frame:
    """Cut of a lattice into tiles.

    With y for the coordinates of a point x, tile k has those with k_i sides_i <= y_i < (k_i + 1)
    sides_i. No operand is ahead in any coordinate, so that tiles can be played in lexicographic
    order. Those that differ in the last coordinate alone are a stream.

    Parameters
    ----------
    system
        Rows: the coordinates, as many as a point has itself.
    sides
        Of a tile.
    """

    system: System
    sides: Vector

    @cached_property
    def residues(self) -> Int64Array:
        """(points of a tile, coordinates): by the last coordinate, then by the others."""
        last, *rest = (range(side) for side in (self.sides[-1], *self.sides[:-1]))
        box = np.array([(*others, along) for along, *others in product(last, *rest)])
        return box[self._are_points(box)]

    @cached_property
    def is_sound(self) -> bool:
        """True if a step by a side, in any coordinate, leads from point to point."""
        return bool(self._are_points(np.diag(self.sides)).all())

    def _are_points(self, y: Int64Array) -> npt.NDArray[np.bool_]:
        """Return which of (places, coordinates) are coordinates of a point."""
        x = np.linalg.solve(np.array(self.system, float), y.T.astype(float))
        return np.asarray((abs(x - x.round()) < 1e-6).all(axis=0))
