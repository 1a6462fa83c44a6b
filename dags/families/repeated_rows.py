"""Predecessor rows that repeat: the same few degrees for every entry of a result."""

from math import prod

import numpy as np

from dags.arrays import BLOCK, Int32Array, Int64Array, lock


def fma_chains(inputs: int, a: Int32Array, b: Int32Array) -> tuple[Int64Array, Int32Array]:
    """Return the CSR of sums of products, one chain of fused multiply-adds an entry.

    Parameters
    ----------
    inputs
        Number of inputs; link l of entry e is vertex inputs + e*k + l.
    a, b
        (..., k) numbers of the inputs that are multiplied, a before b, broadcast together; all
        axes but the last are the entries, row-major. Link l is computed from a[..., l],
        b[..., l] and link l - 1 where there is one.
    """
    *entries, k = np.broadcast_shapes(a.shape, b.shape)
    count = prod(entries)
    first = (inputs + k * np.arange(count, dtype=np.int32)).reshape(*entries, 1)
    indices = np.empty(count * (3 * k - 1), np.int32)
    rows = indices.reshape(*entries, 3 * k - 1)
    a, b = (np.broadcast_to(factor, (*entries, k)) for factor in (a, b))
    link = np.arange(k - 1, dtype=np.int32)
    several = max(1, BLOCK * entries[0] // (count * k))  # what is written stays in the cache
    for start in range(0, entries[0], several):
        block = slice(start, start + several)
        rows[block, ..., 0] = a[block, ..., 0]
        rows[block, ..., 1] = b[block, ..., 0]
        rows[block, ..., 2::3] = a[block, ..., 1:]
        rows[block, ..., 3::3] = b[block, ..., 1:]
        np.add(first[block], link, out=rows[block, ..., 4::3])
    degrees = np.full(k, 3, np.int64)
    degrees[0] = 2
    return repeated_pointers(inputs, degrees, count), lock(indices)


def repeated_pointers(inputs: int, degrees: Int64Array, repeats: int) -> Int64Array:
    """Return row pointers of `inputs` empty rows and then `degrees`, `repeats` times over.

    Parameters
    ----------
    inputs
        Number of empty rows at the front.
    degrees
        (d,) entries in each row of the repeated block.
    repeats
        Number of blocks.
    """
    per_entry = np.concatenate(([0], np.cumsum(degrees)[:-1]))
    before = degrees.sum() * np.arange(repeats, dtype=np.int64)[:, None]
    indptr = np.zeros(inputs + repeats * degrees.size + 1, np.int64)
    np.add(per_entry, before, out=indptr[inputs:-1].reshape(repeats, degrees.size))
    indptr[-1] = degrees.sum() * repeats
    return lock(indptr)
