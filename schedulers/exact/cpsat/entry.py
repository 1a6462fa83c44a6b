"""The best play of a game, or of a window of a play, that CP-SAT finds within the time limit."""

from time import monotonic

from dags import CDAG
from pebble import (
    ONE_SHOT,
    InvalidRulesError,
    MemoryTooSmallError,
    Rules,
    Schedule,
    play,
    require_memory,
)
from schedulers.access_order import accesses
from schedulers.base import SearchResult, Status
from schedulers.exact.cpsat import one_shot, recompute
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

    It is exact where it ends, under all rules. Values may have sizes, which costs it little, and
    DAGs may have any number of vertices; but it proves less than `exact` does where that is
    possible. One-shot games are one model, `recompute` games one for each number of words from
    `lower_bound` on. There a play that is found in this way is optimal; where there is a time
    limit, half of it is for making windows of `upper` better.

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
    """
    if rules.partial:
        raise InvalidRulesError("CP-SAT has no model of partial computation: exact and search do")
    begun = monotonic()
    least = max(dag.words_of(dag.used_inputs) + dag.words_of(dag.outputs), lower_bound)
    try:
        require_memory(dag, memory, rules=rules)
    except MemoryTooSmallError:
        return SearchResult(METHOD, None, None, least, "infeasible", monotonic() - begun)
    best = _first(dag, memory, rules) if upper is None else upper
    io = play(dag, best, memory, rules=rules).io
    if io > least:
        least_play = recompute.least_play if rules.recompute else one_shot.least_play
        best, least = least_play(
            dag, best, memory, rules=rules, least=least, seed=seed, time_limit=time_limit
        )
        io = play(dag, best, memory, rules=rules).io
    status: Status = "optimal" if io == least else "feasible"
    return SearchResult(METHOD, best, io, least, status, monotonic() - begun)


def improve_window(
    dag: CDAG,
    schedule: Schedule,
    memory: int,
    *,
    rules: Rules = ONE_SHOT,
    first: int,
    last: int,
    time_limit: float | None = None,
    seed: int = 0,
) -> Schedule | None:
    """Return a play that moves less, another one only in a window; None if none was found.

    In one-shot games the computations in the window change their order among themselves. In it, and
    as far as it is long before and behind it, values leave and come back as is best then. What
    stays across either end of all this may leave, and what is away there stays away.

    In `recompute` games all moves between the ends of the window are made anew; what is used behind
    it is where it was. Its values, and those of as many computations before it, may be computed
    as often as is best.

    Parameters
    ----------
    dag, schedule, memory, rules
        A legal play.
    first, last
        Computations are counted from 0; the window is those from `first` to before `last`.
    time_limit
        Seconds of CP-SAT; None for no limit.
    seed
        Seed of its one worker.
    """
    if rules.partial:
        raise InvalidRulesError("CP-SAT has no model of partial computation: exact and search do")
    better_window = recompute.better_window if rules.recompute else one_shot.better_window
    return better_window(
        dag,
        schedule,
        memory,
        rules=rules,
        first=first,
        last=last,
        seed=seed,
        time_limit=time_limit,
    )


def _first(dag: CDAG, memory: int, rules: Rules) -> Schedule:
    """Return a play to begin with."""
    plays = [first_play(dag, memory)]
    if rules.sliding:
        layouts = [accesses(dag, order(dag)) for order in ORDERS.values()]
        plays += [sliding_schedule(layout, memory, price=2) for layout in layouts]
    return min(plays, key=lambda one: play(dag, one, memory, rules=rules).io)
