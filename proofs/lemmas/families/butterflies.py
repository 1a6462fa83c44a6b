"""Butterflies, by the values that each word takes along as it leaves fast memory, and fronts (F1).

A one-shot play of n = r^d rows computes N = n d values. K words can be red just before one is
computed. With H(T) = log2 T + (T - 1) e, e = log2(T / (T - 1)),

    2 N log2(r) + T (T - 1) e <= H(T) I/O

for T = K and any r; for T = K - 1, r = 2 and K >= 4, with 2.951 instead of H(3) for K = 4; and for
r = 2 and K <= 3, I/O >= N + 2. *Fronts*, r = 2: of each of the n / 2^k blocks of k levels 2 (2^k -
K) words move beyond compulsory ones, 2^k - K of the first level; waiting values in disjoint levels
add up.

The proof is F1 in docs/theory/families.md.

Source
------
A. Aggarwal and J. S. Vitter, The input/output complexity of sorting and related problems, CACM
1988 (potentials of the form x log x). The counting by mass is argued above.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from dags.families.transforms import depth_of
from pebble import Game
from proofs.core.records import CertificateError
from proofs.core.windows import Lemma
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
    """Log2 T + (T - 1) log2(T / (T - 1)) for T = `mass` >= 2, rounded up.

    Examples
    --------
    >>> 3.245 < entropy_above(4) < 3.246
    True
    """
    if mass == 2:
        return Fraction(2)
    return Fraction(logarithm_above(mass), SHARP) + LOG2_E * _logarithm(mass, TERMS)


def _logarithm(mass: int, terms: int) -> Fraction:
    """(T - 1) log(T / (T - 1)) for T = `mass`: above for odd terms, below for even ones.

    With x = 1 / (T - 1) it is 1 - x / 2 + x^2 / 3 - ...
    """
    x = Fraction(1, mass - 1)
    return sum(((-x) ** i / (i + 1) for i in range(terms)), Fraction(0))


def by_mass(params: Params, words: int) -> int:
    """The words that are moved, by the mass that leaves with each of them.

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
    mass_of_words = FIVE_WORDS if (radix, words) == (2, 4) else entropy_above(mass)
    moved = (2 * computed * logarithm + end) / mass_of_words
    return -(-moved.numerator // moved.denominator)


def by_fronts(params: Params, words: int) -> int:
    """The words that are moved, by disjoint fronts at the best levels.

    Parameters
    ----------
    params, words
        As for `by_mass`.
    """
    n, radix = int(params["n"]), int(params["radix"])
    if radix != 2:
        return 2 * n
    largest = words.bit_length() + WIDER
    best = [0]  # of the first levels, so many of them
    for end in range(1, depth_of(n, 2) + 1):
        ways = [best[-1]]
        for levels in {*range(1, min(end, largest)), max(end - 1, 1), end}:
            price = 1 if levels == end else 2
            waiting = price * (n >> levels) * max(0, (1 << levels) - words)
            ways.append(best[end - levels] + waiting)
        best.append(max(ways))
    return 2 * n + best[-1]


ARGUMENTS: dict[str, Words] = {"fronts": by_fronts, "mass": by_mass}


@dataclass(frozen=True)
class Butterfly:
    """The parameters of a butterfly as `dags.fft` takes them, and which argument is meant."""

    params: Params
    argument: Literal["fronts", "mass"]


def butterfly(game: Game, record: Butterfly) -> int:
    """The words of a butterfly by one of the arguments (F1)."""
    if game.rules.recompute or game.rules.partial:
        raise CertificateError("rules", "values leave for good only where each is computed once")
    if game.dag.words is not None:
        raise CertificateError("params", "tell what is moved only where every value is one word")
    parameters = require_generated(game.dag, "fft", record.params)
    return ARGUMENTS[record.argument](parameters, game.rules.room_before(game.memory))


BUTTERFLY = Lemma(Butterfly, butterfly, lambda _: ("F1",))
