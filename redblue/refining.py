"""Cells that search for a better schedule and a better bound at one memory size of a curve."""

from dataclasses import asdict
from math import inf
from typing import Any

from dags import CDAG
from pebble import play
from proofs import BOUNDS, best_bound, exact_pieces
from redblue.efforts import Effort, effort_named, open_gaps, seconds_of
from redblue.envelope import with_best
from redblue.progress import Progress
from redblue.results import BEST, Refined, Row, Spent
from redblue.solving import compile_searches, solve
from redblue.store.cells import Cell, Outcome
from redblue.sweeps.runner import sweep
from redblue.sweeps.task import Task
from schedulers import SearchResult
from schedulers.exact import TooLargeError, exact
from schedulers.portfolio import best

KIND = "redblue.refining:refine"
EXACT = 64  # values that are computed in a DAG that an exact search takes, at most
FEW_STATES = 300  # of a search of a piece: more are worth their time where there is more of it


def refine(dag: CDAG, task: Task) -> Outcome:
    """Return the rows of the best schedule and the best bound that a search finds.

    The parameters of the cell are the seconds and, for a DAG that an exact search takes, the
    iterations and the bytes of its searches. Where values may be computed again a state takes so
    long that the clock decides all the same.
    """
    cell = task.cell
    given = cell.parameters
    sure = given["iterations"] is not None and not cell.rules.recompute
    if sure and dag.computed.size <= EXACT:
        rows = _settled(dag, cell, given["iterations"], given["states_bytes"])
    else:
        rows = _searched(dag, cell, given["seconds"])
    return Outcome("done", [asdict(row) for row in rows])


def _searched(dag: CDAG, cell: Cell, seconds: float) -> list[Row]:
    """Return what `solve` finds in so many seconds."""
    found = solve(dag, cell.memory, rules=cell.rules, seed=cell.seed, time_limit=seconds)
    return _rows(
        cell.memory,
        (found.method, found.count.loads, found.count.stores),
        (found.proved_by, found.lower_bound),
    )


def _settled(dag: CDAG, cell: Cell, iterations: int, states_bytes: int) -> list[Row]:
    """Return what searches find that end by their work and not by the clock."""
    memory, rules = cell.memory, cell.rules
    found = best(dag, memory, rules=rules, seed=cell.seed, time_limit=None, iterations=iterations)
    bound = best_bound([BOUNDS["segments"], BOUNDS["forests"]], dag, memory, rules=rules)
    lower = (bound.method, bound.io)
    proved = _exact(dag, cell, states_bytes, found)
    if proved is not None:
        found = proved if proved.io is not None and proved.io < (found.io or inf) else found
        lower = max(lower, ("exact", proved.lower_bound), key=lambda pair: pair[1])
    if found.io != lower[1]:
        pieces = exact_pieces(dag, memory, rules=rules, states=FEW_STATES)
        lower = max(lower, (pieces.method, pieces.io), key=lambda pair: pair[1])
    assert found.schedule is not None
    count = play(dag, found.schedule, memory, rules=rules)
    return _rows(memory, (found.method, count.loads, count.stores), lower)


def _exact(dag: CDAG, cell: Cell, states_bytes: int, known: SearchResult) -> SearchResult | None:
    """Return what an exact search finds with so much memory; None where it takes no such DAG."""
    try:
        return exact(
            dag, cell.memory, rules=cell.rules, max_memory=states_bytes, upper=known.schedule
        )
    except TooLargeError:
        return None


def _rows(memory: int, upper: tuple[str, int, int], lower: tuple[str, int]) -> list[Row]:
    method, loads, stores = upper
    proved_by, io = lower
    return [
        Row("upper", method, memory, loads + stores, loads, stores, "feasible", 0.0),
        Row("lower", proved_by, memory, io, None, None, "bound", 0.0),
    ]


def refined(
    dag: CDAG,
    rows: list[Row],
    sizes: tuple[int, ...],
    game: dict[str, Any],
    *,
    name: str,
    jobs: int = 1,
    progress: Progress | None = None,
) -> tuple[tuple[Row, ...], Spent | None]:
    """Return the rows with the best of each kind after an effort, and the effort.

    Parameters
    ----------
    dag
        The computation.
    rows
        Rows of its methods, without the best of them.
    sizes
        Words of fast memory, rising.
    game
        The rules and the seed, as cells have them.
    name
        The effort.
    jobs, progress
        As for `redblue.io_curve`.
    """
    effort = effort_named(name)
    before = with_best(rows, sizes)
    gaps = open_gaps([row for row in before if row.method == BEST])
    if not gaps or not effort.seconds or dag.n + dag.m > effort.largest:
        return before, None
    cells = [_cell(memory, seconds, effort, game) for memory, seconds in _plan(gaps, effort)]
    compile_searches(game["rules"].recompute)
    outcomes = sweep(cells, dags={"searched": dag}, jobs=jobs, threads=True, progress=progress)
    found = [Row(**row) for outcome in outcomes for row in outcome.result]
    after = with_best(rows, sizes, searched=found)
    left = {row.memory: row for row in after if (row.method, row.kind) == (BEST, "upper")}
    closed = open_gaps([row for row in after if row.method == BEST])
    pairs = zip(found[::2], found[1::2], strict=True)
    points = tuple(
        Refined(
            upper.memory,
            gaps[upper.memory],
            closed.get(upper.memory, 1.0),
            upper.method,
            lower.method,
        )
        for upper, lower in pairs
        if upper.memory in left
    )
    return after, Spent(name, sum(outcome.seconds for outcome in outcomes), points)


def _plan(gaps: dict[int, float], effort: Effort) -> list[tuple[int, float]]:
    """Return the memory sizes with their seconds, the widest gap first."""
    seconds = seconds_of(gaps, effort)
    return sorted(seconds.items(), key=lambda pair: -gaps[pair[0]])


def _cell(memory: int, seconds: float, effort: Effort, game: dict[str, Any]) -> Cell:
    parameters = {
        "seconds": seconds,
        "iterations": effort.iterations,
        "states_bytes": effort.states_bytes,
    }
    return Cell(KIND, "searched", memory=memory, parameters=parameters, **game)
