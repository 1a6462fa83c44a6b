"""The holds of a tree of loops that are worth their memory."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import inf

import numpy as np

from dags.programs.tied_loops import NotCountedError
from schedulers.tilings.plan import Counts, Held, Hold, Path, Tiling

PRICES = 40


@dataclass(frozen=True)
class Found:
    """A play with what it moves and the fast memory that it needs."""

    tiling: Tiling
    moved: Held

    @property
    def io(self) -> int:
        """Words moved both ways."""
        return self.moved.io


@dataclass(frozen=True)
class _Place:
    """A place for a hold in a tree of loops, what it moves there, and the places inside."""

    hold: Hold
    moved: Held | None
    inside: tuple["_Place", ...]

    @classmethod
    def of(
        cls, counts: Counts, tree: Tiling, array: str, members: tuple[str, ...], depth: int
    ) -> "_Place":
        """Return the outermost place for some assignments, with all places inside."""
        hold = Hold(array, members, depth, tree.node(members[0], depth))
        moved = None
        with suppress(NotCountedError):
            moved = counts.moved(tree, hold)
        ends = any(len(tree.levels(name)) == depth for name in members)
        below = [] if ends else _groups(tree, members, depth + 1)
        inside = tuple(cls.of(counts, tree, array, some, depth + 1) for some in below)
        return cls(hold, moved, inside)

    def best(self, price: float) -> tuple[float, list[Hold]]:
        """Return the holds that cost least here or inside at a price of memory, and their cost."""
        cost = inf if self.moved is None else self.moved.io + price * self.moved.words
        if self.inside:
            deeper = [each.best(price) for each in self.inside]
            if (total := sum(each for each, _ in deeper)) <= cost:
                return total, [hold for _, holds in deeper for hold in holds]
        return cost, [self.hold]


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
    places = [_Place.of(counts, tree, array, tuple(by), 0) for array, by in counts.arrays.items()]
    found: dict[tuple[tuple[str, str, int], ...], Found] = {}
    for price in _prices(counts):
        each = [place.best(price) for place in places]
        if any(cost == inf for cost, _ in each):
            return []
        chosen = [hold for _, holds in each for hold in holds]
        key = tuple((hold.array, name, hold.depth) for hold in chosen for name in hold.members)
        if key not in found:
            depths: dict[str, dict[str, int]] = {}
            for array, name, depth in key:
                depths.setdefault(array, {})[name] = depth
            tiling = Tiling(paths, depths)
            found[key] = Found(tiling, counts.cost(tiling))
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
