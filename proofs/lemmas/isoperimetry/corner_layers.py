"""Boundaries in endless grids, layer by layer: what a layer reads and what it keeps, together.

A point of Z^(d+1) reads the point before it along each axis. Layers have the same sum of
coordinates; without the last coordinate each is Z^d, in which Y, a part of one layer, reads

    N-(Y) = Y - T    and keeps    K(Y) = {x : x + T is in Y},    T = {0, e_1, ..., e_d},

of the layer before: K(Y) are the points that nobody but Y reads. With |Y| = v and |K(Y)| = e,

- |N-(Y)| >= beta(v) and e <= eta(v), as in `layers`;
- |N-(Y)| >= eta'(e), the least |K + T - T| for |K| = e: K + T is in Y. This is `least_sums`;
- |N-(Y)| - e >= g(v), the least boundary of v points of Z^d, which is a grid as well: what Y
  reads of it are the points of Y - T that are not in Y, and all of Y but K(Y) is read outside.

The first says that triangles read little, and that triangles which point the other way keep much;
the others, that no set is both. If V has u points in the layer before and v in this one, then V and
what it reads are max(u, |N-(Y)|) points of the layer before at least, and min(u, e) at most of V's
there are read by V alone. Hence they exchange

    minimum over e <= min(u, eta(v)) of max(u, beta(v), eta'(e), e + g(v)) - e

at least (where e is larger than u, the same with u for e is no more), and the least of the sums of
these over all sequences of layers is found layer by layer. No layer has more points than half of
the boundary, as in `layers`.

**Other grids** (`between_steps`). If every point p of Z^D reads p + b for D distances b, and these
are the columns of a matrix with the determinant 1 or -1, then that matrix, with the other sign,
maps the grid above, of D axes, to this one.

Source
------
Derived here; the argument is complete. The sets that are best are like cuboctahedra, T - T scaled:
C. A. Rogers and G. C. Shephard, The difference body of a convex body, 1957.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import product

import numpy as np

from dags.arrays import Int32Array, lock
from proofs.lemmas.isoperimetry import _kernels
from proofs.lemmas.isoperimetry.layers import between_layers, lines_between, tables
from proofs.lemmas.isoperimetry.neighbourhoods import Corners
from proofs.lemmas.isoperimetry.sections import (
    Point,
    Steps,
    between_sections,
    least_sums,
)

FARTHEST = 2048  # points of a set; of larger ones what is read and kept counts one by one


@lru_cache(maxsize=8)
def between_corners(d: int) -> Callable[[int], int]:
    """Return the least two-sided boundary of sets of each size in a grid of d + 1 axes.

    Examples
    --------
    >>> [between_corners(2)(size) for size in (1, 4, 20)]
    [4, 10, 33]
    """
    if d == 1:
        return lines_between(1)
    table = tables(lambda widest, least: _kernels.pairs_of_layers(exchanged(d, widest), least))
    one_by_one = between_layers(Corners(d))

    def least(size: int) -> int:
        if size > FARTHEST:
            return one_by_one(size)
        reach = 64
        while reach < size:
            reach = min(reach + reach // 2, FARTHEST)
        return int(table(reach)[size])

    return least


def between_steps(steps: Iterable[Point]) -> Callable[[int], int]:
    """Return the least two-sided boundary of sets of each size where p reads p + b for steps b.

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
    """Return (v+1, u+1) what u points of a layer and v of the next one exchange at least, int32.

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
    own = np.array([between_corners(d - 1)(int(size)) if size else 0 for size in u])
    table = np.full((widest + 1, widest + 1), 2**29, np.int32)
    for e in range(int(eta[-1]) + 1):
        read = np.maximum(np.maximum(beta[v], own[v] + e), around[e])
        able = (e <= u) & (e <= eta[v])
        table = np.minimum(table, np.where(able, np.maximum(u, read) - e, 2**29))
    return lock(table.astype(np.int32))


def _differences(d: int) -> Steps:
    """Return T - T."""
    corners = [(0,) * d, *(tuple(int(i == axis) for i in range(d)) for axis in range(d))]
    return frozenset(
        tuple(x - y for x, y in zip(a, b, strict=True)) for a, b in product(corners, repeat=2)
    )


def _determinant(columns: Sequence[Point]) -> int:
    """Return the determinant of a square matrix of whole numbers."""
    if not columns:
        return 1
    first, others = columns[0], columns[1:]
    minors = ([other[:i] + other[i + 1 :] for other in others] for i in range(len(first)))
    return sum(
        (-1) ** i * x * _determinant(m) for i, (x, m) in enumerate(zip(first, minors, strict=True))
    )
