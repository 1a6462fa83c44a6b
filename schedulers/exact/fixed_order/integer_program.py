"""Integer program of what the relaxation leaves open, for CP-SAT, whose arithmetic is exact."""

from dataclasses import dataclass
from time import monotonic
from typing import Any

import numpy as np

from schedulers.exact.fixed_order.prices import Dual
from schedulers.exact.fixed_order.use_gaps import BoolArray, Gaps

MOST_TERMS = 1_000_000  # of the constraints together: some seconds to build


@dataclass(frozen=True)
class Decided:
    """Answer: gaps that are away, or None; and a proved bound, both of words in excess."""

    away: BoolArray | None
    bound: int


def decide(
    problem: Gaps, dual: Dual | None, upper: int, *, seed: int, time_limit: float | None
) -> Decided:
    """Return gaps that are away at a cost less than `upper`, the least, if there are any.

    A gap is open only if, at the prices of `dual`, either way to decide it could cost less than
    `upper`: prices prove a bound for each way as they do for the whole.

    Parameters
    ----------
    problem, dual
        The gaps, and prices that prove a bound; None for no prices.
    upper
        Words beyond the compulsory ones that some play needs.
    seed, time_limit
        Seed of CP-SAT, and its seconds.
    """
    least = 0 if dual is None else -(-dual.words // dual.denominator)
    stays, goes = _closed(problem, dual, upper)
    if np.any(stays & goes):
        return Decided(None, upper)
    if _terms(problem, ~stays & ~goes) > MOST_TERMS:
        return Decided(None, least)
    begun = monotonic()
    model, away = _build(problem, stays, goes, (least, upper - 1))
    left = None if time_limit is None else time_limit - (monotonic() - begun)
    return _solve(model, away, (least, upper), seed, left)


def _closed(problem: Gaps, dual: Dual | None, upper: int) -> tuple[BoolArray, BoolArray]:
    """Return which gaps must stay, and which must be away, in any play below `upper`."""
    if dual is None:
        none = np.zeros(problem.value.size, bool)
        return none, none
    gain = np.minimum(dual.of_gap, 0)
    away = np.zeros(problem.layout.values, np.int64)
    away[problem.value[problem.dirty]] = dual.denominator
    away *= problem.layout.words
    np.add.at(away, problem.value, gain)
    of_value = away[problem.value]
    least = np.minimum(of_value, 0)
    limit = dual.denominator * (upper - 1) - dual.words
    stays = of_value - gain + dual.of_gap - least > limit
    goes = np.minimum(of_value - gain, 0) - least > limit
    return stays, goes


def _terms(problem: Gaps, is_open: BoolArray) -> int:
    return int((problem.last - problem.first)[is_open].sum())


def _build(
    problem: Gaps, stays: BoolArray, goes: BoolArray, between: tuple[int, int]
) -> tuple[Any, list[Any]]:
    """Return the model and the variable of each gap, a number where that is closed."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    words = problem.words.tolist()
    away = [
        1 if gone else 0 if stay else model.new_bool_var("")
        for stay, gone in zip(stays.tolist(), goes.tolist(), strict=True)
    ]
    covers: list[list[int]] = [[] for _ in range(problem.step.size)]
    for g in np.flatnonzero(~stays & ~goes).tolist():
        for row in range(int(problem.first[g]), int(problem.last[g])):
            covers[row].append(g)
    room = problem.room(goes)
    lack, slide_lack = (problem.lack - room).tolist(), (problem.slide_lack - room).tolist()
    turns = _slides(model, problem, away)
    for row, cover in enumerate(covers):
        won = sum(words[g] * away[g] for g in cover)
        # Where the next row has the same cover and lacks no less, it says all.
        if lack[row] > 0 and not (
            row + 1 < len(covers) and covers[row + 1] == cover and lack[row + 1] >= lack[row]
        ):
            model.add(won >= lack[row])
        if row in turns and slide_lack[row] > 0:
            model.add(won + sum(room * turn for room, turn in turns[row]) >= slide_lack[row])
    cost = sum(size * gone for size, gone in zip(words, away, strict=True))
    cost += _stores(model, problem, away)
    model.add(cost >= between[0])
    model.add(cost <= between[1])
    model.minimize(cost)
    return model, away


def _slides(model: Any, problem: Gaps, away: list[Any]) -> dict[int, list[tuple[int, Any]]]:
    """Return by row the words that each operand gives if it is slid onto, one of them at most."""
    turns: dict[int, list[tuple[int, Any]]] = {}
    entries = zip(
        problem.slide_row.tolist(),
        problem.slide_gap.tolist(),
        problem.slide_room.tolist(),
        strict=True,
    )
    for row, g, room in entries:
        turn = model.new_bool_var("")
        model.add(turn <= away[g])
        turns.setdefault(row, []).append((room, turn))
    for members in turns.values():
        model.add_at_most_one(turn for _, turn in members)
    return turns


def _stores(model: Any, problem: Gaps, away: list[Any]) -> Any:
    """Return the words of stores: of values that are away at some time."""
    stored: dict[int, Any] = {}
    for g in np.flatnonzero(problem.dirty).tolist():
        v = int(problem.value[g])
        if v not in stored:
            stored[v] = model.new_bool_var("")
        model.add(stored[v] >= away[g])
    return sum(int(problem.layout.words[v]) * store for v, store in stored.items())


def _solve(
    model: Any, away: list[Any], between: tuple[int, int], seed: int, time_limit: float | None
) -> Decided:
    """Return what one worker of CP-SAT decides."""
    from ortools.sat.python import cp_model

    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = seed
    solver.parameters.linearization_level = 2
    if time_limit is not None:
        solver.parameters.max_time_in_seconds = max(time_limit, 0.0)
    status = solver.solve(model)
    least, upper = between
    if status == cp_model.INFEASIBLE:
        return Decided(None, upper)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return Decided(None, least)
    bound = round(solver.best_objective_bound)
    return Decided(np.array([solver.value(one) == 1 for one in away], bool), max(bound, least))
