"""Bounds on problems: words that any algorithm moves, whatever its DAG. None is a bound on a DAG.

A DAG is one way to solve its problem, for one input. A bound for the problem holds for the best
algorithm on its worst input, and says nothing of a DAG that knows its input's outcome, as a merge
sort that has run; a network of comparators solves the problem for every input, and is bound by it.
"""

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, localcontext
from math import factorial

EXACT = 1000  # keys up to which factorials are multiplied out
SPARE = 30  # decimal digits beyond twice those of the number of keys
PI = Decimal("3.141592653589793238462643383279")  # rounded down
LAST = Decimal(10) ** -30


def comparison_sort_words(keys: int, memory: int) -> int:
    """The words that sorting by comparisons moves at least, on its worst input.

    Keys are words that comparisons alone tell of; fast memory holds `memory` of them. When the i-th
    key is loaded, at most min(i, memory) - 1 others are there, whose order is known: comparisons
    find the place of the new one among them, one of min(i, memory). All n! orders must be told
    apart, so that the number of loads L has

        product over i = 1..L of min(i, memory) >= n!,

    and n words of the sorted list are stored: n + L words or more. With memory for all, L = n;
    else L = M + ceil(log_M(n! / M!)), in the leading term n log2(n) / log2(M).

    Parameters
    ----------
    keys
        n.
    memory
        Words of fast memory, M.

    Raises
    ------
    ValueError
        If there is no key, or no memory to compare two.

    Source
    ------
    A. Aggarwal and J. S. Vitter, The input/output complexity of sorting and related problems,
    Communications of the ACM 31, 1988, for blocks of one key; there the constants of lower terms
    are left out. H. Robbins, A remark on Stirling's formula, 1955: n! is between
    sqrt(2 pi n) (n / e)^n times e^(1 / (12 n + 1)) and times e^(1 / (12 n)).

    Examples
    --------
    >>> comparison_sort_words(1000, 1000), comparison_sort_words(1000, 10)
    (2000, 3572)
    >>> comparison_sort_words(2**40, 2**20) / 2**41
    1.463932658374688
    """
    if keys < 1 or memory < 2:
        raise ValueError(f"sorting {keys} keys with {memory} words is no problem to bound")
    if keys <= memory:
        return 2 * keys
    if keys <= EXACT:
        return keys + memory + _factors(factorial(keys) // factorial(memory), memory)
    with localcontext() as context:
        context.prec = 2 * len(str(keys)) + SPARE
        difference = _log_factorial(keys, from_below=True) - _log_factorial(
            memory, from_below=False
        )
        full_logarithm = (
            Decimal(keys) * Decimal(keys).ln()
        )  # most of it cancels where memory is almost all
        error = (full_logarithm + 1) * Decimal(10) ** (5 - context.prec)  # of some twenty roundings
        further = ((difference - error) / Decimal(memory).ln()).to_integral_value(ROUND_CEILING)
        return keys + memory + int(further)


def _factors(product: int, factor: int) -> int:
    """How many factors multiply to a product or more."""
    number, reached = 0, 1
    while reached < product:
        number, reached = number + 1, reached * factor
    return number


def _log_factorial(n: int, *, from_below: bool) -> Decimal:
    """The natural logarithm of n!, or a little `from_below` or more."""
    x = Decimal(n)
    with localcontext() as context:
        context.rounding = ROUND_FLOOR if from_below else ROUND_CEILING
        root = (2 * (PI if from_below else PI + LAST) * x).ln() / 2
        return x * x.ln() - x + root + 1 / (12 * x + (1 if from_below else 0))
