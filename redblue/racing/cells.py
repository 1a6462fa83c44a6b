"""Kinds of cells of a race, each a turn of a worker."""

from typing import Any

import numpy as np

from dags import CDAG
from dags.arrays import lock
from proofs import BOUNDS, best_bound
from redblue.store.cells import Outcome
from redblue.sweeps.artefacts import certificate_file, schedule_file, schedule_of
from redblue.sweeps.task import Task
from schedulers import SearchResult
from schedulers.exact import TooLargeError, exact
from schedulers.portfolio import best
from schedulers.search import candidates_in


def search(dag: CDAG, task: Task) -> Outcome:
    """Return the best schedule that a search finds from the orders it is given, the best first."""
    cell, given = task.cell, task.cell.parameters
    orders = [lock(np.array(order, np.int32)) for order in given["orders"]]
    found = best(
        dag,
        cell.memory,
        rules=cell.rules,
        seed=cell.seed,
        time_limit=given["seconds"],
        lower_bound=given["lower_bound"],
        price_of_work=given["price_of_work"],
        members=sorted(
            candidates_in("found", orders, dag, cell.memory, cell.rules), key=lambda one: one.io
        ),
    )
    return outcome_of(found)


def search_exactly(dag: CDAG, task: Task) -> Outcome:
    """Return what the exact search finds, no schedule where the DAG is too large for it."""
    cell, given = task.cell, task.cell.parameters
    try:
        found = exact(
            dag,
            cell.memory,
            rules=cell.rules,
            time_limit=given["seconds"],
            max_memory=given["max_memory"],
        )
    except TooLargeError as error:
        return Outcome("not-applicable", error=str(error))
    return outcome_of(found)


def prove(dag: CDAG, task: Task) -> Outcome:
    """Return the bound of a method, with its certificate; the compulsory one where that is more."""
    cell = task.cell
    game: dict[str, Any] = {"rules": cell.rules, "seed": cell.seed}
    game["time_limit"] = cell.parameters["seconds"]
    bound = best_bound([BOUNDS[cell.method]], dag, cell.memory, **game)
    return Outcome("done", {"io": bound.io}, artefact=certificate_file(bound, dag))


def outcome_of(found: SearchResult) -> Outcome:
    """Return the outcome of a search, its schedule as a file."""
    artefact = None if found.schedule is None else schedule_file(found.schedule)
    return Outcome("done", {**vars(found), "schedule": None}, artefact=artefact)


def found_in(outcome: Outcome) -> SearchResult:
    """Return the result of a search from the outcome of its cell."""
    schedule = None if outcome.artefact is None else schedule_of(outcome.artefact)
    return SearchResult(**{**outcome.result, "schedule": schedule})
