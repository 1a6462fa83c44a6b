"""Checks segments of a lattice of subsets, with a price for each level.

Take a one-shot play of `dags.hypercube`, and cut it into segments that compute sets V_1, ..., V_k
of sizes that are fixed beforehand, as in `segments`: beyond the compulsory words,

    excess >= w (sum over i of boundary(V_i) - 2 m (k - 1)).

The least boundary of a set of so many subsets is that of one near the bottom or the top, or of two
levels; but only few of the sets can be such. So let each subset of j things have a price y_j,
positive or negative, and let

    least(A) = minimum over sets V of A subsets of boundary(V) - the prices of V's members.

Each subset that is not empty is in one of the sets V_i, so that

    sum of boundary(V_i) >= sum over subsets of their prices + sum over i of least(|V_i|).

**least(A)** is known by `isoperimetry.linked_halves`: a set with v_j subsets of j things has a
boundary of

    sum over j of exchanged_j(v_(j-1), v_j)

at least, and a price of y_j v_j in level j. The minimum over v_1, ..., v_d with sum A is found
level by level. The empty subset is in no set, nor does it count where it is read; nor is the full
subset counted as an output: both are compulsory.

Source
------
The averages are those of Lagrange's multipliers. J. B. Kruskal, The number of simplices in a
complex, 1963; G. Katona, A theorem of finite sets, 1968.
"""

from collections.abc import Mapping
from math import comb
from typing import Any

import numpy as np

from dags import CDAG
from dags.arrays import Int64Array, lock
from pebble import Rules, compulsory_words
from proofs.certificates.windows.rolling import moves_beyond, windows_of
from proofs.core.certificate import CertificateError
from proofs.core.fields import integer, integers
from proofs.lemmas.generated import require_generated
from proofs.lemmas.isoperimetry import _kernels
from proofs.lemmas.isoperimetry.linked_halves import exchanged
from proofs.lemmas.isoperimetry.set_sums import red_values, value_words

LARGEST_SET = 512  # subsets of a segment
HIGHEST = 2**20  # price, in parts
FAR = 2**50  # more than any boundary less prices


def proven(dag: CDAG, memory: int, rules: Rules, data: Mapping[str, Any]) -> int:
    """Return the words that the certificate proves.

    Parameters
    ----------
    dag, memory, rules
        The game.
    data
        Has "d", of which the DAG is the hypercube; "prices" of the levels 1 to d in parts of a
        move, of which a "denominator" make one; the "sizes" of the sets, and how many "times" each,
        or the "length" of windows that begin anywhere (`rolling`).
    """
    if rules.recompute:
        raise CertificateError("rules", "segments exchange values only if none is computed again")
    d, denominator = integer(data, "d", least=1), integer(data, "denominator", least=1)
    prices, named = integers(data, "prices"), ("d", "prices", "denominator")
    if prices.size != d or max(denominator, int(np.abs(prices).max())) > HIGHEST:
        raise CertificateError("prices", f"are not {d} of at most {HIGHEST} parts, or these not so")
    require_generated(dag, "hypercube", {"d": d})
    others = {name: field for name, field in data.items() if name not in named}
    windows = windows_of(others, 2**d - 1)
    if windows.longest > LARGEST_SET:
        raise CertificateError("sizes", f"are more than {LARGEST_SET}")
    least = priced_boundaries(d, lock(prices), denominator, windows.longest)[-1].min(axis=0)
    known, saved = least.tolist(), 2 * red_values(dag, memory, rules)
    paid = -level_prices(d, prices)
    moves = moves_beyond(windows, known.__getitem__, 2**d - 1, saved, paid, denominator)
    return compulsory_words(dag) + value_words(dag) * moves


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
