"""Boundaries in butterflies: Fourier transforms, and the stages of sorting networks (S8).

Let V be computed vertices of a butterfly, R the values outside V that V reads, W those members that
are read outside V or are on the last level, h(n) the number of 1 bits in 0..n-1, s = |R| + |W|.

- **Radix 2: |V| <= h(floor(s/2)) + h(ceil(s/2)), and |V| <= 2 h(|R|)**; the former of networks of
  comparators on wires, too.
- **Any radix: |V| <= |R| log_r |R|, and |V| <= |W| (1 + log_r |W|).**
- **Where values are computed again** |V| <= 2 h(|D|) and |V| <= |D| log_r |D| for any D outside V
  that every path from an input to V meets.

The proof is S8 in docs/theory/sets.md.

**The prefix network of Kogge and Stone (S9).** Let f(0) = 0, f(s) = s b - 2^b + 1 with b =
ceil(log2 s): how many sums s inputs have. **s values dominate at most f(s) sums outside them**,
and, of a network without an end on the right, **a set of sums of which w are read outside it, or
are outputs, has at most w + f(w).** In a network with an end, let a sum that would be read beyond
it count as passed on.

The proof is S9 in docs/theory/sets.md.

Source
------
J.-W. Hong and H. T. Kung, I/O complexity: the red-blue pebble game, STOC 1981, section 4 (vertices
dominated by few values in a butterfly). S. Hart, A note on the edges of the n-cube, 1976 (h). The
two-sided bound is derived here; sub-butterflies attain it. P. M. Kogge and H. S. Stone, A parallel
algorithm for the efficient solution of a general class of recurrence equations, 1973. The
inequalities are derived here.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache

from proofs.core.windows import Count
from proofs.lemmas.isoperimetry.boundary import inverse

SHARP = 4096  # logarithms are known to 1 / SHARP


def most_sums(values: int) -> int:
    """Return f: the most sums outside a set of so many `values` that the set can dominate."""
    depth = max(values - 1, 0).bit_length()
    return values * depth - 2**depth + 1 if values else 0


def prefix_two_sided(n: int, network: str) -> list[list[Count]]:
    """The count of values that sets of `dags.prefix_scan` read and pass on."""
    if network != "kogge-stone":
        return []
    depth = (n - 1).bit_length()
    beyond = sum(min(2**level, n - 2**level) for level in range(1, depth))
    reads = inverse(most_sums)
    passes = inverse(lambda values: values + most_sums(values))
    waived = 2 * n - 1 + beyond
    return [[Count(most_sums(n), lambda size: reads(size) + passes(size), waived)]]


def prefix_dominated(n: int, network: str) -> list[list[Count]]:
    """The count of values that sets of `dags.prefix_scan` can be computed from."""
    if network != "kogge-stone":
        return []
    return [[Count(most_sums(n), inverse(most_sums), waived=n)]]


@lru_cache(maxsize=2**16)
def ones_below(n: int) -> int:
    """Return h(n): how many bits are 1 in the numbers 0..n-1."""
    if n < 2:
        return 0
    half = n // 2
    return ones_below(half) + ones_below(n - half) + half


def most_between(boundary: int) -> int:
    """The most vertices (radix 2) that read and pass on so many values together."""
    return ones_below(boundary // 2) + ones_below(boundary - boundary // 2)


def most_dominated(values: int, radix: int) -> int:
    """The most vertices outside a set of so many `values` that the set can dominate."""
    if radix == 2:
        return 2 * ones_below(values)
    return values * logarithm_above(max(values, 1)) // logarithm_below(radix)


@lru_cache(maxsize=2**12)
def logarithm_above(values: int) -> int:
    """SHARP log2(values), rounded up."""
    return int(values**SHARP - 1).bit_length()


@lru_cache(maxsize=2**7)
def logarithm_below(values: int) -> int:
    """SHARP log2(values), rounded down."""
    return int(values**SHARP).bit_length() - 1


def fft_two_sided(n: int, radix: int = 2) -> list[list[Count]]:
    """The count of values that sets of `dags.fft` read and pass on."""
    boundary = inverse(most_between) if radix == 2 else _each_side(radix)
    return [[Count(_depth(n, radix) * n, boundary, waived=2 * n)]]


def _each_side(radix: int) -> Callable[[int], int]:
    """The sum of the least number of values read and the least passed on."""
    reads = inverse(lambda values: most_dominated(values, radix))
    passes = inverse(lambda values: most_dominated(values, radix) + values)
    return lambda size: reads(size) + passes(size)


def fft_dominated(n: int, radix: int = 2) -> list[list[Count]]:
    """The count of values that sets of `dags.fft` can be computed from."""
    dominators = inverse(lambda values: most_dominated(values, radix))
    return [[Count(_depth(n, radix) * n, dominators, waived=n)]]


def bitonic_two_sided(n: int) -> list[list[Count]]:
    """Counts of values that sets of `dags.bitonic_sort` read and pass on, piece by piece.

    A piece is a level of the network and all levels after it up to the first that compares across a
    bit again: a butterfly on every block of rows. The vertices of its first level are its inputs;
    those of the other levels are counted. Let each input be loaded in place of being computed for
    free, and each result stored: n words each, so the excess of the piece is at least the words of
    the butterflies less 2n. Pieces are cut off from the front, or from the back.
    """
    depth = n.bit_length() - 1
    bits = [bit for stage in range(1, depth + 1) for bit in reversed(range(stage))]
    boundary = inverse(most_between)
    return [
        [Count(levels * n, boundary, waived=2 * n) for levels in _runs(order)]
        for order in (bits, reversed(bits))
    ]


def odd_even_two_sided(n: int) -> list[list[Count]]:
    """Counts of values that sets of `dags.odd_even_merge_sort` read and pass on, by stage.

    The first level of a stage compares all wires; its vertices are the inputs of a piece, and those
    of the other levels are counted. Let each input be loaded in place of being computed for free,
    and each wire's last value stored: n words each, as in `bitonic_two_sided`.
    """
    boundary = inverse(most_between)
    stages = range(2, n.bit_length())
    return [[Count(odd_even_counted(n, stage), boundary, waived=2 * n) for stage in stages]]


def odd_even_counted(n: int, stage: int) -> int:
    """The vertices of a stage of odd-even merging, without its first level.

    Parameters
    ----------
    n
        Keys.
    stage
        From 1 on: blocks of 2^stage keys are merged.
    """
    return n * (stage - 2) + (n >> (stage - 1))


def _runs(bits: Iterable[int]) -> list[int]:
    """How many levels are counted in each piece; a level between two runs is not."""
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
