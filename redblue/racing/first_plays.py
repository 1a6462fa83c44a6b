"""First plays of a race: one order's at once, and the best of a portfolio."""

import time
from itertools import islice

from redblue.racing.race import Race
from schedulers.portfolio import counted_plays
from schedulers.search import candidates_in


def take_any(race: Race) -> None:
    """Take the play of one order: found at once, for whoever has no time for more."""
    natural = candidates_in("natural", [race.dag.computed], race.dag, race.memory, race.rules)
    first = next(natural)
    race.play(first.moves(), first.io, first.name)
    race.provisional = True


def take_portfolio(race: Race, seconds: float, most: int | None = None) -> None:
    """Take the best of the plays that are counted in so many seconds: one of them at least.

    The rest of the portfolio is counted when it is asked again.

    Parameters
    ----------
    race
        Takes them.
    seconds
        Seconds, roughly.
    most
        How many plays are enough; None for all.
    """
    end = time.monotonic() + seconds
    if race.uncounted is None:
        game = race.dag, race.memory
        race.uncounted = counted_plays(*game, rules=race.rules, end=end)
    members = list(race.members or [])
    for member in islice(race.uncounted, most):
        members.append(member)
        if time.monotonic() > end:
            break
    race.members = sorted(members, key=lambda member: member.io)
    first = race.members[0]
    race.play(first.moves(), first.io, "best")
