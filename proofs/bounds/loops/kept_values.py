"""Bound by the values that updates of loop nests keep, by the argument that proves most."""

from typing import Any

from dags import CDAG
from pebble import Rules, compulsory_words
from proofs.base import Bound
from proofs.bounds.loops.kept_orders import best_orders
from proofs.bounds.loops.open_chains import best_count
from proofs.bounds.loops.pair_prices import best_prices
from proofs.bounds.renumbered import as_generated
from proofs.certificates import Certificate


@as_generated
def of_nests(dag: CDAG, memory: int, *, rules: Rules, end: float) -> Bound:
    """Return the bound of `reuse` by pairs of values, by their orders, or by open sums.

    Compulsory words where none of these proves more.

    Parameters
    ----------
    dag, memory, rules
        The game.
    end
        When to stop, on the monotonic clock.
    """
    floor = compulsory_words(dag)
    proved: list[tuple[int, str, dict[str, Any]]] = [(floor, "compulsory", {})]
    chains = best_count(dag, memory, rules)
    if chains:
        proved.append((chains[0], "open-chains", chains[1]))
    for kind, best in (("kept-pairs", best_prices), ("kept-orders", best_orders)):
        found = best(dag, memory, rules, end)
        if found:
            proved.append((floor + found.excess, kind, found.data))
    words, kind, data = max(proved, key=lambda each: each[0])
    return Bound("reuse", memory, words, rules, Certificate(kind, data))
