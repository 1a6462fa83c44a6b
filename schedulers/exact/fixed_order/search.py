"""The least I/O of a given order, by branching and by an integer program."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dags import CDAG
from dags.arrays import Int64Array
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
from schedulers.base import Status
from schedulers.eviction import EVICTIONS, schedule
from schedulers.eviction.sliding import sliding_schedule
from schedulers.exact.cpsat.solver import solved
from schedulers.exact.fixed_order.linear_program import (
    Dual,
    FloatArray,
    Prices,
    exact_dual,
    prices,
    relaxed,
)
from schedulers.exact.fixed_order.use_gaps import BoolArray, Gaps, gaps, moves_of
from schedulers.orders.access_order import Accesses, accesses

MOST_TERMS = 1_000_000  # of the constraints together: some seconds to build
SURELY = 1e-6  # a gap that is away by less than this in the relaxation is not


@dataclass(frozen=True)
class Decided:
    """Answer: gaps that are away, or None; and a proved bound, both of words in excess."""

    away: BoolArray | None
    bound: int


def decide(problem: Gaps, dual: Dual | None, upper: int, budget: Budget) -> Decided:
    """Gaps that are away at a cost less than `upper`, the least, if there are any.

    A gap is open only if, at the prices of `dual`, either way to decide it could cost less than
    `upper`: prices prove a bound for each way as they do for the whole.

    Parameters
    ----------
    problem, dual
        The gaps, and prices that prove a bound; None for no prices.
    upper
        Words beyond the compulsory ones that some play needs.
    budget
        Of CP-SAT.
    """
    lower = 0 if dual is None else -(-dual.words // dual.denominator)
    stays, goes = _closed(problem, dual, upper)
    if np.any(stays & goes):
        return Decided(None, upper)
    if _terms(problem, ~stays & ~goes) > MOST_TERMS:
        return Decided(None, lower)
    between = lower, upper - 1
    model, absent = _build(problem, stays, goes, between)
    solver, bound = solved(model, between, budget, linearization=2)
    if solver is None:
        return Decided(None, bound)
    return Decided(np.array([solver.value(variable) == 1 for variable in absent], bool), bound)


def _closed(problem: Gaps, dual: Dual | None, upper: int) -> tuple[BoolArray, BoolArray]:
    """Which gaps must stay, and which must be away, in any play below `upper`."""
    if dual is None:
        nothing = np.zeros(problem.value.size, bool)
        return nothing, nothing
    gain = np.minimum(dual.of_gap, 0)
    absence = np.zeros(problem.layout.values, np.int64)
    absence[problem.value[problem.dirty]] = dual.denominator
    absence *= problem.layout.words
    np.add.at(absence, problem.value, gain)
    of_value = absence[problem.value]
    minima = np.minimum(of_value, 0)
    limit = dual.denominator * (upper - 1) - dual.words
    stays = of_value - gain + dual.of_gap - minima > limit
    goes = np.minimum(of_value - gain, 0) - minima > limit
    return stays, goes


def _terms(problem: Gaps, is_open: BoolArray) -> int:
    return int((problem.last - problem.first)[is_open].sum())


def _build(
    problem: Gaps, stays: BoolArray, goes: BoolArray, between: tuple[int, int]
) -> tuple[Any, list[Any]]:
    """The model and the variable of each gap, a number where that is closed."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    words = problem.words.tolist()
    absent = [
        1 if absence else 0 if stay else model.new_bool_var("")
        for stay, absence in zip(stays.tolist(), goes.tolist(), strict=True)
    ]
    covers: list[list[int]] = [[] for _ in range(problem.step.size)]
    for g in np.flatnonzero(~stays & ~goes).tolist():
        for row in range(int(problem.first[g]), int(problem.last[g])):
            covers[row].append(g)
    room = problem.room(goes)
    lack, slide_lack = (problem.lack - room).tolist(), (problem.slide_lack - room).tolist()
    turns = _slides(model, problem, absent)
    for row, cover in enumerate(covers):
        won = sum(words[g] * absent[g] for g in cover)
        # Where the next row has the same cover and lacks no less, it says all.
        if lack[row] > 0 and not (
            row + 1 < len(covers) and covers[row + 1] == cover and lack[row + 1] >= lack[row]
        ):
            model.add(won >= lack[row])
        if row in turns and slide_lack[row] > 0:
            model.add(won + sum(room * turn for room, turn in turns[row]) >= slide_lack[row])
    cost = sum(size * absence for size, absence in zip(words, absent, strict=True))
    cost += _stores(model, problem, absent)
    model.add(cost >= between[0])
    model.add(cost <= between[1])
    model.minimize(cost)
    return model, absent


def _slides(model: Any, problem: Gaps, absent: list[Any]) -> dict[int, list[tuple[int, Any]]]:
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
        model.add(turn <= absent[g])
        turns.setdefault(row, []).append((room, turn))
    for members in turns.values():
        model.add_at_most_one(turn for _, turn in members)
    return turns


def _stores(model: Any, problem: Gaps, absent: list[Any]) -> Any:
    """The words of stores: of values that are away at some time."""
    stored: dict[int, Any] = {}
    for g in np.flatnonzero(problem.dirty).tolist():
        v = int(problem.value[g])
        if v not in stored:
            stored[v] = model.new_bool_var("")
        model.add(stored[v] >= absent[g])
    return sum(int(problem.layout.words[v]) * store for v, store in stored.items())


def rounded(problem: Gaps, absence: FloatArray) -> BoolArray:
    """Gaps that are away if they are so in part, without those that then need not.

    They are tried one by one, those that are away least first; of values that must be stored,
    as many as possible should stay in all their gaps, and so values are tried whole before.
    """
    removed = absence > SURELY
    slack = _slack(problem, removed)
    # Somebody's turn to be slid onto is not given up: what that does is not in the slack.
    movable = removed.copy()
    movable[problem.slide_gap] = False
    for several in _of_dirty_values(problem, absence, removed):
        if movable[several].all() and _fits(problem, slack, several):
            removed[several] = movable[several] = False
    parts = np.flatnonzero(movable)
    for g in parts[np.argsort(absence[parts], kind="stable")]:
        if _fits(problem, slack, np.array([g])):
            removed[g] = False
    return removed


def _slack(problem: Gaps, is_absent: BoolArray) -> Int64Array:
    """(R,) the words more than needed that are away at each row."""
    room = problem.room(is_absent)
    slid = np.zeros(room.size, np.int64)
    np.maximum.at(
        slid, problem.slide_row, np.where(is_absent[problem.slide_gap], problem.slide_room, 0)
    )
    slack: Int64Array = np.minimum(room - problem.lack, room + slid - problem.slide_lack)
    return slack


def _of_dirty_values(problem: Gaps, absence: FloatArray, is_absent: BoolArray) -> list[Int64Array]:
    """Return for each value that would be stored its gaps; those that are away least first."""
    gaps = np.flatnonzero(is_absent & problem.dirty)
    gaps = gaps[np.argsort(problem.value[gaps], kind="stable")]
    cuts = np.flatnonzero(np.diff(problem.value[gaps])) + 1
    members = [part for part in np.split(gaps, cuts) if part.size]
    return sorted(members, key=lambda part: float(absence[part].sum()))


def _fits(problem: Gaps, slack: Int64Array, gaps: Int64Array) -> bool:
    """Take these gaps' room off the slack if there is enough of it; return whether there was."""
    spans = [
        (slice(int(problem.first[g]), int(problem.last[g])), int(problem.words[g])) for g in gaps
    ]
    if any(slack[span].min(initial=words) < words for span, words in spans):
        return False
    for span, words in spans:  # the gaps of one value are one behind the other
        slack[span] -= words
    return True


@dataclass(frozen=True)
class OrderResult:
    """The best play of one order; its bound is none for the DAG.

    Parameters
    ----------
    schedule
        The best schedule found, or None.
    io
        Words that it moves, or None.
    order_bound
        Lower bound on the I/O of any play that computes every vertex once, in this order, in words.
    status
        "optimal": `io` equals `order_bound`; "feasible": there is a schedule; "infeasible": some
        vertex cannot be computed with so little memory.
    seconds
        Time that it took.
    prices
        Prices of room that prove the part of `order_bound` that linear programming proves, for
        `proofs.fixed_order`; None if they prove nothing beyond the compulsory words.
    """

    schedule: Schedule | None
    io: int | None
    order_bound: int
    status: Status
    seconds: float
    prices: Prices | None


def optimal_eviction(
    dag: CDAG,
    order: npt.ArrayLike,
    memory: int,
    *,
    rules: Rules = ONE_SHOT,
    seed: int = 0,
    time_limit: float | None = None,
) -> OrderResult:
    """The best play that computes every vertex once, in a given order.

    Which value leaves is left to decide, and with sliding, onto which operand a result slides. The
    relaxation to a linear program is nearly always whole already where values are of one size; its
    prices, rounded to integers, prove the bound. The rest is up to CP-SAT.

    Parameters
    ----------
    dag, memory, rules
        The game; where the rules allow it to compute a value again, this play does not.
    order
        (N,) the computed vertices, operands before results.
    seed
        Seed of CP-SAT.
    time_limit
        Seconds, roughly; None for no limit.

    Raises
    ------
    InvalidDAGError
        If `order` is no permutation of the computed vertices, or has a result before an operand.

    Examples
    --------
    >>> from dags import fft
    >>> found = optimal_eviction(fft(8), fft(8).computed, 4)
    >>> found.io, found.status
    (55, 'optimal')
    """
    if rules.partial:
        raise InvalidRulesError("the best eviction is found for placed and sliding plays alone")
    budget = Budget(time_limit, seed=seed)
    layout = accesses(dag, order)
    lower = compulsory_words(dag)
    try:
        require_memory(dag, memory, rules=rules)
    except MemoryTooSmallError:
        return OrderResult(None, None, lower, "infeasible", budget.used, None)
    if rules.sliding and dag.in_place is not None:  # the program would let all results slide
        first = _first(layout, memory, rules)
        io = play(dag, first, memory, rules=rules).io
        return OrderResult(first, io, lower, "feasible", budget.used, None)
    race = _Race(gaps(layout, memory, rules), _first(layout, memory, rules), lower, (memory, rules))
    dual = race.relax(budget)
    if race.io > lower + race.bound and not budget.over:
        race.take(decide(race.problem, dual, race.io - lower, budget))
    io, bound = play(dag, race.best, memory, rules=rules).io, lower + race.bound
    status: Status = "optimal" if io == bound else "feasible"
    proof = None if dual is None else prices(race.problem, dual)
    return OrderResult(race.best, io, bound, status, budget.used, proof)


class _Race:
    """The best play so far and the words beyond the compulsory ones that are proved."""

    def __init__(self, problem: Gaps, first: Schedule, least: int, game: tuple[int, Rules]) -> None:
        self.problem, self.best, self.least, self.bound = problem, first, least, 0
        memory, rules = game
        self.io = play(problem.layout.dag, first, memory, rules=rules).io

    def relax(self, budget: Budget) -> Dual | None:
        """Solve the relaxation, take its bound and its rounded solution; return its prices."""
        if self.io == self.least:
            return None
        solution = relaxed(self.problem, budget)
        if solution is None:
            return None
        self.offer(rounded(self.problem, solution.away))
        dual = exact_dual(self.problem, solution)
        if dual is not None:
            self.bound = -(-dual.words // dual.denominator)
        return dual

    def take(self, decided: Decided) -> None:
        """Take the decisions of CP-SAT."""
        self.bound = max(self.bound, decided.bound)
        if decided.away is not None:
            self.offer(decided.away)

    def offer(self, absent: BoolArray) -> None:
        """Take the play in which these gaps are away, if it is one and better."""
        if self.problem.holds(absent) and self.least + self.problem.cost(absent) < self.io:
            self.io = self.least + self.problem.cost(absent)
            chosen = set(self.problem.access[absent].tolist())
            self.best = moves_of(self.problem.layout, chosen)


def _first(layout: Accesses, memory: int, rules: Rules) -> Schedule:
    """The best play of the eviction policies."""
    if rules.sliding:
        plays = [sliding_schedule(layout, memory, price=price) for price in (1, 2)]
    else:
        policy = min(EVICTIONS.values(), key=lambda policy: policy(layout, memory).io)
        plays = [schedule(layout, memory, policy)]
    return min(plays, key=lambda schedule: play(layout.dag, schedule, memory, rules=rules).io)
