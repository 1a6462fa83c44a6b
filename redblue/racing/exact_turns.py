"""Exact search in a race: as long as it pays."""

from collections.abc import Sequence
from math import inf, log

from redblue.racing.race import Race
from schedulers.exact import TooLargeError, exact

# A longer exact search gets this share of the time; and, on a DAG that exact search takes, all that
# is left unless the two say that it would take so many times as long.
EXACT_TRIAL, MUCH_MORE = 0.1, 30.0
# Where it would not meet the schedule it still gets this share if it would prove so many times what
# is known: of some graphs it proves more than all bounds.
TO_PROVE, MORE_WORDS = 0.5, 1.03
# Where values may be computed again it gets this share without a trial: its states are so many that
# what a short search proves says little, and searches for plays need the rest.
AGAIN = 0.5


def search_exactly(
    race: Race,
    max_memory: int,
    seconds: float = inf,
    trials: list[tuple[float, int]] | None = None,
) -> None:
    """Search exactly, where the DAG is small enough, for most of the time that is left.

    Parameters
    ----------
    race
        The best so far, and until when it may go on.
    max_memory
        Bytes that the search may take.
    seconds
        Seconds that it may take at most.
    trials
        Takes the seconds of the search, and the words that it proved.
    """
    try:
        found = exact(
            race.dag,
            race.memory,
            rules=race.rules,
            time_limit=min(0.9 * race.left, seconds),
            max_memory=max_memory,
            upper=race.schedule,
        )
    except TooLargeError:
        return
    race.take(found)
    if trials is not None:
        trials.append((found.seconds, found.lower_bound))


def search_exactly_if_it_pays(race: Race, max_memory: int, trials: list[tuple[float, int]]) -> None:
    """Search exactly for some of the time, and for longer where trials say that it pays.

    It gets most of the time where it may meet the schedule, and some where it may only prove more
    words than all bounds have.

    Where values may be computed again it is some of the time, whatever comes of it.

    Proved words grow with the logarithm of the time: two searches, of which one is longer, say how
    long the whole one will take.

    Parameters
    ----------
    race, max_memory, trials
        As for `search_exactly`; with one trial, a short one. There is none where the DAG is too
        large, and then there will be none.
    """
    if not race.rules.recompute:
        search_exactly(race, max_memory, EXACT_TRIAL * race.left, trials)
        if race.over or len(trials) < 2:
            return
        if not hopeless(trials, race):
            search_exactly(race, max_memory)
        elif proves_more(trials, race, TO_PROVE * race.left):
            search_exactly(race, max_memory, TO_PROVE * race.left)
    else:
        search_exactly(race, max_memory, AGAIN * race.left)


def hopeless(trials: Sequence[tuple[float, int]], race: Race) -> bool:
    """Return whether exact search would need much more time than is left to meet the schedule.

    Parameters
    ----------
    trials
        Seconds of searches, and the words that each proved; the last two count.
    race
        With a schedule.
    """
    assert race.found is not None
    (short, low), (long, high) = trials[-2:]
    if long < 2 * short:
        return False
    missing, gained = race.found[1] - high, high - low
    needed = log(long) + log(long / short) * missing / max(gained, 1)
    return needed > log(MUCH_MORE * max(race.left, long))


def proves_more(trials: Sequence[tuple[float, int]], race: Race, seconds: float) -> bool:
    """Return whether exact search of so many seconds would prove clearly more than is proved.

    Parameters
    ----------
    trials
        Seconds of searches, and the words that each proved; the last two count.
    race
        The best so far.
    seconds
        Seconds of the search in question.
    """
    (short, low), (long, high) = trials[-2:]
    if seconds <= long or long < 2 * short:
        return False
    expected = high + (high - low) * log(seconds / long) / log(long / short)
    return expected >= MORE_WORDS * race.lower_bound
