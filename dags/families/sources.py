"""Values that a parameter of a family may have, from counts of a DAG."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from dags.families.facts import Facts
from dags.families.family import Source
from dags.families.integers import divisors, factorizations

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
