"""Predecessor rows that repeat: the same few degrees for every entry of a result."""

from math import prod

import numpy as np

from dags.arrays import Int32Array, Int64Array, lock


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
    rows[..., 0] = a[..., 0]
    rows[..., 1] = b[..., 0]
    rows[..., 2::3] = a[..., 1:]
    rows[..., 3::3] = b[..., 1:]
    rows[..., 4::3] = first + np.arange(k - 1, dtype=np.int32)
    degrees = np.full(k, 3, np.int64)
    degrees[0] = 2
    return repeated_pointers(inputs, degrees, count), lock(indices)


def repeated_pointers(inputs: int, degrees: Int64Array, repeats: int) -> Int64Array:
    """Return row pointers of `inputs` empty rows and then `degrees`, `repeats` times over."""
    per_entry = np.concatenate(([0], np.cumsum(degrees)[:-1]))
    starts = per_entry + degrees.sum() * np.arange(repeats, dtype=np.int64)[:, None]
    indptr = np.zeros(inputs + starts.size + 1, np.int64)
    indptr[inputs:-1] = starts.reshape(-1)
    indptr[-1] = degrees.sum() * repeats
    return lock(indptr)
