"""A limit on the time of a command, whose work is done on a thread of its own."""

import atexit
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from redblue.cli.console import fail
from redblue.limits.compilation import CompilationTime
from redblue.limits.interrupts import LEAVE, interrupt, into, left_alone

if TYPE_CHECKING:
    from pebble import Budget
    from pebble.budget import Clock

T = TypeVar("T")

TICK = 0.05  # seconds between looks at the clock
PATIENCE, SHARE = 0.6, 0.05  # seconds beyond a limit, and parts of it, until work is interrupted

CUT = (
    "not complete: the time limit of {limit:g} s has cut searches, which may find more in more "
    "time, or on a machine that has less to do"
)

_left_alone: list[threading.Thread] = []  # besides those of sweeps
_watches: list["Watch"] = []  # of the command that runs


class Watch:
    """The time that a command may take, and its work at hand.

    Parameters
    ----------
    seconds
        The limit; None for none. Compilation counts, but a first answer is waited for so much
        longer.
    """

    def __init__(self, seconds: float | None) -> None:
        self.began = time.monotonic()
        self.limit = seconds
        _watches.append(self)
        self.stage = "starting"
        self.interrupted = False
        self._stopped = False
        self._swallowed = False
        self.said = ""  # by the work that was interrupted, of what it has kept
        self._compilation = CompilationTime()
        self.clock = self._clock(seconds)

    @property
    def end(self) -> float | None:
        """End of the limit, on the clock `time.monotonic`."""
        return None if self.limit is None else self.began + self.limit

    @property
    def left(self) -> float | None:
        """Seconds that are left, not less than none; None without a limit."""
        return None if self.end is None else max(self.end - time.monotonic(), 0.0)

    def budget(self, work: float | None = None, **limits: Any) -> "Budget":
        """The work of searches that there is time for, or less, with more of their limits.

        Parameters
        ----------
        work
            Seconds of work at most; None for as many as there is time for.
        limits
            Further parts of the budget.
        """
        from pebble import Budget

        budget = Budget.within(self.limit, work, stop=self.stopped, **limits)
        return budget if self.clock is None else replace(budget, clock=self.clock)

    @property
    def seconds(self) -> float:
        """Seconds that have passed."""
        return time.monotonic() - self.began

    @property
    def compiling(self) -> float:
        """Seconds of them that Numba has compiled, while this watch ran something."""
        return self._compilation.seconds

    def stopped(self) -> bool:
        """Whether the work is to end: its time is over, or Ctrl-C was pressed."""
        return self._stopped

    @property
    def code(self) -> int:
        """The exit code of a command that was stopped and has no answer."""
        return 130 if self.interrupted else 3

    @property
    def deadline(self) -> "Budget | None":
        """The limit as functions of `redblue` take it; None without one."""
        return None if self.limit is None else self.budget()

    @property
    def complete(self) -> bool:
        """False if the clock has ended a search, or the work, that had more to do."""
        if self.interrupted or self.clock is None:
            return True  # an interruption says so by itself
        return not (self._stopped or self.clock.has_cut)

    def _clock(self, seconds: float | None) -> "Clock | None":
        """The clock of a limit; None without one."""
        if seconds is None:
            return None
        from pebble.budget import Clock

        return Clock(seconds, began=self.began, compiling=lambda: self.compiling)

    def telling(self, show: Callable[[str], object] | None = None) -> Callable[[str], None]:
        """A function that notes the work at hand, "searching: 17 words so far"."""

        def tell(message: str) -> None:
            self.stage = message.partition(": ")[0]
            if show is not None:
                show(message)

        return tell

    def why(self) -> str:
        """The end of the work, and its last note, in a few words."""
        if self.interrupted:
            return f"interrupted while {self.stage}"
        compiled = f", after {self.compiling:.1f} s of compiling" * (self.compiling > TICK)
        return f"the time limit of {self.limit:g} s is over while {self.stage}{compiled}"

    def run(self, work: Callable[[], T], ready: Callable[[], bool] = bool) -> T | None:
        """The result of `work`, or None if it was stopped and returned nothing.

        At the limit and at Ctrl-C a KeyboardInterrupt is raised in `work`, which may return its
        best so far. Work that does not, being in compiled code, is left alone: its results must be
        where the caller sees them.

        Parameters
        ----------
        work
            Called on a thread of its own; its errors are raised here.
        ready
            Says whether there is an answer already, for which compiling need not be waited.
        """
        from dags._numba import compilations
        from dags.work import charge_worked, worked

        outcome: dict[str, Any] = {"before": worked()}
        finished = threading.Event()
        limited = work if self.limit is None else partial(_with_isl, work, self.limit)
        counted = partial(_continued, limited, self.clock, outcome)
        thread = threading.Thread(target=into, args=(counted, outcome, finished), daemon=True)
        with compilations(self._compilation):
            thread.start()
            try:
                self._wait(finished, ready)
            except KeyboardInterrupt:
                self.interrupted = True
            if not finished.is_set():
                self._stop(thread, finished)
        charge_worked(outcome.get("worked", outcome["before"]) - outcome["before"])
        error = outcome.get("error")
        if error is not None and not (self._stopped and (self._swallowed or _interrupts(error))):
            raise error
        self.said = str(error or "")
        return outcome.get("value")

    def must(self, work: Callable[[], T], missing: str, *, in_process: bool = False) -> T:
        """Return the result of `work`; end the command where it was stopped and returned nothing.

        Parameters
        ----------
        work
            As for `run`.
        missing
            The missing answer, for the sentence that ends the command.
        in_process
            Whether it is called on this thread, for it has a store or sees to Ctrl-C itself.
        """
        if in_process:
            return work()
        result = self.run(work)
        if result is None:
            sentence = self.said if self.interrupted and self.said else f"{self.why()}; {missing}"
            fail(sentence, self.code)
        return result

    def spare(self, work: Callable[[], T]) -> T | None:
        """The result of `work` that an answer can do without; None if there is no time."""
        return work() if self.limit is None else self.run(work, lambda: True)

    def _wait(self, finished: threading.Event, ready: Callable[[], bool]) -> None:
        """Wait until the work is done, or its time is over."""
        while not finished.wait(TICK):
            late = 0.0 if self.end is None else time.monotonic() - self.end
            waited = PATIENCE + SHARE * (self.limit or 0.0)
            if late > (waited if ready() else waited + self.compiling):
                return

    def _stop(self, thread: threading.Thread, finished: threading.Event) -> None:
        """Interrupt the work, and leave it alone if it does not end soon."""
        self._stopped = True
        with self._unheard():
            interrupt(thread.ident or 0, KeyboardInterrupt)
            try:
                finished.wait(LEAVE)
            except KeyboardInterrupt:
                self.interrupted = True
        if not finished.is_set():
            _left_alone.append(thread)
            if (sets := sys.modules.get("dags.programs.integer_sets")) is not None:
                sets.lift_limit()

    @contextmanager
    def _unheard(self) -> Iterator[None]:
        """Note interruptions that C code swallows in the block, which Python would print.

        Code that calls Python from C, as LLVM does while Numba compiles, cannot hand them on; an
        error that follows may come of that.
        """
        before = sys.unraisablehook

        def note(unraisable: Any) -> None:
            if isinstance(unraisable.exc_value, KeyboardInterrupt):
                self._swallowed = True
            else:
                before(unraisable)

        sys.unraisablehook = note
        try:
            yield
        finally:
            sys.unraisablehook = before


def begin() -> None:
    """Forget the watches of the command before."""
    _watches.clear()


def cut_sentence() -> str | None:
    """A sentence on what a time limit has cut in this command; None for nothing."""
    cut = (watch for watch in _watches if watch.limit is not None and not watch.complete)
    return next((CUT.format(limit=watch.limit) for watch in cut), None)


def _continued(work: Callable[[], T], clock: "Clock | None", outcome: dict[str, Any]) -> T:
    """The result of work on another thread, which goes on with the work of this one.

    Parameters
    ----------
    work
        The work.
    clock
        That ends its searches.
    outcome
        Takes how much was worked, under "worked".
    """
    from dags.work import charge_worked, worked
    from pebble.budget import under

    charge_worked(outcome["before"] - worked())
    try:
        with under(clock):
            return work()
    finally:
        outcome["worked"] = worked()


def _with_isl(work: Callable[[], T], seconds: float) -> T:
    """The result of work in which isl, which nothing can interrupt, has so many seconds."""
    from dags.programs.integer_sets import A_SECOND, bounded_isl, isl

    with nullcontext() if isl is None else bounded_isl(int(A_SECOND * (seconds + 1))):
        return work()


def _interrupts(error: BaseException) -> bool:
    """Whether an error is an interruption, or was raised while one was handled."""
    known: list[BaseException] = []
    todo: list[BaseException | None] = [error]
    while todo:
        error_ = todo.pop()
        if error_ is not None and not any(error_ is peer for peer in known):
            known.append(error_)
            todo += [error_.__cause__, error_.__context__]
    return any(isinstance(error_, KeyboardInterrupt) for error_ in known)


def leave(code: object) -> None:
    """End the process without Python's tearing down, which takes longer than a small answer.

    Functions registered for the exit come first, and output. Returns, for Python to end, all that
    it has to wait for or to report: other threads, an output that takes no more, a text for a code.

    Compiled code that runs and that nobody waits for may be using parts that are torn down, as may
    threads that it began: nothing is, and the last registered comes first.
    """
    if _left_alone or left_alone:
        atexit.register(_leave_now, code)
        return
    current = threading.current_thread()
    if not isinstance(code, int | None) or any(
        not thread.daemon and thread is not current for thread in threading.enumerate()
    ):
        return
    atexit._run_exitfuncs()  # noqa: SLF001 - no other way calls them before the end
    with suppress(OSError, ValueError):
        for stream in filter(None, (sys.stdout, sys.stderr)):
            stream.flush()
        os._exit(exit_code(code))


def exit_code(code: Any) -> int:
    """The exit code that Python makes of the argument of `sys.exit`: 0 of nothing."""
    return 0 if code is None else code if isinstance(code, int) else 1


def _leave_now(code: Any) -> None:
    if any(thread.is_alive() for thread in (*_left_alone, *left_alone)):
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):  # whoever read it is gone
                stream.flush()
        os._exit(exit_code(code))
