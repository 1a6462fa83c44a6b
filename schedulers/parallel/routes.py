"""Routes on a lattice of processors, dimension after dimension."""

import numpy as np

from dags.arrays import Int64Array
from pebble import Links


def previous_hop(links: Links, processor: Int64Array, root: Int64Array) -> Int64Array:
    """Return the neighbours one hop nearer to `root` on the ways from there to `processor`.

    The last dimension is undone first, around a wrapped side by the shorter way; where they are
    the same, a processor is its own.

    Parameters
    ----------
    links
        The lattice.
    processor, root
        (k,) numbers of processors.
    """
    place = np.stack(np.unravel_index(processor, links.shape))
    start = np.stack(np.unravel_index(root, links.shape))
    moved = np.zeros(processor.shape, bool)
    for axis in reversed(range(len(links.shape))):
        side = links.shape[axis]
        ahead = (start[axis] - place[axis]) % side
        back = side - ahead
        up = (start[axis] > place[axis]) if not links.wrapped else (ahead <= back)
        step = np.where(up, 1, -1) * ((start[axis] != place[axis]) & ~moved)
        moved |= step != 0
        place[axis] = (place[axis] + step) % side
    number: Int64Array = np.ravel_multi_index(tuple(place), links.shape).astype(np.int64)
    return number


def distance(links: Links, one: Int64Array, other: Int64Array) -> Int64Array:
    """Return (k,) the hops between processors.

    Parameters
    ----------
    links
        The lattice.
    one, other
        (k,) numbers of processors.
    """
    hops = np.zeros(one.shape, np.int64)
    here, there = np.unravel_index(one, links.shape), np.unravel_index(other, links.shape)
    for axis, side in enumerate(links.shape):
        apart = np.abs(here[axis] - there[axis])
        hops += np.minimum(apart, side - apart) if links.wrapped else apart
    return hops
