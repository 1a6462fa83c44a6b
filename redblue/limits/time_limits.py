"""Work that is given up at a limit of time."""

import threading
from collections.abc import Callable
from typing import Any, TypeVar

from dags import RedBlueError
from redblue.limits.interrupts import end_thread, into

T = TypeVar("T")


class TimeLimitError(RedBlueError, TimeoutError):
    """Work that was not done within the time that it was given."""


def within(seconds: float | None, work: Callable[[], T], what: str) -> T:
    """Return the result of `work`, which is done on a thread of its own and given up at a limit.

    Compiled code that takes no notice of its end is left alone.

    Parameters
    ----------
    seconds
        The limit; None for none.
    work
        Its errors are raised here.
    what
        What is given up, for the message.

    Raises
    ------
    TimeLimitError
        If it takes longer.
    """
    if seconds is None:
        return work()
    found: dict[str, Any] = {}
    done = threading.Event()
    thread = threading.Thread(target=into, args=(work, found, done), daemon=True)
    thread.start()
    try:
        late = not done.wait(seconds)
    except KeyboardInterrupt:
        end_thread(thread, done)
        raise
    if late:
        end_thread(thread, done)
        raise TimeLimitError(f"{what} takes longer than {seconds:g} s")
    if "error" in found:
        raise found["error"]
    value: T = found["value"]
    return value
