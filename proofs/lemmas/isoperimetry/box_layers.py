"""Layers of a grid that ends on all sides, and what sets read and are read by in them (S5).

Layer t of a grid has the points with the sum t of coordinates. With x_z points of a set X of it in
slice z, across the last axis,

    |read by X| >= sum over z of max(D_(t-z)(x_z), x_(z+1)),

D_t(x) the least of these sums for x points, found slice by slice; L the last layer, at most the
largest x with D_(L-t+1)(x) <= y of layer t - 1 are read by none but some y points of layer t.

The proof is S5 in docs/theory/sets.md.

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
