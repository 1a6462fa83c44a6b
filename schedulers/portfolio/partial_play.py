"""The best schedule of partial computation that is found in a given time."""

import time
from collections.abc import Callable, Sequence

from dags import CDAG
from pebble import ONE_SHOT, PARTIAL, Schedule, compulsory_words, play
from schedulers.base import SearchResult, Status
from schedulers.partial.edge_search import better_order
from schedulers.partial.schedules import better_aggregated, rooms
from schedulers.portfolio.members import portfolio
from schedulers.search import Candidate

PLACED = 0.3  # share of the time for the placed game, whose orders are good ones here too
MOST_EDGES = 1 << 14  # beyond which orders of edges are not searched
ITERATIONS = 2000  # where there is neither a limit of time nor one of these


def best_partial(
    dag: CDAG,
    memory: int,
    *,
    placed: Callable[..., SearchResult],
    seed: int = 0,
    time_limit: float | None = None,
    iterations: int | None = None,
    lower_bound: int = 0,
    members: Sequence[Candidate] | None = None,
) -> SearchResult:
    """Return the best schedule found: of the portfolio, of placed ones, or by search from these.

    Parameters
    ----------
    dag, memory
        The game; every value and one of its operands must fit together.
    placed
        Search for a one-shot schedule, like `schedulers.portfolio.best`.
    seed, time_limit, iterations, lower_bound, members
        As for `schedulers.portfolio.best`.
    """
    begun = time.perf_counter()
    least = max(lower_bound, compulsory_words(dag))
    first = (members or portfolio(dag, memory, rules=PARTIAL))[0]
    schedule, io, tried = first.moves(), first.io, 0
    if io > least:
        schedule, io = _placed(dag, memory, schedule, placed, seed, time_limit, iterations)
    if io > least and dag.m <= MOST_EDGES:
        turns = ITERATIONS if time_limit is None and iterations is None else iterations
        end = None if time_limit is None else begun + time_limit
        schedule, tried = better_order(
            dag, schedule, memory, seed=seed, end=end, iterations=turns, goal=least
        )
    io = play(dag, schedule, memory, rules=PARTIAL).io
    status: Status = "optimal" if io == least else "feasible"
    return SearchResult("best", schedule, io, least, status, time.perf_counter() - begun, tried)


def _placed(
    dag: CDAG,
    memory: int,
    known: Schedule,
    placed: Callable[..., SearchResult],
    seed: int,
    time_limit: float | None,
    iterations: int | None,
) -> tuple[Schedule, int]:
    """Return the better of a schedule and what the placed game's best ones lead to."""
    limit = None if time_limit is None else PLACED * time_limit / 2
    options = {"rules": ONE_SHOT, "seed": seed, "time_limit": limit, "iterations": iterations}
    found = [placed(dag, room, **options).schedule for room in rooms(dag, memory)]
    made = better_aggregated(dag, [one for one in found if one is not None], memory)
    both = [(one, play(dag, one, memory, rules=PARTIAL).io) for one in (known, made)]
    return min(both, key=lambda pair: pair[1])
