"""The kind of cells that are whole curves, of computations of any size."""

from typing import Any

from dags import Computation
from pebble import Budget
from redblue.answers.curves.cells import record_of
from redblue.answers.curves.curve import io_curve
from redblue.sweeps.store.cells import Outcome
from redblue.sweeps.task import Task


def curve(computation: Computation, task: Task) -> Outcome:
    """The curve that `redblue.io_curve` has, as JSON: the kind of its cell.

    Parameters
    ----------
    computation
        What is computed.
    task
        The cell, whose parameters are arguments of `redblue.io_curve`.
    """
    cell = task.cell
    limit = None if cell.time_limit is None else Budget.within(cell.time_limit)
    game: dict[str, Any] = {
        "rules": cell.rules,
        "seed": cell.seed,
        "spec": cell.dag,
        "deadline": limit,
    }
    found = io_curve(computation, **game, **cell.parameters)
    return Outcome("done", record_of(found))
