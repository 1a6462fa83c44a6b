"""A proof and a large-neighbourhood search: window after window of a play is played better."""

from time import monotonic

from dags import CDAG
from pebble import Move, Rules, Schedule, play
from schedulers.exact.cpsat.recompute.levels import better_window, proved_play

SIZES = (8, 16, 24)  # computations in a window
SECONDS = 5.0  # for one window
PROOF = 0.5  # share of the time for the proof


def least_play(
    dag: CDAG,
    best: Schedule,
    memory: int,
    *,
    rules: Rules,
    least: int,
    seed: int,
    time_limit: float | None,
) -> tuple[Schedule, int]:
    """Return the best play found, and a lower bound on the I/O of any play, in words.

    Half of the time is for the proof, which ends with an optimal play; the rest for a better one.

    Parameters
    ----------
    dag, best, memory, rules
        A legal play.
    least
        Lower bound on the I/O of any legal play, in words.
    seed, time_limit
        As for `cp_sat`.
    """
    begun = monotonic()
    share = None if time_limit is None else PROOF * time_limit
    best, least = proved_play(
        dag, best, memory, rules=rules, least=least, seed=seed, time_limit=share
    )
    if time_limit is not None:
        left = time_limit - (monotonic() - begun)
        best = swept(dag, best, memory, rules=rules, least=least, seed=seed, time_limit=left)
    return best, least


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
        Lower bound on the I/O of any legal play, in words.
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
