"""Prices of pairs of values that nests keep in any order, where there is room for a few items."""

import time
from itertools import product
from typing import Any

from dags import CDAG
from pebble import Rules, min_memory
from proofs.bounds.loops.pair_prices import Priced, choices, nests_of
from proofs.certificates import CertificateError
from proofs.lemmas.loops.kept_orders import OPERANDS, excess, finishing_steps, kinds_of
from proofs.lemmas.loops.kept_pairs import holds, nest
from proofs.lemmas.loops.nest_pairs import Nest
from proofs.lemmas.loops.order_states import MOST_ROOM, MOST_STEPS, Prices, most_kept

PARTS = 8  # of a word
TRIED = ((8, 8), (8, 9), (8, 10), (8, 12), (8, 16), (10, 8), (12, 8), (16, 8))
FINISH = (-4, -2, 0, 1, 2)
SHORT, PERIODS = 60, 2  # steps from which the worth of many is guessed


def best_orders(dag: CDAG, memory: int, rules: Rules, end: float) -> Priced | None:
    """Return the prices that prove most of any nest in a DAG; None where room is for more items.

    Parameters
    ----------
    dag, memory, rules
        The game.
    end
        When to stop, on the monotonic clock.
    """
    room = rules.room_before(memory) - OPERANDS
    if dag.words is not None or not holds(dag, rules) or not 0 <= room <= MOST_ROOM:
        return None
    if memory < min_memory(dag, rules=rules):
        return None
    best: Priced | None = None
    for source, shape in nests_of(dag, rules, end):
        for arrays in choices(shape):
            if time.monotonic() < end:
                found = _priced(dag, room, source, *arrays)
                best = max((best, found), key=lambda each: each.excess if each else 0)
    return best


def _priced(
    dag: CDAG, room: int, source: dict[str, Any], base: str, operands: tuple[str, ...]
) -> Priced | None:
    """Return the best prices for one choice of base items."""
    try:
        found = nest(dag, source, base, operands)
        finishing = finishing_steps(dag, found, source, base, operands)
        kinds = kinds_of(found)
    except CertificateError:
        return None
    if found.updates > MOST_STEPS:
        return None
    tried = [
        Prices(*pairs, finish) for pairs, finish in product(TRIED, FINISH if finishing else (0,))
    ]
    prices = max(tried, key=lambda each: _guess(found, kinds, room, each, finishing))
    kept = most_kept(kinds, room, prices, found.updates, finishing)
    words = excess(found, PARTS, prices, kept)
    names = {"base": base, "operands": list(operands)}
    data = {"source": source, **names, "denominator": PARTS, **prices._asdict()}
    return Priced(words, data) if words > 0 else None


def _guess(found: Nest, kinds: str, room: int, prices: Prices, finishing: int) -> float:
    """Return the words that prices prove if all steps keep what those after the first few do."""
    first, then = (
        most_kept(kinds, room, prices, steps, finishing) + prices.finish * finishing
        for steps in (SHORT, PERIODS * SHORT)
    )
    kept = first + (then - first) * (found.updates - SHORT) / (SHORT * (PERIODS - 1))
    return excess(found, PARTS, prices, round(kept) - prices.finish * finishing)
