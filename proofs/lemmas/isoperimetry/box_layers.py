"""Layers of a grid that ends on all sides, and what sets read and are read by in them.

A point of a grid reads the point before it along each axis. Layer t has the points with the sum t
of coordinates, n_t of them; layer 0 is the input.

**Shadows.** Let X be x points of layer t, and cut layer t into slices by the last coordinate z:
slice z is layer t - z of the grid of the other axes. What X reads in slice z of layer t - 1 has all
that X_z reads there, and X_(z+1), moved down by one. So with D for one axis less,

    |read by X| >= sum over z of max(D_(t-z)(x_z), x_(z+1)),

and D_t(x) is the least of these sums over all x_z that sum to x, each at most as large as its
slice, found slice by slice. On a line D_t(x) = x for t > 0, and 0 for t = 0. As more points read
more, the largest of D_t(0), ..., D_t(x) holds.

Turned round, the grid is the same: with L the last layer, x points of layer t are read by
D_(L-t)(x) points or more; at most kept_t(y), the largest x with D_(L-t+1)(x) <= y, of layer t - 1
are read by none but some y points of layer t.

Source
------
Derived here. G. F. Clements and B. Lindstroem, A generalization of a combinatorial theorem of
Macaulay, Journal of Combinatorial Theory 1969, have the exact answer (not used).
"""

from functools import lru_cache

import numpy as np

from dags.arrays import Int64Array, lock
from proofs.lemmas.isoperimetry import _kernels


@lru_cache(maxsize=64)
def layer_sizes(shape: tuple[int, ...]) -> Int64Array:
    """Return (layers,) how many points each layer of a grid has.

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
def least_read(shape: tuple[int, ...], most: int) -> Int64Array:
    """Return (layers, w+1) what so many points of each layer read at least.

    Parameters
    ----------
    shape
        The sides.
    most
        The largest set: w is that, or the largest layer. Sets larger than their layer have what
        all of it reads.
    """
    sizes = np.minimum(layer_sizes(shape), most)
    read = np.zeros((sizes.size, int(sizes.max()) + 1), np.int64)
    if len(shape) == 1:
        read[1:, 1:] = 1
        return lock(read)
    *others, side = shape
    below, widths = least_read(tuple(others), most), np.minimum(layer_sizes(tuple(others)), most)
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
def most_kept(shape: tuple[int, ...], most: int) -> Int64Array:
    """Return (layers, w+1) how many points of the layer before are read by so many at most.

    Parameters
    ----------
    shape, most
        As for `least_read`.
    """
    read, sizes = least_read(shape, most), np.minimum(layer_sizes(shape), most)
    kept = np.zeros_like(read)
    for t in range(1, sizes.size):
        readers = read[sizes.size - t, : int(sizes[t - 1]) + 1]
        kept[t] = np.searchsorted(readers, np.arange(read.shape[1]), side="right") - 1
    return lock(kept)
