"""Least boundary less prices of sets in the lattice of subsets, a price for each level (W4).

Let each subset of j things have a price y_j, and least(A) = minimum over sets V of A subsets of
boundary(V) - the prices of V's members. Windows that compute V_1, ..., V_k of all subsets but the
empty one have

    sum of boundary(V_i) >= sum over subsets of their prices + sum over i of least(|V_i|).

The proof is in docs/theory/windows.md.

Source
------
The averages are those of Lagrange's multipliers. J. B. Kruskal, The number of simplices in a
complex, 1963; G. Katona, A theorem of finite sets, 1968.
"""

from math import comb
from typing import Final

import numpy as np

from dags.arrays import Int64Array, lock
from proofs.lemmas.isoperimetry import _kernels
from proofs.lemmas.isoperimetry.cubes import exchanged
from proofs.lemmas.prices.prices import Priced

LARGEST_SET: Final = 512  # subsets of a segment
FAR: Final = 2**50  # more than any boundary less prices


def levels_priced(d: int, prices: Int64Array, parts: int, most: int) -> Priced:
    """Return what sets of up to `most` subsets exchange less their prices.

    Parameters
    ----------
    d
        Things.
    prices, parts
        (d,) the prices of the levels from 1 on, in so many parts of a move.
    most
        Members of a set.
    """
    least = priced_boundaries(d, lock(prices.copy()), parts, most)[-1].min(axis=0)
    return Priced(2**d - 1, -level_prices(d, prices), least)


def level_prices(d: int, prices: Int64Array) -> int:
    """Return the sum of the prices (d,) of all subsets that are not empty."""
    counts = [comb(d, j) for j in range(1, d + 1)]
    return sum(count * int(price) for count, price in zip(counts, prices, strict=True))


def priced_boundaries(d: int, prices: Int64Array, denominator: int, most: int) -> list[Int64Array]:
    """Return the least boundary less prices of sets with subsets of up to 1, 2, ..., d things.

    Each is (x+1, most+1): by how many of them have most things, and by how many there are.

    Parameters
    ----------
    d
        Things.
    prices, denominator
        (d,) the prices of the levels from 1 on, in parts of a move, and how many make one.
    most
        Members of a set.
    """
    first = min(most, d)
    best = np.full((first + 1, most + 1), FAR, np.int64)
    rows = np.arange(first + 1)
    best[rows, rows] = -int(prices[0]) * rows
    found = [best]
    for k in range(2, d + 1):
        between = exchanged(d, k, most)
        upper = np.full((min(most, comb(d, k)) + 1, most + 1), FAR, np.int64)
        _kernels.priced_level(between, denominator, int(prices[k - 1]), lock(best), upper)
        found.append(upper)
        best = upper
    return found
