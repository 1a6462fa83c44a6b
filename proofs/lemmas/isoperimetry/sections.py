"""Boundaries of sets of lattice points whose neighbours are at constant distances (S10).

For finite X and S in Z^d with points, |X + S| >= |X| + |S| - 1 on a line; in more dimensions the
layers of X along each axis see at least what layers of S give them (`least_sums`). Let a point p
read p + b for all b in B, of which B_0 and B_1 are the two layers, with bounds g_0 and g_1, and
eta(y) be the largest x with g(x) <= y. A set with v_t points in layer t exchanges at least

    sum over t of max(0, max(g_0(v_t), g_1(v_(t+1))) - v_t) + max(0, v_t - min(eta_0(v_t),
    eta_1(v_(t+1)))).

The proof is S10 in docs/theory/sets.md.

Source
------
Derived here. R. J. Gardner and P. Gronchi, A Brunn-Minkowski inequality
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
