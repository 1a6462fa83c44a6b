"""Shared points of two sets of edges in a box, some of whose axes may be rings.

Let D be a product of d paths and rings, with neighbours as edges, and K an even number that each
ring's length and twice each path's length divide. Map the torus with d rings of K points to D:
along a ring of D count around, along a path go there and back, either end twice. Neighbours come to
neighbours or to the same point, and all neighbours of a point come from neighbours of each point
over it; over each there are equally many, m = K^d / |D|. On the torus let b(r) be the points of the
ball of radius r and s(r) those of its sphere; spheres grow up to the middle one, of radius [(d K /
2 + 1) / 2]. Let s(t) be straight between the values s(r) at t = b(r), with s(0) = 0, and level
beyond the middle. It is concave: spheres are log-concave.

**Divide the edges of D into two sets, and let T and T' be the points that either touches. They
share S(|T|) or S(|T'|) points, the smaller one, or more, with S(t) = s(m t) / m.**

1. At least s(t) of any t points of the torus, at most those of the middle ball, have a neighbour
   that is none of them; as in Z^d (`balls`). For balls have the fewest neighbours, in the order of
   Karakhanyan and Riordan, in which sphere follows sphere; and spheres are the ranks of a product
   of d partial orders, each with the ranks 1, 2, ..., 2, 1, so that a share of one has at least
   that share of the next one for neighbours. So the points over T have that many with a neighbour
   that is not over T, and T itself, the m-th part of them.
2. A point of T with a neighbour outside T has an edge that does not touch T: the edge is in the
   other set, and the point in T' too. The same holds for T'.
3. If both have more points over them than the middle ball, they share what both together have more
   than D: over that 2 b - K^d points or more, and that is the middle sphere or more, as spheres
   are as many from either end.

Source
------
B. Bollobas and I. Leader, An isoperimetric inequality on the discrete torus, SIAM Journal on
Discrete Mathematics 3, 1990. O. Riordan, An ordering on the even discrete torus, the same 11, 1998
(and V. M. Karakhanyan, 1982).
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm, prod

import numpy as np

from dags.arrays import Int64Array, lock

LONGEST = 2048  # points of a ring of the torus: four of them have less than 2^63


@dataclass(frozen=True, eq=False)
class Torus:
    """The spheres of a torus over a box.

    Parameters
    ----------
    spheres, balls
        (r,) points at each distance, and up to it, as far as the middle.
    copies
        Points of the torus over each of the box.
    """

    spheres: Int64Array
    balls: Int64Array
    copies: int

    def least_shared(self, points: int) -> Fraction:
        """Return S(t): what the smaller set, if it has so many points or more, shares at least."""
        above = points * self.copies
        if above >= self.balls[-1]:
            return Fraction(int(self.spheres[-1]), self.copies)
        radius = int(np.searchsorted(self.balls, above, side="right"))
        inner, outer = (int(self.spheres[r]) if r >= 0 else 0 for r in (radius - 1, radius))
        rest = above - (int(self.balls[radius - 1]) if radius else 0)
        return (inner + Fraction(rest * (outer - inner), outer)) / self.copies


@lru_cache(maxsize=64)
def torus_over(paths: tuple[int, ...], rings: tuple[int, ...] = ()) -> Torus | None:
    """Return the torus over a box; None where its rings are too long to count its points.

    Parameters
    ----------
    paths, rings
        The points along the axes of the box, those that are no rings and those that are.

    Examples
    --------
    >>> torus_over((2,), (4,)).spheres.tolist()
    [1, 4, 6]
    """
    around = lcm(2, *(2 * side for side in paths), *rings)
    axes = len(paths) + len(rings)
    if around > LONGEST or around**axes >= 2**63:
        return None
    ring = np.full(around // 2 + 1, 2, np.int64)
    ring[[0, -1]] = 1
    spheres = np.ones(1, np.int64)
    for _ in range(axes):
        spheres = np.convolve(spheres, ring)
    spheres = spheres[: spheres.size // 2 + 1]
    copies = around**axes // prod((*paths, *rings))
    return Torus(lock(spheres), lock(np.cumsum(spheres)), copies)
