"""Bounds by the race of `redblue.racing.solving`, in which schedules are but the goal."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

from dags import Computation
from pebble import Budget, Rules, min_memory, require_memory
from pebble.budget import running_clock, under
from proofs import Bound, BoundMethod, bounds_by, carried
from redblue.answers.building import is_closed
from redblue.answers.counted.curves import closed_bound, counted_curve
from redblue.answers.efforts import Effort, effort_for, seconds_of
from redblue.answers.planning.ranges import found_memories
from redblue.answers.results import IOCurve
from redblue.limits.progress import Message, silent
from redblue.racing.at_once import quickly
from redblue.racing.race import Race
from redblue.racing.solving import run
from schedulers import default_schedulers


@dataclass
class Proofs:
    """What is proved of a computation, while it is being proved.

    Parameters
    ----------
    computation, rules
        Of all games.
    memories
        Words of fast memory of each game; None for a range that is found.
    """

    computation: Computation
    rules: Rules
    memories: Sequence[int] | None
    races: list[Race] = field(default_factory=list)  # of its DAG, one for each size of memory
    curve: IOCurve | None = None  # of bounds by closed formulas, where its DAG is not built
    waiting: dict[int, list[str]] = field(default_factory=dict)  # methods not done, by memory

    @property
    def begun(self) -> bool:
        """True if something is proved already."""
        return self.curve is not None or any(race.proved for race in self.races)

    def best(self, memory: int) -> Bound:
        """The largest bound with a certificate for a size of memory, games with more included.

        Compulsory words count beside methods that are asked alone; theirs comes first if equal.
        """
        if not self.races:
            return closed_bound(self.computation, memory, self.rules)
        races = [race for race in self.races if race.memory >= memory]
        proved = [bound for race in races for bound, _ in race.proved.values()]
        return max((*proved, *(race.bound for race in races)), key=attrgetter("io"))


def proved(
    proofs: Proofs,
    *,
    methods: Mapping[str, BoundMethod] | None = None,
    strict: bool = False,
    counted: bool = False,
    effort: str | None = None,
    budget: Budget,
    compilation_counts: bool = False,
    tell: Message = silent,
) -> Proofs:
    """The proofs of a computation, as far as they go in the time.

    Parameters
    ----------
    proofs
        Takes all that is proved, for whoever interrupts this.
    methods
        By name, each to be asked alone; None for a race of all that apply.
    strict
        Whether a method that does not apply is an error.
    counted
        Whether no DAG is built if it is large.
    effort
        By name; None for all of the time where there is a limit, and for "normal" elsewhere.
    budget
        The end of all of it; without a limit, methods that are asked alone have their own.
    compilation_counts
        Whether compilation takes from the time.
    tell
        Called with the work at hand, and the best by then.

    Raises
    ------
    MemoryTooSmallError
        If all sizes are too small.
    """
    computation, rules, requested = proofs.computation, proofs.rules, proofs.memories
    if is_closed(computation, counted=counted, bounds=methods):
        proofs.curve = counted_curve(computation, requested, rules=rules, plays=False)
        return proofs
    dag = computation.dag
    if requested is None:
        tell("finding the range of memory")
    memories = requested or found_memories(dag, default_schedulers(dag), rules=rules)
    require_memory(dag, memories[-1], rules=rules)
    seconds = None if budget.clock is None else budget.left
    for memory in memories:
        proofs.races.append(Race(dag, memory, rules, budget, compilation_counts=compilation_counts))
    with under(budget.clock or running_clock()):
        if methods is None:
            prove_by_race(proofs.races, effort_for(effort, seconds), tell)
        else:
            game: dict[str, Any] = {"seconds": seconds, "waiting": proofs.waiting, "tell": tell}
            prove_alone(proofs.races, methods, strict=strict, **game)
    return proofs


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
    names = {id(method): name for name, method in methods.items()}
    budget = Budget(seconds)
    for race in races:
        race.proved.clear()
        waiting[race.memory] = list(methods)
    for place, race in enumerate(races):
        running = list[str]()

        def begins(method: BoundMethod, race: Race = race, running: list[str] = running) -> None:
            for name in running:
                waiting[race.memory].remove(name)
            running[:] = [names[id(method)]]
            tell(f"proving by {running[0]}: {race.known}")

        limit = budget.share(1 / (len(races) - place)).seconds
        game: dict[str, Any] = {"rules": race.rules, "seed": race.seed, "time_limit": limit}
        bounds = bounds_by(
            methods.values(), race.dag, race.memory, **game, strict=strict, begins=begins
        )
        for bound, taken in bounds:
            race.prove(bound, taken)
        del waiting[race.memory]


def _gap(race: Race) -> float:
    """The best schedule over the best bound, as if a word were proved where none is."""
    assert race.found is not None
    return race.found[1] / max(race.lower_bound, 1)
