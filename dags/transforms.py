"""Fourier transforms."""

import numpy as np

from dags.arrays import lock
from dags.cdag import CDAG
from dags.errors import InvalidSpecError
from dags.limits import require_at_least, require_room


def fft(n: int) -> CDAG:
    """Return the radix-2 butterfly of an n-point Fourier transform.

    Vertex l*n + i is value i after level l; level 0 holds the inputs. At level l = 1..d,
    d = log2(n), value i is computed from values i and i xor 2^(l-1) of the level before.
    (d + 1) n vertices, 2 d n edges.

    Source
    ------
    J.-W. Hong and H. T. Kung, I/O complexity: the red-blue pebble game, STOC 1981, section 4.

    Examples
    --------
    >>> fft(8)
    <fft(n=8): 32 vertices, 48 edges>
    """
    require_at_least(2, n=n)
    if n & (n - 1):
        raise InvalidSpecError(f"n must be a power of two, not {n}")
    depth = n.bit_length() - 1
    require_room((depth + 1) * n, 2 * depth * n)
    i = np.arange(n, dtype=np.int32)
    indices = np.empty(2 * depth * n, np.int32)
    rows = indices.reshape(depth, n, 2)
    for level in range(depth):
        partner = i ^ (1 << level)
        rows[level, :, 0] = level * n + np.minimum(i, partner)
        rows[level, :, 1] = level * n + np.maximum(i, partner)
    indptr = np.zeros((depth + 1) * n + 1, np.int64)
    indptr[n:] = 2 * np.arange(depth * n + 1)
    return CDAG(lock(indptr), lock(indices), work=1, family="fft", params={"n": n})
