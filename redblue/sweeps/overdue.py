"""Cells on threads that go beyond their time limits, and how they are ended."""

import threading
import time
from contextlib import ExitStack

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
        return TICK if self._ends else None

    def compute(self, task: Task, dag: CDAG | None) -> Outcome:
        """Return the outcome of a task, or that it was ended."""
        number = threading.get_ident()
        limit, began = task.cell.time_limit, time.perf_counter()
        if limit is None:
            return worker.compute(task, dag, alone=False)

        def started() -> None:
            late = PATIENCE + (1 + SHARE) * limit - self._compilation.seconds
            self._ends[number] = time.monotonic() + late

        try:
            try:
                return worker.compute(task, dag, started=started, alone=False)
            finally:
                with self._lock:
                    self._ends.pop(number, None)
        except OutOfTimeError:
            seconds = time.perf_counter() - began
            text = "ended beyond its limit"
            return Outcome("timed-out", error=text, seconds=seconds, finished=worker.now())

    def end_some(self) -> None:
        """Raise OutOfTimeError in the threads whose cells are overdue."""
        now = time.monotonic() - self._compilation.seconds
        with self._lock:
            for number in [number for number, end in self._ends.items() if now > end]:
                interrupt(number, OutOfTimeError)
                del self._ends[number]

    def close(self) -> None:
        """Listen to compilations no more."""
        self._listening.close()
