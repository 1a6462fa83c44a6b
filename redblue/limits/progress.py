"""Callbacks by which long computations report how far they are."""

from collections.abc import Callable

# Called with (cells done, cells in all, failures among them) after every cell.
Progress = Callable[[int, int, int], None]
# Called with a few words about what is being done.
Message = Callable[[str], None]


def silent(_message: str) -> None:
    """Ignore a message; a function of a module, so that it can go to other processes."""
