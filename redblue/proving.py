"""Bounds that are proved in a given time: by quick methods first, then by those that search."""

import time
from collections.abc import Iterator

from dags import CDAG
from pebble import ONE_SHOT, Rules
from proofs import BOUNDS, Bound, best_bound

# The methods that search, each with the share of the time that is left for it and those after it:
# on DAGs of all kinds pieces prove most, and most of what others prove they prove soon.
SEARCHING = {
    "reuse": 0.4,
    "decomposition": 0.4,
    "exact-pieces": 0.7,
    "wavefront": 0.5,
    "spectral": 1.0,
}


def bounds_in(
    dag: CDAG, memory: int, *, rules: Rules = ONE_SHOT, seed: int = 0, seconds: float
) -> Iterator[Bound]:
    """Yield bounds as they are proved, for so many seconds: all that apply, the quick ones first.

    Parameters
    ----------
    dag, memory, rules
        The game.
    seed
        Seed of methods that draw at random.
    seconds
        Seconds, roughly.
    """
    end = time.monotonic() + seconds
    quick = [method for name, method in BOUNDS.items() if name not in SEARCHING]
    yield best_bound(quick, dag, memory, rules=rules, seed=seed, time_limit=seconds)
    for name, share in SEARCHING.items():
        left = end - time.monotonic()
        if left <= 0:
            return
        method, limit = BOUNDS[name], share * left
        yield best_bound([method], dag, memory, rules=rules, seed=seed, time_limit=limit)
