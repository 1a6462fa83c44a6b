"""Work of counts and searches, a clock that is the same on every machine, however busy.

What counts and searches evaluate is charged for as it takes on the reference machine. A search that
ends by this clock evaluates the same tilings for the same question, so that its answer is a
function of the question.
"""

import threading

_here = threading.local()


def charge(nanoseconds: float) -> None:
    """Add the work of an evaluation to that of this thread."""
    _here.spent = getattr(_here, "spent", 0) + int(nanoseconds)


class WorkClock:
    """Seconds of the reference machine that this thread has worked since the clock was made."""

    def __init__(self) -> None:
        self._began = getattr(_here, "spent", 0)

    def __call__(self) -> float:
        """Return the seconds; the same numbers for the same work, whatever came before."""
        return (getattr(_here, "spent", 0) - self._began) / 1e9
