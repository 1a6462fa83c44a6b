"""Boundaries in the prefix network of Kogge and Stone.

The sum at position i of level t, t = 1..d and 2^(t-1) <= i < n, is computed from those that stand
at i and at i - 2^(t-1) after the level before. Let f(0) = 0, f(s) = s b - 2^b + 1 with b =
ceil(log2 s): how many sums s inputs have. **s values dominate at most f(s) sums outside them**,
and, of a network without an end on the right, **a set of sums of which w are read outside it, or
are outputs, has at most w + f(w).**

1. f(2m) = 2 f(m) + 2m - 1 and f(2m + 1) = f(m) + f(m + 1) + 2m. For a, b >= 1

       f(a + b) >= f(a) + f(b) + 2 min(a, b) - (1 if a = b, else 0).

   For a = b that is the first equation. Let a < b; halve both, rounded down and up, and add the
   halves, floor to floor and ceiling to ceiling, but crosswise if both are odd: these are the
   halves of a + b. In each pair the half of a is the smaller one, or they are equal, which happens
   in one pair at most; so induction gives the terms of the halves, 2a for the minima and 1 less
   for that pair, and the equations give a + b - 1, where f(a) and f(b) need a - 1 and b - 1.
   And f(s + 1) >= f(s) + 1 for s >= 1, + 2 for s >= 2.
2. Levels 2..d are two such networks, on the even and on the odd positions, whose inputs are the
   sums of level 1 and, at position 0, the input.
3. **Dominated.** Let D dominate V, all that it does outside itself; so what V reads is in V or D.
   Induction on d. Let V have p sums of level 1, in r runs of neighbours, p_0 of them at even
   positions and p_1 at odd ones, z = 1 if D has the input at position 0, else 0, and P_0 = p_0 + z,
   P_1 = p_1. The two networks have V but for these p, and a >= P_0 and b >= P_1 dominating values.
   So |V| <= p + f(a) + f(b). Other inputs than that at position 0 dominate nothing there: if D has
   p + z + k of them, a + b = s - k.
   If p = 0, item 1 is enough. If p > 0 and a or b is 0, all runs are single sums, which read 2p
   inputs, and not that at position 0: f(a) + p <= f(a + p) <= f(s). Otherwise a run of l sums
   reads l + 1 inputs. So k >= r, unless z = 1 and a run begins at position 1; then k >= r - 1.
   If k >= r, then p <= 2 min(p_0, p_1) + r <= 2 min(a, b) - 1 + 2k, and item 1 adds up to f(s).
   Otherwise the first run and position 0 are in balance, or have e = 1 even position more than odd
   ones, not e = 0: p + 1 = P_0 + P_1 <= 2 min(P_0, P_1) + r - 1 + e. For e = 0, or r >= 2, again
   p <= 2 min(a, b) - 1 + 2k. For e = 1 and r = 1, P_0 = P_1 + 1 and p = 2 P_1: item 1 is enough if
   a differs from b, and otherwise min(a, b) >= P_0.
4. **Passed on.** Let V be such a set, its inputs counted as members too, w of the members passed
   on, w_j of them in network j, and U the members that are not passed on. Induction on d. Of the
   inputs, only such are in U as have both readers in V: with p, r, p_j as above, at most p - r.
   The straight paths from the p sums are disjoint, and each comes to a member that is passed on:
   w_j >= p_j. As p <= 2 min(p_0, p_1) + r, and p - r < 2 min(p_0, p_1) if p_0 = p_1, item 1 says
   that |U| <= p - r + f(w_0) + f(w_1) <= f(w). The computed members of V are those of the two
   networks on levels 1..d: at most f(w) are not passed on.

In a network with an end, let a sum that would be read beyond it count as passed on.

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
