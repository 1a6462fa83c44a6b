"""The end of a search: on the clock of its thread, so that a busy machine finds no less."""

from collections.abc import Callable
from math import inf
from time import thread_time
from typing import NamedTuple


class Until(NamedTuple):
    """A moment after which nothing new is begun.

    Attributes
    ----------
    end
        The moment; never, if infinite.
    clock
        Seconds by which it is told.
    """

    end: float = inf
    clock: Callable[[], float] = thread_time

    @property
    def is_over(self) -> bool:
        """True once it is past."""
        return self.clock() > self.end

    def share(self, part: float) -> "Until":
        """Return the moment when a part of the time that is left is over."""
        now = self.clock()
        return self._replace(end=now + max(0.0, self.end - now) * part)
