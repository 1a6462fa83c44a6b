"""Cells on threads that go beyond their time limits, and how they are ended."""

import threading
import time
from contextlib import ExitStack
from math import inf

from dags import CDAG
from dags._numba import compilations
from redblue.compilation import CompilationTime
from redblue.interrupts import interrupt
from redblue.store.cells import Outcome
from redblue.sweeps import worker
from redblue.sweeps.limits import OutOfTimeError
from redblue.sweeps.task import Task

TICK = 0.1  # seconds between looks at the clock
PATIENCE, SHARE = 0.6, 0.05  # seconds beyond a limit, and parts of it, that a cell may take


class Overdue:
    """The cells that threads compute, each with the moment at which it must be done."""

    def __init__(self) -> None:
        self._ends: dict[int, float] = {}  # of threads, by number
        self._lock = threading.Lock()
        self._compilation = CompilationTime()
        self._listening = ExitStack()
        self._listening.enter_context(compilations(self._compilation))

    @property
    def tick(self) -> float | None:
        """Seconds until the next look at the clock; None where no cell has a limit."""
        return TICK if any(end < inf for end in self._ends.copy().values()) else None

    def compute(self, task: Task, dag: CDAG | None, most: float | None = None) -> Outcome:
        """Return the outcome of a task, or that it was ended.

        Parameters
        ----------
        task, dag
            The cell and its DAG.
        most
            Seconds after which it is ended; None for a little more than its limit.
        """
        number, began = threading.get_ident(), time.perf_counter()
        limit = inf if task.cell.time_limit is None else task.cell.time_limit

        def started() -> None:
            late = PATIENCE + (1 + SHARE) * limit if most is None else most
            self._ends[number] = time.monotonic() + late - self._compilation.seconds

        try:
            try:
                return worker.compute(task, dag, started=started, alone=False)
            finally:
                with self._lock:
                    self._ends.pop(number, None)
        except OutOfTimeError:
            return ended(time.perf_counter() - began)

    def end_some(self) -> None:
        """Raise OutOfTimeError in the threads whose cells are overdue."""
        now = time.monotonic() - self._compilation.seconds
        with self._lock:
            for number in [number for number, end in self._ends.items() if now > end]:
                interrupt(number, OutOfTimeError)
                del self._ends[number]

    def end_all(self) -> None:
        """Raise OutOfTimeError in all threads that compute a cell."""
        with self._lock:
            for number in self._ends:
                interrupt(number, OutOfTimeError)
            self._ends.clear()

    def close(self) -> None:
        """Listen to compilations no more."""
        self._listening.close()


def ended(seconds: float) -> Outcome:
    """Return the outcome of a cell that was ended after so many seconds."""
    text = "ended beyond its limit"
    return Outcome("timed-out", error=text, seconds=seconds, finished=worker.now())
