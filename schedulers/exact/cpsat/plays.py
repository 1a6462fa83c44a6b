"""The best one-shot play that CP-SAT finds within the time limit."""

from typing import Any

from dags import CDAG
from pebble import (
    ONE_SHOT,
    Budget,
    InvalidRulesError,
    MemoryTooSmallError,
    Rules,
    Schedule,
    compulsory_words,
    play,
    require_memory,
)
from schedulers.base import SearchResult, Status
from schedulers.eviction.sliding import sliding_schedule
from schedulers.exact.cpsat.model import (
    Decisions,
    Model,
    Use,
    build,
    decisions,
    play_of,
    rows_of,
    schedule_of,
)
from schedulers.exact.cpsat.solver import solved
from schedulers.exact.first_play import first_play
from schedulers.orders import ORDERS
from schedulers.orders.access_order import accesses

METHOD = "cp-sat"


def cp_sat(
    dag: CDAG,
    memory: int,
    *,
    rules: Rules = ONE_SHOT,
    seed: int = 0,
    time_limit: float | None = None,
    upper: Schedule | None = None,
    lower_bound: int = 0,
) -> SearchResult:
    """The best play that CP-SAT finds, and its bound.

    It is exact where it ends. Values may have sizes, which costs it little, and DAGs may have any
    number of vertices; but it proves less than `exact` does where that is possible.

    Parameters
    ----------
    dag, memory, rules
        The game.
    seed
        Seed of its one worker.
    time_limit
        Seconds, roughly; None for no limit.
    upper
        A legal play to begin with; the result is no worse.
    lower_bound
        Lower bound on the I/O of any legal play, in words. The search ends where a play meets it.

    Raises
    ------
    IllegalMoveError
        If `upper` is no legal play.
    InvalidRulesError
        Under rules that it has no model of.
    """
    if rules.recompute:
        raise InvalidRulesError("CP-SAT has no model of computing again: exact and search do")
    if rules.partial:
        raise InvalidRulesError("CP-SAT has no model of partial computation: exact and search do")
    budget = Budget(time_limit, seed=seed)
    bound = max(compulsory_words(dag), lower_bound)
    try:
        require_memory(dag, memory, rules=rules)
    except MemoryTooSmallError:
        return SearchResult(METHOD, None, None, bound, "infeasible", budget.used)
    best = _first(dag, memory, rules) if upper is None else upper
    io = play(dag, best, memory, rules=rules).io
    modelled = not rules.sliding or dag.in_place is None  # else all results would slide
    if io > bound and modelled:
        best, bound = least_play(dag, best, memory, rules=rules, proved=bound, budget=budget)
        io = play(dag, best, memory, rules=rules).io
    status: Status = "optimal" if io == bound else "feasible"
    return SearchResult(METHOD, best, io, bound, status, budget.used)


def _first(dag: CDAG, memory: int, rules: Rules) -> Schedule:
    """A play to begin with."""
    plays = [first_play(dag, memory)]
    if rules.sliding:
        layouts = [accesses(dag, order(dag)) for order in ORDERS.values()]
        plays += [sliding_schedule(layout, memory, price=2) for layout in layouts]
    return min(plays, key=lambda schedule: play(dag, schedule, memory, rules=rules).io)


def least_play(
    dag: CDAG,
    best: Schedule,
    memory: int,
    *,
    rules: Rules,
    proved: int,
    budget: Budget,
) -> tuple[Schedule, int]:
    """The best play found, and a lower bound on the I/O of any one-shot play, in words.

    Parameters
    ----------
    dag, best, memory, rules
        A legal play.
    proved
        Lower bound on the I/O of any legal play, in words.
    budget
        Of the search.
    """
    old = play_of(dag, best)
    assert old is not None  # it is legal under rules that allow nothing else
    asked = decisions(dag, old)
    elsewhere = compulsory_words(dag)
    io = play(dag, best, memory, rules=rules).io
    between = proved - elsewhere, io - 1 - elsewhere
    twins = _twins(dag, old.order)
    model = build(dag, asked, memory, sliding=rules.sliding, between=between, twins=twins)
    solver, bound = solved(model.model, between, budget)
    if solver is not None:
        best = schedule_of(dag, *_decode(model, asked, solver))
        io = play(dag, best, memory, rules=rules).io
    return best, min(max(proved, elsewhere + bound), io)


def _twins(dag: CDAG, order: tuple[int, ...]) -> list[tuple[int, int]]:
    """Pairs of vertices that nothing tells apart: each goes before the other of its pair.

    They have the same operands, readers and size, and both are outputs or neither is.
    """
    outputs = set(dag.outputs.tolist())
    readers: list[list[int]] = [[] for _ in range(dag.n)]
    rows = rows_of(dag)
    for v, row in enumerate(rows):
        for u in row:
            readers[u].append(v)
    latest: dict[Any, int] = {}
    pairs = []
    for v in order:
        kind = (tuple(rows[v]), tuple(readers[v]), int(dag.sizes[v]), v in outputs)
        if kind in latest:
            pairs.append((latest[kind], v))
        latest[kind] = v
    return pairs


def _decode(model: Model, asked: Decisions, solver: Any) -> tuple[tuple[int, ...], frozenset[Use]]:
    """The order and the loads of a solution."""
    place = {v: solver.value(variable) for v, variable in model.place.items()}
    loaded = set()
    for value, uses in zip(asked.values, model.stay, strict=True):
        stays = [[solver.value(inside) for inside in within].index(1) for within in uses]
        readers = sorted(zip(value.readers, stays, strict=True), key=lambda use: place[use[0]])
        stay_index = 0 if value.computed else -1
        for reader, stay in readers:
            if stay != stay_index:
                loaded.add((value.vertex, reader))
            stay_index = stay
    return tuple(sorted(asked.order, key=place.__getitem__)), frozenset(loaded)
