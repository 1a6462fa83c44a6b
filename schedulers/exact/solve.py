"""The least I/O of a small game under any rules."""

from dataclasses import replace
from time import monotonic

from dags import CDAG
from pebble import (
    ONE_SHOT,
    PARTIAL,
    MemoryTooSmallError,
    Rules,
    Schedule,
    compulsory_words,
    play,
    require_memory,
)
from pebble.small import MAX_MEMORY, play_of, search_of, small_game, whole_dag
from pebble.small.partial import partial_game, partial_play, partial_search
from schedulers.base import SearchResult, Status
from schedulers.exact.first_play import first_play
from schedulers.partial import partial_schedule


class Alarm:
    """Rings when the time is over, or after Ctrl-C.

    Parameters
    ----------
    time_limit
        Seconds from now; None for no limit.
    """

    def __init__(self, time_limit: float | None) -> None:
        self.end = None if time_limit is None else monotonic() + time_limit
        self.interrupted = False

    def interrupt(self) -> None:
        """Ring from now on."""
        self.interrupted = True

    def rings(self) -> bool:
        """Return whether it is time to give up."""
        return self.interrupted or (self.end is not None and monotonic() > self.end)


def exact_partial(
    dag: CDAG,
    memory: int,
    *,
    alarm: Alarm,
    max_memory: int,
    upper: Schedule | None = None,
) -> SearchResult:
    """Return the best play and the proof that it is best, or how far the search came.

    Parameters
    ----------
    dag, memory
        The game; every value and one of its operands must fit together.
    alarm
        Ends the search.
    max_memory
        Bytes that the search may take, roughly.
    upper
        A legal play, returned if no better one is found.

    Raises
    ------
    TooLargeError
        If there are more than 64 values or edges.
    """
    start = monotonic()
    game = partial_game(dag, memory)
    best = partial_schedule(dag, dag.computed, memory) if upper is None else upper
    compulsory = compulsory_words(dag)
    outcome = partial_search(game).below(
        play(dag, best, memory, rules=PARTIAL).io - compulsory,
        max_memory=max_memory,
        stop=alarm.rings,
        interrupted=alarm.interrupt,
    )
    if outcome.found:
        best = partial_play(dag, game, outcome.store)
    bound, io = compulsory + outcome.excess, play(dag, best, memory, rules=PARTIAL).io
    status: Status = "optimal" if bound == io else "feasible"
    return SearchResult("exact", best, io, bound, status, monotonic() - start, outcome.states)


def exact(
    dag: CDAG,
    memory: int,
    *,
    rules: Rules = ONE_SHOT,
    seed: int = 0,
    time_limit: float | None = None,
    max_memory: int = MAX_MEMORY,
    upper: Schedule | None = None,
) -> SearchResult:
    """Return the best play and the proof that it is best, or how far the search came.

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
    start = monotonic()
    alarm = Alarm(time_limit)
    try:
        require_memory(dag, memory, rules=rules)
    except MemoryTooSmallError:
        return SearchResult("exact", None, None, 0, "infeasible", monotonic() - start)
    if rules.partial:
        return exact_partial(dag, memory, alarm=alarm, max_memory=max_memory, upper=upper)
    best = first_play(dag, memory) if upper is None else upper
    compulsory = compulsory_words(dag)
    bound = states = 0
    # Computing each value once is allowed under all rules, and found much faster.
    for game_rules in dict.fromkeys([replace(rules, recompute=False), rules]):
        game = small_game(whole_dag(dag), memory, game_rules)
        outcome = search_of(game).below(
            play(dag, best, memory, rules=rules).io - compulsory,
            max_memory=max_memory,
            stop=alarm.rings,
            interrupted=alarm.interrupt,
        )
        if outcome.found:
            best = play_of(dag, game, outcome.store)
        bound, states = compulsory + outcome.excess, states + outcome.states
    io = play(dag, best, memory, rules=rules).io
    status: Status = "optimal" if bound == io else "feasible"
    return SearchResult("exact", best, io, bound, status, monotonic() - start, states)
