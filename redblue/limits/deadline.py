"""The end of the time that cells share, and how far beyond it they are waited for."""

import time
from collections.abc import Callable

PATIENCE, SHARE = 0.2, 0.05  # seconds beyond a limit, and parts of it, until work is left


class Deadline:
    """The moment at which a curve, a comparison or a plan is to be done.

    Parameters
    ----------
    seconds
        The limit; it begins now, unless `began` says otherwise.
    began
        When it began, on the clock `time.monotonic`.
    compiling
        Returns the seconds that Numba has compiled by now: a first answer is waited for so much
        longer.
    """

    def __init__(
        self,
        seconds: float,
        *,
        began: float | None = None,
        compiling: Callable[[], float] = float,
    ) -> None:
        self.end = (time.monotonic() if began is None else began) + seconds
        self._late = PATIENCE + SHARE * seconds
        self._compiling = compiling

    @property
    def left(self) -> float:
        """Seconds that are left, not less than none."""
        return max(self.end - time.monotonic(), 0.0)

    def share(self, parts: float) -> "Deadline":
        """Return the end of the first of so many parts of the time left."""
        return Deadline(self.left / parts, compiling=self._compiling)

    def over(self, *, answered: bool) -> bool:
        """Return whether nothing is waited for any more.

        Parameters
        ----------
        answered
            Whether there is an answer already.
        """
        late = time.monotonic() - self.end
        return late > (self._late if answered else self._late + self._compiling())
