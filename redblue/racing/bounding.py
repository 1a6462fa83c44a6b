"""Bounds by the race of `redblue.racing.solving`, in which schedules are but the goal."""

from collections.abc import Mapping, Sequence
from typing import Any

from dags import CDAG
from pebble import Budget, Rules, min_memory
from pebble.budget import running_clock, under
from proofs import Bound, BoundMethod, bounds_by, carried
from redblue.answers.efforts import Effort, effort_for, seconds_of
from redblue.limits.progress import Message, silent
from redblue.racing.at_once import quickly
from redblue.racing.race import Race
from redblue.racing.solving import run


def prove_by_race(races: Sequence[Race], effort: Effort, tell: Message = silent) -> None:
    """Let games of one DAG prove as much as an effort can, the widest gap first.

    Results at once come first, for each of them; each ends where bound and schedule meet. What is
    proved with one memory counts for all others, as far as its certificate does.

    Parameters
    ----------
    races
        Games, each with another memory; they take the results.
    effort
        The seconds of work.
    tell
        As for `quickly`.
    """
    races = [race for race in races if race.memory >= min_memory(race.dag, rules=race.rules)]
    for race in races:
        quickly(race, tell)
        _carry(race, races)
    wide = {race.memory: _gap(race) for race in races if not race.over and effort.seconds}
    seconds = seconds_of({memory: gap for memory, gap in wide.items() if gap > 1}, effort)
    for race in sorted(races, key=lambda race: -wide.get(race.memory, 0.0)):
        if race.memory in seconds and not race.over:
            race.budget = race.budget.at_most(seconds[race.memory])
            run(race, None, tell=tell, bounds=True)
            _carry(race, races)


def _carry(race: Race, other_races: Sequence[Race]) -> None:
    """Let other games of the DAG take the best bound of a race where it proves more of them."""
    for other_race in other_races:
        bound = carried(race.dag, other_race.memory, race.bound)
        if bound is not None and bound.io > other_race.lower_bound:
            other_race.claim(bound.io, bound.method)
            if bound.memory == other_race.memory:
                other_race.prove(bound)


def prove_alone(
    races: Sequence[Race],
    methods: Mapping[str, BoundMethod],
    *,
    strict: bool,
    seconds: float | None,
    waiting: dict[int, list[str]],
    tell: Message = silent,
) -> None:
    """Let games of one DAG have the bounds of each method alone, one after the other.

    Parameters
    ----------
    races
        Games, each with another memory; they take the results, and know nothing else.
    methods
        By name.
    strict
        Whether a method that does not apply is an error.
    seconds
        Seconds for all of it; None for the methods' own limits.
    waiting
        Takes by memory the names of the methods that are not done, while there are any.
    tell
        Called with the work at hand, and the best by then.
    """
    names = {method: name for name, method in methods.items()}
    budget = Budget(seconds)
    for race in races:
        race.proved.clear()
        waiting[race.memory] = list(methods)
    for place, race in enumerate(races):
        running = list[str]()

        def begins(method: BoundMethod, race: Race = race, running: list[str] = running) -> None:
            for name in running:
                waiting[race.memory].remove(name)
            running[:] = [names[method]]
            tell(f"proving by {names[method]}: {race.known}")

        limit = budget.share(1 / (len(races) - place)).seconds
        game: dict[str, Any] = {"rules": race.rules, "seed": race.seed, "time_limit": limit}
        bounds = bounds_by(names, race.dag, race.memory, **game, strict=strict, begins=begins)
        for bound, taken in bounds:
            race.prove(bound, taken)
        del waiting[race.memory]


def bound_by_race(
    dag: CDAG, memory: int, rules: Rules, seed: int, effort: str | None, time_limit: float | None
) -> Bound:
    """Return the largest bound that a race proves, with its certificate.

    Parameters
    ----------
    dag, memory, rules, seed
        The game.
    effort
        By name; None for all of the time where there is a limit, and for "normal" elsewhere.
    time_limit
        Seconds for all of it; time to compile does not count. None for no limit.
    """
    budget = Budget.within(time_limit, seed=seed)
    race = Race(dag, memory, rules, budget, compilation_counts=False)
    with under(budget.clock or running_clock()):
        prove_by_race([race], effort_for(effort, budget.seconds))
    return race.bound


def _gap(race: Race) -> float:
    """Return the best schedule over the best bound, as if a word were proved where none is."""
    assert race.found is not None
    return race.found[1] / max(race.lower_bound, 1)
