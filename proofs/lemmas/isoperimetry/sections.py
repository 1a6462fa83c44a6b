"""Boundaries of sets of lattice points whose neighbours are at constant distances.

**Sums of sets** (`least_sums`). For finite X and S in Z^d, both with points, let X + S be all sums.

- On a line |X + S| >= |X| + |S| - 1: add all of X to the least of S, then the greatest of X to the
  others.
- In more dimensions cut both into layers along an axis, X_t and S_s. Layer t of X + S has X_(t-s) +
  S_s inside, for each s, so that with bounds g_s for the S_s, which have one dimension less, it
  has at least max over s of g_s(|X_(t-s)|) points. Move S so that a largest layer of it is S_0, and
  forget all of S but S_(-1), S_0 and S_1. Choose a layer with points as the middle one. It sees g_0
  of itself; a layer above it sees at least g_0 of itself, and g_1 of the layer below it, and one
  below the middle likewise with g_(-1). The least of the sums of these over all sequences of layers
  is found from the outside inwards. If S_(-1) is empty, the lowest layer is the middle one.

Each axis gives a bound, and the largest one holds. |X + S| does not fall if X grows, so that of
the bounds for smaller sets the largest holds as well. The set X - S, of differences, is X + S
mirrored with X mirrored, and has the same bound.

A star or a box within S gives the bound that `neighbourhoods` has for it.

**Two sides** (`between_sections`). Let a point p read p + b for all b in B, which has 0; the first
coordinates are 0 or -1, and B_0, B_1 are the two layers of B. Let V have v_t points in the layer
with first coordinate t. With bounds g_0, g_1 for B_0 and B_1, V + B has at least max(g_0(v_t),
g_1(v_(t+1))) points in layer t, of which v_t are in V. Let E be the points p of V with p - B in V.
Then E_t - B_0 is in V_t, and E_t - B_1 in V_(t+1); so |E_t| is at most eta_0(v_t) and
eta_1(v_(t+1)), with eta(y) the largest x with g(x) <= y. What V reads outside of it and what of V
is not in E are

    sum over t of max(0, max(g_0(v_t), g_1(v_(t+1))) - v_t) + max(0, v_t - min(eta_0(v_t),
    eta_1(v_(t+1))))

or more, and the least of these sums over all sequences is found layer by layer. If B_1 has a point,
g_1(x) >= x: then v_(t+1) is at most v_t and what is read in layer t, and so on downwards, so that V
reads v_t points or more for each t; likewise |E_t| <= v_(t+1) upwards. A sequence with a layer of v
points costs 2 v or more. If B_0 is 0 alone, this is the sum of `layers`.

Source
------
Derived here; the argument is complete. R. J. Gardner and P. Gronchi, A Brunn-Minkowski inequality
for the integer lattice, Transactions of the AMS 2001, have |X + S|^(1/d) >= |X|^(1/d) + ((|S| - d)
/ d!)^(1/d) for S that spans d dimensions (known to us by its abstract; not used).
"""

from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import product
from operator import add

import numpy as np

from dags.arrays import Int64Array, lock
from proofs.lemmas.isoperimetry import _kernels
from proofs.lemmas.isoperimetry.layers import between_layers, tables
from proofs.lemmas.isoperimetry.neighbourhoods import Points

Point = tuple[int, ...]
Steps = frozenset[Point]


@lru_cache(maxsize=256)
def least_sums(steps: Steps, most: int) -> Int64Array:
    """Return (most+1,) a lower bound on |X + S|, by |X|; locked.

    Parameters
    ----------
    steps
        The points of S, all with as many coordinates; without a point nothing is reached.
    most
        The largest |X|.
    """
    sizes = np.arange(most + 1, dtype=np.int64)
    if not steps:
        return lock(np.zeros_like(sizes))
    if len(dimensions := next(iter(steps))) < 2:
        seen = sizes + (len(steps) - 1 if dimensions else 0)
    else:
        axes = range(len(dimensions))
        found = [_along(steps, axis, most) for axis in axes]
        found += [_near(len(dimensions), box, most) for box in (False, True) if _has(steps, box)]
        seen = np.max(found, axis=0)
    seen[0] = 0
    return lock(np.maximum.accumulate(seen))


def _along(steps: Steps, axis: int, most: int) -> Int64Array:
    """Return (most+1,) the bound that the layers along an axis give."""
    layers: dict[int, set[Point]] = {}
    for point in steps:
        layers.setdefault(point[axis], set()).add(point[:axis] + point[axis + 1 :])
    middle = max(layers, key=lambda level: (len(layers[level]), level - 1 in layers, level))
    below, same, above = (
        least_sums(frozenset(layers.get(middle + step, ())), most) for step in (-1, 0, 1)
    )
    if not above.any():
        below, above = above, below
    up = np.empty((most + 1, most + 1), np.int64)
    _kernels.beyond(same, above, up)
    down = np.zeros((1, most + 1), np.int64)
    if below.any():
        down = np.empty((most + 1, most + 1), np.int64)
        _kernels.beyond(same, below, down)
    seen = np.full(most + 1, 2**40)
    seen[0] = 0
    _kernels.both_sides(same, up, down, seen)
    return seen


def _near(d: int, box: bool, most: int) -> Int64Array:
    """Return (most+1,) what so many points of an endless grid see in stars or boxes."""
    return Points((2,) * d, box, "endless")(most)


def _has(steps: Steps, box: bool) -> bool:
    """Return whether all points of some star or box are there."""
    d = len(next(iter(steps)))
    near = [step for step in product((-1, 0, 1), repeat=d) if box or sum(map(abs, step)) <= 1]
    return len(steps) >= len(near) and any(
        all(tuple(map(add, centre, step)) in steps for step in near) for centre in steps
    )


def between_sections(steps: Iterable[Point]) -> Callable[[int], int]:
    """Return the least two-sided boundary of sets of each size.

    Parameters
    ----------
    steps
        B without 0: first coordinates are 0 or -1, and some are -1.
    """
    points = {*steps}
    dimensions = len(next(iter(points)))
    same = frozenset(b[1:] for b in points if b[0] == 0) | {(0,) * (dimensions - 1)}
    before = frozenset(b[1:] for b in points if b[0] == -1)
    if len(same) == 1:
        return between_layers(lambda most: least_sums(before, most))

    def fill(widest: int, least: Int64Array) -> None:
        bounds = [least_sums(same, widest), least_sums(before, widest)]
        within = [np.searchsorted(g, np.arange(widest + 1), side="right") - 1 for g in bounds]
        _kernels.two_sections(*bounds, *within, least)

    table = tables(fill)

    def least(size: int) -> int:
        reach = 64
        while reach < size:
            reach += reach // 2
        return int(table(reach)[size])

    return least
