"""Solver: the best schedule of a DAG that is found in a given time, and a bound on every other."""

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from dags import CDAG, Computation, InvalidSpecError
from dags.arguments import checked
from pebble import ONE_SHOT, Budget, Rules, computed_again, play, require_memory
from pebble.budget import running_clock, under
from redblue.answers.building import is_closed
from redblue.answers.counted.curves import known_sentence
from redblue.answers.efforts import SMALL, effort_named
from redblue.answers.prices import require_price
from redblue.answers.results import describe
from redblue.answers.solutions import Solution
from redblue.answers.sources import (
    Memory,
    RulesLike,
    Source,
    label_of,
    load,
    rules_of,
)
from redblue.answers.tilings import best_tiling
from redblue.answers.words import words_of
from redblue.limits.interrupts import noticed_interrupts
from redblue.limits.progress import Message, silent
from redblue.racing.at_once import prove_at_once, quickly, take_any, take_portfolio
from redblue.racing.processes import race_on_processes
from redblue.racing.proving import bounds_in
from redblue.racing.race import Race, search_exactly_if_it_pays
from redblue.racing.race import search_exactly as _exactly
from redblue.racing.samples import compile_again as _compile_again
from redblue.racing.samples import compile_best as _compile_best
from redblue.racing.samples import compile_exact as _compile_exact
from redblue.racing.samples import compile_portfolio as _compile_portfolio
from redblue.racing.samples import compile_searches
from redblue.racing.solvers import SOLVERS, Solver, solver_named
from schedulers import SearchResult
from schedulers.search import computing_again
from schedulers.search.portfolio import LEAST, best

Stage = tuple[str, Callable[[], None]]  # of a race: what it does, and the work
WORK = 60.0  # seconds of the reference machine, where neither effort nor limit are given
# Share of the time for the first turn of either side, on a DAG that exact search takes; and no
# more seconds than these.
QUICK, MOST_QUICK = 0.1, 5.0
# Shares of the time that is left for the first turns of schedules and of bounds, on a DAG that
# exact search does not take. The first search is short: bounds and the last search, which anneals
# the better the longer it is, get the same (`benchmarks/drawn_dags.py`).
FIRST_TURN, PROVING = 0.02, 0.5
# Shares of the time that is left for the plays that are counted before there is any bound, and
# after that. On a DAG of more vertices than `AT_ONCE` no search comes before bounds either.
FIRST_PLAYS, MORE_PLAYS, AT_ONCE = 0.5, 0.5, 1 << 14
FIRST_BOUNDS = 0.2  # share of the time for the bounds that take little of it, before all else
MORE = 0.5  # share of the time for bounds after the last search, which may end before its time
MOST_IDLE = 2  # searches with other seeds that gain nothing, one after the other
# Share of the time for exact search before anything else, and between which seconds: most tiny DAGs
# need no more.
GLANCE, LEAST_GLANCE, MOST_GLANCE = 1 / 60, 0.3, 1.0
SETTLING = 1.0  # seconds at the end for a schedule of the same cost with less work


@checked
def solve(
    source: Source,
    memory: Memory,
    *,
    rules: RulesLike = ONE_SHOT,
    seed: int = 0,
    effort: str | float | None = None,
    time_limit: float | None = None,
    method: str | Solver | None = None,
    max_memory: int = Budget.bytes,
    jobs: int = 1,
    spec: str = "",
    progress: Message | None = None,
    price_of_work: float = 0.0,
) -> Solution:
    """The best schedule and the best bound that can be found in the time.

    Bounds and schedules take turns: each ends where it meets the other side, and time that one
    leaves goes to the next. A DAG that exact search takes (up to 64 values that are computed, and
    as many that are read) gets short turns of both, and then the exact search. It ends as soon as
    bound and schedule meet. Interrupted from the keyboard it returns the best so far.

    Parameters
    ----------
    source, memory, rules
        The game: a DAG or another source that `redblue.load` takes, words of fast memory or a text
        like "64KB", and the rules or their name.
    seed
        Seed of the searches.
    effort
        How hard to search: "quick", "normal" or "high", or seconds of work on the reference
        machine; None for all of the time where there is a limit, and for 60 elsewhere. The same
        effort has the same words on every machine.
    time_limit
        Seconds; None for none. A first schedule and the compulsory bound are made whatever the
        limit. Three quarters of it, or less, are work; its clock only cuts what takes longer.
        Compilation, once on a machine, does not count.
    method
        One of `redblue.racing.solvers.SOLVERS`, to run alone, or a function like them, beside which
        bounds are proved; None for all that help.
    max_memory
        Bytes that the exact search may take.
    jobs
        Number of processes. With several, one does all that a single one would do, so that they
        never find or prove less. In the others schedules and bounds race: whoever is free takes the
        side and the method that have gained most a second, with the best of both so far.
    spec
        Label of the DAG in results.
    progress
        Called with the work at hand, and the best by then, in a few words.
    price_of_work
        Words that a recomputed operation costs, under rules that allow it. Of
        schedules that cost the same, the one with less work is the best.

    Raises
    ------
    InvalidSpecError
        If there is a price where nothing may be computed again, or the DAG is too large to be
        built: schedules are lists of moves.
    MemoryTooSmallError
        If some vertex cannot be computed with `memory` words.
    UnknownNameError
        If there is no such method.
    TooLargeError
        If the method is the exact search and the DAG is too large for it.

    Examples
    --------
    >>> solution = solve("fft:n=4", 4)
    >>> solution.count.io, solution.lower_bound, solution.status
    (11, 11, 'optimal')
    """
    computation, words, game = load(source), words_of(memory, source), rules_of(rules)
    dag = playable(computation, words, game)
    require_price(price_of_work, game)
    solver = solver_named(method) if isinstance(method, str) else method
    began = time.monotonic()
    with noticed_interrupts() as pressed:
        work, quick = work_of(effort, time_limit)
        limits: dict[str, Any] = {"bytes": max_memory, "seed": seed, "stop": pressed}
        budget = Budget.within(time_limit, work, **limits)
        options: dict[str, Any] = {"compilation_counts": False, "price_of_work": price_of_work}
        race = Race(dag, words, game, budget, **options)
        try:
            with under(budget.clock or running_clock()):
                raced(race, solver, quick=quick, jobs=jobs, tell=progress or silent)
        except KeyboardInterrupt:
            if race.found is None:
                raise
    seconds = time.monotonic() - began - race.compiling
    return solution_of(race, label_of(source, spec), seconds)


def playable(computation: Computation, memory: int, rules: Rules) -> CDAG:
    """The DAG of a computation, for a schedule of moves.

    Parameters
    ----------
    computation
        The computation.
    memory, rules
        Words of fast memory, and the rules.

    Raises
    ------
    InvalidSpecError
        If the DAG is too large to be built: the error says what formulas know.
    MemoryTooSmallError
        If some vertex cannot be computed with so little memory.
    """
    if is_closed(computation):
        raise InvalidSpecError(known_sentence(computation, memory, rules))
    require_memory(computation.dag, memory, rules=rules)
    return computation.dag


def raced(
    race: Race,
    solver: Solver | None = None,
    *,
    quick: bool = False,
    jobs: int = 1,
    tell: Message = silent,
) -> None:
    """Let a race have a first schedule, and then all methods, or one.

    Parameters
    ----------
    race
        The race of the game; it takes the results.
    solver
        The only method; None for all that help.
    quick
        Whether nothing is searched.
    jobs, tell
        As for `solve`.
    """
    if quick:
        quickly(race, tell)
        return
    take_any(race)
    run(race, solver, jobs=jobs, tell=tell)


def work_of(effort: str | float | None, time_limit: float | None) -> tuple[float | None, bool]:
    """The seconds of work of an effort, None for as many as there is time for, and if quick.

    Parameters
    ----------
    effort
        By name, or in seconds; None for all of the time.
    time_limit
        Seconds; None for no limit.
    """
    if effort is None:
        return (WORK if time_limit is None else None), False
    if isinstance(effort, str):
        named = effort_named(effort)
        return (named.most or WORK), not named.seconds
    return effort, False


def run(
    race: Race,
    alone: Solver | None,
    *,
    jobs: int = 1,
    tell: Message = silent,
    bounds: bool = False,
) -> None:
    """Let the methods race, or one have all of the time, until it is over.

    Parameters
    ----------
    race
        The race of the game; it takes the results.
    alone
        The only method, beside which bounds are proved if it is the caller's own; None for all
        that help.
    jobs, tell
        As for `solve`.
    bounds
        Whether bounds are wanted, on one process: a schedule is the goal then, and no more time
        goes to schedules once there is a good one.
    """
    if alone is None:
        _run(race, jobs, tell, bounds=bounds)
    else:
        tell("compiling")
        race.compile(compile_searches)
        _run_alone(race, alone)
        if alone not in SOLVERS.values() and not race.over:
            prove_at_once(race, FIRST_BOUNDS * race.left, tell)
            _prove(race, race.left, tell=tell)


def solution_of(race: Race, spec: str, seconds: float) -> Solution:
    """The solution of a race, its schedule replayed.

    Parameters
    ----------
    race
        With a schedule.
    spec
        Label of the DAG.
    seconds
        Time that it took.
    """
    race.settle(SETTLING)
    assert race.found is not None
    schedule, _, method = race.found
    dag, memory, rules = race.dag, race.memory, race.rules
    io, proved_by = race.claimed
    count = play(dag, schedule, memory, rules=rules)
    return Solution(
        dag=describe(dag, spec, rules=rules),
        rules=rules,
        memory=memory,
        schedule=schedule,
        count=count,
        method=method,
        lower_bound=io,
        proved_by=proved_by,
        bound=race.certified,
        seconds=seconds,
        states=race.states,
        again=computed_again(dag, count),
        price_of_work=race.price_of_work,
        tiled=best_tiling(dag, race.members),
    )


def _run(race: Race, jobs: int, tell: Message, *, bounds: bool) -> None:
    """Let the methods race until they meet or the time is over."""
    small, large = race.dag.computed.size <= SMALL, race.dag.n > AT_ONCE
    prove_at_once(race, FIRST_BOUNDS * race.left, tell)
    tell("compiling")
    _take_family_play(race)  # for which, where it meets a bound, no search is compiled
    if race.over:
        return
    tell(f"looking for a first schedule: {race.known}")
    _count_plays(race)
    turn = min(QUICK * race.left, MOST_QUICK) if small else FIRST_TURN * race.left
    share = 1.0 if bounds else PROVING
    together = partial(_side_by_side, race, jobs, tell)
    trials: list[tuple[float, int]] = []  # seconds of exact searches, and what each proved
    after_turns: list[Stage] = [
        ("searching exactly", partial(search_exactly_if_it_pays, race, trials)),
        ("proving bounds", lambda: _prove(race, share * race.left, tell=tell)),
    ]
    counting: Stage = (
        "counting the I/O of schedulers",
        lambda: take_portfolio(race, MORE_PLAYS * race.left),
    )
    further: list[Stage] = [
        ("searching", together),
        ("proving more", lambda: _prove(race, MORE * race.left, race.bound.method, tell)),
        ("searching once more", partial(_search_again, race)),
    ]
    single_stages: list[Stage] = [
        ("improving the schedule", partial(_improve, race, turn)),
        ("proving bounds", lambda: _prove(race, turn if small else share * race.left, tell=tell)),
        *(() if bounds else (counting,)),
        *(after_turns if small else ()),
        *(() if bounds else further),
    ]
    stages: list[Stage] = []
    if race.rules.recompute:
        stages.append(("trying recomputation", partial(_compute_again, race)))
    if small:  # before all other searches, for whose compilation a tiny DAG need not wait
        stages.append(("trying an exact search", partial(_glance, race, trials)))
    if not large:
        stages.append(("improving the first schedule", partial(_improve, race, 0.0)))
    stages += single_stages[large:] if jobs == 1 else [("racing", together)]
    for activity, stage in stages:
        if race.over:
            return
        tell(f"{activity}: {race.known}")
        stage()


def _take_family_play(race: Race) -> None:
    """Take the first play of the portfolio: that of the DAG's family, if it has any."""
    race.compile(lambda recompute: take_portfolio(race, FIRST_PLAYS * race.left, limit=1))


def _count_plays(race: Race) -> None:
    """Take the best play of the portfolio that is counted in some of the time."""
    race.compile(_compile_portfolio)
    take_portfolio(race, FIRST_PLAYS * race.left)


def _compute_again(race: Race) -> None:
    """Make of the best schedule so far one that computes values again, where that is at once."""
    race.compile(_compile_again)
    assert race.found is not None
    recomputing = computing_again(
        race.dag,
        race.found[0],
        race.memory,
        rules=race.rules,
        price_of_work=race.price_of_work,
        budget=race.budget.at_most(LEAST),
    )
    race.play(recomputing, 0, "best")


def _glance(race: Race, trials: list[tuple[float, int]]) -> None:
    """Search exactly for a moment."""
    race.compile(_compile_exact)
    seconds = min(max(GLANCE * race.left, LEAST_GLANCE), MOST_GLANCE)
    _exactly(race, seconds, trials)


def _run_alone(race: Race, solver: Solver) -> None:
    """Let one solver have all of the time; a first schedule is there if it finds none."""
    race.take(
        solver(
            race.dag,
            race.memory,
            rules=race.rules,
            seed=race.seed,
            time_limit=race.left,
            lower_bound=race.lower_bound,
            max_memory=race.budget.bytes,
        )
    )
    if race.found is None or race.provisional:
        race.take(_search(race, 0.0))
    if race.found is not None and race.bound.io < race.lower_bound == race.found[1]:
        # an optimum without a certificate
        _exactly(race)


def _search(race: Race, seconds: float) -> SearchResult:
    """The best schedule found in so many seconds, compilation apart."""
    race.compile(_compile_best)
    return best(
        race.dag,
        race.memory,
        rules=race.rules,
        seed=race.seed,
        time_limit=seconds,
        lower_bound=race.lower_bound,
        members=race.starts,
        price_of_work=race.price_of_work,
    )


def _prove(
    race: Race, seconds: float, proved_by: str | None = None, tell: Message = silent
) -> None:
    """Let all bounds that apply work for so many seconds, or the one that proved most before."""
    began = time.monotonic()

    def begins(name: str) -> None:
        nonlocal began
        began = time.monotonic()
        tell(f"proving by {name}: {race.known}")

    game: dict[str, Any] = {"rules": race.rules, "seed": race.seed, "proved_by": proved_by}
    game |= {"seconds": min(seconds, race.left), "known": race.lower_bound, "begins": begins}
    for bound in bounds_in(race.dag, race.memory, **game):
        race.prove(bound, time.monotonic() - began)
        if race.over:
            return


def _improve(race: Race, seconds: float) -> None:
    """Search for a better schedule for so many seconds."""
    race.take(_search(race, seconds))


def _search_again(race: Race) -> None:
    """Search with other seeds, as long as the time goes and that gains something now and then."""
    idle = 0
    while idle < MOST_IDLE and not race.over:
        race.seed += 1
        before = race.found
        result = _search(race, race.left)
        race.take(result)
        idle = MOST_IDLE if not result.states else 0 if race.found is not before else idle + 1


def _side_by_side(race: Race, jobs: int, tell: Message) -> None:
    """Let both sides race on as many processes as there are jobs; search, if that is one."""
    if jobs == 1:
        _improve(race, race.left)
        return
    race.compile(_compile_best)  # once, not in each process
    small = race.dag.computed.size <= SMALL
    race_on_processes(race, jobs=jobs, exact=small, tell=tell)
