"""Sizes of chunks to choose from, and orders of loops in which one array or another can stay."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import permutations

import numpy as np

from dags.arrays import Int64Array, lock
from schedulers.tilings.plan import Counts

GROWTH = 1.2  # between sides that are always tried
MOST_ARRAYS = 4  # of different loops, that one order or another is for
NEAR = 10  # sides next to one that are tried beside those


@lru_cache(maxsize=64)
def even_sides(extent: int) -> Int64Array:
    """Return the sides that cut a length into parts as equal as can be, rising."""
    root = int(extent**0.5) + 1
    small = np.arange(1, min(root, extent) + 1)
    return lock(np.unique(np.concatenate((small, -(-extent // small)))))


@lru_cache(maxsize=64)
def few_sides(extent: int) -> Int64Array:
    """Return even sides in about equal ratios, rising."""
    kept = [1]
    for side in even_sides(extent).tolist():
        if side >= GROWTH * kept[-1]:
            kept.append(side)
    return lock(np.unique([*kept, extent]))


def sides_near(extent: int, side: int) -> Int64Array:
    """Return some even sides in equal ratios, and those next to one."""
    every = even_sides(extent)
    place = int(np.searchsorted(every, side))
    near = every[max(0, place - NEAR) : place + NEAR]
    found: Int64Array = np.union1d(few_sides(extent), near)
    return found


def stationary_orders(counts: Counts) -> Iterator[tuple[int, ...]]:
    """Yield orders of the loops of a nest's only assignment, for one array after the other.

    Those come last that the first array does not depend on, so that it can stay; before them, and
    among them, those that the next one does not depend on; and so on.
    """
    (assignment,) = counts.nest.assignments
    loops = [at for at, (low, high) in enumerate(assignment.box) if high - low > 1]
    depends = {
        frozenset(
            at for at in loops if any(row[at] for each in by[assignment.name] for row in each.rows)
        )
        for by in counts.arrays.values()
    }
    some = sorted(map(sorted, depends - {frozenset(loops)}), key=len)[:MOST_ARRAYS]
    for order in permutations(some):
        key = {at: [at not in each for each in order] for at in loops}
        yield tuple(sorted(loops, key=lambda at: (key[at], at)))
