"""The inverse of sizes: arguments of a generator for which a member has given counts.

The first functions make the values that a parameter of a family may have, from counts of a DAG.
"""

import inspect
from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import permutations
from math import isqrt
from typing import Any, Literal, get_args, get_origin, get_type_hints

from dags.errors import InvalidSpecError
from dags.families.common.family import Arguments, Facts, Family, Sizes, SizesOf, Source
from dags.families.common.published import Params

MOST_SIDES = 4  # of a grid


def one_of(*values: Any) -> Source:
    """The source of values that do not depend on the counts."""
    return lambda facts, arguments: values


def fact(name: str) -> Source:
    """The source of one value: a count."""
    return lambda facts, arguments: (getattr(facts, name),)


def divisors_of(name: str) -> Source:
    """The source of the divisors of a count, rising."""
    return lambda facts, arguments: divisors(getattr(facts, name)) if getattr(facts, name) else ()


def shapes(points: Callable[[Facts], int]) -> Source:
    """The source of grids with so many points, 0 for none; sides fall, few come first."""
    return lambda facts, arguments: _shapes(points(facts))


@lru_cache(8)
def _shapes(points: int) -> list[tuple[int, ...]]:
    grids = [shape or (1,) for shape in factorizations(points, MOST_SIDES)] if points else []
    return sorted(grids, key=lambda sides: (len(sides), sides[0]))


def divisors(number: int) -> list[int]:
    """The divisors of `number`, rising.

    Examples
    --------
    >>> divisors(12)
    [1, 2, 3, 4, 6, 12]
    """
    low = [divisor for divisor in range(1, isqrt(number) + 1) if number % divisor == 0]
    high = [number // divisor for divisor in reversed(low)]
    return low + high[1:] if low[-1] == high[0] else low + high


def exactly(number: int, part: int) -> tuple[int, ...]:
    """The quotient of two numbers, alone, if it is whole and positive; otherwise nothing.

    Examples
    --------
    >>> exactly(12, 4), exactly(13, 4)
    ((3,), ())
    """
    quotient, remainder = divmod(number, part)
    return (quotient,) if remainder == 0 and quotient > 0 else ()


def inverse(formula: Callable[[int], int], value: int) -> int | None:
    """The x from 1 on for which a rising formula has the value; None if there is none.

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
                for factors in factorizations(number // first, most - 1, first):
                    yield (first, *factors)


def arguments_of(family: Family, facts: Facts) -> Iterator[Arguments]:
    """Yield arguments with which the generator of a family may make a DAG of these counts."""
    if callable(family.sought):
        yield from family.sought(facts)
    elif family.sought is not None and family.sizes is not None:
        for arguments in inverted(family.make, family.sizes, family.sought, facts):
            shape = arguments["shape"] if family.turned else ()
            for sides in dict.fromkeys(permutations(shape)):
                yield arguments | ({"shape": sides} if family.turned else {})


def inverted(
    make: Callable[..., Any], sizes: SizesOf, sought: Mapping[str, Source], facts: Facts
) -> Iterator[Arguments]:
    """Yield arguments whose sizes are these counts, without those that are as by default.

    Parameters
    ----------
    make
        A function whose signature has the arguments: each choice that it offers is tried, and one
        whole number that is neither a choice nor sought is solved for, as sizes rise in it.
    sizes
        Sizes for arguments of that signature.
    sought
        Values that are tried for the other parameters, in this order.
    facts
        The counts.
    """
    choices = {name: values for name, values in _choices(make).items() if name not in sought}
    sources = {**sought, **choices}
    solved = [name for name in _defaults(make) if name not in sources]
    for arguments in _tried(list(sources.items()), facts, {}):
        for full in _solved(arguments, solved, sizes, facts) if solved else (arguments,):
            member = _known(sizes, full)
            if member is not None and member[1][:3] == facts.counts:
                yield _shortened(make, sizes, full)


def _tried(
    sources: list[tuple[str, Source]], facts: Facts, arguments: Arguments
) -> Iterator[Arguments]:
    """Yield arguments of all combinations of values."""
    if not sources:
        yield arguments
        return
    (name, source), *later_sources = sources
    for value in source(facts, arguments):
        yield from _tried(later_sources, facts, arguments | {name: value})


def _solved(
    arguments: Arguments, names: list[str], sizes: SizesOf, facts: Facts
) -> Iterator[Arguments]:
    """Yield the arguments with the value of the last one that gives so many vertices."""
    (name,) = names

    def vertices(value: int) -> int:
        member = _known(sizes, arguments | {name: value})
        return 0 if member is None else member[1].vertices  # too few for the family

    value = inverse(vertices, facts.vertices)
    if value is not None:
        yield arguments | {name: value}


def _known(sizes: SizesOf, arguments: Arguments) -> tuple[Params, Sizes] | None:
    """The parameters and sizes of a member; None if there is none."""
    try:
        return sizes(**arguments)
    except InvalidSpecError:
        return None


def _shortened(make: Callable[..., Any], sizes: SizesOf, arguments: Arguments) -> Arguments:
    """Arguments of the same member in order, without those that are as by default."""
    known = _known(sizes, arguments)
    return {
        name: arguments[name]
        for name, usual in _defaults(make).items()
        if usual is inspect.Parameter.empty or _known(sizes, arguments | {name: usual}) != known
    }


@cache
def _defaults(make: Callable[..., Any]) -> dict[str, Any]:
    """The parameters of a function with their defaults, in order."""
    return {
        name: parameter.default for name, parameter in inspect.signature(make).parameters.items()
    }


@cache
def _choices(make: Callable[..., Any]) -> dict[str, Source]:
    """The values of each parameter that is a word of some or a truth, the default first."""
    hints, choices = get_type_hints(make), {}
    for name, usual in _defaults(make).items():
        values = (False, True) if hints[name] is bool else get_args(hints[name])
        if hints[name] is bool or get_origin(hints[name]) is Literal:
            choices[name] = one_of(*sorted(values, key=lambda value: value != usual))
    return choices
