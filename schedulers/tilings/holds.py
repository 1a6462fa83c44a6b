"""The holds of a tree of loops that are worth their memory."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from math import inf

import numpy as np
import numpy.typing as npt

from dags.programs.tied_loops import NotCountedError
from schedulers.tilings.plan import Counts, Held, Hold, Path, Tiling

PRICES = 40


@dataclass(frozen=True)
class Found:
    """A play with its words and the fast memory that it needs."""

    tiling: Tiling
    moved: Held

    @property
    def io(self) -> int:
        """Words moved both ways."""
        return self.moved.io


@dataclass(frozen=True)
class _Choice:
    """A hold, or holds inside of one more level: which costs less at each price of memory."""

    hold: Hold
    costs: npt.NDArray[np.float64]
    is_deeper: npt.NDArray[np.bool_]
    deeper: "Sequence[_Choice]"

    def at(self, price: int) -> list[Hold]:
        """Return the holds at a price, by its place."""
        if not self.is_deeper[price]:
            return [self.hold]
        return [hold for each in self.deeper for hold in each.at(price)]


def priced_holds(counts: Counts, paths: Mapping[str, Path]) -> list[Found]:
    """Return plays of one tree of loops, with the best holds at different prices of memory.

    Parameters
    ----------
    counts
        The nest.
    paths
        Of its assignments.
    """
    tree = Tiling(paths)
    prices = np.array(_prices(counts))

    @cache
    def moved(hold: Hold) -> Held:
        return counts.moved(tree, hold)

    def best(array: str, members: tuple[str, ...], depth: int) -> _Choice:
        here = Hold(array, members, depth, tree.node(members[0], depth))
        costs = np.full(len(prices), inf)
        with suppress(NotCountedError):
            costs = moved(here).io + prices * moved(here).words
        deeper: list[_Choice] = []
        if all(len(tree.levels(name)) > depth for name in members):
            deeper = [best(array, each, depth + 1) for each in _groups(tree, members, depth + 1)]
        total = np.sum([each.costs for each in deeper], axis=0) if deeper else costs + inf
        is_deeper = (total <= costs) & (len(deeper) > 0)
        return _Choice(here, np.where(is_deeper, total, costs), is_deeper, deeper)

    every = [best(array, tuple(by), 0) for array, by in counts.arrays.items()]
    found: dict[tuple[Hold, ...], Found] = {}
    for price in range(len(prices)):
        if any(each.costs[price] == inf for each in every):
            return []
        chosen = tuple(hold for each in every for hold in each.at(price))
        if chosen not in found:
            depths: dict[str, dict[str, int]] = {}
            for hold in chosen:
                depths.setdefault(hold.array, {}).update(dict.fromkeys(hold.members, hold.depth))
            tiling = Tiling(paths, depths)
            found[chosen] = Found(tiling, counts.held(tiling, {one: moved(one) for one in chosen}))
    return thinned(list(found.values()))


def thinned(some: Sequence[Found]) -> list[Found]:
    """Return plays that move less than all that need no more memory, by rising memory."""
    kept: list[Found] = []
    least = inf
    for each in sorted(some, key=lambda one: (one.moved.words, one.io)):
        if each.io < least:
            kept.append(each)
            least = each.io
    return kept


def lacking(counts: Counts, some: Sequence[Found], memories: Sequence[int]) -> list[int]:
    """Return the sizes of memory for which no play moves compulsory words alone."""
    needs = [each.moved.words for each in some if each.io <= counts.compulsory]
    return [memory for memory in memories if memory < min(needs, default=inf)]


def _groups(tree: Tiling, members: tuple[str, ...], depth: int) -> list[tuple[str, ...]]:
    """Return the assignments that share some levels, together."""
    found: dict[tuple[int, ...], list[str]] = {}
    for name in members:
        found.setdefault(tree.node(name, depth), []).append(name)
    return [tuple(names) for names in found.values()]


def _prices(counts: Counts) -> list[float]:
    """Return words that a word of memory may cost, from nothing to more than any saves."""
    most = 4.0 * sum(len(each.reads) + 2 for each in counts.nest.assignments)
    top = most * max(each.size for each in counts.nest.assignments)
    return [0.0, *np.geomspace(1e-6, top, PRICES).tolist()]
