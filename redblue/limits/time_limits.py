"""Work that is given up at a limit of time."""

import threading
from collections.abc import Callable
from typing import Any, TypeVar

from dags import RedBlueError
from redblue.limits.interrupts import end_thread, into

T = TypeVar("T")


class TimeLimitError(RedBlueError, TimeoutError):
    """Work that was not done within the time that it was given."""


def within(seconds: float | None, work: Callable[[], T], purpose: str) -> T:
    """The result of `work`, which is done on a thread of its own and given up at a limit.

    Compiled code that takes no notice of its end is left alone.

    Parameters
    ----------
    seconds
        The limit; None for none.
    work
        Its errors are raised here.
    purpose
        What is given up, for the message.

    Raises
    ------
    TimeLimitError
        If it takes longer.
    """
    if seconds is None:
        return work()
    outcome: dict[str, Any] = {}
    finished = threading.Event()
    thread = threading.Thread(target=into, args=(work, outcome, finished), daemon=True)
    thread.start()
    try:
        late = not finished.wait(seconds)
    except KeyboardInterrupt:
        end_thread(thread, finished)
        raise
    if late:
        end_thread(thread, finished)
        raise TimeLimitError(f"{purpose} takes longer than {seconds:g} s")
    if "error" in outcome:
        raise outcome["error"]
    value: T = outcome["value"]
    return value
