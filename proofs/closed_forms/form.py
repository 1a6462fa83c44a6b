"""The type of a closed form, and the counting that most of them share.

Cut a play into windows of A updates each, the last with what is left besides. If a window of A
updates or more touches at least t words, and each window but the first finds at most K of them in
fast memory, then W = floor(U / A) >= 1 windows of U updates move t W - K (W - 1) words or more.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isqrt
from typing import Any

Params = Mapping[str, Any]
Words = Callable[[Params, int], int | None]  # for parameters and K; None out of its range


@dataclass(frozen=True)
class ClosedForm:
    """A lower bound on the I/O of a family, in words, as a formula in its parameters.

    Parameters
    ----------
    formula
        For a reader, in the generator's parameters; K is the words that can be red just before a
        word is computed: M - 1, or M where results slide onto operands. [x] is x rounded down.
    holds
        For which parameters and K, in words; "always" for all.
    words
        The formula, exact: words for parameters and K, or None where it does not hold.
    recompute
        Whether it holds too where values may be computed again.
    """

    formula: str
    holds: str
    words: Words
    recompute: bool = False


def compulsory(formula: str, words: Callable[[Params], int]) -> ClosedForm:
    """Return the form that counts inputs that are read, and outputs."""
    return ClosedForm(formula, "always", lambda p, _: words(p), recompute=True)


def in_windows(updates: int, size: int, touched: int, carry: int) -> int | None:
    """Return the words that windows of `size` updates move, which touch so many; None for none.

    Parameters
    ----------
    updates
        How many there are.
    size, touched
        Updates in a window, and the words that these touch at least.
    carry
        Words that each window but the first may find in fast memory.
    """
    windows = updates // size
    return touched * windows - carry * (windows - 1) if windows else None


def in_cubes(updates: int, square: tuple[int, int], carry: int) -> int | None:
    """Return 2 K W + K, if A updates touch 3 (A / c)^(2/3) words or more; `square` is c^2.

    It is a numerator and a denominator. Windows of c K^(3/2) updates, rounded up, touch 3 K words.

    Parameters
    ----------
    updates
        How many there are.
    square
        c^2, as a numerator and a denominator.
    carry
        Words that each window but the first may find in fast memory.
    """
    if carry < 1:
        return None
    numerator, denominator = square
    least = -(-numerator * carry**3 // denominator)
    return in_windows(updates, isqrt(least - 1) + 1, 3 * carry, carry)
