"""A limit to the time of a search."""

from time import monotonic


class Alarm:
    """Rings when the time is over, or after Ctrl-C.

    Parameters
    ----------
    time_limit
        Seconds from now; None for no limit.
    """

    def __init__(self, time_limit: float | None) -> None:
        self.end = None if time_limit is None else monotonic() + time_limit
        self.interrupted = False

    def interrupt(self) -> None:
        """Ring from now on."""
        self.interrupted = True

    def rings(self) -> bool:
        """Return whether it is time to give up."""
        return self.interrupted or (self.end is not None and monotonic() > self.end)
