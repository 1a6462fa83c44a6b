"""Least boundary less prices of sets in grids by layers (W5), and of subsets by levels (W4).

With v_t vertices of a window in layer t, values that it reads and values of it read outside are at
least, by S5, where v_0 = 0 for the input is not computed,

    sum over t > 0 of max(0, D_t(v_t) - v_(t-1)) + max(0, v_(t-1) - kept_t(v_t)).

Let a vertex of layer t have a price p_t, and c(A) be the least of that sum less the sum of p_t v_t,
over all sequences of A vertices that fit into the layers. Windows that compute V_1, ..., V_k of all
n_t vertices exchange sum over t > 0 of p_t n_t + sum over i of c(|V_i|) values at least. The proof
is in docs/theory/windows.md.

**Subsets, a price for each level (W4).** Let each subset of j things have a price y_j, and least(A)
= minimum over sets V of A subsets of boundary(V) - the prices of V's members. Windows that compute
V_1, ..., V_k of all subsets but the empty one have

    sum of boundary(V_i) >= sum over subsets of their prices + sum over i of least(|V_i|).

The proof is in docs/theory/windows.md.

Source
------
Derived here: the dual of the linear program that asks how a grid may be divided into sets of so
many vertices, layer by layer.
The averages are those of Lagrange's multipliers. J. B. Kruskal, The number of simplices in a
complex, 1963; G. Katona, A theorem of finite sets, 1968.
"""

from math import comb, prod
from typing import Final

import numpy as np

from dags.arrays import Int64Array, lock
from proofs.core.records import CertificateError
from proofs.lemmas.isoperimetry import _kernels
from proofs.lemmas.isoperimetry.cubes import exchanged
from proofs.lemmas.isoperimetry.layers import layer_sizes, least_read, most_kept
from proofs.lemmas.prices.prices import Priced

MOST_ENTRIES: Final = 2**24  # of a table: layers, times vertices of a set, times those of a layer
FAR: Final = 2**55
LARGEST_SET: Final = 512  # subsets of a segment
FAR_OF_LEVELS: Final = 2**50  # more than any boundary less prices


def layers_priced(shape: tuple[int, ...], prices: Int64Array, parts: int, limit: int) -> Priced:
    """Exchanges of sets of up to `limit` vertices less their prices.

    Parameters
    ----------
    shape
        Of the grid.
    prices, parts
        (layers,) of a vertex, in so many parts of a move.
    limit
        Vertices of a set.
    """
    costs_least = costs(shape, limit, prices, parts)[-1].min(axis=1)
    waived = parts - sum((prices * layer_sizes(shape))[1:].tolist())  # the input, and prices
    return Priced(prod(shape) - 1, waived, costs_least)


def costs(shape: tuple[int, ...], size: int, prices: Int64Array, denominator: int) -> Int64Array:
    """(layers, size+1, w+1) the least cost up to each layer, by vertices so far and in it.

    The least of the last layer's costs of A vertices is c(A).

    Parameters
    ----------
    shape
        Of the grid.
    size
        The most vertices of a set.
    prices
        (layers,) of a vertex.
    denominator
        Parts of a word.

    Raises
    ------
    CertificateError
        If that takes more than `MOST_ENTRIES` numbers.
    """
    widths = np.minimum(layer_sizes(shape), size)
    entries = widths.size * (size + 1) * (int(widths.max()) + 1)
    if entries > MOST_ENTRIES:
        raise CertificateError("sizes", f"take a table of {entries} numbers, above {MOST_ENTRIES}")
    read, kept = least_read(shape, size), most_kept(shape, size)
    cost = np.full((widths.size, size + 1, read.shape[1]), FAR)
    _kernels.priced_layers(read, kept, lock(widths), lock(prices), denominator, cost)
    return cost


def levels_priced(d: int, prices: Int64Array, parts: int, limit: int) -> Priced:
    """Exchanges of sets of up to `limit` subsets less their prices.

    Parameters
    ----------
    d
        Things.
    prices, parts
        (d,) the prices of the levels from 1 on, in so many parts of a move.
    limit
        Members of a set.
    """
    lowest = priced_boundaries(d, lock(prices.copy()), parts, limit)[-1].min(axis=0)
    return Priced(2**d - 1, -level_prices(d, prices), lowest)


def level_prices(d: int, prices: Int64Array) -> int:
    """The sum of the prices (d,) of all subsets that are not empty."""
    counts = [comb(d, j) for j in range(1, d + 1)]
    return sum(count * int(price) for count, price in zip(counts, prices, strict=True))


def priced_boundaries(d: int, prices: Int64Array, denominator: int, limit: int) -> list[Int64Array]:
    """The least boundary less prices of sets with subsets of up to 1, 2, ..., d things.

    Each is (x+1, most+1): by how many of them have most things, and by how many there are.

    Parameters
    ----------
    d
        Things.
    prices, denominator
        (d,) the prices of the levels from 1 on, in parts of a move, and how many make one.
    limit
        Members of a set.
    """
    first = min(limit, d)
    best = np.full((first + 1, limit + 1), FAR_OF_LEVELS, np.int64)
    rows = np.arange(first + 1)
    best[rows, rows] = -int(prices[0]) * rows
    tables = [best]
    for k in range(2, d + 1):
        between = exchanged(d, k, limit)
        upper = np.full((min(limit, comb(d, k)) + 1, limit + 1), FAR_OF_LEVELS, np.int64)
        _kernels.priced_level(between, denominator, int(prices[k - 1]), lock(best), upper)
        tables.append(upper)
        best = upper
    return tables
