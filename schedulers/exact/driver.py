"""Running a search in slices, until it is done or has to give up."""

from collections.abc import Callable
from time import monotonic
from typing import TypeVar

from schedulers.exact import _kernels as k
from schedulers.exact.problem import TooLargeError
from schedulers.exact.tables import Outcome, counters, size_in_bytes

MOST_LEVELS = 1 << 26
S = TypeVar("S")


class Alarm:
    """Tells whether a search has to give up: the time is over, or somebody pressed Ctrl-C.

    Parameters
    ----------
    time_limit
        Seconds from now; None for no limit.
    """

    def __init__(self, time_limit: float | None) -> None:
        self.end = None if time_limit is None else monotonic() + time_limit
        self.interrupted = False

    def rings(self) -> bool:
        """Return whether it is time to give up."""
        return self.interrupted or (self.end is not None and monotonic() > self.end)


def levels(compulsory: int, upper: int) -> int:
    """Return how many words plays with less than `upper` may move besides the compulsory ones.

    Raises
    ------
    TooLargeError
        If they are too many to keep states apart by them.
    """
    limit = max(upper - compulsory, 0)
    if limit > MOST_LEVELS:
        raise TooLargeError(f"exact search is for up to {MOST_LEVELS} words above the compulsory")
    return limit


def run(
    store: S,
    search: Callable[[S], int],
    larger: Callable[[S], S],
    *,
    compulsory: int,
    limit: int,
    max_memory: int,
    alarm: Alarm,
) -> Outcome[S]:
    """Return what a search comes to.

    Parameters
    ----------
    store
        Its states, the first one entered.
    search
        Goes on for a while and returns a status of the kernels.
    larger
        Returns a store with more room.
    compulsory, limit
        Words that every play moves, and how many more are of interest.
    max_memory, alarm
        When to give up.
    """
    status = k.RUNNING if limit else k.EXHAUSTED
    while status == k.RUNNING and not alarm.rings():
        try:
            status = search(store)
            if status == k.FULL and 2 * size_in_bytes(store) <= max_memory:
                store = larger(store)
                status = k.RUNNING
        except KeyboardInterrupt:
            alarm.interrupted = True
    at = counters(store)
    bound = compulsory + min(int(at[k.LEVEL]), limit)
    return Outcome(bound, status == k.FOUND, int(at[k.NODES]), store)
