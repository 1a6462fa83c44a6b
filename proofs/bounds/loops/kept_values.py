"""Bound by the values that updates of loop nests keep, by the argument that proves most.

Prices of pairs of values where there is room for a few items only; numbers of windows of a product
whose sums are open where they are cut; and the prices of `pair_prices`.
"""

from collections.abc import Iterator
from itertools import product
from typing import Any

from dags import CDAG
from pebble import Budget, Game
from proofs.base import Bound
from proofs.bounds.loops.pair_prices import Priced, best_prices, choices, nests_of
from proofs.bounds.thinned import unless_program
from proofs.certificates import Certificate, CertificateError
from proofs.lemmas.loops.kept_orders import (
    MOST_ROOM,
    MOST_STEPS,
    OPERANDS,
    Prices,
    excess,
    finishing_steps,
    kinds_of,
    most_kept,
)
from proofs.lemmas.loops.kept_pairs import holds, nest
from proofs.lemmas.loops.nest_pairs import Nest
from proofs.lemmas.loops.open_chains import MOST_ENTRIES, MOST_OPEN, least_words

GROWTH = 1.2  # of the numbers of windows that are tried
MOST_PATHS = 2**21  # of the search for shortest paths: windows, times sums at both ends
MOST_TRIED = 64  # windows: with more, memory is so small that `kept_pairs` proves more
PARTS = 8  # of a word
TRIED = ((8, 8), (8, 9), (8, 10), (8, 12), (8, 16), (10, 8), (12, 8), (16, 8))
FINISH = (-4, -2, 0, 1, 2)
SHORT, PERIODS = 60, 2  # steps from which the worth of many is guessed


def best_count(game: Game) -> tuple[int, dict[str, int]] | None:
    """The words that the best number of windows proves, and data for the certificate.

    None where nothing is known.

    Parameters
    ----------
    game
        The game.
    """
    dag, room = game.dag, game.rules.room_before(game.memory)
    if dag.family != "matmul" or dag.params.get("form") != "fma" or dag.words is not None:
        return None
    m, n, k = (int(dag.params[name]) for name in "mnk")
    held, limit = room, min(room, m * n)
    if not holds(dag, game.rules) or game.memory < game.least:
        return None
    if m * n > MOST_ENTRIES or limit > MOST_OPEN:
        return None
    tried = _counts(min(MOST_TRIED, m * n * k, MOST_PATHS // (limit + 1) ** 2))
    words, count = max(
        ((least_words(m, n, k, held, count), count) for count in tried), default=(0, 0)
    )
    return (words, {"m": m, "n": n, "k": k, "windows": count}) if count else None


def _counts(limit: int) -> Iterator[int]:
    """Yield 1, 2, 3, ... up to `limit`, fewer and fewer."""
    count = 1
    while count <= limit:
        yield count
        count = max(count + 1, int(count * GROWTH))


def best_orders(game: Game, budget: Budget) -> Priced | None:
    """The prices that prove most of any nest in a DAG; None where room is for more items.

    Parameters
    ----------
    game, budget
        The game, and the budget of the search.
    """
    dag, room = game.dag, game.rules.room_before(game.memory) - OPERANDS
    if dag.words is not None or not holds(dag, game.rules) or not 0 <= room <= MOST_ROOM:
        return None
    if game.memory < game.least:
        return None
    best: Priced | None = None
    for source, shape in nests_of(game, budget):
        for arrays in choices(shape):
            if not budget.over:
                priced = _priced(dag, room, source, *arrays)
                best = max((best, priced), key=lambda priced: priced.excess if priced else 0)
    return best


def _priced(
    dag: CDAG, room: int, source: dict[str, Any], base: str, operands: tuple[str, ...]
) -> Priced | None:
    """The best prices for one choice of base items."""
    try:
        nest_pairs = nest(dag, source, base, operands)
        finishing = finishing_steps(dag, nest_pairs, source, base, operands)
        kinds = kinds_of(nest_pairs)
    except CertificateError:
        return None
    if nest_pairs.updates > MOST_STEPS:
        return None
    tried = [
        Prices(*pairs, finish) for pairs, finish in product(TRIED, FINISH if finishing else (0,))
    ]
    prices = max(tried, key=lambda prices: _guess(nest_pairs, kinds, room, prices, finishing))
    kept = most_kept(kinds, room, prices, nest_pairs.updates, finishing)
    words = excess(nest_pairs, PARTS, prices, kept)
    names = {"base": base, "operands": list(operands)}
    data = {"source": source, **names, "denominator": PARTS, **prices._asdict()}
    return Priced(words, data) if words > 0 else None


def _guess(nest_pairs: Nest, kinds: str, room: int, prices: Prices, finishing: int) -> float:
    """The words that prices prove if all steps keep as those after the first few do."""
    first, later = (
        most_kept(kinds, room, prices, steps, finishing) + prices.finish * finishing
        for steps in (SHORT, PERIODS * SHORT)
    )
    kept = first + (later - first) * (nest_pairs.updates - SHORT) / (SHORT * (PERIODS - 1))
    return excess(nest_pairs, PARTS, prices, round(kept) - prices.finish * finishing)


@unless_program
def of_nests(game: Game, budget: Budget) -> Bound:
    """The bound of `reuse` by pairs of values, by their orders, or by open sums.

    Compulsory words where none of these proves more.

    Parameters
    ----------
    game, budget
        The game, and the budget of the search.
    """
    floor = game.compulsory
    proved: list[tuple[int, str, dict[str, Any]]] = [(floor, "compulsory", {})]
    chains = best_count(game)
    if chains:
        proved.append((chains[0], "open-chains", chains[1]))
    for kind, best in (("kept-pairs", best_prices), ("kept-orders", best_orders)):
        bound = best(game, budget)
        if bound:
            proved.append((floor + bound.excess, kind, bound.data))
    words, kind, data = max(proved, key=lambda proof: proof[0])
    return Bound("reuse", game.memory, words, game.rules, Certificate(kind, data))
