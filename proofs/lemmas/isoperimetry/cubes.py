"""Boundaries in the lattice of subsets (S6).

A set with v_k subsets of k things exchanges at least

    sum over k of max(0, beta_k(v_k) - v_(k-1)) + max(0, v_(k-1) - eta_k(v_k)),

beta_k the number of Kruskal and Katona. At least d |V| - 2 h(|V|) edges lead out of V (h as in
`butterflies`), each upwards from a value in the boundary. Lattices of more than `WHOLE` things are
cut into lattices of `PART`.

The proof is S6 in docs/theory/sets.md.

**Subsets next to a family of subsets (S7).** Let Y be a family of v subsets of k of d things, N-(Y)
the subsets of k - 1 things in them, and K(Y) those that are in members only, e or more. With y
members that have the last thing, after shifts,

    |N-(Y)| >= max(least(v - y, y), y) + least'(y, max(0, e - y)),

least' for k - 1, and both of d - 1 things. A set with u subsets of k - 1 things exchanges with Y

    exchanged(u, v) = minimum over e of max(u, least(v, e)) - min(u, e).

The proof is S7 in docs/theory/sets.md.

Source
------
J. B. Kruskal, The number of simplices in a complex, 1963; G. Katona, A theorem of finite sets,
1968. S. Hart, A note on the edges of the n-cube, 1976.
S7 is derived here. P. Frankl, The shifting technique in extremal set theory,
1987, has shifts and shadows. J. B. Kruskal 1963 and G. Katona 1968 have N- and K one by one.
"""

from functools import lru_cache, partial
from math import comb

import numpy as np

from dags.arrays import Int64Array, lock
from proofs.core.windows import Count
from proofs.lemmas.isoperimetry import _kernels
from proofs.lemmas.isoperimetry.butterflies import ones_below

MOST_WORK = 2**31  # steps for all tables of one lattice; each level has a bound of its own beyond
FAR = 2**30  # more than any family reads
WHOLE, PART = 12, 11


def exchanged(d: int, k: int, limit: int) -> Int64Array:
    """(x+1, y+1) exchanges of sets between two levels, by their members in either.

    Parameters
    ----------
    d, k
        Things, and those of a subset of the upper level.
    limit
        Members of either level that are looked at; the table may have more.

    Examples
    --------
    >>> exchanged(4, 2, 6)[:, 3].tolist()
    [3, 3, 3, 3, 3]
    """
    return _exchanged(d, k, _rounded(limit))


def _rounded(limit: int) -> int:
    """A number from `limit` on that others are rounded to as well: tables serve them all."""
    power = 4 << max(0, (limit - 1).bit_length() - 2)
    return power * 3 // 4 if limit <= power * 3 // 4 else power


@lru_cache(maxsize=512)
def _exchanged(d: int, k: int, limit: int) -> Int64Array:
    """The same, made anew."""
    reads = least(d, k, limit) if work(d, limit) <= MOST_WORK else _one_by_one(d, k, limit)
    table = np.full((min(limit, comb(d, k - 1)) + 1, reads.shape[0]), FAR, np.int64)
    _kernels.between_families(reads, table)
    return lock(table)


@lru_cache(maxsize=1024)
def least(d: int, k: int, limit: int) -> Int64Array:
    """(v+1, e+1) the fewest subsets that a family reads, by its members and those it keeps.

    Parameters
    ----------
    d, k
        Things, and those of a member.
    limit
        Subsets that are looked at, of either level.
    """
    members = min(limit, comb(d, k))
    if k == 0:
        return lock(np.zeros((members + 1, 1), np.int64))
    if k > d:
        return lock(np.zeros((1, min(limit, comb(d, k - 1)) + 1), np.int64))
    reads = np.full((members + 1, min(limit, comb(d, k - 1)) + 1), FAR, np.int64)
    _kernels.of_halves(least(d - 1, k, limit), least(d - 1, k - 1, limit), reads)
    return lock(reads)


@lru_cache(maxsize=64)
def work(d: int, limit: int) -> int:
    """How many steps the tables of a lattice take."""
    sizes = [[min(limit, comb(j, k)) + 1 for k in range(j + 2)] for j in range(d + 1)]
    return sum(
        sizes[j][k] * sizes[j][k - 1] * sizes[j - 1][k - 1]
        for j in range(1, d + 1)
        for k in range(1, j + 1)
    )


def _one_by_one(d: int, k: int, limit: int) -> Int64Array:
    """The table of `least` by the reads and keeps of families, by their members alone."""
    sizes = range(min(limit, comb(d, k)) + 1)
    around = [shadow(e, d - k + 1) for e in range(min(limit, comb(d, k - 1)) + 1)]
    reads = np.array([[shadow(v, k)] for v in sizes], np.int64)
    return lock(np.where(np.array(around) <= np.array(sizes)[:, None], reads, FAR))


def hypercube_two_sided(d: int) -> list[list[Count]]:
    """The count of values that sets of `dags.hypercube` read and pass on."""
    part = d if d <= WHOLE else PART
    by_levels = Count(2**part - 1, partial(_by_levels, part), copies=2 ** (d - part))
    by_edges = Count(2**d - 1, partial(_by_edges, d), waived=2)
    return [[by_levels], [by_edges]]


def _by_levels(d: int, size: int) -> int:
    return int(least_boundaries(d)[size])


@lru_cache(maxsize=16)
def least_boundaries(d: int) -> Int64Array:
    """(2^d,) the least boundary of each number of subsets that are not empty."""
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
    boundaries: Int64Array = best.min(axis=0).astype(np.int64)
    return boundaries


def shadow(x: int, k: int) -> int:
    """How many sets of k - 1 things the first `x` sets of k things contain."""
    total = 0
    while x > 0 and k > 0:
        n = k
        while comb(n + 1, k) <= x:
            n += 1
        x, total, k = x - comb(n, k), total + comb(n, k - 1), k - 1
    return total


def _by_edges(d: int, size: int) -> int:
    """How many values, those with most edges upwards first, have the edges that leave."""
    edges, boundary = d * size - 2 * ones_below(size), 0
    for k in range(d):
        values = comb(d, k)
        if edges <= values * (d - k):
            return boundary + -(-edges // (d - k))
        edges, boundary = edges - values * (d - k), boundary + values
    return boundary
