"""The best schedule that can be found in a given time: of all orders, evictions, and families."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from dags import CDAG, chain
from dags.work import uncharged
from pebble import (
    ONE_SHOT,
    PARTIAL,
    UNLIMITED,
    Budget,
    MemoryTooSmallError,
    Rules,
    Schedule,
    compulsory_words,
    play,
    require_memory,
)
from schedulers.base import SearchResult, Status
from schedulers.eviction.policies import joined
from schedulers.families import FAMILIES, structured
from schedulers.partial.schedules import better_aggregated, better_order, rooms
from schedulers.search import (
    Candidate,
    candidates_in,
    computing_again,
    generic_plays,
    improve,
    local_search,
    recomputing,
)
from schedulers.search.sequences import first_computes
from schedulers.tilings.scheduler import tiled_orders

# Shares of the time for tiles, of a program and of a family that has schedules of its own, and the
# most vertices of a family's member; without a limit of time there are those of programs alone.
PROGRAM, FAMILY, LARGEST_TILED = 0.5, 0.25, 1 << 20

TIME_LIMIT = 10.0
LARGEST_SEARCHED = 1 << 17  # vertices beyond which the portfolio is all
# Shares of the time for plays without recomputation, where the rules allow it, in a DAG of up to
# `FEW` vertices and in a larger one, whose sequences change slowly.
ONCE, FEW, MOSTLY_ONCE = 0.6, 300, 0.8
LEAST = 1.0  # seconds for computing values again, whatever the limit

PLACED = 0.3  # share of the time for the placed game, whose orders are good ones here too
MOST_EDGES = 1 << 14  # beyond which orders of edges are not searched
ITERATIONS = 2000  # where there is neither a limit of time nor one of these


def best(
    dag: CDAG,
    memory: int,
    *,
    rules: Rules = ONE_SHOT,
    seed: int = 0,
    time_limit: float | None = TIME_LIMIT,
    iterations: int | None = None,
    lower_bound: int = 0,
    members: Sequence[Candidate] | None = None,
    price_of_work: float = 0.0,
) -> SearchResult:
    """The best schedule found: the portfolio's, made better by local search.

    Never worse than any order with any eviction, nor than the structured schedule. Where the rules
    allow it, values are in the end computed again instead of stored and loaded; of plays that move
    as much, the one with less work is better. It ends before its time where a lower bound is met,
    or where going on has not been worth while; and interrupted from the keyboard, it returns the
    best so far.

    Parameters
    ----------
    dag, memory, rules
        The game.
    seed
        Seed of the local search.
    time_limit, iterations
        Seconds, and changes of an order that the local search may try. The portfolio is counted
        whatever the limit. Without a time limit the result is the same every time. The first
        search on a machine compiles for some seconds more.
    lower_bound
        Lower bound on the I/O of any legal schedule, in words, where more than the compulsory
        I/O is known.
    members
        The plays to begin with, the best first; None to count the portfolio.
    price_of_work
        Words that an operation counts as which is done again, where the rules allow that.
    """
    _compile()
    budget = Budget(time_limit, seed=seed)
    bound = max(lower_bound, compulsory_words(dag))
    try:
        require_memory(dag, memory, rules=rules)
    except MemoryTooSmallError:
        return SearchResult("best", None, None, bound, "infeasible", budget.used)
    if rules.partial:
        return best_partial(
            dag,
            memory,
            budget,
            iterations=iterations,
            lower_bound=lower_bound,
            members=members,
        )
    members = members or portfolio(dag, memory, rules=rules)
    io, schedule, tried = members[0].io, members[0].moves(), 0
    if io > bound and dag.n <= LARGEST_SEARCHED:
        part = 1.0 if not rules.recompute else ONCE if dag.n <= FEW else MOSTLY_ONCE
        improved = improve(
            dag,
            memory,
            [member.order for member in members],
            rules=rules,
            budget=budget.share(part),
            iterations=iterations,
            goal=bound,
        )
        if improved is not None:
            tried = improved.moves
            if improved.io < io:
                io, schedule = improved.io, improved.schedule
    if rules.recompute:
        soon = budget if time_limit is None else replace(budget, seconds=max(time_limit, LEAST))
        priced: dict[str, Any] = {"rules": rules, "price_of_work": price_of_work}
        schedule = computing_again(dag, schedule, memory, budget=soon, **priced)
        if time_limit is not None:
            schedule = recomputing(dag, schedule, memory, budget=budget, goal=bound, **priced)
    io = play(dag, schedule, memory, rules=rules).io
    status: Status = "optimal" if io == bound else "feasible"
    return SearchResult("best", schedule, io, bound, status, budget.used, tried)


@cache
def _compile() -> None:
    """Search a DAG of three vertices: the first search on a machine compiles the kernels."""
    tiny = chain(3)
    with uncharged():
        portfolio(tiny, 2)
        local_search(tiny, 2, [tiny.computed], iterations=1)


def best_partial(
    dag: CDAG,
    memory: int,
    budget: Budget,
    *,
    iterations: int | None = None,
    lower_bound: int = 0,
    members: Sequence[Candidate] | None = None,
) -> SearchResult:
    """The best schedule found: of the portfolio, of placed ones, or by search from these.

    Parameters
    ----------
    dag, memory
        The game; every value and one of its operands must fit together.
    budget
        Of the search.
    iterations, lower_bound, members
        As for `best`.
    """
    bound = max(lower_bound, compulsory_words(dag))
    first = (members or portfolio(dag, memory, rules=PARTIAL))[0]
    schedule, io, tried = first.moves(), first.io, 0
    if io > bound:
        schedule, io = _placed(dag, memory, schedule, budget, iterations)
    if io > bound and dag.m <= MOST_EDGES:
        turns = ITERATIONS if budget.seconds is None and iterations is None else iterations
        schedule, tried = better_order(
            dag, schedule, memory, budget=budget, iterations=turns, goal=bound
        )
    io = play(dag, schedule, memory, rules=PARTIAL).io
    status: Status = "optimal" if io == bound else "feasible"
    return SearchResult("best", schedule, io, bound, status, budget.used, tried)


def _placed(
    dag: CDAG,
    memory: int,
    known: Schedule,
    budget: Budget,
    iterations: int | None,
) -> tuple[Schedule, int]:
    """The better of a schedule and those that the placed game's best ones lead to."""
    limit = None if budget.seconds is None else PLACED * budget.seconds / 2
    options: dict[str, Any] = {
        "rules": ONE_SHOT,
        "seed": budget.seed,
        "time_limit": limit,
        "iterations": iterations,
    }
    schedules = [best(dag, room, **options).schedule for room in rooms(dag, memory)]
    aggregated = better_aggregated(
        dag, [schedule for schedule in schedules if schedule is not None], memory
    )
    ranked = [
        (schedule, play(dag, schedule, memory, rules=PARTIAL).io)
        for schedule in (known, aggregated)
    ]
    return min(ranked, key=lambda pair: pair[1])


def search_schedule(
    dag: CDAG,
    memory: int,
    *,
    rules: Rules = ONE_SHOT,
    seed: int = 0,
    time_limit: float | None = TIME_LIMIT,
) -> Schedule:
    """The schedule that `best` finds in a given time.

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


def portfolio(dag: CDAG, memory: int, *, rules: Rules = ONE_SHOT) -> list[Candidate]:
    """The plays of all orders and evictions, of family and program, the best first.

    Parameters
    ----------
    dag, memory, rules
        The game; every vertex must fit.
    """
    return sorted(counted_plays(dag, memory, rules=rules), key=lambda member: member.io)


def counted_plays(
    dag: CDAG, memory: int, *, rules: Rules = ONE_SHOT, budget: Budget = UNLIMITED
) -> Iterator[Candidate]:
    """Yield the plays of a portfolio as they are counted, those of family and program first.

    Parameters
    ----------
    dag, memory, rules
        The game; every vertex must fit.
    budget
        Of the tuning of tiles.
    """
    yield from _family(dag, memory, rules, budget)
    if dag.origin is not None or (budget.seconds is not None and dag.n <= LARGEST_TILED):
        share = budget.share(FAMILY if dag.origin is None else PROGRAM)
        orders = tiled_orders(dag, memory, rules=rules, budget=share)
        yield from candidates_in("tiled", orders, dag, memory, rules)
    yield from generic_plays(dag, memory, rules=rules)


def _family(dag: CDAG, memory: int, rules: Rules, budget: Budget) -> Iterator[Candidate]:
    """Yield the structured play, where the family has one."""
    family = dag.as_generated.family
    if rules.partial:
        orders = (
            play.order
            for room in rooms(dag, memory)
            for play in _family(dag, room, ONE_SHOT, budget)
        )
        yield from candidates_in("structured", orders, dag, memory, rules)
        return
    if family in FAMILIES or family in structured.plays:
        play = structured.plan(dag, memory, rules=rules, budget=budget)
        schedule = joined(play.blocks())
        yield Candidate("structured", play.io, first_computes(dag, schedule), lambda: schedule)
