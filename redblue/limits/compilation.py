"""The time that Numba takes to compile."""

import time
from collections.abc import Callable


class CompilationTime:
    """Adds up the time of compilations, as `dags._numba.compilations` tells of them.

    One that is part of another is not counted twice.

    Parameters
    ----------
    clock
        Returns seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._depth, self._began, self._seconds = 0, 0.0, 0.0

    @property
    def seconds(self) -> float:
        """Seconds of all compilations so far, with the one that is running."""
        return self._seconds + (self._clock() - self._began if self._depth else 0.0)

    def on_start(self, _event: object) -> None:
        """Note that a compilation begins."""
        if not self._depth:
            self._began = self._clock()
        self._depth += 1

    def on_end(self, _event: object) -> None:
        """Note that a compilation ends."""
        if self._depth == 1:
            self._seconds += self._clock() - self._began
        self._depth -= 1
