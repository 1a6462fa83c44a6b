"""The cells of a curve: one for each method and memory size."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from dags import CDAG, InvalidSpecError
from pebble import Budget, Rules
from proofs import METHODS as PROOFS
from proofs import BoundMethod, NotApplicableError
from redblue.answers.counts import CURVES, countable
from redblue.answers.results import Kind, Row, WholeRow
from redblue.limits.progress import Progress
from redblue.sweeps.options import SweepOptions
from redblue.sweeps.runner import sweep
from redblue.sweeps.store.cells import Cell, Outcome
from schedulers import METHODS as PLAYS
from schedulers import OrderAndEviction, Scheduler

COMPARED = 8  # every so many memory sizes a play that is counted is replayed too


@dataclass(frozen=True)
class Grid:
    """The game and the limits that the cells of a curve share.

    Parameters
    ----------
    dag, spec
        The DAG and its label.
    sizes
        Words of fast memory, rising.
    rules, seed
        The game.
    time_limit
        Seconds of each cell; None for no limit.
    strict
        Whether a bound that does not apply is an error.
    whole
        Whether every memory size from the first to the last is counted where a pass can do so.
    deadline
        The end of all cells together; None for none.
    """

    dag: CDAG
    spec: str
    sizes: Sequence[int]
    rules: Rules
    seed: int
    time_limit: float | None
    strict: bool
    whole: bool = False
    deadline: Budget | None = None


def swept_rows(
    grid: Grid,
    schedulers: Mapping[str, Scheduler],
    bounds: Mapping[str, BoundMethod],
    *,
    options: SweepOptions | None,
    jobs: int,
    progress: Progress | None = None,
) -> tuple[list[Row], list[WholeRow]]:
    """The rows of bounds and schedulers, in that order, and whole rows of schedulers.

    Parameters
    ----------
    grid
        The parts that cells share.
    schedulers, bounds
        Methods by their names.
    options
        Where cells are computed and kept; None for threads of this process, and nowhere.
    jobs, progress
        As for `sweep`.

    Raises
    ------
    InvalidSpecError
        If there are `options` and a method is in no registry: a worker would not find it.
    NotApplicableError
        If a bound does not apply and the grid is strict.
    """
    if options is not None:
        _require_registered(schedulers, PLAYS)
        _require_registered(bounds, PROOFS)
    how = SweepOptions() if options is None else options
    limits: dict[str, Any] = {"time_limit": grid.time_limit, "memory_limit": how.memory_limit}
    lower = [
        Cell("lower", grid.spec, name, size, grid.rules, **limits)
        for name, size in product(bounds, grid.sizes)
    ]
    last = grid.sizes[-1]
    passes = [
        Cell("whole", grid.spec, name, last, parameters={"first": grid.sizes[0]}, **limits)
        for name, scheduler in schedulers.items()
        if _in_one_pass(grid, scheduler)
    ]
    upper = [
        Cell("upper", grid.spec, name, size, grid.rules, grid.seed, how_played, **limits)
        for name, scheduler in schedulers.items()
        for size, how_played in _plays(grid, scheduler, keep=how.keep)
    ]
    cells = [*lower, *passes, *upper]
    own: dict[tuple[str, str], Callable[..., Any]] = {}
    own |= {("lower", name): method for name, method in bounds.items()}
    own |= {(kind, name): one for name, one in schedulers.items() for kind in ("upper", "whole")}
    outcomes = sweep(
        cells,
        dags={grid.spec: grid.dag},
        functions=own if options is None else None,
        store=how.store,
        jobs=jobs,
        threads=options is None,
        dask=how.dask,
        keep=how.keep,
        retry=how.retry,
        progress=progress,
        deadline=grid.deadline,
    )
    kept = [pair for pair in zip(cells, outcomes, strict=True) if pair[0].kind != "whole"]
    rows = [row for pair in kept if (row := row_of(*pair, strict=grid.strict)) is not None]
    counted = outcomes[len(lower) : len(lower) + len(passes)]
    whole = [_whole_row(one.result) for one in counted if one.result is not None]
    return rows, [_compared(row, rows) for row in whole]


def _whole_row(result: Mapping[str, Any]) -> WholeRow:
    """A whole row from the outcome of a cell, or of a store."""
    loads, stores = tuple(result["loads"]), tuple(result["stores"])
    return WholeRow(result["method"], result["first"], loads, stores)


def _in_one_pass(grid: Grid, scheduler: Scheduler) -> bool:
    """Whether a pass counts the plays of a scheduler at every memory size."""
    known = isinstance(scheduler, OrderAndEviction) and scheduler.policy in CURVES
    return grid.whole and known and grid.dag.words is None and not grid.rules.partial


def _compared(whole: WholeRow, rows: Sequence[Row]) -> WholeRow:
    """A whole row with the sizes of those rows that were replayed and agree with it."""
    own = [row for row in rows if row.kind == "upper" and row.method == whole.method]
    for row in own:
        if row.status in ("feasible", "optimal"):
            place = row.memory - whole.first
            counted = (whole.loads[place], whole.stores[place])
            assert (row.loads, row.stores) == counted, (row, counted)
    replayed = tuple(row.memory for row in own if row.status in ("feasible", "optimal"))
    return replace(whole, replayed=replayed)


def _plays(
    grid: Grid, scheduler: Scheduler, *, keep: bool
) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Yield the memory sizes, and whether a play is counted, or replayed and compared.

    Large plays of LRU and furthest next use are counted; the first one, the last one and some in
    between are replayed too.
    """
    dag, last = grid.dag, len(grid.sizes) - 1
    many = countable(scheduler, dag.m + dag.n - dag.inputs.size, len(grid.sizes))
    if keep or dag.words is not None or grid.rules.partial or not many:
        yield from ((size, {}) for size in grid.sizes)
        return
    for place, size in enumerate(grid.sizes):
        replayed = place % COMPARED == 0 or place == last
        yield size, {"count": "compared" if replayed else "alone"}


def row_of(cell: Cell, outcome: Outcome, *, strict: bool) -> Row | None:
    """The row of a cell; None for a bound that does not apply, an error if `strict`."""
    if outcome.status == "done":
        return Row.from_dict({**outcome.result, "seconds": outcome.seconds})
    if outcome.status != "not-applicable":
        kind: Kind = "upper" if cell.kind == "upper" else "lower"
        words = (None, None, None)
        return Row(kind, cell.method, cell.memory, *words, outcome.status, outcome.seconds)
    if strict:
        raise NotApplicableError(outcome.error or "")
    return None


def _require_registered(methods: Mapping[str, object], table: Mapping[str, Any]) -> None:
    for name, method in methods.items():
        if name not in table or table[name].run != method:
            raise InvalidSpecError(f"a sweep takes registered methods, and {name!r} is none")
