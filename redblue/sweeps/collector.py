"""The collector of a sweep: outcomes go to the store and back to the caller."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from redblue.progress import Progress
from redblue.store import Store, versions
from redblue.store.cells import FAILURES, Cell, Outcome
from redblue.sweeps.task import Task

Arrived = Callable[[int, Outcome], None]
PLAIN = ("whole",)  # kinds of cells that have neither schedules nor certificates
LATE = "not done in the time of the command"


def configuration(cell: Cell, identity: str) -> dict[str, Any]:
    """Return all that decides the result of a cell of the DAG with this identity."""
    about = {"spec": cell.dag, "dag": identity, "versions": dict(versions())}
    return cell.configuration() | about


class Collector:
    """Takes the outcomes of tasks, keeps them in the store, and counts them.

    Parameters
    ----------
    places
        The tasks, with the numbers of their cells.
    total
        Number of cells.
    store, progress, arrived, keep, retry
        As for `redblue.sweeps.sweep`.
    """

    def __init__(
        self,
        places: Mapping[Task, list[int]],
        total: int,
        store: Store | None,
        progress: Progress | None,
        arrived: Arrived | None,
        *,
        keep: bool,
        retry: bool,
    ) -> None:
        self._places, self._total = places, total
        self._store, self._progress, self._arrived = store, progress, arrived
        self._keep, self._retry = keep, retry
        self._found: dict[int, Outcome] = {}
        self._done = self._failed = 0

    def knows(self, task: Task) -> bool:
        """Return whether the store has the outcome of a task, which is taken then."""
        outcome = None if self._store is None else self._store.get(task.key)
        if outcome is None or (self._retry and outcome.status in FAILURES):
            return False
        kept = not self._keep or task.cell.kind in PLAIN or self._artefact(task) is not None
        if outcome.status == "done" and not kept:
            return False
        self._enter(task, outcome)
        return True

    def take(self, task: Task, outcome: Outcome) -> None:
        """Keep the outcome of a task, and its artefact in the store alone, if there is one."""
        if self._store is not None:
            self._store.put(configuration(task.cell, task.identity), outcome)
            outcome = replace(outcome, artefact=None)
        self._enter(task, outcome)

    @property
    def played(self) -> bool:
        """True if some cell is done."""
        return any(outcome.status == "done" for outcome in self._found.values())

    def outcomes(self) -> list[Outcome]:
        """Return the outcomes of all cells; what was not done in the time is "timed-out"."""
        late = Outcome("timed-out", error=LATE)
        return [self._found.get(place, late) for place in range(self._total)]

    def commit_when_due(self) -> None:
        """Let the store write what it has, once in a while."""
        if self._store is not None:
            self._store.commit_when_due()

    def commit(self) -> None:
        """Let the store write what it has."""
        if self._store is not None:
            self._store.commit()

    def how_to_go_on(self) -> str:
        """Return the sentence that ends an interrupted sweep."""
        done = f"{self._done:,} of {self._total:,} cells are done"
        if self._store is None:
            return f"interrupted: {done}; a store (--store FILE) would have kept them"
        return f"interrupted: {done} and in {self._store.path}; the same command goes on from there"

    def _artefact(self, task: Task) -> object:
        assert self._store is not None
        return self._store.artefact(task.key)

    def _enter(self, task: Task, outcome: Outcome) -> None:
        places = self._places[task]
        self._found |= dict.fromkeys(places, outcome)
        self._done += len(places)
        self._failed += len(places) * (outcome.status in FAILURES)
        if self._progress is not None:
            self._progress(self._done, self._total, self._failed)
        if self._arrived is not None:
            for place in places:
                self._arrived(place, outcome)
