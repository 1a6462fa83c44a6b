"""The best schedule of partial computation, from the orders of the best placed plays."""

import time

from dags import CDAG
from pebble import PARTIAL, play
from schedulers.base import SearchResult, Status
from schedulers.partial.schedules import better_aggregated, rooms
from schedulers.portfolio.members import portfolio

MEMBERS = 6  # of each portfolio, whose orders are tried


def best_partial(dag: CDAG, memory: int, *, lower_bound: int = 0) -> SearchResult:
    """Return the best schedule found: the best placed plays, and their orders aggregated.

    Parameters
    ----------
    dag, memory
        The game; every value and one of its operands must fit together.
    lower_bound
        Lower bound on the I/O of any legal schedule, in words.
    """
    begun = time.perf_counter()
    least = max(lower_bound, dag.words_of(dag.used_inputs) + dag.words_of(dag.outputs))
    members = [one for room in rooms(dag, memory) for one in portfolio(dag, room)[:MEMBERS]]
    schedule = better_aggregated(dag, [one.moves() for one in members], memory)
    io = play(dag, schedule, memory, rules=PARTIAL).io
    status: Status = "optimal" if io == least else "feasible"
    return SearchResult("best", schedule, io, least, status, time.perf_counter() - begun)
