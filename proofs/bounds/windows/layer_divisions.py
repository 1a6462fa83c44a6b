"""Divisions of a grid into sets of given sizes: no prices of its layers prove more than they move.

`proofs.lemmas.prices.layers` proves, whatever the prices p, at most the sum over the
sets of any division of what the set exchanges by the same inequality: c(A) is at most that less the
prices of the set, and these sum to p_t n_t. So a division that moves little says, before any table
is filled, that windows of these sizes are not worth a search.
"""

import numpy as np

from dags.arrays import Int64Array
from proofs.lemmas.isoperimetry.box_layers import (
    layer_sizes,
    least_read,
    most_kept,
)


def some_division_exchanges(shape: tuple[int, ...], sets: dict[int, int], most: int) -> bool:
    """Return whether some division that is tried exchanges no more than so many values.

    Parameters
    ----------
    shape
        Of the grid.
    sets
        How many there are of each size.
    most
        Values.
    """
    sizes = np.repeat(list(sets), list(sets.values())).astype(np.int64)
    lanes = min(sizes.size, int(layer_sizes(shape).max()))
    tried = sorted({max(1, lanes >> k) for k in range(8)}, key=lambda g: abs(4 * g - lanes))
    return any(exchanged(shape, sizes, g) <= most for g in tried)


def exchanged(shape: tuple[int, ...], sizes: Int64Array, lanes: int) -> int:
    """Return the values that sets exchange which follow each other in lanes, at least.

    Each lane has its share of each layer, and goes from the first layer to the last.

    Parameters
    ----------
    shape
        Of the grid.
    sizes
        (k,) vertices of each set, all vertices but the input together.
    lanes
        How many of them.

    Examples
    --------
    >>> exchanged((3, 3), np.array([4, 4]), 1)
    7
    """
    layers, cut = layer_sizes(shape)[1:], np.arange(lanes + 1)[:, None]
    ends = np.cumsum(np.diff(cut * layers // lanes, axis=0))  # of a lane in a layer
    stops = np.cumsum(sizes)
    runs = np.union1d(ends[ends > 0], stops)
    place = np.searchsorted(stops, runs), np.searchsorted(ends, runs) % layers.size + 1
    key, where = np.unique(place[0] * (layers.size + 2) + place[1], return_inverse=True)
    v = np.bincount(where, weights=np.diff(runs, prepend=0)).astype(np.int64)
    return _boundary(shape, key % (layers.size + 2), np.diff(key) == 1, v)


def _boundary(shape: tuple[int, ...], t: Int64Array, joined: Int64Array, v: Int64Array) -> int:
    """Return what sets exchange with v vertices of layer t; `joined`: the next is one layer on."""
    read, kept = least_read(shape, int(v.max())), most_kept(shape, int(v.max()))
    before = np.append(0, np.where(joined, v[:-1], 0))
    words = np.maximum(read[t, v] - before, 0) + np.maximum(before - kept[t, v], 0)
    last = ~np.append(joined, False) & (t + 1 < read.shape[0])
    ended = np.maximum(v[last] - kept[t[last] + 1, 0], 0)
    return int(words.sum() + ended.sum())
