"""Boundaries in the prefix network of Kogge and Stone (S9).

Let f(0) = 0, f(s) = s b - 2^b + 1 with b = ceil(log2 s): how many sums s inputs have. **s values
dominate at most f(s) sums outside them**, and, of a network without an end on the right, **a set of
sums of which w are read outside it, or are outputs, has at most w + f(w).** In a network with an
end, let a sum that would be read beyond it count as passed on.

The proof is S9 in docs/theory/sets.md.

Source
------
P. M. Kogge and H. S. Stone, A parallel algorithm for the efficient solution of a general class of
recurrence equations, 1973. The inequalities are derived here.
"""

from proofs.core.windows import Count
from proofs.lemmas.isoperimetry.boundary import inverse


def most_sums(values: int) -> int:
    """Return f: the most sums outside a set of so many `values` that the set can dominate."""
    depth = max(values - 1, 0).bit_length()
    return values * depth - 2**depth + 1 if values else 0


def prefix_two_sided(n: int, network: str) -> list[list[Count]]:
    """Return what sets of vertices of `dags.prefix_scan` read and pass on."""
    if network != "kogge-stone":
        return []
    depth = (n - 1).bit_length()
    beyond = sum(min(2**level, n - 2**level) for level in range(1, depth))
    reads = inverse(most_sums)
    passes = inverse(lambda values: values + most_sums(values))
    waived = 2 * n - 1 + beyond
    return [[Count(most_sums(n), lambda size: reads(size) + passes(size), waived)]]


def prefix_dominated(n: int, network: str) -> list[list[Count]]:
    """Return what sets of vertices of `dags.prefix_scan` can be computed from."""
    if network != "kogge-stone":
        return []
    return [[Count(most_sums(n), inverse(most_sums), waived=n)]]
