"""Boundaries in endless grids: reads and keeps of a layer, together (S4).

A point of Z^(d+1) reads the point before it along each axis. With u points of a set in a layer and
v in the next one, points read and points kept of the former are together at least

    minimum over e <= min(u, eta(v)) of max(u, beta(v), eta'(e), e + g(v)) - e,

eta'(e) the least |K + T - T| for e points K, T = {0, e_1, ..., e_d}, and g the least boundary of v
points of Z^d; the least of the sums over all sequences of layers is found layer by layer. A linear
map of determinant 1 or -1 takes other distances to these (`between_steps`).

The proof is S4 in docs/theory/sets.md.

**Neighbours at constant distances (S10).** For finite X and S in Z^d with points, |X + S| >= |X| +
|S| - 1 on a line; in more dimensions the layers of X along each axis see at least what layers of S
give them (`least_sums`). Let a point p read p + b for all b in B, of which B_0 and B_1 are the two
layers, with bounds g_0 and g_1, and eta(y) be the largest x with g(x) <= y. A set with v_t points
in layer t exchanges at least

    sum over t of max(0, max(g_0(v_t), g_1(v_(t+1))) - v_t) + max(0, v_t - min(eta_0(v_t),
    eta_1(v_(t+1)))).

The proof is S10 in docs/theory/sets.md.

Source
------
Derived here. The sets that are best are like cuboctahedra, T - T scaled:
C. A. Rogers and G. C. Shephard, The difference body of a convex body, 1957.
S10 is derived here. R. J. Gardner and P. Gronchi, A Brunn-Minkowski inequality
for the integer lattice, Transactions of the AMS 2001, have |X + S|^(1/d) >= |X|^(1/d) + ((|S| - d)
/ d!)^(1/d) for S that spans d dimensions (known to us by its abstract; not used).
"""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import product
from operator import add

import numpy as np

from dags.arrays import Int32Array, Int64Array, lock
from proofs.lemmas.isoperimetry import _kernels
from proofs.lemmas.isoperimetry.layers import between_layers, lines_between, tables
from proofs.lemmas.isoperimetry.neighbourhoods import Corners, Points

Point = tuple[int, ...]
Steps = frozenset[Point]
FARTHEST = 2048  # points of a set; of larger ones what is read and kept counts one by one


@lru_cache(maxsize=256)
def least_sums(steps: Steps, limit: int) -> Int64Array:
    """(most+1,) a lower bound on |X + S|, by |X|; locked.

    Parameters
    ----------
    steps
        The points of S, all with as many coordinates; without a point nothing is reached.
    limit
        The largest |X|.
    """
    sizes = np.arange(limit + 1, dtype=np.int64)
    if not steps:
        return lock(np.zeros_like(sizes))
    if len(dimensions := next(iter(steps))) < 2:
        seen = sizes + (len(steps) - 1 if dimensions else 0)
    else:
        axes = range(len(dimensions))
        bounds = [_along(steps, axis, limit) for axis in axes]
        bounds += [_near(len(dimensions), box, limit) for box in (False, True) if _has(steps, box)]
        seen = np.max(bounds, axis=0)
    seen[0] = 0
    return lock(np.maximum.accumulate(seen))


def _along(steps: Steps, axis: int, limit: int) -> Int64Array:
    """(most+1,) the bound that the layers along an axis give."""
    layers: dict[int, set[Point]] = {}
    for point in steps:
        layers.setdefault(point[axis], set()).add(point[:axis] + point[axis + 1 :])
    middle = max(layers, key=lambda level: (len(layers[level]), level - 1 in layers, level))
    below, beside, above = (
        least_sums(frozenset(layers.get(middle + step, ())), limit) for step in (-1, 0, 1)
    )
    if not above.any():
        below, above = above, below
    up = np.empty((limit + 1, limit + 1), np.int64)
    _kernels.beyond(beside, above, up)
    down = np.zeros((1, limit + 1), np.int64)
    if below.any():
        down = np.empty((limit + 1, limit + 1), np.int64)
        _kernels.beyond(beside, below, down)
    seen = np.full(limit + 1, 2**40)
    seen[0] = 0
    _kernels.both_sides(beside, up, down, seen)
    return seen


def _near(d: int, box: bool, limit: int) -> Int64Array:
    """(most+1,) the points that so many of an endless grid see in stars or boxes."""
    return Points((2,) * d, box, "endless")(limit)


def _has(steps: Steps, box: bool) -> bool:
    """Whether all points of some star or box are there."""
    d = len(next(iter(steps)))
    near = [step for step in product((-1, 0, 1), repeat=d) if box or sum(map(abs, step)) <= 1]
    return len(steps) >= len(near) and any(
        all(tuple(map(add, centre, step)) in steps for step in near) for centre in steps
    )


def between_sections(steps: Iterable[Point]) -> Callable[[int], int]:
    """The least two-sided boundary of sets of each size.

    Parameters
    ----------
    steps
        B without 0: first coordinates are 0 or -1, and some are -1.
    """
    points = {*steps}
    dimensions = len(next(iter(points)))
    beside = frozenset(b[1:] for b in points if b[0] == 0) | {(0,) * (dimensions - 1)}
    before = frozenset(b[1:] for b in points if b[0] == -1)
    if len(beside) == 1:
        return between_layers(lambda limit: least_sums(before, limit))

    def fill(widest: int, boundaries: Int64Array) -> None:
        bounds = [least_sums(beside, widest), least_sums(before, widest)]
        within = [np.searchsorted(g, np.arange(widest + 1), side="right") - 1 for g in bounds]
        _kernels.two_sections(*bounds, *within, boundaries)

    table = tables(fill)

    def least_boundary(size: int) -> int:
        reach = 64
        while reach < size:
            reach += reach // 2
        return int(table(reach)[size])

    return least_boundary


@lru_cache(maxsize=8)
def between_corners(d: int) -> Callable[[int], int]:
    """The least two-sided boundary of sets of each size in a grid of d + 1 axes.

    Examples
    --------
    >>> [between_corners(2)(size) for size in (1, 4, 20)]
    [4, 10, 33]
    """
    if d == 1:
        return lines_between(1)
    table = tables(
        lambda widest, boundaries: _kernels.pairs_of_layers(exchanged(d, widest), boundaries)
    )
    one_by_one = between_layers(Corners(d))

    def least_boundary(size: int) -> int:
        if size > FARTHEST:
            return one_by_one(size)
        reach = 64
        while reach < size:
            reach = min(reach + reach // 2, FARTHEST)
        return int(table(reach)[size])

    return least_boundary


def between_steps(steps: Iterable[Point]) -> Callable[[int], int]:
    """The least two-sided boundary of sets of each size where p reads p + b for steps b.

    Parameters
    ----------
    steps
        As for `between_sections`.
    """
    columns = sorted({*steps})
    axes = len(columns[0])
    if len(columns) == axes > 2 and abs(_determinant(columns)) == 1:
        return between_corners(axes - 1)
    return between_sections(columns)


@lru_cache(maxsize=16)
def exchanged(d: int, widest: int) -> Int32Array:
    """(v+1, u+1) least exchanges of u points of a layer and v of the next one, int32.

    Parameters
    ----------
    d
        Axes of a layer.
    widest
        The most points of either.
    """
    u = np.arange(widest + 1)
    beta, v = Corners(d)(widest), u[:, None]
    eta = np.searchsorted(beta, u, side="right") - 1
    around = least_sums(_differences(d), widest)
    boundaries = np.array([between_corners(d - 1)(int(size)) if size else 0 for size in u])
    table = np.full((widest + 1, widest + 1), 2**29, np.int32)
    for e in range(int(eta[-1]) + 1):
        read = np.maximum(np.maximum(beta[v], boundaries[v] + e), around[e])
        able = (e <= u) & (e <= eta[v])
        table = np.minimum(table, np.where(able, np.maximum(u, read) - e, 2**29))
    return lock(table.astype(np.int32))


def _differences(d: int) -> Steps:
    """T - T."""
    corners = [(0,) * d, *(tuple(int(i == axis) for i in range(d)) for axis in range(d))]
    return frozenset(
        tuple(x - y for x, y in zip(a, b, strict=True)) for a, b in product(corners, repeat=2)
    )


def _determinant(columns: Sequence[Point]) -> int:
    """The determinant of a square matrix of whole numbers."""
    if not columns:
        return 1
    first, further = columns[0], columns[1:]
    minors = ([column[:i] + column[i + 1 :] for column in further] for i in range(len(first)))
    return sum(
        (-1) ** i * x * _determinant(m) for i, (x, m) in enumerate(zip(first, minors, strict=True))
    )
