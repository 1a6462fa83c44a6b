"""Bounds by games of whole units: sizes and memory divided by a unit, and rounded down (M8)."""

from functools import wraps

import numpy as np

from dags import CDAG
from pebble import Budget, Game
from proofs.base import Bound, Finder, NotApplicableError
from proofs.certificates import Certificate
from proofs.certificates.maps import ROUNDED, rounded_dag, rounded_words

LARGEST = 5000  # values: of larger DAGs no units are looked for
DIVISORS = (1, 2, 3, 4)  # units are sizes of values, and these parts of them
TRIED = 2  # units
MOST_SIZES = 64  # of which units are made, the largest


def rounded(find: Finder) -> Finder:
    """A finder that looks at the game of whole units, too, where that may prove more.

    Memory that is no whole number of tensors is less to them: rounding it down gains what rounding
    sizes down does not lose. The units that are tried lack the most memory in the order of the
    numbers, when all that is live is kept.

    Parameters
    ----------
    find
        A finder of bounds.
    """

    @wraps(find)
    def bound(game: Game, budget: Budget) -> Bound:
        chosen = units(game)
        best = find(game, budget.share(1 / (1 + len(chosen))))
        for place, unit in enumerate(chosen):
            small = rounded_dag(game.dag, unit)
            if small is None:
                continue
            rounded = Game.of(small, game.memory // unit, game.rules)
            try:
                bound = find(rounded, budget.share(1 / (len(chosen) - place)))
            except NotApplicableError:
                continue
            io = rounded_words(game.dag, small, unit, bound.io)
            if io > best.io:
                inner = bound.certificate
                data = {"unit": unit, "kind": inner.kind, "data": inner.data}
                best = Bound(best.method, game.memory, io, game.rules, Certificate(ROUNDED, data))
        return best

    return bound


def units(game: Game) -> list[int]:
    """Units with which the game may lack more memory than without, the best first."""
    dag = game.dag
    once = not game.rules.recompute and not game.rules.partial
    if dag.words is None or not once or dag.n > LARGEST:
        return []
    sizes = np.unique(dag.sizes)[::-1][:MOST_SIZES].tolist()
    common = int(np.gcd.reduce(np.append(dag.sizes, game.memory)))
    candidates = {size // part for size in sizes for part in DIVISORS} - {0}
    lack = live_load(dag, 1) - game.memory
    if lack <= 0:
        return []
    lacks = {
        unit: unit * (live_load(dag, unit) - game.memory // unit)
        for unit in candidates
        if common % unit and game.memory >= unit
    }
    promising = [unit for unit in lacks if lacks[unit] > lack]
    return sorted(promising, key=lambda unit: (-lacks[unit], -unit))[:TRIED]


def live_load(dag: CDAG, unit: int) -> int:
    """The most units that are live at once where vertices are computed by their numbers.

    Parameters
    ----------
    dag
        The computation.
    unit
        Words: sizes are rounded down to so many.
    """
    vertices = np.arange(dag.n)
    results = np.repeat(vertices, dag.indegree)
    first = np.where(dag.is_computed, vertices, dag.n)  # inputs come with their first readers
    last = vertices.copy()
    np.minimum.at(first, dag.pred_indices, results)
    np.maximum.at(last, dag.pred_indices, results)
    sizes = np.where(dag.is_computed | dag.is_read, dag.sizes // unit, 0)
    load = np.zeros(dag.n + 2, np.int64)
    np.add.at(load, first, sizes)
    np.subtract.at(load, np.maximum(last, first) + 1, sizes)
    return int(np.cumsum(load).max())
