"""Subsets next to a family of subsets: those that it reads, and those that it alone reads.

Let Y be a family of subsets of k of d things. N-(Y) has the subsets of k - 1 things that some
member contains, and K(Y) those that are contained in members only: all d - k + 1 subsets of k
things around them are in Y. By Kruskal and Katona each is known by |Y| alone; but a family for
which N- is small has a small K, and the other way round. least(v, e), at most the least |N-(Y)| of
a family with v members and |K(Y)| >= e, is found by induction over d.

**Shifts.** For i < j replace j by i in each member that has j and not i, unless that is a member
already: S(Y). With N+ for the subsets of one thing more, N-(S(Y)) is part of S(N-(Y)) and N+(S(Y))
of S(N+(Y)), as is known of shadows; so N- does not grow. And N+(S(K)) is part of S(N+(K)), which is
part of S(Y), for K = K(Y): all of S(K) is in K(S(Y)), which is no smaller than K(Y). After finitely
many shifts none changes Y.

**Halves.** Of such a Y let Y0 have the members without the last thing, and Y1 those with it, but
without that thing: subsets of k and of k - 1 of d - 1 things. As no shift changes Y, a member of Y1
with any further thing is in Y0: Y1 is part of K(Y0). The subsets of k - 1 things

- in N-(Y) are, without the last thing, those of N-(Y0) and Y1, and with it those of N-(Y1);
- in K(Y) are, without the last thing, those of K(Y0) that are in Y1, which is all of Y1, and with
  it those of K(Y1).

So |K(Y)| = |Y1| + |K(Y1)|, and, with |Y0| = v - y and |Y1| = y,

    |N-(Y)| >= max(least(v - y, y), y) + least'(y, max(0, e - y)),

where `least` is for k, and `least'` for k - 1, of d - 1 things; the least over all y holds. Sets of
0 things, and of more things than there are, begin the induction.

**Levels of a set.** V has u subsets of k - 1 things and the v of Y. Then V and what Y reads are
max(u, |N-(Y)|) subsets of k - 1 things at least, and min(u, |K(Y)|) at most of V's are read by Y
alone. The first less the second is what V reads of that level outside, and what of it is read
outside of V:

    exchanged(u, v) = minimum over e of max(u, least(v, e)) - min(u, e).

Source
------
Derived here; the argument is complete. P. Frankl, The shifting technique in extremal set theory,
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
