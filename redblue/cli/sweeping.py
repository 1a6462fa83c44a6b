"""Sweeps under a command: the store is opened first, and Ctrl-C says how to go on."""

from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from redblue.cli import console

if TYPE_CHECKING:
    from collections.abc import Iterator

    from redblue.sweeps import Place


@contextmanager
def sweeping(file: Path | None, dask: str | None, **options: Any) -> "Iterator[Place | None]":
    """Yield where to compute and keep; None where there is neither a store's file nor a cluster.

    The store is closed at the end. A sweep in the block that is interrupted ends the command with
    its sentence and exit code 130. `options` are those of `redblue.sweeps.Place`.
    """
    if file is None and dask is None:
        yield None
        return
    from redblue.store import Store
    from redblue.sweeps import Place, SweepInterrupted

    try:
        with nullcontext() if file is None else Store(file) as store:
            yield Place(store, dask, **options)
    except SweepInterrupted as interrupted:
        console.fail(str(interrupted), code=130)
