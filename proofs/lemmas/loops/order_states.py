"""The states of memory between updates of a nest where there is room for a few items only (N15).

A *point* (i, j, k) has three items, (i, j), (i, k) and (j, k). Before a step there is the set X of
items that are kept over it; labels have no names, so that there are finitely many states. The most
that N steps can keep, at a price for each item, is the largest sum of prices along a walk of N
steps from the empty state, and no sequence of points of any ranges keeps more.

The proof is N15 in docs/theory/nests.md.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, combinations, permutations, product
from typing import NamedTuple, cast

import numpy as np

from dags.arrays import Int64Array, lock
from proofs.core.certificate import CertificateError

MOST_ROOM = 2  # with more there are too many states
MOST_STEPS = 2**14
NEVER = -(2**50)
PRODUCTS, PAIRS = "ijk", "rrk"  # kinds of the labels of a point; the last one are layers

Label = tuple[str, int]
Item = tuple[Label, Label]
Point = tuple[Label, Label, Label]
State = tuple[tuple[Item, ...], tuple[Point, ...]]


class Prices(NamedTuple):
    """Prices of items that steps keep.

    Attributes
    ----------
    operand, entry
        By an item with a layer, and by one without.
    finish
        By a finishing step.
    """

    operand: int
    entry: int
    finish: int = 0


def most_kept(kinds: str, room: int, prices: Prices, steps: int, finishing: int) -> int:
    """Return the largest price of the items that so many steps keep.

    Parameters
    ----------
    kinds
        `PRODUCTS` or `PAIRS`.
    room
        Items for which there is room beside those of a step.
    prices
        Those of items, and one for finishing steps that does not count.
    steps, finishing
        How many there are, and how many of them are finishing ones.

    Raises
    ------
    CertificateError
        If there are more than `MOST_STEPS`, or room for more than `MOST_ROOM` items, or for none.
    """
    if not 0 <= room <= MOST_ROOM or steps > MOST_STEPS:
        raise CertificateError(
            "memory", f"has room for {room} items, or {steps} steps are too many"
        )
    arcs = _arcs(kinds, room, finishing > 0)
    sources, targets, first = arcs[0], arcs[1], np.flatnonzero(np.diff(arcs[1], prepend=-1))
    price = np.array(prices) @ arcs[2:]
    best = np.full(int(arcs[:2].max()) + 1, NEVER)
    best[0] = 0
    for _ in range(steps):
        found = np.maximum.reduceat(best[sources] + price, first)
        best[:] = NEVER
        best[targets[first]] = found
    return int(best.max()) - prices.finish * finishing


@lru_cache(maxsize=8)
def _arcs(kinds: str, room: int, finishes: bool) -> Int64Array:
    """Return (5, a) steps: the states before and behind, kept operands and base items, the kind.

    By the states behind; the empty state is 0. The kind is 1 of finishing steps.
    """
    number: dict[State, int] = {((), ()): 0}
    left, found = [*number], set()
    while left:
        state = left.pop()
        for target, *earned in _steps(state, kinds, room, finishes):
            if target not in number:
                number[target] = len(number)
                left.append(target)
            found.add((number[state], number[target], *earned))
    arcs = np.array(sorted(found, key=lambda arc: arc[1]), np.int64).T
    return lock(np.ascontiguousarray(arcs))


def _steps(
    state: State, kinds: str, room: int, finishes: bool
) -> Iterator[tuple[State, int, int, int]]:
    """Yield the state behind each step from a state, kept operands and base items, its kind."""
    kept, done = state
    for point in _points(kept, kinds):
        own = list(combinations(point, 2))
        others = [item for item in kept if item not in own]
        again = [item for item in own if item in kept]
        operands = sum(map(_is_operand, again))
        for kind in range(1 + (finishes and operands < 2)):
            if point in done or len(others) > room + kind:
                continue
            ways = [item for item in own if _is_operand(item)] if kind else own
            for some in (some for size in range(4) for some in combinations(ways, size)):
                items, known = [*others, *some], [*done, point]
                if _can_go_on(items, known, kinds, room + finishes):
                    yield _named(items, known), operands, len(again) - operands, kind


def _is_operand(item: Item) -> bool:
    """Return whether an item has a layer."""
    return item[1][0] == "k"


def _points(kept: tuple[Item, ...], kinds: str) -> Iterator[Point]:
    """Yield points of the labels that items have, and of new ones."""
    used = {label for item in kept for label in item}
    ranges = []
    for kind in kinds:
        old = sorted(label for label in used if label[0] == kind)
        fresh = range(len(old), len(old) + kinds.count(kind))
        ranges.append([*old, *((kind, number) for number in fresh)])
    for i, j, k in product(*ranges):
        if i < j:  # of rows and columns, too: the kinds come in this order
            yield i, j, k


def _can_go_on(items: list[Item], done: list[Point], kinds: str, room: int) -> bool:
    """Return whether another step has as many of the items as there is no room for beside it."""
    more = len(items) - room
    if more <= 1:
        return True
    shared: dict[tuple[Label, ...], int] = {}
    for one, other in combinations(items, 2):
        labels = _in_order({*one, *other})
        if "".join(label[0] for label in labels) == kinds and labels not in done:
            shared[labels] = shared.get(labels, 0) + 1
    return max(shared.values(), default=0) >= (1 if more == 2 else 3)


def _in_order(labels: Iterable[Label]) -> tuple[Label, ...]:
    """Return labels in the order of the kinds, the layer last."""
    return tuple(sorted(labels, key=lambda label: (label[0] == "k", label)))


def _named(items: list[Item], done: list[Point]) -> State:
    """Return a state with other names of its labels: those of a state that is the same, mostly."""
    held = set(items)
    done = [point for point in done if sum(two in held for two in combinations(point, 2)) > 1]
    return _least_names(tuple(sorted(items)), tuple(sorted(done)))


@lru_cache(maxsize=2**16)
def _least_names(items: tuple[Item, ...], done: tuple[Point, ...]) -> State:
    """Return the least state of all names that keep the order of what sets labels apart."""
    mark: dict[Label, tuple[str, int]] = {label: (label[0], 0) for item in items for label in item}
    for _ in range(3):
        seen = {label: _surroundings(label, items, done, mark) for label in mark}
        order = {each: place for place, each in enumerate(sorted(set(seen.values())))}
        mark = {label: (label[0], order[seen[label]]) for label in mark}
    groups: dict[tuple[str, int], list[Label]] = {}
    for label in sorted(mark, key=lambda each: mark[each]):
        groups.setdefault(mark[label], []).append(label)
    orders = product(*(permutations(group) for group in groups.values()))
    return min(_renamed(items, done, [*chain(*groups)]) for groups in orders)


def _surroundings(
    label: Label,
    items: tuple[Item, ...],
    done: tuple[Point, ...],
    mark: dict[Label, tuple[str, int]],
) -> tuple[tuple[str, int], tuple[tuple[str, int], ...], int]:
    """Return what sets a label apart: the marks of labels in items with it, and its points."""
    near = sorted(mark[other] for item in items if label in item for other in item)
    return mark[label], tuple(near), sum(label in point for point in done)


def _renamed(items: tuple[Item, ...], done: tuple[Point, ...], labels: list[Label]) -> State:
    """Return a state whose labels of each kind are numbered in the given order."""
    kinds = [label[0] for label in labels]
    name = {label: (label[0], kinds[:place].count(label[0])) for place, label in enumerate(labels)}
    items_named = sorted(_in_order(name[label] for label in item) for item in items)
    done_named = sorted(_in_order(name[label] for label in point) for point in done)
    return cast("State", (tuple(items_named), tuple(done_named)))
