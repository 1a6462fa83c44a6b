"""The least I/O of a small game under any rules."""

from dataclasses import replace
from time import monotonic

from dags import CDAG
from pebble import ONE_SHOT, MemoryTooSmallError, Rules, Schedule, play, require_memory
from schedulers.base import SearchResult, Status
from schedulers.exact import one_shot, recompute
from schedulers.exact.driver import Alarm
from schedulers.exact.first_play import first_play
from schedulers.exact.problem import problem
from schedulers.exact.symmetry import symmetry

MAX_MEMORY = 2 << 30


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
        If there are more than 64 computed vertices, or more than 64 values that are read, or
        values of many millions of words.
    IllegalMoveError
        If `upper` is no legal play.
    """
    start = monotonic()
    alarm = Alarm(time_limit)
    try:
        require_memory(dag, memory, rules=rules)
    except MemoryTooSmallError:
        return SearchResult("exact", None, None, 0, "infeasible", monotonic() - start)
    best = first_play(dag, memory) if upper is None else upper
    bound = states = 0
    # Computing each value once is allowed under all rules, and found much faster.
    for game_rules in dict.fromkeys([replace(rules, recompute=False), rules]):
        game = problem(dag, memory, rules=game_rules)
        turns = symmetry(game)
        part = recompute if game_rules.recompute else one_shot
        io = play(dag, best, memory, rules=rules).io
        outcome = part.best_first(game, turns, upper=io, max_memory=max_memory, alarm=alarm)
        if outcome.found:
            best = part.witness(dag, game, turns, outcome.store)
        bound, states = outcome.bound, states + outcome.states
    io = play(dag, best, memory, rules=rules).io
    status: Status = "optimal" if bound == io else "feasible"
    return SearchResult("exact", best, io, bound, status, monotonic() - start, states)


def exact_bound(
    dag: CDAG,
    memory: int,
    *,
    rules: Rules = ONE_SHOT,
    free_sources: bool = False,
    upper: int | None = None,
    time_limit: float | None = None,
    max_memory: int = MAX_MEMORY,
) -> int:
    """Return the largest number of words that the search proves no play can do without.

    Parameters
    ----------
    dag, memory, rules, time_limit, max_memory
        As for `exact`.
    free_sources
        Whether sources come from nowhere, once and free, and nothing must end in slow memory. Then
        the bounds of disjoint parts of a DAG, and its inputs and outputs, add up to a bound for
        the whole, in one-shot games, if no part has an input, or an output with readers.
    upper
        The bound need not exceed this.

    Raises
    ------
    MemoryTooSmallError
        If some vertex cannot be computed with so little memory.
    TooLargeError
        If there are more than 64 computed vertices, or more than 64 values that are read, or
        values of many millions of words.
    """
    require_memory(dag, memory, rules=rules)
    game = problem(dag, memory, rules=rules, free_sources=free_sources)
    # Keeping nothing costs no more than this, free sources or not.
    most = int(2 * dag.sizes.sum() + dag.sizes[dag.pred_indices].sum())
    most = most if upper is None else upper
    alarm = Alarm(time_limit)
    turns = symmetry(game)
    search = recompute.best_first if rules.recompute else one_shot.best_first
    outcome = search(game, turns, upper=most, max_memory=max_memory, alarm=alarm)
    return outcome.bound
