"""Limits of a search: made where a user asks, handed down, and divided on the way."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import inf

import numpy as np


def never() -> bool:
    """Return False: nobody asks to stop."""
    return False


def silent(text: str) -> None:
    """Tell nobody."""


@dataclass(frozen=True)
class Budget:
    """Time, memory and chance of a search, and whom it asks and tells.

    Parameters
    ----------
    seconds
        Seconds from its beginning on; None for no limit.
    bytes
        Bytes of memory that the states of a search may take.
    seed
        Of all that is drawn at random.
    stop
        Asked now and then whether to give up.
    tell
        Called with the findings meanwhile, in a sentence.
    clock
        Seconds by which time is told; of the thread, where a busy machine shall find no less.
    began
        When it began, on that clock.
    """

    seconds: float | None = None
    bytes: int = 2 << 30
    seed: int = 0
    stop: Callable[[], bool] = never
    tell: Callable[[str], object] = silent
    clock: Callable[[], float] = time.monotonic
    began: float = field(default_factory=time.monotonic)

    @property
    def left(self) -> float:
        """Seconds that are left, not less than none; infinite without a limit."""
        if self.seconds is None:
            return inf
        return max(self.began + self.seconds - self.clock(), 0.0)

    @property
    def used(self) -> float:
        """Seconds since its beginning."""
        return self.clock() - self.began

    @property
    def over(self) -> bool:
        """True from the end on, and where somebody asks to stop."""
        return not self.left or self.stop()

    @property
    def spent(self) -> float:
        """Share of the time that has passed: 0 without a limit, 1 from the end on."""
        if self.seconds is None:
            return 0.0
        return 1 - self.left / self.seconds if self.seconds > 0 else 1.0

    def share(self, part: float) -> "Budget":
        """Return the first part of the time that is left; all of it where there is no limit."""
        return self if self.seconds is None else self.at_most(part * self.left)

    def at_most(self, seconds: float) -> "Budget":
        """Return a budget that begins now and ends with this one, or after so many seconds."""
        return replace(self, seconds=min(seconds, self.left), began=self.clock())

    def limited(self, seconds: float) -> "Budget":
        """Return this one, of so many seconds where it has no limit."""
        return self.at_most(seconds) if self.seconds is None else self

    def rng(self) -> np.random.Generator:
        """Return a new generator of random numbers from the seed."""
        return np.random.default_rng(self.seed)


UNLIMITED = Budget()
