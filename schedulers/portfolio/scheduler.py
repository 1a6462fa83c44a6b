"""Search as a scheduler."""

from dags import CDAG
from pebble import ONE_SHOT, Rules, Schedule, require_memory
from schedulers.portfolio.best_play import TIME_LIMIT, best


def search_schedule(
    dag: CDAG,
    memory: int,
    *,
    rules: Rules = ONE_SHOT,
    seed: int = 0,
    time_limit: float | None = TIME_LIMIT,
) -> Schedule:
    """Return the schedule that `best` finds in a given time.

    Parameters
    ----------
    dag
        The computation.
    memory
        Words of fast memory.
    rules
        The rules of the game.
    seed
        Seed of the searches that draw at random.
    time_limit
        Seconds; None to go on until a search ends by itself.

    Raises
    ------
    MemoryTooSmallError
        If some vertex cannot be computed with `memory` words.
    """
    require_memory(dag, memory, rules=rules)
    schedule = best(dag, memory, rules=rules, seed=seed, time_limit=time_limit).schedule
    assert schedule is not None  # there is one wherever memory suffices
    return schedule
