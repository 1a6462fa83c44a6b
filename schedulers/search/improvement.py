"""Better plays from orders that are good already."""

from collections.abc import Sequence
from itertools import cycle, islice

from dags import CDAG
from dags.arrays import Int32Array
from pebble import ONE_SHOT, Rules
from schedulers.search.annealing import Found, likely_moves, local_search

CHAIN_MOVES = 20_000  # moves a vertex for each order that the local search begins with
MOST_CHAINS = 12


def improve(
    dag: CDAG,
    memory: int,
    orders: Sequence[Int32Array],
    *,
    rules: Rules = ONE_SHOT,
    seed: int = 0,
    time_limit: float | None = None,
    iterations: int | None = None,
    goal: int = 0,
) -> Found | None:
    """Return the best play that local search makes of `orders`.

    The play computes every value once. None if it is interrupted from the keyboard before there is
    any.

    Parameters
    ----------
    dag, memory, rules
        The game; every vertex must fit.
    orders
        Orders to begin with, each (N,) computed vertices, the best first.
    seed
        Seed of the local search.
    time_limit, iterations
        Seconds, and changes of an order that the local search may try. Without a time limit
        the result is the same every time.
    goal
        Words at which the search ends.
    """
    starts = {order.tobytes(): order for order in orders}.values()
    moves = iterations or likely_moves(dag, time_limit)
    chains = min(max(moves // (CHAIN_MOVES * dag.n), 1), MOST_CHAINS)
    try:
        return local_search(
            dag,
            memory,
            list(islice(cycle(starts), chains)),
            rules=rules,
            seed=seed,
            time_limit=time_limit,
            iterations=iterations,
            goal=goal,
        )
    except KeyboardInterrupt:
        return None
