"""Subsets next to a family of subsets: those that it reads, and those that it alone reads (S7).

Let Y be a family of v subsets of k of d things, N-(Y) the subsets of k - 1 things in them, and K(Y)
those that are in members only, e or more. With y members that have the last thing, after shifts,

    |N-(Y)| >= max(least(v - y, y), y) + least'(y, max(0, e - y)),

least' for k - 1, and both of d - 1 things. A set with u subsets of k - 1 things exchanges with Y

    exchanged(u, v) = minimum over e of max(u, least(v, e)) - min(u, e).

The proof is S7 in docs/theory/sets.md.

Source
------
Derived here. P. Frankl, The shifting technique in extremal set theory,
1987, has shifts and shadows. J. B. Kruskal 1963 and G. Katona 1968 have N- and K one by one.
"""

from functools import lru_cache
from math import comb

import numpy as np

from dags.arrays import Int64Array, lock
from proofs.lemmas.isoperimetry import _kernels
from proofs.lemmas.isoperimetry.cubes import shadow

MOST_WORK = 2**31  # steps for all tables of one lattice; each level has a bound of its own beyond
FAR = 2**30  # more than any family reads


def exchanged(d: int, k: int, most: int) -> Int64Array:
    """Return (x+1, y+1) what sets exchange between two levels, by their members in either.

    Parameters
    ----------
    d, k
        Things, and those of a subset of the upper level.
    most
        Members of either level that are looked at; the table may have more.

    Examples
    --------
    >>> exchanged(4, 2, 6)[:, 3].tolist()
    [3, 3, 3, 3, 3]
    """
    return _exchanged(d, k, _rounded(most))


def _rounded(most: int) -> int:
    """Return a number from `most` on that others are rounded to as well: tables serve them all."""
    power = 4 << max(0, (most - 1).bit_length() - 2)
    return power * 3 // 4 if most <= power * 3 // 4 else power


@lru_cache(maxsize=512)
def _exchanged(d: int, k: int, most: int) -> Int64Array:
    """Return the same, made anew."""
    reads = least(d, k, most) if work(d, most) <= MOST_WORK else _one_by_one(d, k, most)
    table = np.full((min(most, comb(d, k - 1)) + 1, reads.shape[0]), FAR, np.int64)
    _kernels.between_families(reads, table)
    return lock(table)


@lru_cache(maxsize=1024)
def least(d: int, k: int, most: int) -> Int64Array:
    """Return (v+1, e+1) the fewest subsets that a family reads, by its members and those it keeps.

    Parameters
    ----------
    d, k
        Things, and those of a member.
    most
        Subsets that are looked at, of either level.
    """
    members = min(most, comb(d, k))
    if k == 0:
        return lock(np.zeros((members + 1, 1), np.int64))
    if k > d:
        return lock(np.zeros((1, min(most, comb(d, k - 1)) + 1), np.int64))
    found = np.full((members + 1, min(most, comb(d, k - 1)) + 1), FAR, np.int64)
    _kernels.of_halves(least(d - 1, k, most), least(d - 1, k - 1, most), found)
    return lock(found)


@lru_cache(maxsize=64)
def work(d: int, most: int) -> int:
    """Return how many steps the tables of a lattice take."""
    sizes = [[min(most, comb(j, k)) + 1 for k in range(j + 2)] for j in range(d + 1)]
    return sum(
        sizes[j][k] * sizes[j][k - 1] * sizes[j - 1][k - 1]
        for j in range(1, d + 1)
        for k in range(1, j + 1)
    )


def _one_by_one(d: int, k: int, most: int) -> Int64Array:
    """Return the table of `least` by what families read, and keep, by their members alone."""
    sizes = range(min(most, comb(d, k)) + 1)
    around = [shadow(e, d - k + 1) for e in range(min(most, comb(d, k - 1)) + 1)]
    reads = np.array([[shadow(v, k)] for v in sizes], np.int64)
    return lock(np.where(np.array(around) <= np.array(sizes)[:, None], reads, FAR))
