"""Better plays from orders that are good already: beam search, local search, exact windows."""

import time
from collections.abc import Sequence
from itertools import cycle, islice
from math import inf

from dags import CDAG
from dags.arrays import Int32Array, lock
from pebble import ONE_SHOT, Move, Rules, play
from schedulers.search.annealing import FEW_MOVES, Found, likely_moves, local_search
from schedulers.search.rounds import beam_rounds
from schedulers.search.windows import windowed

CHAIN_MOVES = 20_000  # moves a vertex for each order that the local search begins with
MOST_CHAINS = 12
LITTLE = 0.05  # share of the time for beam search, at least
STRETCH_CHANGES = 10_000  # that take as long as a stretch
WINDOWS = 0.15  # share of the time for stretches that are played anew by exact search


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
    """Return the best play that beam and local search make of `orders`, and then exact search.

    Exact search is for stretches of the play, and ends where it gains nothing. The play computes
    every value once. None if it is interrupted from the keyboard before there is any.

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
    end = None if time_limit is None else time.perf_counter() + time_limit
    try:
        starts = _starts(dag, memory, orders, rules, time_limit)
        annealed = None if end is None else end - WINDOWS * (end - time.perf_counter())
        moves = iterations or likely_moves(dag, _until(annealed))
        chains = min(max(moves // (CHAIN_MOVES * dag.n), 1), MOST_CHAINS)
        found = local_search(
            dag,
            memory,
            list(islice(cycle(starts), chains)),
            rules=rules,
            seed=seed,
            time_limit=_until(annealed),
            iterations=iterations,
            goal=goal,
        )
    except KeyboardInterrupt:
        return None
    limit = inf if end is None else end
    most = None if iterations is None or end is not None else iterations // STRETCH_CHANGES
    game = dag, found.schedule, memory
    made = windowed(*game, rules=rules, end=limit, goal=goal, most=most)
    io = play(dag, made, memory, rules=rules).io
    return Found(io, made, lock(made.vertex[made.op == Move.COMPUTE]), found.moves)


def _starts(
    dag: CDAG,
    memory: int,
    orders: Sequence[Int32Array],
    rules: Rules,
    time_limit: float | None,
) -> list[Int32Array]:
    """Return orders to anneal: what beam search makes of the best one, and all of them."""
    limit = None if time_limit is None else _beam_share(dag, time_limit) * time_limit
    beam, _ = beam_rounds(dag, memory, orders[0], rules=rules, time_limit=limit)
    others = {order.tobytes(): order for order in orders}
    return [beam, *others.values()]


def _beam_share(dag: CDAG, time_limit: float) -> float:
    """Return the share of the time for beam search.

    Local search that has the time to anneal does not depend on where it begins.
    """
    if likely_moves(dag, time_limit) >= FEW_MOVES * dag.computed.size:
        return LITTLE
    return min(max(dag.n / 4000, LITTLE), 0.4)


def _until(end: float | None) -> float | None:
    """Return the seconds until `end`, not less than none."""
    return None if end is None else max(0.0, end - time.perf_counter())
