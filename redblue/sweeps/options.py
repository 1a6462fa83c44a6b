"""Where the cells of a curve are computed, and kept."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from redblue.store import Store


@dataclass(frozen=True)
class Place:
    """What makes a curve a sweep (`redblue.sweeps`), of registered methods only.

    A cell that fails is a row without words then.

    Parameters
    ----------
    store
        Where results are kept; what is there is not computed again. None keeps nothing.
    dask
        Address of a Dask scheduler whose workers compute; None for processes of this machine.
    keep
        Whether the store holds schedules and certificates too.
    retry
        Whether cells that failed, as the store has it, are tried again.
    memory_limit
        Bytes that each cell may take beyond what its process holds, on Linux.
    """

    store: "Store | None" = None
    dask: str | None = None
    keep: bool = False
    retry: bool = False
    memory_limit: int | None = None
