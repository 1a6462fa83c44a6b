"""The holds of a tree of loops that are worth their memory."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import reduce
from math import inf
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dags.arrays import Int64Array
from dags.programs.tied_loops import NotCountedError
from dags.work import charge
from schedulers.tilings._kernels import last_undominated, mark_dominated
from schedulers.tilings.plan import Counts, Held, Hold, Path, Tiling

MOST, PRICES = 200, 40  # choices that are kept; prices, of more
MOST_LEAST = 1000  # of more choices, those that move least for what one assignment needs at most
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Found:
    """A play with its words and the fast memory that it needs."""

    tiling: Tiling
    moved: Held

    @property
    def io(self) -> int:
        """Words moved both ways."""
        return self.moved.io


class _Choices(NamedTuple):
    """Holds that arrays may have, none as good as another in all of its words.

    Attributes
    ----------
    words
        (k, 1 + assignments) words moved, and those held around each assignment.
    holds
        Of each choice.
    """

    words: Floats
    holds: Sequence[tuple[Hold, ...]]

    def plus(self, other: "_Choices") -> "_Choices":
        """Choices of either."""
        return _Choices(np.concatenate((self.words, other.words)), [*self.holds, *other.holds])

    def times(self, other: "_Choices") -> "_Choices":
        """Choices of holds of both."""
        words = (self.words[:, None] + other.words).reshape(-1, self.words.shape[1])
        places = best_places(words)
        pairs = (divmod(place, len(other.holds)) for place in places.tolist())
        holds = [(*self.holds[first], *other.holds[second]) for first, second in pairs]
        return _Choices(words[places], holds)


def best_places(words: Floats) -> Int64Array:
    """The places of choices that are not as good as others left out, and of many some.

    Of many, nearly all differ in what some assignment needs, and are not compared in pairs.
    """
    order = np.lexsort(words.T[::-1])
    rows, is_dominated = words[order], np.zeros(order.size, bool)
    if mark_dominated(rows, MOST, is_dominated) <= MOST:
        undominated: Int64Array = order[~is_dominated]
        return undominated
    moved, held = rows[:, 0], rows[:, 1:]
    prices = np.geomspace(1e-6, max(1.0, moved[last_undominated(rows)]), PRICES)
    priced = np.argmin(moved + prices[:, None] * held.sum(axis=1), axis=1)
    front = _undominated(np.column_stack((moved, held.max(axis=1))))
    if front.size > MOST_LEAST:
        front = front[np.linspace(0, front.size - 1, MOST_LEAST).astype(np.int64)]
    places: Int64Array = order[np.union1d(priced, front)]
    return places


def best_holds(counts: Counts, paths: Mapping[str, Path]) -> list[Found]:
    """The plays of one tree of loops that move fewest words, by rising memory.

    Array after array all choices of holds are kept of which none is as good as another in words
    moved and in words held around each assignment; of very many, those best at prices of memory.

    Parameters
    ----------
    counts
        The nest.
    paths
        Of its assignments.
    """
    tree = Tiling(paths)
    moved: dict[Hold, Held] = {}
    best = _Choices(np.zeros((1, 1 + len(paths))), [()])
    for array in counts.arrays:
        best = best.times(_ways(counts, tree, array, moved))
    charge("play of holds", len(best.holds))
    beside = [counts.beside[name] for name in paths]
    needs = (best.words[:, 1:] + beside).max(axis=1)
    choices = []
    for place in _undominated(np.column_stack((needs, best.words[:, 0]))).tolist():
        holds = best.holds[place]
        tiling = Tiling(paths, _depths(holds))
        choices.append(Found(tiling, counts.held(tiling, {hold: moved[hold] for hold in holds})))
    return thinned(choices)


def _depths(holds: Sequence[Hold]) -> dict[str, dict[str, int]]:
    """The levels outside of holds, by array and assignment."""
    depths: dict[str, dict[str, int]] = {}
    for hold in holds:
        depths.setdefault(hold.array, {}).update(dict.fromkeys(hold.members, hold.depth))
    return depths


def _ways(counts: Counts, tree: Tiling, array: str, moved: dict[Hold, Held]) -> _Choices:
    """Choices of holds of an array.

    Each access has its own where these need fewer words, and where an input is read in several
    ways: along a row and along a column, or always and at a border.
    """

    def choices(key: str) -> _Choices:
        return _choices(counts, tree, Hold(key, tuple(counts.accesses[key]), 0, ()), moved)

    joint, keys = choices(array), counts.split[array]
    least = min(joint.words[:, 1:].max(axis=1), default=inf)
    if len(keys) == 1 or (least <= len(keys) + 1 and not _is_several_ways(counts, array)):
        return joint
    split = reduce(_Choices.times, map(choices, keys))
    return joint.plus(split)


def _is_several_ways(counts: Counts, array: str) -> bool:
    """Whether some assignment reads an input in different ways."""
    return array not in counts.assignments and any(
        len({(each.rows, counts.assignments[name].is_whole(each)) for each in some}) > 1
        for name, some in counts.arrays[array].items()
    )


def _choices(counts: Counts, tree: Tiling, here: Hold, moved: dict[Hold, Held]) -> _Choices:
    """A hold, and holds inside of one more level that there may be instead."""
    around = [tree.node(name, here.depth) == here.node for name in tree.paths]
    choices = _Choices(np.zeros((0, 1 + len(around))), [])
    with suppress(NotCountedError):
        moved[here] = held = counts.moved(tree, here)
        words = [held.io, *(held.words * factor for factor in around)]
        choices = _Choices(np.array([words], float), [(here,)])
    depth = here.depth + 1
    if any(len(tree.levels(name)) < depth for name in here.members):
        return choices
    inside = _Choices(np.zeros((1, 1 + len(around))), [()])
    for node, names in _groups(tree, here.members, depth).items():
        more = _choices(counts, tree, Hold(here.array, names, depth, node), moved)
        inside = inside.times(more)
    return inside.plus(choices)  # of holds that cost the same, the deepest


def _undominated(pairs: Floats) -> Int64Array:
    """The places of pairs than which no other is less or equal in both, by the first."""
    places = np.lexsort(pairs.T[::-1])
    fewest = np.minimum.accumulate(pairs[places, 1])
    return places[np.diff(fewest, prepend=np.inf) < 0]


def thinned(some: Sequence[Found]) -> list[Found]:
    """Plays that move less than all that need no more memory, by rising memory."""
    kept: list[Found] = []
    least = inf
    for each in sorted(some, key=lambda one: (one.moved.words, one.io)):
        if each.io < least:
            kept.append(each)
            least = each.io
    return kept


def lacking(counts: Counts, some: Sequence[Found], memories: Sequence[int]) -> list[int]:
    """The sizes of memory for which no play moves compulsory words alone."""
    needs = [each.moved.words for each in some if each.io <= counts.compulsory]
    return [memory for memory in memories if memory < min(needs, default=inf)]


def _groups(
    tree: Tiling, members: Sequence[str], depth: int
) -> dict[tuple[int, ...], tuple[str, ...]]:
    """The assignments that share some levels, by the numbers that lead there."""
    found: dict[tuple[int, ...], tuple[str, ...]] = {}
    for name in members:
        node = tree.node(name, depth)
        found[node] = (*found.get(node, ()), name)
    return found
