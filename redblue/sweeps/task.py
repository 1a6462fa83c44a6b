"""A cell as engines and workers handle it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from redblue.sweeps.store.cells import Cell

GRACE = 5.0


@dataclass(frozen=True, eq=False)
class Task:
    """A cell on its way to a worker.

    Parameters
    ----------
    cell
        The computation.
    identity
        The DAG's identity, under which a worker keeps it.
    key
        Names the task in its sweep; where results are kept, the key in the store.
    affinity
        Common to cells that one worker should do one after another: they share a DAG and an order.
    file
        Where the DAG is pickled; None to make it from the cell's specification.
    plays
        Number of cells in the sweep with this affinity.
    keep
        Whether the schedule or certificate is wanted.
    grace
        Seconds beyond its time limit after which a cell is ended; after as many again its
        process is.
    function
        A method of one's own, used in place of the registered one of the cell's name.
    """

    cell: Cell
    identity: str
    key: str = ""
    affinity: str = ""
    file: str | None = None
    plays: int = 1
    keep: bool = False
    grace: float = GRACE
    function: Callable[..., Any] | None = None
