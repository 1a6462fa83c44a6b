"""Large-neighbourhood search: window after window of a play is played better, until none is."""

from time import monotonic

from dags import CDAG
from pebble import Move, Rules, Schedule, play
from schedulers.exact.cpsat.recompute.entry import better_window

SIZES = (8, 16, 24)  # computations in a window
SECONDS = 5.0  # for one window


def swept(
    dag: CDAG,
    schedule: Schedule,
    memory: int,
    *,
    rules: Rules,
    least: int,
    seed: int,
    time_limit: float,
) -> Schedule:
    """Return `schedule` with windows of it played better, one after another.

    Small windows first, each half on the one before; larger ones where no small one is played
    better. It ends with the time, at `least` words, or where no window of any size is played
    better in a few seconds.

    Parameters
    ----------
    dag, schedule, memory, rules
        A legal play.
    least
        Words that no legal play can do without.
    seed, time_limit
        As for `cp_sat`.
    """
    end = monotonic() + time_limit
    for size in SIZES:
        first, unchanged = 0, 0
        while monotonic() < end and play(dag, schedule, memory, rules=rules).io > least:
            count = int((schedule.op == Move.COMPUTE).sum())
            if unchanged * size // 2 >= count:
                break
            first = first if first < count else 0
            better = better_window(
                dag,
                schedule,
                memory,
                rules=rules,
                first=first,
                last=first + size,
                time_limit=min(SECONDS, max(end - monotonic(), 0.0)),
                seed=seed,
            )
            schedule, unchanged = better or schedule, 0 if better else unchanged + 1
            first += size // 2
    return schedule
