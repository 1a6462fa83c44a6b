"""The least I/O of a small game of partial computation."""

from time import monotonic

from dags import CDAG
from pebble import PARTIAL, Schedule, compulsory_words, play
from pebble.small.partial import partial_game, partial_play, partial_search
from schedulers.base import SearchResult, Status
from schedulers.exact.alarm import Alarm
from schedulers.partial import partial_schedule


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
