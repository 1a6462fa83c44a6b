"""Limits of a search: made where a user asks, handed down, and divided on the way."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any

import numpy as np

from dags.work import charge, seconds_of, worked

# Share of a limit of time that is given to searches as work: the rest is for loading, checking and
# printing, and for a machine that is a little slower than the reference.
WORKING = 0.75
PATIENCE, SHARE = 0.2, 0.05  # seconds beyond a limit, and parts of it, until work is left

MOST_ITERATIONS = 1 << 30  # as solvers count them

_here = threading.local()


def never() -> bool:
    """False: nobody asks to stop."""
    return False


def silent(text: str) -> None:
    """Tell nobody."""


class Clock:
    """The clock of a time limit, which can only cut a search, and whether it has cut any.

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
        self._cuts: list[bool] = []  # shared with the clocks of parts

    @property
    def left(self) -> float:
        """Seconds that are left, not less than none."""
        return max(self.end - time.monotonic(), 0.0)

    @property
    def has_cut(self) -> bool:
        """True if it, or the clock of a part, has ended a search that had work left."""
        return bool(self._cuts)

    def cut(self) -> None:
        """Note that a search ended by it."""
        self._cuts[:] = [True]

    def put_off(self, seconds: float) -> None:
        """Let it end later, by what does not count."""
        self.end += seconds

    def part(self, seconds: float) -> "Clock":
        """The clock of a part, which ends after so many seconds, or with this one."""
        clock = Clock(min(seconds, self.left), compiling=self._compiling)
        clock._cuts = self._cuts
        return clock

    def over(self, *, answered: bool) -> bool:
        """Whether nothing is waited for any more.

        Parameters
        ----------
        answered
            Whether there is an answer already.
        """
        late = time.monotonic() - self.end
        return late > (self._late if answered else self._late + self._compiling())


def running_clock() -> Clock | None:
    """The clock that budgets of this thread end by, beside their work; None for none."""
    clock: Clock | None = getattr(_here, "clock", None)
    return clock


@contextmanager
def under(clock: Clock | None) -> Iterator[None]:
    """Let all budgets that this thread makes in the block end by a clock; None for none."""
    before = running_clock()
    _here.clock = clock
    try:
        yield
    finally:
        _here.clock = before


@dataclass(frozen=True)
class Budget:
    """Work, memory and chance of a search, whom it asks and tells, and a clock that may cut it.

    Parameters
    ----------
    seconds
        Seconds of work on the reference machine (`dags.work`) from its beginning on; None for no
        limit.
    bytes
        Bytes of memory that the states of a search may take.
    seed
        Of all that is drawn at random.
    stop
        Asked now and then whether to give up.
    tell
        Called with the findings meanwhile, in a sentence.
    began
        Nanoseconds that the thread had worked when it began.
    clock
        Ends it however much work is left, and notes that; None for that of the thread, if any.
    """

    seconds: float | None = None
    bytes: int = 2 << 30
    seed: int = 0
    stop: Callable[[], bool] = never
    tell: Callable[[str], object] = silent
    began: int = field(default_factory=worked)
    clock: Clock | None = None

    @property
    def _end(self) -> int:
        """Nanoseconds that the thread has worked when it ends: whole, whenever it began."""
        return self.began + round((self.seconds or 0.0) * 1e9)

    @property
    def left(self) -> float:
        """Seconds of work that are left, not less than none; infinite without a limit."""
        work = inf if self.seconds is None else max(self._end - worked(), 0) / 1e9
        clock = self.clock or running_clock()
        if work and clock is not None and not clock.left:
            clock.cut()
            return 0.0
        return work

    @property
    def used(self) -> float:
        """Seconds of work since its beginning."""
        return (worked() - self.began) / 1e9

    @property
    def over(self) -> bool:
        """True from the end on, and where somebody asks to stop."""
        charge("look")
        return not self.left or self.stop()

    @property
    def spent(self) -> float:
        """Share of the work that is done: 0 without a limit, 1 from the end on."""
        if not self.left:
            return 1.0
        return 0.0 if self.seconds is None else 1 - self.left / self.seconds

    def share(self, part: float) -> "Budget":
        """The first part of the work that is left; all of it where there is no limit."""
        return self if self.seconds is None else self.at_most(part * self.left)

    def turn(self, part: float) -> "Budget":
        """The first part of the work that is left, and of the time of its clock."""
        clock = None if self.clock is None else self.clock.part(part * self.clock.left)
        return replace(self.share(part), clock=clock)

    def late(self, *, answered: bool) -> bool:
        """Whether its clock is over, and nothing is waited for any more.

        Parameters
        ----------
        answered
            Whether there is an answer already.
        """
        return self.clock is not None and self.clock.over(answered=answered)

    def cut(self) -> None:
        """Note that its clock has ended what had more to do."""
        if self.clock is not None:
            self.clock.cut()

    def at_most(self, seconds: float) -> "Budget":
        """A budget that begins now and ends with this one, or after so much work."""
        return replace(self, seconds=min(seconds, self.left), began=worked())

    def anew(self, seconds: float | None) -> "Budget":
        """A budget of so much work that begins now, whatever is left of this one."""
        return replace(self, seconds=seconds, began=worked())

    @classmethod
    def within(cls, limit: float | None, work: float | None = None, **more: Any) -> "Budget":
        """The work that a limit of time leaves room for, with a clock that may cut it.

        Parameters
        ----------
        limit
            Seconds; None for none.
        work
            Seconds of work, if fewer than there is time for; None for as many as there is.
        more
            Further parts of the budget.
        """
        if limit is None:
            return cls(work, **more)
        most = WORKING * limit if work is None else min(work, WORKING * limit)
        return cls(most, clock=Clock(limit), **more)

    def limited(self, seconds: float) -> "Budget":
        """Return this one, of a given number of seconds where it has no limit."""
        return self.at_most(seconds) if self.seconds is None else self

    def iterations(self, unit: str, entries: int) -> dict[str, float]:
        """Options for a linear program by HiGHS: the iterations that there is work for.

        Parameters
        ----------
        unit
            The work of an iteration for each entry.
        entries
            Numbers in its rows.
        """
        most = self.left / seconds_of(unit, max(entries, 1))
        options: dict[str, float] = {"maxiter": int(min(most, MOST_ITERATIONS))}
        clock = self.clock or running_clock()
        return options if clock is None else {**options, "time_limit": clock.left}

    def charge_iterations(self, unit: str, entries: int, done: int) -> None:
        """Charge for a linear program that took so many iterations.

        Parameters
        ----------
        unit, entries
            As for `iterations`.
        done
            The iterations.
        """
        charge("program")
        charge(unit, entries * done)

    def rng(self) -> np.random.Generator:
        """A new generator of random numbers from the seed."""
        return np.random.default_rng(self.seed)


UNLIMITED = Budget()
