"""The best play of a whole game that CP-SAT finds within the time limit."""

from time import monotonic

from dags import CDAG
from pebble import (
    ONE_SHOT,
    InvalidRulesError,
    MemoryTooSmallError,
    Rules,
    Schedule,
    compulsory_words,
    play,
    require_memory,
)
from schedulers.access_order import accesses
from schedulers.base import SearchResult, Status
from schedulers.exact.cpsat.plays import least_play
from schedulers.exact.first_play import first_play
from schedulers.orders import ORDERS
from schedulers.sliding import sliding_schedule

METHOD = "cp-sat"


def cp_sat(
    dag: CDAG,
    memory: int,
    *,
    rules: Rules = ONE_SHOT,
    seed: int = 0,
    time_limit: float | None = None,
    upper: Schedule | None = None,
    lower_bound: int = 0,
) -> SearchResult:
    """Return the best play that CP-SAT finds, and what it proves.

    It is exact where it ends. Values may have sizes, which costs it little, and DAGs may have any
    number of vertices; but it proves less than `exact` does where that is possible.

    Parameters
    ----------
    dag, memory, rules
        The game.
    seed
        Seed of its one worker.
    time_limit
        Seconds, roughly; None for no limit.
    upper
        A legal play to begin with; the result is no worse.
    lower_bound
        Lower bound on the I/O of any legal play, in words. The search ends where a play meets it.

    Raises
    ------
    IllegalMoveError
        If `upper` is no legal play.
    InvalidRulesError
        Under rules that it has no model of.
    """
    if rules.recompute:
        raise InvalidRulesError("CP-SAT has no model of computing again: exact and search do")
    if rules.partial:
        raise InvalidRulesError("CP-SAT has no model of partial computation: exact and search do")
    begun = monotonic()
    least = max(compulsory_words(dag), lower_bound)
    try:
        require_memory(dag, memory, rules=rules)
    except MemoryTooSmallError:
        return SearchResult(METHOD, None, None, least, "infeasible", monotonic() - begun)
    best = _first(dag, memory, rules) if upper is None else upper
    io = play(dag, best, memory, rules=rules).io
    if io > least:
        best, least = least_play(
            dag, best, memory, rules=rules, least=least, seed=seed, time_limit=time_limit
        )
        io = play(dag, best, memory, rules=rules).io
    status: Status = "optimal" if io == least else "feasible"
    return SearchResult(METHOD, best, io, least, status, monotonic() - begun)


def _first(dag: CDAG, memory: int, rules: Rules) -> Schedule:
    """Return a play to begin with."""
    plays = [first_play(dag, memory)]
    if rules.sliding:
        layouts = [accesses(dag, order(dag)) for order in ORDERS.values()]
        plays += [sliding_schedule(layout, memory, price=2) for layout in layouts]
    return min(plays, key=lambda one: play(dag, one, memory, rules=rules).io)
