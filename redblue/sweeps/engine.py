"""The engine of a sweep, and the two that compute in this process."""

import signal
import threading
from collections.abc import Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from types import FrameType
from typing import Any, Protocol

from dags import CDAG
from redblue.store.cells import Outcome
from redblue.sweeps import worker
from redblue.sweeps.layouts import LAYOUTS
from redblue.sweeps.overdue import Overdue
from redblue.sweeps.task import Task


class Slot(Protocol):
    """A place where a task can be started."""

    affinity: str | None

    def start(self, task: Task) -> None:
        """Begin a task, or do it."""


class Engine(Protocol):
    """Computes tasks, one or several at a time."""

    @property
    def busy(self) -> bool:
        """True if there is something to collect, now or later."""

    def slot(self) -> Slot | None:
        """Return a slot that is free, or None."""

    def collect(self) -> Iterable[tuple[Task, Outcome]]:
        """Return the tasks that are done, after a short wait if none is."""

    def close(self, *, now: bool) -> None:
        """End; with `now` also the tasks that are still running."""


class Threads:
    """Computes on threads of this process, which share DAGs and layouts.

    It takes methods of one's own. A cell beyond its time limit is ended at its next step of Python;
    what Numba takes to compile counts for none. An exception of a cell is raised in `collect`.

    Parameters
    ----------
    jobs
        Number of threads.
    given
        DAGs by name; others are made from their specifications.
    """

    def __init__(self, jobs: int, given: Mapping[str, CDAG]) -> None:
        self.affinity: str | None = None
        self._given = given
        self._jobs = jobs
        self._pool = ThreadPoolExecutor(jobs)
        self._running: dict[Future[Outcome], Task] = {}
        self._overdue = Overdue()

    @property
    def busy(self) -> bool:
        """True while a task is running."""
        return bool(self._running)

    def slot(self) -> Slot | None:
        """Return itself while a thread has nothing to do, or nothing to do next."""
        return self if len(self._running) <= self._jobs else None

    def start(self, task: Task) -> None:
        """Submit a task."""
        dag = self._given.get(task.cell.dag)
        self.affinity = task.affinity
        self._running[self._pool.submit(self._overdue.compute, task, dag)] = task

    def collect(self) -> Iterable[tuple[Task, Outcome]]:
        """Return the tasks that are done, after waiting for the next one."""
        done, _ = wait(self._running, timeout=self._overdue.tick, return_when=FIRST_COMPLETED)
        self._overdue.end_some()
        for future in done:
            yield self._running.pop(future), future.result()

    def close(self, *, now: bool) -> None:
        """End when the running tasks do; compiled code cannot be stopped."""
        self._overdue.close()
        self._pool.shutdown(cancel_futures=True)
        LAYOUTS.clear()


class InProcess:
    """Computes in this process, one task at a time.

    Parameters
    ----------
    given
        DAGs by name; others are made from their specifications.
    """

    def __init__(self, given: Mapping[str, CDAG]) -> None:
        self.affinity: str | None = None
        self._given = given
        self._done: list[tuple[Task, Outcome]] = []
        self._interrupted = False
        self._before: Any = None
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._interrupt)

    @property
    def busy(self) -> bool:
        """True if there is something to collect."""
        return bool(self._done)

    def slot(self) -> Slot | None:
        """Return itself when the last task has been collected."""
        return None if self._done else self

    def start(self, task: Task) -> None:
        """Do a task.

        A search that is interrupted returns the best so far, which is not what was asked for:
        Ctrl-C counts even if the task catches it.
        """
        outcome = worker.run(task, self._given.get(task.cell.dag))
        if self._interrupted:
            raise KeyboardInterrupt
        self.affinity = task.affinity
        self._done.append((task, outcome))

    def collect(self) -> Iterable[tuple[Task, Outcome]]:
        """Return the task that is done."""
        done, self._done = self._done, []
        return done

    def close(self, *, now: bool) -> None:
        """Restore the handler of Ctrl-C."""
        LAYOUTS.clear()
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        self._interrupted = True
        raise KeyboardInterrupt
