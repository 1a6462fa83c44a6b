"""The least I/O of a small game under any rules."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from threading import Event

from dags import CDAG
from pebble import (
    ONE_SHOT,
    Budget,
    MemoryTooSmallError,
    Rules,
    Schedule,
    compulsory_words,
    play,
    require_memory,
)
from pebble.small import Search, TooLargeError, play_of, search_of, small_game, whole_dag
from pebble.small._kernels.states import Store
from pebble.small.partial import partial_game, partial_play, partial_search
from schedulers.base import SearchResult, Status
from schedulers.exact.first_play import first_play
from schedulers.partial import partial_schedule


def exact(
    dag: CDAG,
    memory: int,
    *,
    rules: Rules = ONE_SHOT,
    seed: int = 0,
    time_limit: float | None = None,
    max_memory: int = Budget.bytes,
    upper: Schedule | None = None,
) -> SearchResult:
    """The best play and the proof that it is best, or how far the search came.

    Ctrl-C ends the search as the time limit does.

    Parameters
    ----------
    dag, memory, rules
        The game.
    seed
        Changes nothing: the search makes no choices.
    time_limit
        Seconds, roughly; None for no limit.
    max_memory
        Bytes that the search may take, roughly.
    upper
        A legal play, returned if no better one is found. A good one saves the search its last,
        most costly level.

    Raises
    ------
    TooLargeError
        If there are more than 64 computed vertices, or more than 64 values that are read.
    IllegalMoveError
        If `upper` is no legal play.
    """
    interrupted = Event()
    budget = Budget(time_limit, max_memory, seed, interrupted.is_set)
    try:
        require_memory(dag, memory, rules=rules)
    except MemoryTooSmallError:
        return SearchResult("exact", None, None, 0, "infeasible", budget.used)
    best, compulsory = upper, compulsory_words(dag)
    if best is None:
        best = _first(dag, memory, rules)
    bound = states = 0
    for search, way in _searches(dag, memory, rules):
        excess = play(dag, best, memory, rules=rules).io - compulsory
        outcome = search.below(excess, budget=budget, interrupted=interrupted.set)
        if outcome.found:
            best = way(outcome.store)
        bound, states = compulsory + outcome.excess, states + outcome.states
    io = play(dag, best, memory, rules=rules).io
    status: Status = "optimal" if bound == io else "feasible"
    return SearchResult("exact", best, io, bound, status, budget.used, states)


def _first(dag: CDAG, memory: int, rules: Rules) -> Schedule:
    """A play to begin with."""
    if rules.partial:
        return partial_schedule(dag, dag.computed, memory)
    return first_play(dag, memory)


def _searches(
    dag: CDAG, memory: int, rules: Rules
) -> Iterator[tuple[Search, Callable[[Store], Schedule]]]:
    """Yield the searches of a game, the quick ones first, with the way from states to a play."""
    if rules.partial:
        parts = partial_game(dag, memory)
        yield partial_search(parts), partial(partial_play, dag, parts)
        return
    if rules.sliding and dag.in_place is not None:
        raise TooLargeError(
            "exact search is for games in which all results slide onto operands, or none: here "
            f"{int(dag.in_place.sum())} of {dag.computed.size} may"
        )
    # Computing each value once is allowed under all rules, and found much faster.
    for game_rules in dict.fromkeys([replace(rules, recompute=False), rules]):
        game = small_game(whole_dag(dag), memory, game_rules)
        yield search_of(game), partial(play_of, dag, game)
