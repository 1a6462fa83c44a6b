"""Options of sweeps, and the errors that stop them; a cell that fails does not."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dags import RedBlueError

if TYPE_CHECKING:
    from redblue.sweeps.store import Store


@dataclass(frozen=True)
class SweepOptions:
    """Options of a sweep: its store, its cluster and its limits.

    Only registered methods can be swept. A cell that fails becomes a row without words.

    Parameters
    ----------
    store
        Where results are kept; those that are there are not computed again. None keeps nothing.
    dask
        Address of a Dask scheduler whose workers compute; None for processes of this machine.
    keep
        Whether the store holds schedules and certificates too.
    retry
        Whether cells that failed, as the store has it, are tried again.
    memory_limit
        Bytes that each cell may take beyond those of its process, on Linux.
    """

    store: "Store | None" = None
    dask: str | None = None
    keep: bool = False
    retry: bool = False
    memory_limit: int | None = None


class SweepError(RedBlueError):
    """A sweep whose workers do not start, do not answer, or run another version."""


class SweepInterrupted(KeyboardInterrupt):
    """A sweep that was ended from the keyboard; the message says how to go on."""
