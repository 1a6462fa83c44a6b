"""Prices of pairs of values that the updates of a loop nest may keep, by a linear program."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np

from dags.arrays import Int32Array
from pebble import Budget, Game, Rules
from proofs.bounds.loops.space_search import named_dag, verified_spaces
from proofs.certificates import CertificateError
from proofs.lemmas.loops.hbl import Shape
from proofs.lemmas.loops.kept_pairs import DEAREST, MOST_WINDOWS, holds, nest
from proofs.lemmas.loops.layered_sets import FAR, REACH, layers_of, least_items
from proofs.lemmas.loops.linked_items import MOST_LINKED
from proofs.lemmas.loops.nest_pairs import Nest, Price
from proofs.lemmas.loops.projections import SEGMENTS, family_space

DENOMINATOR = 2**24
GROWTH = 1.12  # of the sizes of windows that are tried
FINE = 24  # updates up to which windows of all sizes are tried
FEW = 3  # windows that are looked at in their neighbourhood
UNIT = 8  # price of a pair where windows of one size are tried
LINKS = (0, 2, 3, 4, 5, 6)  # prices of links then
RANGE, STEPS = 1.6, 16  # by what their sizes differ, and how many are tried either way
NO_LINK = ("size", "operand", "entry")


@dataclass(frozen=True)
class Priced:
    """Prices, and the words that they prove beside the compulsory ones.

    Parameters
    ----------
    excess
        The words.
    data
        Of the certificate.
    """

    excess: int
    data: dict[str, Any]


def best_prices(game: Game, budget: Budget) -> Priced | None:
    """The prices that prove most of any nest that is known in a DAG.

    Parameters
    ----------
    game
        The game.
    budget
        Of the search for nests in a program.
    """
    if game.dag.words is not None or not holds(game.dag, game.rules):
        return None
    prices = (priced_pairs(game, *nest_arguments) for nest_arguments in nests_of(game, budget))
    return max((price for price in prices if price), key=lambda prices: prices.excess, default=None)


def nests_of(game: Game, budget: Budget) -> list[tuple[dict[str, Any], Shape]]:
    """The sources of updates that are known in a DAG, and their items.

    Parameters
    ----------
    game
        The DAG and the rules.
    budget
        Of the search for nests in a program.
    """
    dag = game.dag
    if dag.family in SEGMENTS:
        source = {"family": dag.family, "params": dict(dag.params)}
        try:
            return [(source, family_space(dag, source).shape)]
        except CertificateError:
            return []
    named = named_dag(dag)
    if named is None:
        return []
    return [
        ({"space": space.space, **named.member}, space.shape)
        for space in verified_spaces(named.dag, game.rules, budget, ends=True)
    ]


def priced_pairs(game: Game, source: dict[str, Any], shape: Shape) -> Priced | None:
    """The prices that prove most of a nest; None if they prove nothing.

    Parameters
    ----------
    game
        The game.
    source
        A "family" and its "params", or the "space" of a program, maybe of a "member".
    shape
        Its index ranges and projections.
    """
    candidates = [
        prices
        for base, operands in choices(shape)
        if (prices := _priced(game, source, base, operands)) is not None
    ]
    return max(candidates, key=lambda prices: prices.excess, default=None)


def choices(shape: Shape) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield arrays of base items and of operands, whichever make layers."""
    names = [measure.name for measure in shape.measures]
    for base in names:
        for operands in (*((name,) for name in names), *permutations(names, 2)):
            if operands == tuple(sorted(operands)) and layers_of(shape, base, operands):
                yield base, operands


def _priced(
    game: Game, source: dict[str, Any], base: str, operands: tuple[str, ...]
) -> Priced | None:
    """The best prices for one choice of base items."""
    memory, rules = game.memory, game.rules
    try:
        pairs = nest(game.dag, source, base, operands)
    except CertificateError:
        return None
    longest = min(pairs.updates, REACH, FINE + int(3 * max(memory, 1) ** 1.5))
    room, prices = _program(pairs, memory, rules, sizes_up_to(longest))
    if not prices:
        return None
    refined, prices = _refined(pairs, memory, rules, room, prices)
    scanned = _scanned(pairs, memory, rules, room, prices)
    excess, denominator, room, prices = max((refined, DENOMINATOR, room, prices), scanned)
    if excess <= 0:
        return None
    keys = ("size", "operand", "entry", "link") if any(price[3] for price in prices) else NO_LINK
    windows = [dict(zip(keys, price, strict=False)) for price in prices]
    names = {"base": base, "operands": list(operands)}
    numbers = {"denominator": denominator, "room": room, "windows": windows}
    return Priced(excess, {"source": source, **names, **numbers})


def sizes_up_to(longest: int) -> list[int]:
    """Sizes of windows: all small ones, then fewer and fewer."""
    sizes, size = set(range(2, min(FINE, longest) + 1)), float(FINE)
    while size < longest:
        sizes.add(int(size))
        size *= GROWTH
    return sorted(sizes | {longest})


def _refined(
    pairs: Nest, memory: int, rules: Rules, room: int, prices: list[Price]
) -> tuple[int, list[Price]]:
    """The words, and the prices, where the sizes next to each window have been tried."""
    best = pairs.excess(memory, rules, DENOMINATOR, room, prices), prices
    for place, (size, operand, entry, _) in enumerate(prices[-FEW:], max(0, len(prices) - FEW)):
        for neighbour in (size - 2, size - 1, size + 1, size + 2):
            if 2 <= neighbour <= min(pairs.updates, REACH):
                part = (size - 1) / (neighbour - 1)
                moved = (neighbour, round(operand * part), round(entry * part), 0)
                tried = [*prices[:place], moved, *prices[place + 1 :]]
                words = pairs.excess(memory, rules, DENOMINATOR, room, tried)
                best = max(best, (words, tried))
    return best


def _scanned(
    pairs: Nest, memory: int, rules: Rules, room: int, prices: list[Price]
) -> tuple[int, int, int, list[Price]]:
    """Words, parts of a word, the price of room, and windows of one size with small prices.

    The proportions of the prices are those of the window that matters most.
    """
    size, operand, entry, _ = max(prices, key=lambda price: price[0] * (price[1] + price[2]))
    parts = UNIT / max(operand, entry)
    operand, entry, held = (round(parts * price) for price in (operand, entry, room))
    sizes = {int(size * RANGE ** (step / STEPS)) for step in range(-STEPS, STEPS + 1)}
    tried = []
    for other_size in sorted(size_ for size_ in sizes if 2 <= size_ <= min(pairs.updates, REACH)):
        part = round(DENOMINATOR * parts * (other_size - 1) / (size - 1))
        linked = pairs.sides is not None and other_size <= MOST_LINKED
        for link in LINKS if linked else LINKS[:1]:
            windows = [(other_size, operand, entry, min(link, entry))]
            words = pairs.excess(memory, rules, part, held, windows)
            tried.append((words, part, held, windows))
    return max(tried, key=lambda candidate: candidate[0])


def _program(
    nest_pairs: Nest, memory: int, rules: Rules, sizes: list[int]
) -> tuple[int, list[Price]]:
    """The price of room, and those of windows, that prove most if savings are smooth.

    Columns: the price of room; for each size the prices of pairs of operands and of base items, and
    the savings of a window; the floor of both; of values that are alike their earnings.
    """
    from scipy.optimize import linprog
    from scipy.sparse import csr_array

    triples = {size: 1 + 3 * place for place, size in enumerate(sizes)}
    floors = 1 + 3 * len(sizes)
    cost, rows = [float(nest_pairs.room(memory, rules))], _ProgramRows()
    for size, column in triples.items():
        cost += [0.0, 0.0, _windows(nest_pairs, size)]
        for operands, entries in _corners(nest_pairs.layers.operands(size)[1 : size + 1, size]):
            saved = {column: 2.0 * size - operands, column + 1: float(size - entries)}
            rows.add({**saved, column + 2: -1.0})
    cost += [0.0, 0.0]
    for kind, values in enumerate((nest_pairs.of_operands, nest_pairs.of_base)):
        for length in (1, *sizes):
            longer = {triples[size] + kind: float(length - size) for size in sizes if size > length}
            rows.add({floors + kind: 1.0, 0: 1.0 - length, **longer})
        alike, counts = np.unique(values[values[:, 0] > 0], axis=0, return_counts=True)
        for (pairs, words), count in zip(alike.tolist(), counts.tolist(), strict=True):
            rows.add({len(cost): 1.0, floors + kind: float(-pairs)})
            rows.add({len(cost): 1.0}, float(words))
            cost.append(float(-count))
    matrix = csr_array((rows.values, (rows.places, rows.columns)), (len(rows.most), len(cost)))
    solved = linprog(cost, A_ub=matrix, b_ub=rows.most, method="highs")
    if solved.status != 0:
        return 0, []
    scaled = np.minimum(np.rint(solved.x * DENOMINATOR), DEAREST).astype(np.int64).tolist()
    prices = [(size, scaled[column], scaled[column + 1], 0) for size, column in triples.items()]
    return scaled[0], [price for price in prices if price[1] + price[2] > 0][:MOST_WINDOWS]


class _ProgramRows:
    """Rows of a linear program, each at most some number."""

    def __init__(self) -> None:
        self.places: list[int] = []
        self.columns: list[int] = []
        self.values: list[float] = []
        self.most: list[float] = []

    def add(self, row: dict[int, float], bound: float = 0.0) -> None:
        """Add the row with these values in these columns."""
        self.places += [len(self.most)] * len(row)
        self.columns += row
        self.values += row.values()
        self.most.append(bound)


def _windows(pairs: Nest, size: int) -> float:
    """How many whole windows save as much as sets of `size` updates, at equal prices."""
    doubled = 3 * size - int(least_items(pairs.layers, size, 1, 1)[size])
    return pairs.saved(size, 1, 1) / max(doubled, 1)


def _corners(operands: Int32Array) -> Iterator[tuple[int, int]]:
    """Yield the corners of (operands, base items), the least operands of 1, 2, ... base items."""
    hull: list[tuple[int, int]] = []
    for entries, fewest in enumerate(operands.tolist(), 1):
        if fewest >= FAR or (hull and fewest >= hull[-1][0]):
            continue
        while len(hull) > 1 and _is_above(hull[-1], hull[-2], (fewest, entries)):
            hull.pop()
        hull.append((fewest, entries))
    yield from hull


def _is_above(point: tuple[int, int], left: tuple[int, int], right: tuple[int, int]) -> bool:
    """Whether a point is on or above the line between two others."""
    rise = (point[0] - left[0]) * (right[1] - left[1])
    return rise >= (right[0] - left[0]) * (point[1] - left[1])
