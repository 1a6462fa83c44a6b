"""Hexagons that tile a line of points in time and can be played one after another."""

from dataclasses import dataclass
from math import isqrt

import numpy as np

from dags.arrays import Int64Array


@dataclass(frozen=True)
class Hexagon:
    """A tile of points c at times t, each of which reads c - 1, c and c + 1 of the time before.

    It begins with `base` points, gains one on either side at each of the first `half` times, and
    loses them again at the next `half` times. Where it loses them the next tiles begin, half a
    period to the side, so that hexagons of one phase lie apart, and read only those of the two
    phases before. At its lower sides two values come in at each time, at its upper ones two go
    out, and `base` values at the bottom and at the top.

    Parameters
    ----------
    base
        Points at its first time.
    half
        Times for which it grows.

    Source
    ------
    T. Grosser, A. Cohen, J. Holewinski, P. Sadayappan and S. Verdoolaege, Hybrid
    hexagonal/classical tiling for GPUs, CGO 2014.
    """

    base: int
    half: int

    @property
    def period(self) -> int:
        """From a hexagon to the next one of its phase."""
        return 2 * (self.base + self.half - 1)

    @property
    def area(self) -> int:
        """Points in a hexagon."""
        return self.half * self.period

    @property
    def entering(self) -> int:
        """Values that a hexagon reads from others."""
        return self.base + 4 * self.half

    def tile(self, c: Int64Array, t: Int64Array) -> tuple[Int64Array, Int64Array]:
        """Return the phase and the place in it of the hexagon of each point; both only rise."""
        phase, time = np.divmod(t, self.half)
        odd = phase & 1
        place, inside = np.divmod(c - odd * (self.period // 2) + time, self.period)
        begun = inside < self.base + 2 * time
        return np.where(begun, phase, phase - 1), np.where(begun, place, place + odd)


def best_hexagon(room: int) -> Hexagon:
    """Return the hexagon of at most `room` points that reads least for each of them."""
    fitting = [
        Hexagon(max(room // (2 * half) - half + 1, 1), half) for half in range(1, isqrt(room) + 1)
    ]
    inside = [hexagon for hexagon in fitting if hexagon.area <= room] or fitting[:1]
    return min(inside, key=lambda hexagon: hexagon.entering / hexagon.area)
