"""Cells that search for a better schedule and a better bound at one memory size of a curve."""

from math import inf, log
from typing import Any

from dags import CDAG, Computation
from pebble import Budget, IOCount, computed_again, play
from proofs import BOUNDS, best_bound, carried
from proofs.bounds.pieces.exact_pieces import with_states
from redblue.answers.efforts import SMALL, Effort, effort_named, open_gaps, seconds_of
from redblue.answers.envelope import with_best
from redblue.answers.results import BEST, Refined, Row, Spent
from redblue.answers.tilings import tiling_in
from redblue.limits.progress import Progress
from redblue.racing.at_once import few_states
from redblue.racing.samples import compile_searches
from redblue.racing.solving import solve
from redblue.sweeps.runner import sweep
from redblue.sweeps.store.cells import Cell, Outcome
from redblue.sweeps.task import Task
from schedulers import SearchResult
from schedulers.exact import TooLargeError, exact
from schedulers.search.portfolio import best
from schedulers.tilings.shown import ShownTiling

KIND = "redblue.answers.refining:refine"
BATCH = 4  # cells between two looks at what they bring; the same for any number of threads
WORTH = 0.002  # share of best over bound that a second must bring
CARRIED = 8  # sizes next to one on either side, of which its certificates prove something, too
FEW_STATES = 300  # of a search of a piece: more are worth their time where there is more of it


def refine(computation: Computation, task: Task) -> Outcome:
    """The rows of the best schedule and the best bound that a search finds.

    The parameters of the cell are the seconds and, for a DAG that an exact search takes, the
    iterations and the bytes of its searches. Where values may be computed again a state takes so
    long that the clock decides all the same.
    """
    cell, dag = task.cell, computation.dag
    given = cell.parameters
    sure = given["iterations"] is not None and not cell.rules.recompute
    if not given["seconds"]:
        rows = _glanced(dag, cell)
    elif sure and dag.computed.size <= SMALL:
        rows = _settled(dag, cell, given["iterations"], given["states_bytes"])
    else:
        rows = _searched(dag, cell, given["seconds"])
    return Outcome("done" if rows else "not-applicable", [row.to_dict() for row in rows])


def _searched(dag: CDAG, cell: Cell, seconds: float) -> list[Row]:
    """The result of `solve` in so many seconds."""
    game: dict[str, Any] = {"rules": cell.rules, "seed": cell.seed, "effort": seconds}
    game["price_of_work"] = cell.parameters["price_of_work"]
    found = solve(dag, cell.memory, **game)
    lower = found.proved_by, found.lower_bound
    rows = _rows(dag, cell, found.method, found.count, lower, found.tiling)
    others = [(memory, carried(dag, memory, found.bound)) for memory in cell.parameters["others"]]
    return rows + [
        _lower_row(found.bound.method, at, one.io) for at, one in others if one is not None
    ]


def _glanced(dag: CDAG, cell: Cell) -> list[Row]:
    """The result of an exact search of few states; nothing where it takes no such DAG."""
    found = few_states(dag, cell.memory, rules=cell.rules)
    if found is None or found.schedule is None:
        return []
    count = play(dag, found.schedule, cell.memory, rules=cell.rules)
    return _rows(dag, cell, found.method, count, (found.method, found.lower_bound), None)


def _settled(dag: CDAG, cell: Cell, iterations: int, states_bytes: int) -> list[Row]:
    """The results of searches that end by their work and not by the clock."""
    memory, rules = cell.memory, cell.rules
    found = best(dag, memory, rules=rules, seed=cell.seed, time_limit=None, iterations=iterations)
    bound = best_bound([BOUNDS["segments"], BOUNDS["forests"]], dag, memory, rules=rules)
    lower = (bound.method, bound.io)
    proved = _exact(dag, cell, states_bytes, found)
    if proved is not None:
        found = proved if proved.io is not None and proved.io < (found.io or inf) else found
        lower = max(lower, ("exact", proved.lower_bound), key=lambda pair: pair[1])
    if found.io != lower[1]:
        pieces = with_states(FEW_STATES)(dag, memory, rules=rules)
        lower = max(lower, (pieces.method, pieces.io), key=lambda pair: pair[1])
    assert found.schedule is not None
    count = play(dag, found.schedule, memory, rules=rules)
    tiling = tiling_in(dag, found.schedule)
    return _rows(dag, cell, found.method, count, lower, tiling)


def _exact(dag: CDAG, cell: Cell, states_bytes: int, known: SearchResult) -> SearchResult | None:
    """The result of an exact search with so much memory; None where it takes no such DAG."""
    try:
        return exact(
            dag, cell.memory, rules=cell.rules, max_memory=states_bytes, upper=known.schedule
        )
    except TooLargeError:
        return None


def _rows(
    dag: CDAG,
    cell: Cell,
    method: str,
    count: IOCount,
    lower: tuple[str, int],
    tiling: ShownTiling | None,
) -> list[Row]:
    proved_by, io = lower
    words = count.io, count.loads, count.stores
    again = computed_again(dag, count).operations if cell.rules.recompute else None
    return [
        Row("upper", method, cell.memory, *words, "feasible", 0.0, tiling, again),
        _lower_row(proved_by, cell.memory, io),
    ]


def _lower_row(proved_by: str, memory: int, io: int) -> Row:
    return Row("lower", proved_by, memory, io, None, None, "bound", 0.0)


def refined(
    dag: CDAG,
    rows: list[Row],
    sizes: tuple[int, ...],
    game: dict[str, Any],
    *,
    name: str,
    jobs: int = 1,
    progress: Progress | None = None,
    deadline: Budget | None = None,
    price_of_work: float = 0.0,
) -> tuple[tuple[Row, ...], Spent | None]:
    """The rows with the best of each kind after an effort, and the effort.

    The widest gaps come first, and with every three of them the narrowest, which is the easiest to
    close. The search ends where all have met, or where the last cells brought less than `WORTH` a
    second.

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
    deadline
        The end of the searches, however much of the effort is left; None for none.
    price_of_work
        Words that a recomputed operation costs.
    """
    effort = effort_named(name).within(None if deadline is None else deadline.left)
    before = with_best(rows, sizes, price_of_work=price_of_work)
    gaps = open_gaps(before)
    takes_none = not effort.seconds and dag.computed.size > SMALL
    if not gaps or takes_none or dag.n + dag.m > effort.largest:
        return before, None
    if deadline is not None and not deadline.left:
        return before, Spent(name, 0.0, (), tuple(sorted(gaps)))
    if effort.seconds:
        compile_searches(game["rules"].recompute)
    how: dict[str, Any] = {"dags": {"searched": dag}, "jobs": jobs, "threads": True}
    todo, found, seconds = _plan(gaps, effort), list[Row](), 0.0
    pairs: list[tuple[Row, Row]] = []
    after, left = before, gaps
    searched: list[int] = []
    while todo := [pair for pair in todo if pair[0] in left]:
        batch = [*todo[: BATCH - 1], *todo[BATCH - 1 :][-1:]]
        todo = todo[BATCH - 1 : -1]
        cells = [_cell(*pair, sizes, effort, game, price_of_work) for pair in batch]
        tell = _shifted(progress, len(searched), len(searched) + len(batch) + len(todo))
        outcomes = sweep(cells, progress=tell, deadline=deadline, **how)
        done = [outcome for outcome in outcomes if outcome.status == "done"]
        results = [[Row.from_dict(row) for row in outcome.result] for outcome in done]
        found += [row for rows_of_one in results for row in rows_of_one]
        pairs += [(upper, lower) for upper, lower, *_ in results]
        searched += [pair[0] for pair, one in zip(batch, outcomes, strict=True) if one in done]
        seconds += sum(outcome.seconds for outcome in outcomes)
        after, wider = with_best(rows, sizes, searched=found, price_of_work=price_of_work), left
        left = open_gaps(after)
        if len(done) < len(cells) or _gain(wider, left) < WORTH * sum(pair[1] for pair in batch):
            break
    points = _points(pairs, gaps, left, after)
    skipped = sorted(left.keys() - set(searched))
    return after, Spent(name, seconds, points, tuple(skipped))


def _gain(before: dict[int, float], after: dict[int, float]) -> float:
    """Return by how much gaps closed: logarithms of best over bound, added up."""
    return sum(log(gap) - log(after.get(memory, 1.0)) for memory, gap in before.items())


def _points(
    pairs: list[tuple[Row, Row]],
    before: dict[int, float],
    after: dict[int, float],
    rows: tuple[Row, ...],
) -> tuple[Refined, ...]:
    """The results at the sizes that some schedule can play with.

    Parameters
    ----------
    pairs
        Schedule and bound of each that was searched.
    before, after
        The open gaps, without the searches and with them.
    rows
        All rows, with the best of each kind.
    """
    known = {row.memory for row in rows if (row.method, row.kind) == (BEST, "upper")}
    return tuple(
        Refined(at, before[at], after.get(at, 1.0), upper.method, lower.method)
        for upper, lower in pairs
        if (at := upper.memory) in known
    )


def _shifted(progress: Progress | None, done: int, total: int) -> Progress | None:
    """`progress` of a batch of cells, before which so many of `total` have been done."""
    if progress is None:
        return None
    tell = progress
    return lambda here, _, failed: tell(done + here, total, failed)


def _plan(gaps: dict[int, float], effort: Effort) -> list[tuple[int, float]]:
    """The memory sizes with their seconds, the widest gap first."""
    seconds = seconds_of(gaps, effort)
    return sorted(seconds.items(), key=lambda pair: -gaps[pair[0]])


def _cell(
    memory: int,
    seconds: float,
    sizes: tuple[int, ...],
    effort: Effort,
    game: dict[str, Any],
    price_of_work: float,
) -> Cell:
    place = sizes.index(memory)
    others = [*sizes[max(place - CARRIED, 0) : place], *sizes[place + 1 : place + 1 + CARRIED]]
    parameters = {
        "seconds": seconds,
        "iterations": effort.iterations,
        "states_bytes": effort.states_bytes,
        "price_of_work": price_of_work,
        "others": others,
    }
    return Cell(KIND, "searched", memory=memory, parameters=parameters, **game)
