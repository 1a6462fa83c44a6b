"""Curves as sweeps: a cell for each method and memory size."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from dags import CDAG, InvalidSpecError
from pebble import Rules
from proofs import BOUNDS, BoundMethod, NotApplicableError
from redblue.results import Kind, Row
from redblue.store.cells import Cell, Outcome
from redblue.sweeps.options import Place
from redblue.sweeps.runner import sweep
from schedulers import SCHEDULERS, Scheduler


@dataclass(frozen=True)
class Grid:
    """What the cells of a curve share.

    Parameters
    ----------
    dag, spec
        The DAG, and what it is called.
    sizes
        Words of fast memory, rising.
    rules, seed
        The game.
    time_limit
        Seconds of each cell; None for as many as it likes.
    strict
        Whether a bound that does not apply is an error.
    """

    dag: CDAG
    spec: str
    sizes: Sequence[int]
    rules: Rules
    seed: int
    time_limit: float | None
    strict: bool


def swept_rows(
    grid: Grid,
    players: Mapping[str, Scheduler],
    provers: Mapping[str, BoundMethod],
    *,
    place: Place,
    jobs: int,
    progress: Callable[[int, int, int], None] | None = None,
) -> list[Row]:
    """Return the rows of bounds and schedulers, in that order, as `io_curve` does.

    Parameters
    ----------
    grid
        What the cells share.
    players, provers
        Methods by their names in the registries.
    place
        Where cells are computed and kept.
    jobs, progress
        As `sweep` takes them.

    Raises
    ------
    InvalidSpecError
        If a method is in no registry: a worker would not find it.
    NotApplicableError
        If a bound does not apply and the grid is strict.
    """
    _require_registered(players, SCHEDULERS)
    _require_registered(provers, BOUNDS)
    limits: dict[str, Any] = {
        "time_limit": grid.time_limit,
        "memory_limit": place.memory_limit,
    }
    lower = [
        Cell("lower", grid.spec, name, size, grid.rules, **limits)
        for name, size in product(provers, grid.sizes)
    ]
    upper = [
        Cell("upper", grid.spec, name, size, grid.rules, grid.seed, **limits)
        for name, size in product(players, grid.sizes)
    ]
    cells = [*lower, *upper]
    outcomes = sweep(
        cells,
        dags={grid.spec: grid.dag},
        store=place.store,
        jobs=jobs,
        dask=place.dask,
        keep=place.keep,
        retry=place.retry,
        progress=progress,
    )
    rows = (row_of(*pair, strict=grid.strict) for pair in zip(cells, outcomes, strict=True))
    return [row for row in rows if row is not None]


def row_of(cell: Cell, outcome: Outcome, *, strict: bool) -> Row | None:
    """Return the row of a cell; None for a bound that does not apply, an error if `strict`."""
    if outcome.status == "done":
        return Row(**outcome.result, seconds=outcome.seconds)
    if outcome.status != "not-applicable":
        kind: Kind = "upper" if cell.kind == "upper" else "lower"
        words = (None, None, None)
        return Row(kind, cell.method, cell.memory, *words, outcome.status, outcome.seconds)
    if strict:
        raise NotApplicableError(outcome.error or "")
    return None


def _require_registered(methods: Mapping[str, object], registry: Mapping[str, object]) -> None:
    for name, method in methods.items():
        if registry.get(name) != method:
            raise InvalidSpecError(f"a sweep takes registered methods, and {name!r} is none")
