"""A race on several processes, each turn with the best of both sides so far."""

from collections.abc import Callable
from itertools import count, islice
from math import log

from redblue.deadline import Deadline
from redblue.racing.cells import found_in
from redblue.racing.proving import searching_bounds
from redblue.racing.race import Race
from redblue.racing.turns import EXACT, SEARCH, Turn, Turns
from redblue.store.cells import Cell, Outcome
from redblue.sweeps.artefacts import bound_of
from redblue.sweeps.choices import in_turns
from redblue.sweeps.errors import SweepError

KINDS = {SEARCH: "search", EXACT: "search_exactly"}  # of cells; all other turns "prove"
NAME = "raced"  # of the DAG
MOST_ORDERS = 4  # that a search begins with


def race_on_processes(
    race: Race,
    *,
    jobs: int,
    exact: bool,
    max_memory: int,
    tell: Callable[[str], None],
) -> None:
    """Let both sides race on several processes until they meet or the time is over.

    Parameters
    ----------
    race
        The game, and what is known, with a schedule; it takes what is found, as it comes.
    jobs
        Number of processes.
    exact
        Whether exact search takes the DAG.
    max_memory
        Bytes that the exact search may take.
    tell
        Called with what is known, in a few words, whenever a turn is done.
    """
    methods = searching_bounds(race.dag, race.memory, rules=race.rules)
    turns = Turns(race.left, methods, exact=exact)
    seeds = count(race.seed)
    at: dict[Cell, Turn] = {}

    def choose() -> Cell | None:
        turn = turns.next(race.left)
        if turn is None:
            return None
        cell = _cell(race, turn, next(seeds), max_memory)
        at[cell] = turn
        return cell

    def take(cell: Cell, outcome: Outcome) -> bool:
        if outcome.status == "failed":
            raise SweepError(f"a worker of the race failed: {outcome.error}")
        before = _gap(race)
        _take(race, at[cell], outcome)
        turns.done(at.pop(cell), before - _gap(race), outcome.seconds)
        tell(f"racing: {race.known}")
        return race.over

    in_turns(
        choose,
        take,
        dags={NAME: race.dag},
        jobs=jobs,
        deadline=Deadline(race.left),
    )


def _cell(race: Race, turn: Turn, seed: int, max_memory: int) -> Cell:
    """Return the cell of a turn that begins now."""
    given: dict[str, object] = {"seconds": turn.seconds}
    if turn.method == SEARCH:
        orders = [one.order.tolist() for one in islice(race.starts or [], MOST_ORDERS)]
        given |= {"orders": orders, "lower_bound": race.lower_bound}
        given["price_of_work"] = race.price_of_work
    if turn.method == EXACT:
        given["max_memory"] = max_memory
    kind = f"redblue.racing.cells:{KINDS.get(turn.method, 'prove')}"
    # No limit ends the cell: it keeps its time by itself, and compiling must not be interrupted.
    return Cell(kind, NAME, turn.method, race.memory, race.rules, seed, given)


def _take(race: Race, turn: Turn, outcome: Outcome) -> None:
    """Take what is better of the outcome of a turn."""
    if outcome.status != "done":
        return
    if not turn.proves:
        race.take(found_in(outcome))
    elif outcome.artefact is not None:
        race.prove(bound_of(outcome.artefact, race.dag))


def _gap(race: Race) -> float:
    """Return the logarithm of the best schedule over the best bound."""
    assert race.found is not None
    return log(max(race.found[1], 1)) - log(max(race.lower_bound, 1))
