"""The best one-shot play, or window of one, that CP-SAT finds within the time limit."""

from typing import Any

from dags import CDAG
from pebble import ONE_SHOT, InvalidRulesError, Rules, Schedule, compulsory_words, play
from schedulers.exact.cpsat.model import Model, build
from schedulers.exact.cpsat.windows import Play, Use, Window, play_of, rows_of, schedule_of, window

STAYS_IN_A_WINDOW = 5
AROUND = 1  # windows before and behind, where evictions are decided anew


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
    """Return the best play found, and a lower bound on the I/O of any one-shot play, in words.

    Parameters
    ----------
    dag, best, memory, rules
        A legal play.
    least
        Lower bound on the I/O of any legal play, in words.
    seed, time_limit
        As for `cp_sat`.
    """
    old = play_of(dag, best)
    assert old is not None  # it is legal under rules that allow nothing else
    whole = window(dag, old, 0, len(old.order))
    elsewhere = compulsory_words(dag)
    io = play(dag, best, memory, rules=rules).io
    between = least - elsewhere, io - 1 - elsewhere
    twins = _twins(dag, old.order)
    model = build(dag, whole, memory, sliding=rules.sliding, between=between, twins=twins)
    loads, bound = _solve(model, whole, old, between, seed, time_limit)
    if loads is not None:
        best = schedule_of(dag, *loads)
        io = play(dag, best, memory, rules=rules).io
    return best, min(max(least, elsewhere + bound), io)


def improve_window(
    dag: CDAG,
    schedule: Schedule,
    memory: int,
    *,
    rules: Rules = ONE_SHOT,
    first: int,
    last: int,
    time_limit: float | None = None,
    seed: int = 0,
) -> Schedule | None:
    """Return a play that moves less, another one only in a window; None if none was found.

    The computations in the window change their order among themselves. In it, and as far as it is
    long before and behind it, values leave and come back as is best then. What stays across either
    end of all this may leave, and what is away there stays away. A play in which some value is
    computed again has no such windows.

    Parameters
    ----------
    dag, schedule, memory, rules
        A legal play.
    first, last
        Computations are counted from 0; the window is those from `first` to before `last`.
    time_limit
        Seconds of CP-SAT; None for no limit.
    seed
        Seed of its one worker.
    """
    if rules.partial:
        raise InvalidRulesError("CP-SAT has no model of partial computation: exact and search do")
    old = play_of(dag, schedule)
    if old is None:  # some value is computed again
        return None
    first, last = max(first, 0), min(last, len(old.order))
    around = AROUND * (last - first)
    begin, end = max(first - around, 0), min(last + around, len(old.order))
    part = window(dag, old, begin, end)
    if part.cost == 0 or first >= last:
        return None
    between = 0, part.cost - 1
    model = build(
        dag,
        part,
        memory,
        sliding=rules.sliding,
        free=(first - begin, last - begin),
        most_stays=STAYS_IN_A_WINDOW,
        between=between,
    )
    loads, _ = _solve(model, part, old, between, seed, time_limit)
    if loads is None:
        return None
    new = schedule_of(dag, *loads)
    # What the old play moves needlessly is gone from the new one as well.
    io = play(dag, new, memory, rules=rules).io
    return new if io < play(dag, schedule, memory, rules=rules).io else None


def _twins(dag: CDAG, order: tuple[int, ...]) -> list[tuple[int, int]]:
    """Return pairs of vertices that nothing tells apart: each goes before the other of its pair.

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


def _solve(
    model: Model,
    part: Window,
    old: Play,
    between: tuple[int, int],
    seed: int,
    time_limit: float | None,
) -> tuple[tuple[tuple[int, ...], frozenset[Use]] | None, int]:
    """Return the new order and loads, or None; and the least that the window costs."""
    from ortools.sat.python import cp_model

    least, most = between
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1  # so that it repeats
    solver.parameters.random_seed = seed
    if time_limit is not None:
        solver.parameters.max_time_in_seconds = max(time_limit, 0.0)
    status = solver.solve(model.model)
    if status == cp_model.INFEASIBLE:
        return None, most + 1
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None, least
    return _decode(model, part, old, solver), max(least, round(solver.best_objective_bound))


def _decode(
    model: Model, part: Window, old: Play, solver: Any
) -> tuple[tuple[int, ...], frozenset[Use]]:
    """Return the order and the loads of a solution."""
    place = {v: solver.value(at) for v, at in model.place.items()}
    order = sorted(part.order, key=place.__getitem__)
    loaded = {(u, v) for u, v in old.loaded if v not in place}
    for value, uses in zip(part.values, model.stay, strict=True):
        stays = [[solver.value(inside) for inside in within].index(1) for within in uses]
        readers = sorted(zip(value.readers, stays, strict=False), key=lambda use: place[use[0]])
        if value.beyond is not None:
            readers.append((value.beyond, stays[-1]))
        here = -1 if value.entry == "loaded" else 0
        for reader, stay in readers:
            if stay != here:
                loaded.add((value.vertex, reader))
            here = stay
    at = old.order.index(part.order[0])
    whole = (*old.order[:at], *order, *old.order[at + len(order) :])
    return whole, frozenset(loaded)
