"""A race on several processes: each turn goes to the side and the method that gain most.

One process does all that a single one would do, so that several never know less than one. Turns are
chosen round by round, and gains are those a second of work, so that the same number of processes
has the same words.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count, islice
from math import inf, log
from typing import Any

import numpy as np

from dags import Computation
from dags.arrays import lock
from proofs import BOUNDS, best_bound
from redblue.racing.proving import searching_bounds
from redblue.racing.race import Race
from redblue.sweeps.kinds import bound_of, certificate_file, schedule_file, schedule_of
from redblue.sweeps.options import SweepError
from redblue.sweeps.pool import in_turns
from redblue.sweeps.store.cells import Artefact, Cell, Outcome
from redblue.sweeps.task import Task
from schedulers import SearchResult
from schedulers.exact import TooLargeError, exact
from schedulers.search import candidates_in
from schedulers.search.portfolio import best

SEARCH, EXACT = "search", "exact"  # turns that look for schedules
SINGLE = "single"  # the turn that does all that one process would do
FIRST = 0.1  # share of the time that the first turn of a method gets; the next gets twice as much
SHORTEST = 0.3  # seconds of a turn
REST = 0.5  # share of a turn: one that would leave less than so much after it gets all of it


@dataclass(frozen=True)
class Turn:
    """Some seconds of one worker at one method.

    Parameters
    ----------
    method
        SEARCH, EXACT, SINGLE, or the name of a bound.
    seconds
        Seconds that it may take.
    number
        How many turns its method has had before.
    """

    method: str
    seconds: float
    number: int

    @property
    def proves(self) -> bool:
        """True for a turn of bounds."""
        return self.method not in (SEARCH, EXACT, SINGLE)


class Turns:
    """Chooses turns by the gains of those before.

    Every method of bounds has a turn, in the order that is given, and then the one that gained most
    a second. A side is never idle while another worker is busy; beyond that the side goes first
    whose last turn gained more a second.

    Parameters
    ----------
    seconds
        Seconds of the race.
    bounds
        The methods of bounds that search, those that are likely to prove most first.
    exact
        Whether exact search takes the DAG: it gets the first turn, and all of the time.
    """

    def __init__(self, seconds: float, bounds: Sequence[str], *, exact: bool = False) -> None:
        self._seconds = seconds
        self._bounds, self._waiting = tuple(bounds), list(bounds)
        self._exact = exact
        self._had: dict[str, int] = {}
        self._rates: dict[str, float] = {}  # gained a second by the last turn of each method
        self._running: list[Turn] = []

    def next(self, left: float) -> Turn | None:
        """The next turn, None where there is no time for one; `left` are seconds."""
        if left < SHORTEST:
            return None
        method = self._next_method()
        if method in self._waiting:
            self._waiting.remove(method)
        number = self._had.get(method, 0)
        share = 1.0 if method == EXACT else min(FIRST * 2**number, 1.0)
        seconds = min(max(share * self._seconds, SHORTEST), left)
        if left - seconds < REST * seconds:
            seconds = left
        turn = Turn(method, seconds, number)
        self._had[method] = number + 1
        self._running.append(turn)
        return turn

    def done(self, turn: Turn, gain: float, seconds: float) -> None:
        """Note the gain of a turn.

        Parameters
        ----------
        turn
            The turn.
        gain
            By how much the logarithm of best schedule over best bound fell.
        seconds
            Seconds that it took.
        """
        self._running.remove(turn)
        self._rates[turn.method] = gain / max(seconds, SHORTEST)

    def _next_method(self) -> str:
        """The method that is next."""
        if self._exact:
            self._exact = False
            return EXACT
        proving = any(turn.proves for turn in self._running)
        searching = any(turn.method == SEARCH for turn in self._running)
        bound = self._next_bound()
        if bound is None or not (searching or SEARCH in self._rates):
            return SEARCH
        if searching != proving:
            return SEARCH if proving else bound
        return SEARCH if self._rates.get(SEARCH, 0.0) > self._rates.get(bound, inf) else bound

    def _next_bound(self) -> str | None:
        """The method of bounds that is next, None where all of them are at work."""
        if self._waiting:
            return self._waiting[0]
        busy = {turn.method for turn in self._running}
        free = [name for name in self._bounds if name not in busy]
        return max(free, key=lambda name: self._rates[name], default=None)


HERE = "redblue.racing.processes"
KINDS = {  # of cells, by turns of these names; all others "prove"
    SEARCH: f"{HERE}:search",
    EXACT: f"{HERE}:search_exactly",
    SINGLE: "redblue.racing.solving_cells:solve_alone",
}
NAME = "raced"  # of the DAG
MOST_ORDERS = 4  # that a search begins with


def race_on_processes(
    race: Race,
    *,
    jobs: int,
    exact: bool,
    tell: Callable[[str], None],
) -> None:
    """Let both sides race on several processes until they meet or the time is over.

    Parameters
    ----------
    race
        The race of the game, with a schedule; it takes results as they come.
    jobs
        Number of processes.
    exact
        Whether exact search takes the DAG.
    tell
        Called with the best so far, in a few words, whenever a turn is done.
    """
    # the process that does all alone proves, too: a second one searches
    methods = searching_bounds(race.dag, race.memory, rules=race.rules) if jobs > 2 else ()
    turns = Turns(race.left, methods, exact=exact)
    seeds = count(race.seed)
    running: dict[Cell, Turn] = {}

    single = Turn(SINGLE, race.budget.seconds or race.left, 0)

    def choose() -> Cell | None:
        turn = turns.next(race.left) if single in running.values() else single
        if turn is None:
            return None
        cell = _cell(race, turn, race.seed if turn is single else next(seeds))
        running[cell] = turn
        return cell

    def take(cell: Cell, outcome: Outcome) -> bool:
        if outcome.status == "failed":
            raise SweepError(f"a worker of the race failed: {outcome.error}")
        turn, before = running[cell], _gap(race)
        _take(race, turn, outcome)
        if turn is not single:  # which stays, for it is begun once
            turns.done(running.pop(cell), before - _gap(race), outcome.work / 1e9)
        tell(f"racing: {race.known}")
        return race.met

    in_turns(
        choose,
        take,
        dags={NAME: race.dag},
        jobs=jobs,
        is_long=lambda cell: cell.method in (EXACT, SINGLE),
        settles=lambda outcome: outcome.status == "done" and outcome.result["status"] == "optimal",
        deadline=race.budget,
    )


def _cell(race: Race, turn: Turn, seed: int) -> Cell:
    """The cell of a turn that begins now."""
    options: dict[str, object] = {"seconds": turn.seconds}
    if turn.method == SEARCH:
        orders = [start.order.tolist() for start in islice(race.starts or [], MOST_ORDERS)]
        options |= {"orders": orders, "lower_bound": race.lower_bound}
        options["price_of_work"] = race.price_of_work
    if turn.method in (EXACT, SINGLE):
        options["max_memory"] = race.budget.bytes
    if turn.method == SINGLE:
        clock = race.budget.clock
        options["limit"] = None if clock is None else clock.left
        options["price_of_work"] = race.price_of_work
    kind = KINDS.get(turn.method, f"{HERE}:prove")
    # No limit ends the cell: it keeps its time by itself, and compiling must not be interrupted.
    return Cell(kind, NAME, turn.method, race.memory, race.rules, seed, options)


def _take(race: Race, turn: Turn, outcome: Outcome) -> None:
    """Take the better parts of the outcome of a turn."""
    if outcome.status != "done":
        return
    if turn.method == SINGLE:
        take_single(race, outcome)
    elif not turn.proves:
        race.take(found_in(outcome))
    elif outcome.artefact is not None:
        race.prove(bound_of(outcome.artefact, race.dag))


def _gap(race: Race) -> float:
    """The logarithm of the best schedule over the best bound."""
    assert race.found is not None
    return log(max(race.found[1], 1)) - log(max(race.lower_bound, 1))


def search(computation: Computation, task: Task) -> Outcome:
    """The best schedule that a search finds from the orders it is given, the best first."""
    dag, cell, parameters = computation.dag, task.cell, task.cell.parameters
    orders = [lock(np.array(order, np.int32)) for order in parameters["orders"]]
    result = best(
        dag,
        cell.memory,
        rules=cell.rules,
        seed=cell.seed,
        time_limit=parameters["seconds"],
        lower_bound=parameters["lower_bound"],
        price_of_work=parameters["price_of_work"],
        members=sorted(
            candidates_in("found", orders, dag, cell.memory, cell.rules),
            key=lambda candidate: candidate.io,
        ),
    )
    return outcome_of(result)


def search_exactly(computation: Computation, task: Task) -> Outcome:
    """The result of the exact search, no schedule where the DAG is too large for it."""
    dag, cell, parameters = computation.dag, task.cell, task.cell.parameters
    try:
        result = exact(
            dag,
            cell.memory,
            rules=cell.rules,
            time_limit=parameters["seconds"],
            max_memory=parameters["max_memory"],
        )
    except TooLargeError as error:
        return Outcome("not-applicable", error=str(error))
    return outcome_of(result)


def take_single(race: Race, outcome: Outcome) -> None:
    """Let a race take the solution of a process that did all alone.

    Parameters
    ----------
    race
        The race of the game.
    outcome
        That of `redblue.racing.solving_cells.solve_alone`.
    """
    assert outcome.artefact is not None
    result = outcome.result
    race.states += result["states"]
    race.play(schedule_of(outcome.artefact), result["io"], result["method"])
    race.prove(bound_of(Artefact(".json", result["certificate"].encode()), race.dag))
    race.claim(result["lower_bound"], result["proved_by"])


def prove(computation: Computation, task: Task) -> Outcome:
    """The bound of a method, with its certificate; the compulsory one where that is more."""
    dag, cell = computation.dag, task.cell
    game: dict[str, Any] = {"rules": cell.rules, "seed": cell.seed}
    game["time_limit"] = cell.parameters["seconds"]
    bound = best_bound([BOUNDS[cell.method]], dag, cell.memory, **game)
    return Outcome("done", {"io": bound.io}, artefact=certificate_file(bound, dag))


def outcome_of(result: SearchResult) -> Outcome:
    """The outcome of a search, its schedule as a file."""
    artefact = None if result.schedule is None else schedule_file(result.schedule)
    return Outcome("done", {**vars(result), "schedule": None}, artefact=artefact)


def found_in(outcome: Outcome) -> SearchResult:
    """The result of a search from the outcome of its cell."""
    schedule = None if outcome.artefact is None else schedule_of(outcome.artefact)
    return SearchResult(**{**outcome.result, "schedule": schedule})
