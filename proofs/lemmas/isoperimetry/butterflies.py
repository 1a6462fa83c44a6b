"""Boundaries in butterflies: Fourier transforms, and the stages of sorting networks.

A butterfly of depth d on r^d rows has at level l = 1..d vertices that are computed from the r rows
of the level before which differ in one digit, another digit at each level. Let V be a set of
computed vertices, R the values outside V that V reads, W those members of V that are read outside
V or are at level d. Call the r vertices with the same r operands a group.

**Radix 2: |V| <= h(floor(s/2)) + h(ceil(s/2)) for s = |R| + |W|**, where h(n) is the number of
1 bits in 0..n-1 (h(n) ~ n log2(n) / 2: the most edges that n vertices of a hypercube span). And
**|V| <= 2 h(|R|)**.

1. h(2m) = 2 h(m) + m and h(2m + 1) = h(m) + h(m + 1) + m, for an even number has as many 1 bits as
   its half, the odd number after it one more. By induction h(a + b) >= h(a) + h(b) + min(a, b): let
   1 <= a <= b. Add halves of a and b, rounded down and up: floor to floor and ceiling to ceiling,
   but crosswise if both are odd. The sums are the halves of a + b, for which h(a + b) has the term
   floor((a + b)/2), with h(a) and h(b) come floor(a/2) and floor(b/2), and the lemma for the sums
   adds the halves of a, being the smaller ones: enough. Only if a = b is odd it adds a - 1; but
   then the first of these terms exceeds the two others by 1.
2. Write phi(s) for the first bound. Then phi(x + y) >= phi(x) + phi(y) + 2 floor(min(x, y)/2), from
   item 1 for each parity of x and y, and phi(s + 1) >= phi(s) + 1 for s >= 2.
3. Induction on d; without computed vertices it is 0 <= 0. The levels below d are two butterflies,
   with digit d equal to 0 or 1. Let V be in them V_0 and V_1, with R_j the values that V reads in
   half j (also from level d) and W_j the needed members of V_j, those at level d - 1 all included.
   Of the groups at level d, p are in V whole and q with one of their two vertices. The straight
   paths to the operands in half j of these p + q groups are disjoint, and each meets R_j: for its
   last vertex is in V_j or in R_j, and its first is an input. So |R_j| >= p + q. Of the p operands
   in half j of whole groups let p_j be in V_j; they are in W_j, so |W_j| >= p_j, and only they need
   not be in W. Therefore

       s = |R| + |W| >= sum_j (|R_j| + |W_j| - p_j) + 2p + q = sum_j s'_j + q,

   with s'_j = |R_j| + |W_j| + p - p_j >= 2p + q, and by items 1 and 2, |V| = |V_0| + |V_1| + 2p + q
   <= phi(s'_0) + phi(s'_1) + 2p + q <= phi(s'_0 + s'_1) + q <= phi(s), as s'_j >= 1 where q > 0.
   The same with |R_j| alone, |R_j| >= p + q >= half of the vertices of V at level d, shows
   |V| <= 2 h(|R|).

**Any radix: |V| <= |R| log_r |R|, and |V| <= |W| (1 + log_r |W|).** In item 3, t groups meet V at
level d, |R_j| >= t in each of the r parts, and the entropy of the parts is at least that of the
mixture of the uniform distribution with weight r t / |R| and another: so sum_j |R_j| log |R_j| +
r t log r <= |R| log |R|. Turned upside down, the butterfly is one again, and there R is what V
without W reads at most W of.

**Where values are computed again** |V| <= 2 h(|D|) and |V| <= |D| log_r |D| hold for any D outside
V such that every path from an input to V meets D: add to V all vertices of which this is true; then
D contains all that V reads outside.

**Comparators on wires: |V| <= h(floor(s/2)) + h(ceil(s/2)) for s = |R| + |W|, too.** Take a network
of comparators with two operands and two results each, and W with the last values of wires. Let the
wires be numbers, each comparator have a bit such that its wires agree in all lower bits and differ
in this one, and no wire have two comparators of one bit. (In a level of `odd_even_merge_sort` at
distance k = 2^b all comparators have bit b; each stage has one such level.)

1. A comparator with i results and j operands in V adds to s j where i = 0, as these are read by it
   outside V; 2 - j where i = 2, as V reads the others; and 2 where i = 1. A last value in V adds 1.
2. Let no comparator have i = 1. Call it full where i = 2. The full ones that follow each other on a
   wire are a run: it begins with an operand outside V and ends with a result that is read outside V
   or is the last, so that s = 2 I for I runs. Full ones are the edges of a graph on the runs, each
   joins two. Divide the runs by bit 0 of their wires: edges between both parts are
   comparators of bit 0, one a run at most; then each part by bit 1 and so on. By item 1 on h above
   there are h(I) edges at most: |V| <= 2 h(I) = phi(s).
3. If i = 1 and j >= 1, add the missing result to V: the comparator then adds j less, what reads the
   result 1 more at most. If i = 1 and j = 0, strike the one result: s falls by 1 or more, |V| by 1,
   and phi(s) >= phi(s - 1) + 1 as s >= 3. Either way fewer comparators have i = 1.

Source
------
J.-W. Hong and H. T. Kung, I/O complexity: the red-blue pebble game, STOC 1981, section 4 (what few
values dominate in a butterfly). S. Hart, A note on the edges of the n-cube, 1976 (h). The two-sided
bound is derived here; sub-butterflies attain it.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache

from proofs.core.windows import Count
from proofs.lemmas.isoperimetry.boundary import inverse

SHARP = 4096  # logarithms are known to 1 / SHARP


@lru_cache(maxsize=2**16)
def ones_below(n: int) -> int:
    """Return h(n): how many bits are 1 in the numbers 0..n-1."""
    if n < 2:
        return 0
    half = n // 2
    return ones_below(half) + ones_below(n - half) + half


def most_between(boundary: int) -> int:
    """Return the most vertices (radix 2) that read and pass on so many values together."""
    return ones_below(boundary // 2) + ones_below(boundary - boundary // 2)


def most_dominated(values: int, radix: int) -> int:
    """Return the most vertices outside a set of so many `values` that the set can dominate."""
    if radix == 2:
        return 2 * ones_below(values)
    return values * logarithm_above(max(values, 1)) // logarithm_below(radix)


@lru_cache(maxsize=2**12)
def logarithm_above(values: int) -> int:
    """Return SHARP log2(values), rounded up."""
    return int(values**SHARP - 1).bit_length()


@lru_cache(maxsize=2**7)
def logarithm_below(values: int) -> int:
    """Return SHARP log2(values), rounded down."""
    return int(values**SHARP).bit_length() - 1


def fft_two_sided(n: int, radix: int = 2) -> list[list[Count]]:
    """Return what sets of vertices of `dags.fft` read and pass on."""
    least = inverse(most_between) if radix == 2 else _each_side(radix)
    return [[Count(_depth(n, radix) * n, least, waived=2 * n)]]


def _each_side(radix: int) -> Callable[[int], int]:
    """Return the sum of the least number of values read and the least passed on."""
    reads = inverse(lambda values: most_dominated(values, radix))
    passes = inverse(lambda values: most_dominated(values, radix) + values)
    return lambda size: reads(size) + passes(size)


def fft_dominated(n: int, radix: int = 2) -> list[list[Count]]:
    """Return what sets of vertices of `dags.fft` can be computed from."""
    least = inverse(lambda values: most_dominated(values, radix))
    return [[Count(_depth(n, radix) * n, least, waived=n)]]


def bitonic_two_sided(n: int) -> list[list[Count]]:
    """Return what sets of vertices of `dags.bitonic_sort` read and pass on, piece by piece.

    A piece is a level of the network and all levels after it up to the first that compares
    across a bit again: a butterfly on every block of rows. The vertices of its first level are
    its inputs; those of the other levels are counted. Let each input be loaded in place of
    being computed for free, and each result stored: n words each, so the excess of the piece is
    at least what the butterflies move less 2n. Pieces are cut off from the front, or from the
    back.
    """
    depth = n.bit_length() - 1
    bits = [bit for stage in range(1, depth + 1) for bit in reversed(range(stage))]
    least = inverse(most_between)
    return [
        [Count(levels * n, least, waived=2 * n) for levels in _runs(order)]
        for order in (bits, reversed(bits))
    ]


def odd_even_two_sided(n: int) -> list[list[Count]]:
    """Return what sets of vertices of `dags.odd_even_merge_sort` read and pass on, stage by stage.

    The first level of a stage compares all wires; its vertices are the inputs of a piece, and those
    of the other levels are counted. Let each input be loaded in place of being computed for free,
    and each wire's last value stored: n words each, as in `bitonic_two_sided`.
    """
    least = inverse(most_between)
    stages = range(2, n.bit_length())
    return [[Count(odd_even_counted(n, stage), least, waived=2 * n) for stage in stages]]


def odd_even_counted(n: int, stage: int) -> int:
    """Return the vertices of a stage of odd-even merging, without its first level.

    Parameters
    ----------
    n
        Keys.
    stage
        From 1 on: blocks of 2^stage keys are merged.
    """
    return n * (stage - 2) + (n >> (stage - 1))


def _runs(bits: Iterable[int]) -> list[int]:
    """Return how many levels are counted in each piece; a level between two runs is not."""
    runs, seen = [], set[int]()
    for bit in bits:
        if bit in seen:
            runs.append(len(seen))
            seen = set()
        else:
            seen.add(bit)
    return [*runs, len(seen)] if seen else runs


def _depth(n: int, radix: int) -> int:
    depth = 0
    while n > 1:
        n, depth = n // radix, depth + 1
    return depth
