"""Values that an index takes over a box: a progression, or numbers that rise; unions of those."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from math import gcd

import numpy as np

from dags.arrays import Int64Array
from dags.programs.tied_loops import Box, NotCountedError, Row, count_of

PAIR = 2  # terms
MOST_VALUES = 1 << 22  # of a set of numbers that is no progression
Progression = tuple[int, int, int]  # the first number, the step, how many there are
Values = Progression | Int64Array


def values_taken(row: Row, box: Box) -> int:
    """Return how many values an index takes over a box.

    Two points of a x + b y, a and b without a common divisor, have one value where they differ by
    a multiple of (b, -a): those are counted of which the next such point is not in the box.
    """
    ends = zip(row, box, strict=True)
    terms = sorted((abs(by), high - low) for by, (low, high) in ends if by and high - low > 1)
    if len(terms) == PAIR:
        (a, many), (b, count) = terms
        common = gcd(a, b)
        return many * count - max(0, many - b // common) * max(0, count - a // common)
    some = _progression(terms)
    return some[1] if some is not None else count_of(box, (), (row,))


def progression(row: Sequence[int], offset: int, run: Box) -> Values:
    """Return the values of an index over a box: a progression, or numbers that rise."""
    first = offset + sum(
        by * (run[at][0] if by > 0 else run[at][1] - 1) for at, by in enumerate(row)
    )
    ends = zip(row, run, strict=True)
    terms = sorted((abs(by), high - low) for by, (low, high) in ends if by and high - low > 1)
    some = _progression(terms)
    return first + _sums(terms) if some is None else (first, *some)


def _progression(terms: Sequence[tuple[int, int]]) -> tuple[int, int] | None:
    """Return the step and the length of the progression that sums of terms make, if it is one."""
    if not terms:
        return 1, 1
    step, count = terms[0]
    for by, many in terms[1:]:
        if by % step or by > step * count:
            return None
        count += by // step * (many - 1)
    return step, count


def _sums(terms: Sequence[tuple[int, int]]) -> Int64Array:
    """Return the numbers that are a sum of one multiple of each term, rising."""
    found: Int64Array = np.zeros(1, np.int64)
    for by, many in terms:
        if found.size * many > MOST_VALUES:
            raise NotCountedError("an index takes too many values that are no progression")
        found = np.unique(np.add.outer(found, by * np.arange(many, dtype=np.int64)))
    return found


def _size(some: Values) -> int:
    return some[2] if isinstance(some, tuple) else some.size


def in_classes(sets: Iterable[Values]) -> Mapping[int, int]:
    """Return how many numbers are in just the sets of each bit mask."""
    listed = list(sets)
    ends = [(one[0], one[0] + one[2]) for one in listed if is_interval(one)]
    if len(ends) == len(listed):
        return _classes_of_intervals(ends)
    if sum(map(_size, listed)) > MOST_VALUES:
        raise NotCountedError("an index takes too many values that are no interval")
    masks: dict[int, int] = {}
    for place, one in enumerate(listed):
        for value in numbers_of(one).tolist():
            masks[value] = masks.get(value, 0) | 1 << place
    found: dict[int, int] = {}
    for mask in masks.values():
        found[mask] = found.get(mask, 0) + 1
    return found


def numbers_of(some: Values) -> Int64Array:
    """Return values one by one."""
    if not isinstance(some, tuple):
        return some
    if some[2] > MOST_VALUES:
        raise NotCountedError("an index takes too many values to be listed")
    return some[0] + some[1] * np.arange(some[2], dtype=np.int64)


def is_interval(some: Values) -> bool:
    """Return whether values follow on each other."""
    return isinstance(some, tuple) and (some[1] == 1 or some[2] == 1)


def _classes_of_intervals(some: Sequence[tuple[int, int]]) -> Mapping[int, int]:
    ends = sorted({end for one in some for end in one})
    found: dict[int, int] = {}
    for low, high in pairwise(ends):
        mask = sum(
            1 << at for at, (first, last) in enumerate(some) if first <= low and high <= last
        )
        if mask:
            found[mask] = found.get(mask, 0) + high - low
    return found
