"""Boundaries in endless grids: what a layer reads and what it keeps, together (S4).

A point of Z^(d+1) reads the point before it along each axis. With u points of a set in a layer and
v in the next one, what is read and what is kept of the former are together at least

    minimum over e <= min(u, eta(v)) of max(u, beta(v), eta'(e), e + g(v)) - e,

eta'(e) the least |K + T - T| for e points K, T = {0, e_1, ..., e_d}, and g the least boundary of v
points of Z^d; the least of the sums over all sequences of layers is found layer by layer. A linear
map of determinant 1 or -1 takes other distances to these (`between_steps`).

The proof is S4 in docs/theory/sets.md.

Source
------
Derived here. The sets that are best are like cuboctahedra, T - T scaled:
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
