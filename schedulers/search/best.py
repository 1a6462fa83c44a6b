"""The best schedule that can be found in a given time."""

import time
from functools import cache
from itertools import cycle, islice

from dags import CDAG, chain
from dags.arrays import Int32Array
from pebble import ONE_SHOT, Rules, min_memory, play
from schedulers.base import SearchResult, Status
from schedulers.search.beam import beam_rounds
from schedulers.search.local_search import Found, likely_moves, local_search
from schedulers.search.portfolio import portfolio
from schedulers.search.rematerialize import rematerialize

TIME_LIMIT = 10.0
CHAIN_MOVES = 5000  # moves a vertex that a chain of the local search should have
MOST_CHAINS = 12
LARGEST = 1 << 17  # vertices beyond which the portfolio is all


def best(
    dag: CDAG,
    memory: int,
    *,
    rules: Rules = ONE_SHOT,
    seed: int = 0,
    time_limit: float | None = TIME_LIMIT,
    iterations: int | None = None,
    lower_bound: int = 0,
) -> SearchResult:
    """Return the best schedule found: the portfolio's, made better by beam and local search.

    Never worse than any order with any eviction, nor than the structured schedule. Where the
    rules allow it, values are in the end computed again instead of stored and loaded. It ends
    before its time where a lower bound is met, or where going on has not been worth while; and
    interrupted from the keyboard, it returns what it has.

    Parameters
    ----------
    dag, memory, rules
        The game.
    seed
        Seed of the local search.
    time_limit, iterations
        Seconds, and changes of an order that the local search may try. The portfolio is counted
        whatever the limit. Without a time limit the result is the same every time. The first
        search on a machine compiles for some seconds more.
    lower_bound
        Words that no play can do without, if more than the compulsory ones are known.
    """
    _compile()
    begun = time.perf_counter()
    least = max(lower_bound, dag.words_of(dag.used_inputs) + dag.words_of(dag.outputs))
    if memory < min_memory(dag, rules=rules):
        return SearchResult("best", None, None, least, "infeasible", time.perf_counter() - begun)
    members = portfolio(dag, memory, rules=rules)
    io, made, tried = members[0].io, members[0].moves(), 0
    if io > least and dag.n <= LARGEST:
        end = None if time_limit is None else begun + time_limit
        orders = [member.order for member in members]
        found = _searched(dag, memory, orders, rules, seed, end, iterations, least)
        if found is not None:
            tried = found.moves
            if found.io < io:
                io, made = found.io, found.schedule
    if rules.recompute:
        made = rematerialize(dag, made, memory)
    io = play(dag, made, memory, rules=rules).io
    status: Status = "optimal" if io == least else "feasible"
    return SearchResult("best", made, io, least, status, time.perf_counter() - begun, tried)


@cache
def _compile() -> None:
    """Search a DAG of three vertices: the first search on a machine compiles the kernels."""
    tiny = chain(3)
    portfolio(tiny, 2)
    order, _ = beam_rounds(tiny, 2, tiny.computed)
    local_search(tiny, 2, [order], iterations=1)


def _searched(
    dag: CDAG,
    memory: int,
    orders: list[Int32Array],
    rules: Rules,
    seed: int,
    end: float | None,
    iterations: int | None,
    goal: int,
) -> Found | None:
    """Return what beam and local search make of `orders`; None if interrupted before that."""
    try:
        starts = _starts(dag, memory, orders, rules, end)
        moves = iterations or likely_moves(dag, _until(end))
        chains = min(max(moves // (CHAIN_MOVES * dag.n), 1), MOST_CHAINS)
        return local_search(
            dag,
            memory,
            list(islice(cycle(starts), chains)),
            rules=rules,
            seed=seed,
            time_limit=_until(end),
            iterations=iterations,
            goal=goal,
        )
    except KeyboardInterrupt:
        return None


def _starts(
    dag: CDAG, memory: int, orders: list[Int32Array], rules: Rules, end: float | None
) -> list[Int32Array]:
    """Return orders to anneal: what beam search makes of the best one, and all of them."""
    left = _until(end)
    share = min(max(dag.n / 4000, 0.05), 0.4)  # local search is the better one on small DAGs
    limit = None if left is None else share * left
    beam, _ = beam_rounds(dag, memory, orders[0], rules=rules, time_limit=limit)
    others = {order.tobytes(): order for order in orders}
    return [beam, *others.values()]


def _until(end: float | None) -> float | None:
    """Return the seconds until `end`, not less than none."""
    return None if end is None else max(0.0, end - time.perf_counter())
