"""Checks spectral proofs: the least eigenvalues of a Laplacian say what every order must move.

The theorem. Take a one-shot play of a piece (`piece`), and its vertices in the order in which they
first come into fast memory: computed, or loaded for the first time. Cut the order into k
consecutive segments; the i-th ends just before the first vertex x of the next one comes. Let a
value u touch q(u) segments: its own, and those where its readers within the piece are computed.

1. If q(u) > 1, then u is alive at the end of its own segment: it is red there or has been stored
   in it (if it is computed and no output, that store is excess). And in each of the q(u) - 1 later
   segments where it is read it is red at the beginning or is loaded, which is excess: its first
   load, if any, was in its own segment. At the end of a segment at most R words are red: R = M if
   x may slide onto an operand, otherwise R = M - (least size in the piece), for x has yet to find
   room. A word that is red at a cut saves at most one store before and one load behind it. So

       excess >= sum over u of words(u) (q(u) if price(u) = 2, q(u) - 1 if 1, if q(u) > 1)
                 - 2 (k - 1) R,

   and, counting loads alone, excess >= sum over u of words(u) (q(u) - 1) - (k - 1) R. With
   theta = 2 or 1, either says: excess >= sum over u with q(u) > 1 of capacity(u) q(u)
   - theta (k - 1) R, where capacity(u) = words(u) min(theta, price(u)) / 2, as q - 1 >= q / 2.

2. Give every value u weights on the pairs among {u} and its readers, such that no cut of that set
   has a weight above capacity(u). The segments part the set into q(u) classes; each class is cut
   from the rest, so that with the segments' indicators x_i and the Laplacian L_u of these weights
   sum_i x_i' L_u x_i <= capacity(u) q(u), and it is 0 if q(u) = 1. A clique of s vertices with
   equal weights c has no cut above c floor(s^2 / 4): the checker takes sums of such cliques. (The
   usual star of edges from u to its readers is a sum of cliques of two; triangles and larger
   cliques, which also join readers, put more weight under the same capacity.)

3. Let L be the sum of all L_u, D any diagonal matrix, and p_1 >= ... >= p_k the sizes of the
   segments. The x_i are orthogonal with x_i' x_i = p_i, and sum_i x_i' D x_i = trace D. By Ky Fan's
   theorem the sum of any j of the numbers x_i' (L + D) x_i / p_i is at least that of the j least
   eigenvalues lambda_1 <= lambda_2 <= ... of L + D; summation by parts over the falling p_i gives

       excess >= sum_i p_i lambda_i - trace D - theta (k - 1) R.

   Vertices in no clique can be left out of the order beforehand. The p_i are near equal here.

The certificate has the cliques, D, k, and numbers of eigenvalues below some shifts, which
`elimination` proves; all weights are multiples of 1 / denominator.

Source
------
S. Jain and M. Zaharia, Spectral lower bounds on the I/O complexity of computation graphs, SPAA 2020
(stars, D = 0, R = M and 2k in place of 2(k - 1)). W. E. Donath and A. J. Hoffman, Lower bounds for
the partitioning of graphs, 1973 (item 3 with D). K. Fan, On a theorem of Weyl, 1949.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from dags.arrays import Int64Array
from pebble import Rules
from proofs.certificates.certificate import CertificateError
from proofs.certificates.fields import integer, integers, only
from proofs.certificates.pieces.piece import Piece
from proofs.certificates.spectra.cliques import Cliques, read_cliques
from proofs.certificates.spectra.elimination import Inertia

FIELDS = ("theta", "denominator", "owners", "sizes", "members", "weights", "diagonal")
MOST_SHIFTS = 64  # eliminations
LARGEST = 2**50  # of shifts: their differences from the matrix are exact in doubles


def proven(piece: Piece, memory: int, rules: Rules, data: Mapping[str, Any]) -> int:
    """Return the least excess of `piece` that the certificate proves, 0 or more.

    Parameters
    ----------
    piece, memory, rules
        The game on a piece.
    data
        Has the fields of `cliques.read_cliques`, the number of "parts", and the "shifts" below
        which at most so many eigenvalues lie as "counts" says; elimination is done at shift +
        "slack" and may be so inexact. Diagonal, shifts and slack are in units of 1 /
        "denominator".
    """
    only(data, (*FIELDS, "parts", "shifts", "counts", "slack"))
    cliques = read_cliques(piece, data)
    _check_counts(cliques, data)
    return excess_of(piece, memory, rules, cliques, data)


def excess_of(
    piece: Piece, memory: int, rules: Rules, cliques: Cliques, data: Mapping[str, Any]
) -> int:
    """Return the least excess that follows if no more eigenvalues lie below the shifts.

    Parameters
    ----------
    piece, memory, rules
        The game on a piece.
    cliques, data
        The weights, and the fields of the certificate.
    """
    parts = integer(data, "parts", least=1)
    if parts > cliques.vertices.size:
        raise CertificateError("parts", f"{parts} are more than {cliques.vertices.size} vertices")
    lowest = int(min(0, cliques.diagonal.min()))  # no eigenvalue is less: L has none below 0
    least = eigenvalues_at_least(parts, lowest, integers(data, "shifts"), integers(data, "counts"))
    cut = weighted_sum(least, cliques.vertices.size) - int(cliques.diagonal.sum())
    saved = cliques.theta * (parts - 1) * red_words(piece, cliques.vertices, memory, rules)
    excess: int = -((saved * cliques.denominator - cut) // cliques.denominator)
    return max(0, excess)


def red_words(piece: Piece, vertices: Int64Array, memory: int, rules: Rules) -> int:
    """Return R, the most words that can be red just before some vertex comes."""
    return memory if rules.sliding else memory - int(piece.words[vertices].min())


def eigenvalues_at_least(k: int, lowest: int, shifts: Int64Array, counts: Int64Array) -> Int64Array:
    """Return (k,) lower bounds, rising, of the k least eigenvalues, none of them below `lowest`.

    At most ``counts[j]`` eigenvalues are below ``shifts[j]``, so the next one is not.

    Parameters
    ----------
    k, lowest
        How many eigenvalues, and what none of them is below.
    shifts, counts
        (s,) numbers, and the most eigenvalues below each.
    """
    least = np.full(k, lowest, np.int64)
    for shift, count in zip(shifts.tolist(), counts.tolist(), strict=True):
        np.maximum(least[count:], shift, out=least[count:])
    return least


def weighted_sum(eigenvalues: Int64Array, n: int) -> int:
    """Return the sum of p_i lambda_i, for n vertices in near-equal parts, the larger ones first."""
    size, larger = divmod(n, eigenvalues.size)
    values: list[int] = eigenvalues.tolist()  # Python's integers do not overflow
    return size * sum(values) + sum(values[:larger])


def _check_counts(cliques: Cliques, data: Mapping[str, Any]) -> None:
    """Raise CertificateError unless at most so many eigenvalues are below the shifts as it says."""
    shifts, counts = integers(data, "shifts"), integers(data, "counts")
    slack = integer(data, "slack", least=1)
    if shifts.size > MOST_SHIFTS:
        raise CertificateError("shifts", f"are more than {MOST_SHIFTS}")
    if shifts.size != counts.size:
        raise CertificateError("counts", f"has {counts.size} entries for {shifts.size} shifts")
    if slack > LARGEST or (shifts.size and max(shifts.max(), -int(shifts.min())) > LARGEST):
        raise CertificateError("shifts", "are too large to compute with")
    if counts.size and counts.min() < 0:
        raise CertificateError("counts", "are negative")
    inertia = Inertia(cliques.matrix)
    for shift, count in zip(shifts.tolist(), counts.tolist(), strict=True):
        found = inertia.count(shift + slack)
        if found.error > slack:
            raise CertificateError("slack", f"{slack} is less than the error {found.error:.3g}")
        if found.below > count:
            raise CertificateError("counts", f"more than {count} eigenvalues may be below {shift}")
