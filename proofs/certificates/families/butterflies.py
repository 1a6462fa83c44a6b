"""Checks bounds of butterflies: what each word that leaves fast memory takes along, and fronts.

A one-shot play of n = r^d rows computes N = n d values of one word; the r with the same r operands
are a *group*. K words can be red just before one is computed: M - 1, or M if results slide. A value
is in fast memory for one or more *stays*; the first of a computed value begins when it is computed.
Let Y be the computed values of which some reader is not computed in this first stay, or which are
outputs. Each of them is stored; each that is no output is loaded, and so is each input: loads and
stores are 2 |Y| words or more, and X more where X values are loaded before their first reader and
again before another.

**Mass.** A value holds mass 1 for its readers, 1/r for each (an output: 1 for its store). Call each
stay that begins with a load a label, with the mass of the readers that are computed in the stay. A
value in such a stay has the distribution p that is 1 on its label; a computed one has the mean of
the p of its r operands. These have disjoint supports: an ancestor of an operand agrees with it in
the digit in which the operands differ. So a result has log2 r + the mean of the entropies of its
operands, and summed over the play, the values' entropies times the mass with which they leave are

    N log2(r) = sum over y in Y of m(y) S(p_y),    m(y) the mass of y at the end of its first stay.

For each label v, which has mass w(v), the shares c_v(y) = m(y) p_y(v) / w(v) are a distribution on
Y; and the sum is that of w(v) S(c_v) over the labels, and one bit at most for each load beyond |Y|
(a value that is loaded in s parts has log2 s <= s - 1 more). Let r_v be any distribution on those
of Y that leave after v came: S(c_v) <= sum of c_v log2(1 / r_v). Order Y by the last step of the
first stay; let labels come just before the first step of their stay. Let each y have a hazard h(y),
and r_v(y) = h(y) times the product of 1 - h before y, from v on. If T bounds the mass that is there
before y leaves, and h = 1 / T, then y adds to the sum

    m log2 T + (mass - m) e <= H(T) = log2 T + (T - 1) e,    e = log2(T / (T - 1)).

**T = K, any r.** Only operands and the result of a step leave after it. After the first of a group
all r operands have (r - 1) / r, the result 1, each other value in fast memory 1 at most: M - 1
together. Where a result slides, M at most, which is K. So 2 N log2(r) / H(K) <= I/O, for H >= 2:
each load beyond |Y| pays for its bit.

**T = K - 1, r = 2, K >= 5.** At each step at most T - 1 values are there beside its operands and
its result. At the second of a group the operands have no mass left: what leaves adds H(T) at most.
At the first, c from x and y,

1. let c leave, and x, say, be in a stay that began with a load. All mass of this label is in x. If
   x stays it is 1, and half of it leaves in c: with hazard 1/2 the label adds 1. If x leaves as
   well, the label's mass is 1/2, goes with c for certain, and adds nothing. The same for y; or c
   has 1/2 from labels that have come before, of mass T at most: those add T b(1 / (2T)) with hazard
   1 / (2T), b being the binary entropy. 1 + T b(1 / (2T)) <= H(T) for T >= 4.
2. let c leave, and x, y be in first stays that go on to the second of the group. If the mass is
   more than T, the step before was the first of another group, as none comes with a load before c:
   of its operands, one that stays has 1/2. So the mass is T + 1/2 at most if one has not stayed,
   and T + 1 if neither has: e / 2 too much for each.
3. let x leave in its first stay, with mass 1/2; the mass is T + 1 at most. If c leaves, let it be
   first, with H(T) + e at most, if not as in case 1; then x adds log2(T) / 2 + (T - 1/2) e, and y,
   if it leaves so, e / 2 less. If c stays, x adds log2(T) / 2 + (T + 1/2) e, and y e / 2 less. All
   that is less than H(T) for each that leaves, by log2(T) / 2 - 3 e / 2 at least for one operand,
   by log2(T) - 5 e / 2 for two: that pays e / 2 for each to case 2, as T >= 4.
4. let x leave in a stay that began with a load, and be loaded again for the other reader. The load
   is one beyond |Y|, worth H(T) / 2, which pays for its bit and e / 2.

So 2 N / H(K - 1) <= I/O. For K = 4 it is case 1 that may add most, 1 + 3 b(1/6) < 2.951, H(3) being
2.755 and e 0.585: with 2.951 for H(T), case 2 exceeds by 0.10 if one operand has not stayed, by
0.39 if neither has; and an operand of case 3 leaves 0.11 at least, two 0.51, one of case 4 0.47,
one of each 0.87, as then no more than T + 1/2 is there. So 2 N / 2.951 <= I/O. (For 2^k words, M =
2^k + 2, plays in passes move 2 N / k.)

**The end.** Before y, the last but j - 1 to leave, the mass is j at most, as each takes 1 at most.
Let the last T - 1 have hazard 1 / T for all labels, if there are so many: they add log2 T + (j - 1)
e at most, (T - j) e less than H(T), and exceed it in no case. That makes T (T - 1) e / 2 together,
so that

    2 N log2(r) + T (T - 1) e <= H(T) I/O,    2.951 instead of H(3) for K = 4.

**K <= 3, r = 2: I/O >= N + 2.** Let groups be the nodes of a graph, and values the edges, from the
group that makes them to the one that reads them, if their first stay holds until the first of that
group. A group is cut in two, first and second, if neither operand is in fast memory from one to the
other; then each of its operands, in its first stay, leaves with mass 1/2, or is loaded for each of
both. With E = N / 2 groups, s of them cut, and b values that leave with 1/2 so, there are N - |Y| +
b edges at least. If there is no cycle, these are fewer than E + s nodes; and 2 b + X >= 2 s, so
that 2 |Y| + X >= 2 (N - E + 1). Suppose there is a cycle. Its arcs go up the levels. Between a
group where an arc begins and the one where it ends it always keeps a value in fast memory: the last
one made, or, from the first step of a group to the second that makes the next one, an operand. At a
group where two arcs begin both do so with the first step, whose operands and result leave K - 2 <=
1 words for other arcs. As arcs begin and end in twos, there is no other; so these two end at one
group, before others begin. But paths from the two results of a group do not lead to the two
operands of another: all that follows from the one differs in a bit from all that follows from the
other, and not only in the bit in which the operands differ.

**Fronts**, r = 2. Take levels a to a + k - 1, 1 <= a, and one of the n / 2^k blocks of 2^k rows
that they and level a + k mix. At the moment before the first of its values at level a + k is
computed, all of its values at level a have been, as these are its ancestors. On each of the 2^k
straight paths from level a on there is a last value that has been computed, at one of the levels a
to a + k - 1; a reader of it is not. K of these are red at most; the others are stored and loaded,
which no output and no input is: 2 (2^k - K) words beyond compulsory ones, for each block; for
a = 0, where inputs take only a load, 2^k - K. What waits in disjoint levels adds up.

Source
------
A. Aggarwal and J. S. Vitter, The input/output complexity of sorting and related problems, CACM
1988 (potentials of the form x log x). The counting by mass is argued above.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from dags import CDAG
from dags.families.transforms import depth_of
from pebble import Rules
from proofs.core.certificate import CertificateError
from proofs.core.fields import only, shown, text
from proofs.lemmas.generated import require_generated
from proofs.lemmas.isoperimetry.butterflies import (
    SHARP,
    logarithm_above,
    logarithm_below,
)

Params = Mapping[str, Any]
Words = Callable[[Params, int], int]  # for n and radix, and K

LOG2_E_BELOW, LOG2_E = Fraction(14426950408, 10**10), Fraction(14426950409, 10**10)
FIVE_WORDS = Fraction(2951, 1000)  # 1 + 3 b(1/6), rounded up
TERMS = 15  # of the logarithm's series; odd, so that they exceed it
WIDER = 12  # fronts wait for blocks of up to so many times K rows, as a power of 2


def entropy_above(mass: int) -> Fraction:
    """Return log2 T + (T - 1) log2(T / (T - 1)) for T = `mass` >= 2, rounded up.

    Examples
    --------
    >>> 3.245 < entropy_above(4) < 3.246
    True
    """
    if mass == 2:
        return Fraction(2)
    return Fraction(logarithm_above(mass), SHARP) + LOG2_E * _logarithm(mass, TERMS)


def _logarithm(mass: int, terms: int) -> Fraction:
    """Return (T - 1) log(T / (T - 1)) for T = `mass`: above for odd terms, below for even ones.

    With x = 1 / (T - 1) it is 1 - x / 2 + x^2 / 3 - ...
    """
    x = Fraction(1, mass - 1)
    return sum(((-x) ** i / (i + 1) for i in range(terms)), Fraction(0))


def by_mass(params: Params, words: int) -> int:
    """Return the words that are moved, by the mass that leaves with each of them.

    Parameters
    ----------
    params
        "n" and "radix".
    words
        K.
    """
    n, radix = int(params["n"]), int(params["radix"])
    computed = n * depth_of(n, radix)
    if radix == 2 and words <= 3:
        return computed + 2
    if words < 2:
        return 0
    logarithm = Fraction(logarithm_below(radix), SHARP)  # rounded down
    mass = words - 1 if radix == 2 else words
    end = mass * _logarithm(mass, TERMS - 1) * LOG2_E_BELOW if mass <= n else 0
    most = FIVE_WORDS if (radix, words) == (2, 4) else entropy_above(mass)
    least = (2 * computed * logarithm + end) / most
    return -(-least.numerator // least.denominator)


def by_fronts(params: Params, words: int) -> int:
    """Return the words that are moved, by disjoint fronts at the best levels.

    Parameters
    ----------
    params
        "n" and "radix".
    words
        K.
    """
    n, radix = int(params["n"]), int(params["radix"])
    if radix != 2:
        return 2 * n
    most = words.bit_length() + WIDER
    best = [0]  # of the first levels, so many of them
    for end in range(1, depth_of(n, 2) + 1):
        ways = [best[-1]]
        for levels in {*range(1, min(end, most)), max(end - 1, 1), end}:
            price = 1 if levels == end else 2
            waiting = price * (n >> levels) * max(0, (1 << levels) - words)
            ways.append(best[end - levels] + waiting)
        best.append(max(ways))
    return 2 * n + best[-1]


ARGUMENTS: dict[str, Words] = {"fronts": by_fronts, "mass": by_mass}


def proven(dag: CDAG, memory: int, rules: Rules, data: Mapping[str, Any]) -> int:
    """Return the words that the certificate proves.

    Parameters
    ----------
    dag, memory, rules
        The game.
    data
        Has the "params" of the butterfly as `dags.fft` takes them, and which "argument" is meant.
    """
    only(data, ("params", "argument"))
    if rules.recompute or rules.partial:
        raise CertificateError("rules", "values leave for good only where each is computed once")
    argument, params = text(data, "argument"), data["params"]
    if argument not in ARGUMENTS:
        raise CertificateError("argument", f"{shown(argument)} is not known")
    if not isinstance(params, Mapping):
        raise CertificateError("params", "is no object")
    if dag.words is not None:
        raise CertificateError("params", "tell what is moved only where every value is one word")
    return ARGUMENTS[argument](require_generated(dag, "fft", params), rules.room_before(memory))
