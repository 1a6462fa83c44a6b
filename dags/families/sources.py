"""Values that a parameter of a family may have, from counts of a DAG."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from math import isqrt
from typing import Any

from dags.families.family import Facts, Source

MOST_SIDES = 4  # of a grid


def one_of(*values: Any) -> Source:
    """Return the source of values that do not depend on the counts."""
    return lambda facts, given: values


def fact(name: str) -> Source:
    """Return the source of one value: a count."""
    return lambda facts, given: (getattr(facts, name),)


def divisors_of(name: str) -> Source:
    """Return the source of the divisors of a count, rising."""
    return lambda facts, given: divisors(getattr(facts, name)) if getattr(facts, name) else ()


def shapes(points: Callable[[Facts], int]) -> Source:
    """Return the source of grids with so many points, 0 for none; sides fall, few come first."""
    return lambda facts, given: _shapes(points(facts))


@lru_cache(8)
def _shapes(points: int) -> list[tuple[int, ...]]:
    found = [shape or (1,) for shape in factorizations(points, MOST_SIDES)] if points else []
    return sorted(found, key=lambda sides: (len(sides), sides[0]))


def divisors(number: int) -> list[int]:
    """Return the divisors of `number`, rising.

    Examples
    --------
    >>> divisors(12)
    [1, 2, 3, 4, 6, 12]
    """
    low = [each for each in range(1, isqrt(number) + 1) if number % each == 0]
    high = [number // each for each in reversed(low)]
    return low + high[1:] if low[-1] == high[0] else low + high


def exactly(number: int, part: int) -> tuple[int, ...]:
    """Return the quotient of two numbers, alone, if it is whole and positive; otherwise nothing.

    Examples
    --------
    >>> exactly(12, 4), exactly(13, 4)
    ((3,), ())
    """
    quotient, rest = divmod(number, part)
    return (quotient,) if rest == 0 and quotient > 0 else ()


def inverse(formula: Callable[[int], int], value: int) -> int | None:
    """Return the x from 1 on for which a rising formula has the value; None if there is none.

    Of formulas that are nowhere below their x.

    Examples
    --------
    >>> inverse(lambda x: x * (x + 1) // 2, 10)
    4
    """
    high = 1
    while formula(high) < value and high <= value:
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if formula(middle) < value else (low, middle)
    return high if formula(high) == value else None


def factorizations(number: int, most: int, largest: int | None = None) -> Iterator[tuple[int, ...]]:
    """Yield the falling sequences of up to `most` factors from 2 on whose product is `number`.

    Parameters
    ----------
    number
        The product; of 1, there is the empty sequence.
    most
        Most factors.
    largest
        The largest factor that may be; None for any.
    """
    if number == 1:
        yield ()
    elif most:
        for first in reversed(divisors(number)[1:]):
            if largest is None or first <= largest:
                for others in factorizations(number // first, most - 1, first):
                    yield (first, *others)
