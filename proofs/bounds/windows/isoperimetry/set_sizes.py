"""Chooses the sizes of the sets into which a play is cut."""

from collections.abc import Callable, Iterator
from heapq import nlargest
from itertools import accumulate
from typing import Any

import numpy as np

from dags.arrays import Int64Array
from pebble import Budget
from proofs.core.windows import Count, Cuts, moves_of
from proofs.lemmas.isoperimetry.boundary import Inverse
from proofs.lemmas.isoperimetry.meshes import Continued

# With up to so many counted vertices the best sum of sizes is found exactly, by a knapsack.
SMALL = 4096
# Each size that is tried at first is so many times the one before.
RATIO = 1.06
# Larger sizes are not tried after so many that were no better.
PATIENCE = 20
# So many sizes around the best one are tried.
NEARBY = 24
# The knapsack takes sizes up to so many times the best one.
WIDER = 4

# Windows that begin anywhere are tried up to this length: they gain a share of one by it.
ROLLING = 256

Chosen = dict[str, Any]  # `Cuts` as a certificate has them


def best_windows(boundary: Count, saved: int, budget: Budget) -> tuple[int, Chosen]:
    """The bound by the best sizes, or by windows that begin anywhere, in one-shot plays.

    Parameters
    ----------
    boundary, saved, budget
        As for `best_cuts`.
    """
    cut = best_cuts(boundary, saved, budget)
    vertices, limit = boundary.vertices, min(boundary.vertices, boundary.reach, ROLLING)
    if limit < 2:
        return cut
    boundaries = np.array([0, *_all_least(boundary, range(1, limit + 1))])
    below = np.array(list(accumulate(boundaries.tolist())))[:-1]  # the sum of all smaller ones
    length = np.arange(2, limit + 1)
    total = (vertices - length + 1) * boundaries[2:] + 2 * below[1:]
    total -= saved * (vertices - 1) + length * boundary.waived
    best = {"length": int(length[(total / (length - 1)).argmax()])}
    return max(cut, (excess(boundary, saved, best), best), key=lambda proof: proof[0])


def best_cuts(boundary: Count, saved: int, budget: Budget) -> tuple[int, Chosen]:
    """The moves beyond the compulsory ones that the best sizes show, and the sizes.

    Parameters
    ----------
    boundary
        Words that sets exchange.
    saved
        Moves that are saved at each cut at most.
    budget
        Of the search, which may take a few seconds more.
    """

    def rate(size: int) -> float:
        return (boundary.least(size) - saved) / size

    n, limit = boundary.vertices, min(boundary.vertices, boundary.reach)
    best = _best_size(rate, limit, budget)
    if rate(best) <= 0:  # one set of all vertices exchanges only what is compulsory
        return 0, next(_with_rest(n, limit, limit))
    near = range(max(int(best / RATIO**2), 1), min(limit, int(best * RATIO**2)) + 1)
    rates = [
        (boundary_of_size - saved) / size
        for size, boundary_of_size in zip(near, _all_least(boundary, near), strict=True)
    ]
    nearest = nlargest(NEARBY, near, key=lambda size: rates[size - near.start])
    candidates = [cuts for size in nearest for cuts in _with_rest(n, size, limit)]
    if n <= SMALL:
        gains = np.array([*_all_least(boundary, range(1, min(limit, WIDER * best) + 1))]) - saved
        candidates.append(_best_sum(gains, n))
    proofs = [(excess(boundary, saved, cuts), cuts) for cuts in candidates]
    return max(proofs, key=lambda entry: entry[0])


def excess(count: Count, saved: int, chosen: Chosen) -> int:
    """The moves beyond the compulsory ones on all copies of a piece, 0 or more."""
    return count.copies * max(0, moves_of(count, Cuts(**chosen), saved))


def _all_least(boundary: Count, sizes: range) -> Iterator[int]:
    """Yield the least boundaries of sets of rising sizes; those of an inverse in one walk."""
    boundaries = boundary.least
    if isinstance(boundaries, Continued):
        above = max(sizes.start, boundaries.reach + 1)
        yield from map(boundaries.near, range(sizes.start, min(sizes.stop, above)))
        sizes, boundaries = range(above, sizes.stop), boundaries.far
    if not isinstance(boundaries, Inverse) or not sizes:
        yield from map(boundaries, sizes)
        return
    values = boundaries(sizes[0])
    reached = boundaries.most(values)
    for size in sizes:
        while reached < size and values < boundaries.limit:
            values += 1
            reached = boundaries.most(values)
        yield values


def _best_size(rate: Callable[[int], float], limit: int, budget: Budget) -> int:
    """The size with the best `rate`, roughly."""
    best, highest, waited, size = 1, rate(1), 0, 1
    while size <= limit and waited < PATIENCE and not budget.over:
        rate_here = rate(size)
        if rate_here > highest:
            best, highest, waited = size, rate_here, 0
        else:
            waited += highest > 0
        size = max(size + 1, int(size * RATIO))
    return best


def _best_sum(gains: Int64Array, n: int) -> Chosen:
    """Sizes that sum to `n` with the largest sum of gains[size - 1]: a knapsack."""
    best, last = np.zeros((2, n + 1), np.int64)
    for total in range(1, n + 1):
        limit = min(total, gains.size)
        sums = gains[:limit] + best[total - limit : total][::-1]
        last[total] = sums.argmax() + 1
        best[total] = sums[last[total] - 1]
    chosen = []
    while n:
        chosen.append(int(last[n]))
        n -= chosen[-1]
    sizes, times = np.unique(chosen, return_counts=True)
    return {"sizes": sizes.tolist(), "times": times.tolist()}


def _with_rest(n: int, size: int, limit: int) -> Iterator[Chosen]:
    """Yield n as so many sets of `size` and a rest: for itself, with one of them, or spread."""
    times, remainder = divmod(n, size)
    if not remainder:
        yield {"sizes": [size], "times": [times]}
        return
    yield {"sizes": [size, remainder], "times": [times, 1]}
    if size + remainder <= limit:
        yield _counted({size: times - 1, size + remainder: 1})
    if size + -(-remainder // times) <= limit:
        addition, larger = divmod(remainder, times)
        yield _counted({size + addition: times - larger, size + addition + 1: larger})


def _counted(often: dict[int, int]) -> Chosen:
    kept = {size: times for size, times in often.items() if times}
    return {"sizes": list(kept), "times": list(kept.values())}
