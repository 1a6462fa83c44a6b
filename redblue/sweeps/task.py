"""What a worker is told, and what it answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from redblue.store.cells import Artefact, Cell

GRACE = 5.0


@dataclass(frozen=True)
class Task:
    """A cell as it is sent to a worker.

    Parameters
    ----------
    cell
        What to compute.
    identity
        The DAG's identity, under which a worker keeps it.
    file
        Where the DAG is pickled; None to make it from the cell's specification.
    plays
        Cells of the sweep that share the DAG and the order, where a scheduler has one.
    keep
        Whether the schedule or certificate is wanted.
    grace
        Seconds beyond its time limit after which a cell is ended; after as many again its
        process is.
    """

    cell: Cell
    identity: str
    file: str | None = None
    plays: int = 1
    keep: bool = False
    grace: float = GRACE


@dataclass(frozen=True)
class Answer:
    """What a kind returns.

    Parameters
    ----------
    result
        The result, of values that JSON has; nothing in it depends on speed.
    artefact
        The schedule or certificate, where it was asked for.
    seconds
        Time that it took, where that is not all of the time; None for all.
    """

    result: Any
    artefact: Artefact | None = None
    seconds: float | None = None


@dataclass(eq=False)
class Job:
    """A task on the side of the sweep.

    Parameters
    ----------
    task
        What a worker is told.
    key, configuration
        Under which a store has the result.
    affinity
        What cells have in common that are best done by one worker after another.
    places
        Where the outcome belongs in the list that the sweep returns.
    deaths
        Workers that ended while they were at it.
    overdue
        Whether its worker was ended because of it.
    """

    task: Task
    key: str
    configuration: Mapping[str, Any]
    affinity: str
    places: list[int] = field(default_factory=list)
    deaths: int = 0
    overdue: bool = False
