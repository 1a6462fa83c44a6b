"""Sweeps under a command: the store is opened first, and Ctrl-C prints how to go on."""

from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from redblue.cli import console

if TYPE_CHECKING:
    from collections.abc import Iterator

    from redblue.sweeps import SweepOptions


@contextmanager
def interruptible() -> "Iterator[None]":
    """End the command with a sweep's own sentence and exit code 130 on Ctrl-C in the block."""
    from redblue.sweeps import SweepInterrupted

    try:
        yield
    except SweepInterrupted as interrupted:
        console.fail(str(interrupted), code=130)


@contextmanager
def sweeping(
    file: Path | None, dask: str | None, **options: Any
) -> "Iterator[SweepOptions | None]":
    """Yield the options of a sweep; None where there is neither store nor cluster.

    The store is closed at the end.
    """
    with interruptible():
        if file is None and dask is None:
            yield None
            return
        from redblue.sweeps import SweepOptions
        from redblue.sweeps.store import Store

        with nullcontext() if file is None else Store(file) as store:
            yield SweepOptions(store, dask, **options)
