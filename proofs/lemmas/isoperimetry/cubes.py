"""Boundaries in the lattice of subsets (S6).

A set with v_k subsets of k things exchanges at least

    sum over k of max(0, beta_k(v_k) - v_(k-1)) + max(0, v_(k-1) - eta_k(v_k)),

beta_k the number of Kruskal and Katona. At least d |V| - 2 h(|V|) edges lead out of V (h as in
`butterflies`), each upwards from a value in the boundary. Lattices of more than `WHOLE` things are
cut into lattices of `PART`.

The proof is S6 in docs/theory/sets.md.

Source
------
J. B. Kruskal, The number of simplices in a complex, 1963; G. Katona, A theorem of finite sets,
1968. S. Hart, A note on the edges of the n-cube, 1976.
"""

from functools import lru_cache, partial
from math import comb

import numpy as np

from dags.arrays import Int64Array
from proofs.core.windows import Count
from proofs.lemmas.isoperimetry import _kernels
from proofs.lemmas.isoperimetry.butterflies import ones_below

WHOLE, PART = 12, 11


def hypercube_two_sided(d: int) -> list[list[Count]]:
    """Return what sets of vertices of `dags.hypercube` read and pass on."""
    part = d if d <= WHOLE else PART
    by_levels = Count(2**part - 1, partial(_by_levels, part), copies=2 ** (d - part))
    by_edges = Count(2**d - 1, partial(_by_edges, d), waived=2)
    return [[by_levels], [by_edges]]


def _by_levels(d: int, size: int) -> int:
    return int(least_boundaries(d)[size])


@lru_cache(maxsize=16)
def least_boundaries(d: int) -> Int64Array:
    """Return (2^d,) the least boundary of each number of subsets that are not empty."""
    far = 2**20
    best = np.full((d + 1, 2**d), far, np.int32)
    best[np.arange(d + 1), np.arange(d + 1)] = 0
    for k in range(2, d + 1):
        below = np.array([shadow(x, k) for x in range(comb(d, k) + 1)], np.int32)
        above = [shadow(x, d - k + 1) for x in range(comb(d, k - 1) + 1)]
        kept = np.searchsorted(above, np.arange(below.size), side="right") - 1
        upper = np.full((below.size, 2**d), far, np.int32)
        _kernels.next_level(below, kept.astype(np.int32), best, upper)
        best = upper
    least: Int64Array = best.min(axis=0).astype(np.int64)
    return least


def shadow(x: int, k: int) -> int:
    """Return how many sets of k - 1 things the first `x` sets of k things contain."""
    total = 0
    while x > 0 and k > 0:
        n = k
        while comb(n + 1, k) <= x:
            n += 1
        x, total, k = x - comb(n, k), total + comb(n, k - 1), k - 1
    return total


def _by_edges(d: int, size: int) -> int:
    """Return how many values, those with most edges upwards first, have the edges that leave."""
    edges, boundary = d * size - 2 * ones_below(size), 0
    for k in range(d):
        here = comb(d, k)
        if edges <= here * (d - k):
            return boundary + -(-edges // (d - k))
        edges, boundary = edges - here * (d - k), boundary + here
    return boundary
