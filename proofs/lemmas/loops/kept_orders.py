"""Savings of the updates of a nest in any order, where there is room for a few items (N14).

With a price w of its array a kept pair counts as no more than w, and all of them together as no
less than min(T, P w) less w for each kept one. The pairs that a play with room for a few items can
keep are at most the number by N15 of sequences of so many points, whatever their order may be.

The proof is N14 in docs/theory/nests.md.

**States of memory between updates (N15).** A *point* (i, j, k) has three items, (i, j), (i, k) and
(j, k). Before a step there is the set X of items that are kept over it; labels have no names, so
that there are finitely many states. The most that N steps can keep, at a price for each item, is
the largest sum of prices along a walk of N steps from the empty state, and no sequence of points of
any ranges keeps more.

The proof is N15 in docs/theory/nests.md.

Source
------
Derived here: the room at each step at its own time, where `kept_pairs` has it in all.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, combinations, permutations, product
from typing import Annotated, Any, Final, NamedTuple, cast
from weakref import WeakKeyDictionary

import numpy as np

from dags import CDAG
from dags.arrays import Int64Array, lock
from pebble import Game
from proofs.core.records import CertificateError, Within
from proofs.core.windows import Lemma
from proofs.lemmas.loops.iteration_space import IterationSpace
from proofs.lemmas.loops.kept_pairs import nest, require_playable, source_of, space_of
from proofs.lemmas.loops.nest_pairs import Nest, belonging_to, item_numbers

MOST_ROOM = 2  # with more there are too many states
MOST_STEPS = 2**14
NEVER = -(2**50)
PRODUCTS, PAIRS = "ijk", "rrk"  # kinds of the labels of a point; the last one are layers

Label = tuple[str, int]
Item = tuple[Label, Label]
Point = tuple[Label, Label, Label]
State = tuple[tuple[Item, ...], tuple[Point, ...]]
OPERANDS: Final = 3  # words that an update reads
DEAREST: Final = 2**20  # of a price, in parts of a word
_verified: WeakKeyDictionary[CDAG, dict[Any, int]] = WeakKeyDictionary()


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
    """The largest price of the items that so many steps keep.

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
        prices_best = np.maximum.reduceat(best[sources] + price, first)
        best[:] = NEVER
        best[targets[first]] = prices_best
    return int(best.max()) - prices.finish * finishing


@lru_cache(maxsize=8)
def _arcs(kinds: str, room: int, finishes: bool) -> Int64Array:
    """(5, a) steps: the states before and behind, kept operands and base items, the kind.

    By the states behind; the empty state is 0. The kind is 1 of finishing steps.
    """
    number: dict[State, int] = {((), ()): 0}
    left, steps = [*number], set()
    while left:
        state = left.pop()
        for target, *earned in _steps(state, kinds, room, finishes):
            if target not in number:
                number[target] = len(number)
                left.append(target)
            steps.add((number[state], number[target], *earned))
    arcs = np.array(sorted(steps, key=lambda arc: arc[1]), np.int64).T
    return lock(np.ascontiguousarray(arcs))


def _steps(
    state: State, kinds: str, room: int, finishes: bool
) -> Iterator[tuple[State, int, int, int]]:
    """Yield the state behind each step from a state, kept operands and base items, its kind."""
    kept, done = state
    for point in _points(kept, kinds):
        pairs = list(combinations(point, 2))
        others_kept = [item for item in kept if item not in pairs]
        kept_again = [item for item in pairs if item in kept]
        operands = sum(map(_is_operand, kept_again))
        for kind in range(1 + (finishes and operands < 2)):
            if point in done or len(others_kept) > room + kind:
                continue
            ways = [item for item in pairs if _is_operand(item)] if kind else pairs
            for extra in (extra for size in range(4) for extra in combinations(ways, size)):
                items, known = [*others_kept, *extra], [*done, point]
                if _can_go_on(items, known, kinds, room + finishes):
                    yield _named(items, known), operands, len(kept_again) - operands, kind


def _is_operand(item: Item) -> bool:
    """Whether an item has a layer."""
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
    """Whether another step has as many of the items as there is no room for beside it."""
    excess = len(items) - room
    if excess <= 1:
        return True
    shared: dict[tuple[Label, ...], int] = {}
    for first, second in combinations(items, 2):
        labels = _in_order({*first, *second})
        if "".join(label[0] for label in labels) == kinds and labels not in done:
            shared[labels] = shared.get(labels, 0) + 1
    return max(shared.values(), default=0) >= (1 if excess == 2 else 3)


def _in_order(labels: Iterable[Label]) -> tuple[Label, ...]:
    """Labels in the order of the kinds, the layer last."""
    return tuple(sorted(labels, key=lambda label: (label[0] == "k", label)))


def _named(items: list[Item], done: list[Point]) -> State:
    """A state with other names of its labels: those of a state that is the same, mostly."""
    held = set(items)
    done = [point for point in done if sum(two in held for two in combinations(point, 2)) > 1]
    return _least_names(tuple(sorted(items)), tuple(sorted(done)))


@lru_cache(maxsize=2**16)
def _least_names(items: tuple[Item, ...], done: tuple[Point, ...]) -> State:
    """The least state of all names that keep the order of the keys that set labels apart."""
    mark: dict[Label, tuple[str, int]] = {label: (label[0], 0) for item in items for label in item}
    for _ in range(3):
        seen = {label: _surroundings(label, items, done, mark) for label in mark}
        order = {key: place for place, key in enumerate(sorted(set(seen.values())))}
        mark = {label: (label[0], order[seen[label]]) for label in mark}
    groups: dict[tuple[str, int], list[Label]] = {}
    for label in sorted(mark, key=lambda name: mark[name]):
        groups.setdefault(mark[label], []).append(label)
    orders = product(*(permutations(group) for group in groups.values()))
    return min(_renamed(items, done, [*chain(*groups)]) for groups in orders)


def _surroundings(
    label: Label,
    items: tuple[Item, ...],
    done: tuple[Point, ...],
    mark: dict[Label, tuple[str, int]],
) -> tuple[tuple[str, int], tuple[tuple[str, int], ...], int]:
    """The key of a label: the marks of labels in items with it, and its points."""
    near = sorted(mark[neighbour] for item in items if label in item for neighbour in item)
    return mark[label], tuple(near), sum(label in point for point in done)


def _renamed(items: tuple[Item, ...], done: tuple[Point, ...], labels: list[Label]) -> State:
    """A state whose labels of each kind are numbered in the given order."""
    kinds = [label[0] for label in labels]
    name = {label: (label[0], kinds[:place].count(label[0])) for place, label in enumerate(labels)}
    items_named = sorted(_in_order(name[label] for label in item) for item in items)
    done_named = sorted(_in_order(name[label] for label in point) for point in done)
    return cast("State", (tuple(items_named), tuple(done_named)))


@dataclass(frozen=True)
class Ordered:
    """Prices of pairs of an operand and of a base entry, and of a step to finish; as for `Kept`."""

    source: Mapping[str, Any]
    base: str
    operands: tuple[str, ...]
    denominator: Annotated[int, Within(1, DEAREST)]
    operand: Annotated[int, Within(0, DEAREST)]
    entry: Annotated[int, Within(0, DEAREST)]
    finish: Annotated[int, Within(-DEAREST, DEAREST)]


def ordered(game: Game, record: Ordered) -> int:
    """The words of updates in any order, where there is room for a few items (N14)."""
    require_playable(game)
    arrays = source_of(record.source), record.base, record.operands
    pairs = nest(game.dag, *arrays)
    finishing = finishing_steps(game.dag, pairs, *arrays)
    prices = Prices(record.operand, record.entry, record.finish)
    room = game.rules.room_before(game.memory) - OPERANDS
    kept = most_kept(kinds_of(pairs), room, prices, pairs.updates, finishing)
    return game.compulsory + max(0, excess(pairs, record.denominator, prices, kept))


def kinds_of(pairs: Nest) -> str:
    """The kinds of labels of a nest's points.

    Parameters
    ----------
    pairs
        The nest.

    Raises
    ------
    CertificateError
        If several updates have the same items.
    """
    if pairs.layers.copies > 1:
        raise CertificateError("operands", "are the same of several updates")
    return PRODUCTS if pairs.layers.copies else PAIRS


def excess(nest_pairs: Nest, denominator: int, prices: Prices, kept: int) -> int:
    """The words beside the compulsory ones, rounded up.

    Parameters
    ----------
    nest_pairs
        The nest.
    denominator, prices
        Parts of a word, and the prices of pairs in such parts.
    kept
        The most that kept pairs are worth together.
    """
    earned = 0
    for price, values in (
        (prices.operand, nest_pairs.of_operands),
        (prices.entry, nest_pairs.of_base),
    ):
        pairs, words = values[:, 0], values[:, 1] * denominator
        earned += int(np.minimum(words, pairs * price).sum())
    return -(-(earned - kept) // denominator)


def finishing_steps(
    dag: CDAG, pairs: Nest, source: Mapping[str, Any], base: str, operands: tuple[str, ...]
) -> int:
    """How many updates of a nest are finishing steps; all others read three values or more.

    Parameters
    ----------
    dag, found
        The DAG and the nest.
    source, base, operands
        As for `kept_pairs.nest`.

    Raises
    ------
    CertificateError
        If an update reads fewer values and is none.
    """
    known = _verified.setdefault(dag, {})
    question = dag.origin, repr(source), base, operands
    if question not in known:
        known[question] = _finishing(dag, space_of(dag, source), base, operands)
    if known[question] and pairs.results > 1:
        raise CertificateError("source", "has twins, and updates that read two values")
    return known[question]


def _finishing(dag: CDAG, space: IterationSpace, base: str, operands: tuple[str, ...]) -> int:
    """How many updates read two values, verified to be finishing steps."""
    reads = dag.indegree[space.updates]
    short = np.flatnonzero(reads < len("ijk"))
    if short.size and reads[short].min() < len("ij"):
        raise CertificateError("source", "has updates that read one value")
    if short.size and not _are_last(dag, space, base, short):
        raise CertificateError("base", "has items that go on behind updates that read two values")
    first = np.zeros(short.size, np.bool_)
    for name in operands:
        item, makers, touching = belonging_to(dag, space, space.updates[None], name)
        items = item_numbers(space, name)
        having, value = np.bincount(items.ravel()), space.updates[short]
        first |= (having[items[:, short]] == 1).any(axis=0)
        is_own = (item[value] >= 0) & (makers[value] == short)
        first |= is_own & (touching[value] == having[np.maximum(item[value], 0)])
    if not first.all():
        raise CertificateError("operands", "are of others before an update that reads two values")
    return int(short.size)


def _are_last(dag: CDAG, space: IterationSpace, base: str, short: Int64Array) -> bool:
    """Whether all other updates of the base items of some make operands of one of them."""
    (items,) = item_numbers(space, base)
    number = np.full(dag.n, -1, np.int64)
    number[space.updates] = np.arange(space.updates.size)
    going_on = np.zeros(space.updates.size, np.bool_)
    for reader, vertex in enumerate(space.updates.tolist()):
        makers = number[dag.pred_indices[dag.pred_indptr[vertex] : dag.pred_indptr[vertex + 1]]]
        makers = makers[makers >= 0]
        going_on[makers[items[makers] == items[reader]]] = True
    ends = np.isin(items, items[short])
    ends[short] = False
    return bool(going_on[ends].all()) and np.unique(items[short]).size == short.size


ORDERS = Lemma(Ordered, ordered, lambda _: ("N11", "N14", "N15"))
