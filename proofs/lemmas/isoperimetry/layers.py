"""Boundaries in layered DAGs: of a set only its number in each layer counts (S1).

Let every edge lead from one layer to the next, any x vertices of a layer read at least beta(x)
values of the layer before and be read by at least beta(x) vertices of the layer after, and eta(y)
be the largest x with beta(x) <= y. A set with v_t vertices in layer t exchanges at least

    sum over t of max(0, beta(v_t) - v_(t-1)) + max(0, v_(t-1) - eta(v_t)),

and no layer has more vertices than half of that. Of one side: with Phi convex, Phi(0) = 0 and
Phi(y) >= eta(y) + Phi(eta(y)), sigma values dominate at most Phi(sigma) vertices outside them.

The proof is S1 in docs/theory/sets.md.

**Grids that end on all sides (S5).** Layer t of a grid has the points with the sum t of
coordinates. With x_z points of a set X of it in slice z, across the last axis,

    |read by X| >= sum over z of max(D_(t-z)(x_z), x_(z+1)),

D_t(x) the least of these sums for x points, found slice by slice; L the last layer, at most the
largest x with D_(L-t+1)(x) <= y of layer t - 1 are read by none but some y points of layer t.

The proof is S5 in docs/theory/sets.md.

Source
------
Derived here. Discrete isoperimetric inequalities give beta; for a plane the two sides together
give the hexagons (not triangles) that are best. J. E. Savage, Models of Computation, 1998, section
11.4, has the one-sided count for grids (the S-span).
S5 is derived here. G. F. Clements and B. Lindstroem, A generalization of a combinatorial theorem of
Macaulay, Journal of Combinatorial Theory 1969, have the exact answer (not used).
"""

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from dags.arrays import Int64Array, lock
from proofs.core.windows import FAR
from proofs.lemmas.isoperimetry import _kernels
from proofs.lemmas.isoperimetry.boundary import inverse

Beta = Callable[[int], Int64Array]  # (y+1,): beta(0), ..., beta(y)
REACH = 8192  # the largest set whose boundary is worth a table


@lru_cache(maxsize=64)
def layer_sizes(shape: tuple[int, ...]) -> Int64Array:
    """(layers,) how many points each layer of a grid has.

    Examples
    --------
    >>> layer_sizes((2, 3)).tolist()
    [1, 2, 2, 1]
    """
    sizes = np.ones(1, np.int64)
    for side in shape:
        sizes = np.convolve(sizes, np.ones(side, np.int64))
    return lock(sizes)


@lru_cache(maxsize=64)
def least_read(shape: tuple[int, ...], limit: int) -> Int64Array:
    """(layers, w+1) the least that so many points of each layer read.

    Parameters
    ----------
    shape
        The sides.
    limit
        The largest set: w is that, or the largest layer. Sets larger than their layer have the
        reads of all of it.
    """
    sizes = np.minimum(layer_sizes(shape), limit)
    read = np.zeros((sizes.size, int(sizes.max()) + 1), np.int64)
    if len(shape) == 1:
        read[1:, 1:] = 1
        return lock(read)
    *first_sides, side = shape
    below, widths = (
        least_read(tuple(first_sides), limit),
        np.minimum(layer_sizes(tuple(first_sides)), limit),
    )
    for t in range(1, sizes.size):
        slices = [z for z in range(side) if 0 <= t - z < widths.size]
        rows, wide = np.zeros((side, below.shape[1]), np.int64), np.zeros(side, np.int64)
        rows[slices], wide[slices] = below[[t - z for z in slices]], widths[[t - z for z in slices]]
        seen = np.full(int(sizes[t]) + 1, 2**40)
        _kernels.shadow(lock(rows), lock(wide), seen)
        seen = np.maximum.accumulate(seen)
        read[t, : seen.size], read[t, seen.size :] = seen, seen[-1]
    return lock(read)


@lru_cache(maxsize=64)
def most_kept(shape: tuple[int, ...], limit: int) -> Int64Array:
    """(layers, w+1) how many points of the layer before are read by so many at most.

    Parameters
    ----------
    shape, most
        As for `least_read`.
    """
    read, sizes = least_read(shape, limit), np.minimum(layer_sizes(shape), limit)
    kept = np.zeros_like(read)
    for t in range(1, sizes.size):
        readers = read[sizes.size - t, : int(sizes[t - 1]) + 1]
        kept[t] = np.searchsorted(readers, np.arange(read.shape[1]), side="right") - 1
    return lock(kept)


@lru_cache(maxsize=2**14)  # bounds for other memories ask for the same ones
def most_on_lines(boundary: int, c: int) -> int:
    """The most vertices with so large a boundary where beta(x) = x + c, c = 1 or 2."""
    largest = _most_in_rows(boundary, c)
    if c == 2 and boundary >= 9:
        return max(largest, _most_in_rows(boundary - 1, c) + 1)
    return largest


def _most_in_rows(boundary: int, c: int) -> int:
    """The largest sum of min(f + c (j - 1), g + c (l - j)) for f, g > 0 and any l."""
    limit = (boundary - c - 2) // (2 * c) + 1  # layers, with at least 2 left for both ends
    if limit < 1:
        return 0
    layers = np.arange(1, limit + 1)
    ends = boundary - c * (2 * layers - 1)
    low, high = ends // 2, ends - ends // 2
    rising = (high - low + c * (layers - 1)) // (2 * c) + 1  # layers up to the widest
    falling = layers - rising
    sums = rising * low + c * (rising * (rising - 1) // 2)
    return int((sums + falling * high + c * (falling * (falling - 1) // 2)).max())


def dominated_on_lines(values: int, c: int) -> int:
    """Phi where beta(x) = x + c: (sigma - c) + (sigma - 2c) + ..."""
    layers = max(values - 1, 0) // c
    return layers * values - c * layers * (layers + 1) // 2


def between_layers(beta: Beta) -> Callable[[int], int]:
    """The least two-sided boundary of sets of each size up to REACH."""

    def fill(widest: int, boundaries: Int64Array) -> None:
        high = lock(beta(widest))  # some of them are: kernels are compiled for locked arrays
        low = np.searchsorted(high, np.arange(widest + 1), side="right") - 1
        _kernels.layer_by_layer(high, low, boundaries)

    table = tables(fill)

    def least_boundary(size: int) -> int:
        reach = 64
        while reach < size:
            reach += reach // 2
        return min(int(table(reach)[size]), FAR)

    return least_boundary


def tables(fill: Callable[[int, Int64Array], None]) -> Callable[[int], Int64Array]:
    """A function that gives the (reach+1,) least boundaries of sets of each size.

    A layer of more than w vertices costs more than 2 w, and where w is above half of all least
    boundaries of a table none of them has such a layer: so they are the same for each such w.

    Parameters
    ----------
    fill
        Lowers numbers to the least boundary of each size, where no layer is wider than so much.
    """
    enough = 0  # for the tables so far: the next one begins there

    @lru_cache(maxsize=16)  # all reaches that are asked for
    def table(reach: int) -> Int64Array:
        nonlocal enough
        widest = max(enough, 16 + round(reach**0.6))
        while True:
            boundaries = np.full(reach + 1, 2 * (widest + 1))
            fill(widest, boundaries)
            if boundaries.max() < 2 * (widest + 1):
                enough = widest
                return boundaries
            widest += widest // 2

    return table


def dominated_by_layers(beta: Beta, limit: int) -> Callable[[int], int]:
    """The fewest values that dominate sets of each size; at most one more than `limit`."""
    closed = np.flatnonzero(beta(limit)[1:] == np.arange(1, limit + 1))  # may dominate for ever
    phi = convex_sums(beta, int(closed[0]) if closed.size else limit)

    def fewest_dominating(size: int) -> int:
        return int(np.searchsorted(phi, size))

    return fewest_dominating


def convex_sums(beta: Beta, limit: int) -> Int64Array:
    """(most+1,) Phi, as small as a rising pass finds it."""
    eta = np.searchsorted(beta(limit), np.arange(limit + 1), side="right") - 1
    phi = np.zeros(limit + 1, np.int64)
    _kernels.convex_sums(eta, phi)
    return phi


def lines_between(c: int, limit: int = FAR) -> Callable[[int], int]:
    """The least two-sided boundary where beta(x) = x + c for boundaries below `limit`."""
    return inverse(lambda boundary: most_on_lines(boundary, c), limit)


def lines_dominated(c: int, limit: int = FAR) -> Callable[[int], int]:
    """The fewest values that dominate where beta(x) = x + c, for fewer than `limit`."""
    return inverse(lambda values: dominated_on_lines(values, c), limit)
