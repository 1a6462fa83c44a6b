"""Sweeps under a command: the store is opened first, and Ctrl-C says how to go on."""

from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from lab.cli import console

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lab.store import Store


@contextmanager
def sweeping(file: Path | None) -> "Iterator[Store | None]":
    """Yield the store in a file, to be closed at the end; None where there is no file.

    A sweep in the block that is interrupted ends the command with its sentence and exit code 130.
    """
    from lab.store import Store
    from lab.sweep.errors import SweepInterrupted

    try:
        with nullcontext() if file is None else Store(file) as store:
            yield store
    except SweepInterrupted as interrupted:
        console.fail(str(interrupted), code=130)
