"""Bounds and plays at once: methods that take little time, a short exact search, a portfolio."""

from itertools import islice
from math import inf
from typing import Any

from dags import CDAG
from pebble import ONE_SHOT, Budget, Rules
from proofs import BOUNDS, Bound, best_bound, bounds_by, searched_bound
from redblue.answers.efforts import FEW_STATES_BYTES, SMALL
from redblue.limits.progress import Message, silent
from redblue.racing.proving import DEFAULT_BOUNDS
from redblue.racing.race import Race
from schedulers import SearchResult
from schedulers.exact import TooLargeError, exact
from schedulers.search import candidates_in
from schedulers.search.portfolio import counted_plays

SHARE, MOST = 0.1, 1.0  # of the time for the bounds and plays that are known at once; seconds


def few_states(dag: CDAG, memory: int, *, rules: Rules = ONE_SHOT) -> SearchResult | None:
    """The result of an exact search of few states; None where the DAG is too large for it.

    Where values may be computed again a state takes so long that there are fewer of them. Its
    result is the same every time.

    Parameters
    ----------
    dag, memory, rules
        The game.
    """
    if dag.computed.size > SMALL:
        return None
    limit = FEW_STATES_BYTES // 4 if rules.recompute else FEW_STATES_BYTES
    try:
        return exact(dag, memory, rules=rules, max_memory=limit)
    except TooLargeError:
        return None


def quick_bound(
    dag: CDAG,
    memory: int,
    *,
    rules: Rules = ONE_SHOT,
    seed: int = 0,
    time_limit: float | None = None,
) -> Bound:
    """The largest bound that is proved at once, with its certificate.

    The parameters are those of every bound.

    Examples
    --------
    >>> from dags import fft
    >>> quick_bound(fft(8), 4).io
    31
    """
    methods = [BOUNDS[name] for name in DEFAULT_BOUNDS]
    game: dict[str, Any] = {"rules": rules, "seed": seed, "time_limit": time_limit}
    return searched_shortly(dag, best_bound(methods, dag, memory, **game))


def searched_shortly(dag: CDAG, bound: Bound) -> Bound:
    """A bound, or that of an exact search of few states if it is larger.

    Parameters
    ----------
    dag
        The computation.
    bound
        The best of one game with it.
    """
    result = few_states(dag, bound.memory, rules=bound.rules)
    if result is None or result.lower_bound <= bound.io:
        return bound
    facts = {"io": result.lower_bound, "states": result.states}
    return searched_bound(dag, bound.memory, rules=bound.rules, **facts)


def prove_at_once(race: Race, seconds: float = inf, tell: Message = silent) -> None:
    """Let a race have the bounds that take little time, once.

    Parameters
    ----------
    race
        The game.
    seconds
        Seconds for all of them, for some take long where there are many vertices.
    tell
        Called with the work at hand.
    """
    if race.quick:
        return
    race.quick = True
    tell(f"proving at once: {race.known}")
    methods = [BOUNDS[name] for name in DEFAULT_BOUNDS]
    limit = None if seconds == inf else seconds
    game: dict[str, Any] = {"rules": race.rules, "seed": race.seed, "time_limit": limit}
    for bound, taken in bounds_by(methods, race.dag, race.memory, **game):
        race.prove(bound, taken)


def take_any(race: Race) -> None:
    """Take the play of one order: found at once, for whoever has no time for more."""
    natural = candidates_in("natural", [race.dag.computed], race.dag, race.memory, race.rules)
    first = next(natural)
    race.play(first.moves(), first.io, first.name)
    race.provisional = True


def take_portfolio(race: Race, seconds: float, limit: int | None = None) -> None:
    """Take the best of the plays that are counted in so many seconds: one of them at least.

    The rest of the portfolio is counted when it is asked again.

    Parameters
    ----------
    race
        Takes them.
    seconds
        Seconds, roughly.
    limit
        How many plays are enough; None for all.
    """
    budget = Budget(seconds)
    if race.uncounted is None:
        game = race.dag, race.memory
        race.uncounted = counted_plays(*game, rules=race.rules, budget=budget)
    members = list(race.members or [])
    for member in islice(race.uncounted, limit):
        members.append(member)
        if budget.over:
            break
    race.members = sorted(members, key=lambda member: member.io)
    first = race.members[0]
    race.play(first.moves(), first.io, "best")


def quickly(race: Race, tell: Message = silent) -> None:
    """Let a race have results without search: bounds, few states, plays of a portfolio.

    Parameters
    ----------
    race
        The game.
    tell
        Called with the work at hand, and the best by then.
    """
    take_any(race)
    prove_at_once(race, SHARE * race.left, tell)
    if not race.over and (result := few_states(race.dag, race.memory, rules=race.rules)):
        race.take(result)
    if not race.over:
        tell(f"looking for a schedule: {race.known}")
        take_portfolio(race, min(SHARE * race.left, MOST))
