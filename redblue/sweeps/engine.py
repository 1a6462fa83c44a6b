"""The engine of a sweep, the two that compute in this process, and work that is overdue."""

import threading
import time
from collections.abc import Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import ExitStack
from dataclasses import replace
from math import inf
from queue import SimpleQueue
from typing import NamedTuple, Protocol

from dags import Computation
from dags._numba import compilations
from dags.work import charge_worked
from pebble import Budget
from pebble.budget import Clock, running_clock, under
from redblue.limits.compilation import CompilationTime
from redblue.limits.interrupts import interrupt, left_alone
from redblue.sweeps import worker
from redblue.sweeps.kinds import laid_out
from redblue.sweeps.layouts import LAYOUTS
from redblue.sweeps.store.cells import Outcome
from redblue.sweeps.task import Task
from redblue.sweeps.worker import OutOfTimeError

TICK = 0.1  # seconds between looks at the clock
LEAVE = 0.25  # seconds in which interrupted cells may end
LEAST = 1e-3  # seconds that a cell is given whatever is left


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
        """A slot that is free, or None."""

    def collect(self) -> Iterable[tuple[Task, Outcome]]:
        """The tasks that are done, after a short wait if none is."""

    def close(self, *, now: bool) -> None:
        """End; with `now` also the tasks that are still running."""


class Share(NamedTuple):
    """What a task is given."""

    work: float  # seconds of the reference machine
    clock: Clock
    most: float  # seconds after which it is ended


class Sharing:
    """Gives each task its share of the work, and of the time, that is left of a budget.

    Parameters
    ----------
    deadline
        The work and the time of all of them; None for as much as they want.
    tasks
        Number of tasks that there will be.
    """

    def __init__(self, deadline: Budget | None, tasks: int) -> None:
        self.deadline, self._tasks = deadline, tasks

    def next(self, jobs: int) -> "Share | None":
        """The work and the time of the next task; None for all that it wants.

        The work is told to a method, which gives back the rest, and its clock cuts it at its share
        of the time. A task that takes no notice may have half of the time left, unless it is one of
        the last ones.
        """
        tasks, self._tasks = max(self._tasks, 1), self._tasks - 1
        if self.deadline is None or self.deadline.clock is None:
            return None
        clock = self.deadline.clock
        left, last = max(clock.left, LEAST), tasks <= jobs
        part = clock.part(left * min(jobs / tasks, 1.0))
        return Share(max(self.deadline.left, LEAST) / tasks, part, left if last else left / 2)


class Threads:
    """Computes on threads of this process, which share DAGs and layouts.

    It takes methods of one's own. A cell beyond its time limit is ended at its next step of Python;
    time to compile counts for none. An exception of a cell is raised in `collect`.

    Parameters
    ----------
    jobs
        Number of threads.
    given
        Computations by name; others are made from their specifications.
    sharing
        How much of the time each task is given.
    """

    def __init__(
        self, jobs: int, computations: Mapping[str, Computation], sharing: "Sharing"
    ) -> None:
        self.affinity: str | None = None
        self._given = computations
        self._jobs = jobs
        self._sharing, self._clock = sharing, running_clock()
        self._running: dict[Future[Outcome], Task] = {}
        self._overdue = Overdue()
        self._queue: SimpleQueue[tuple[Future[Outcome], Task, Share | None] | None] = SimpleQueue()
        self._taking = threading.Lock()
        # Nobody has to wait for them at the end of the process, as for those of an executor.
        self._threads = [threading.Thread(target=self._work, daemon=True) for _ in range(jobs)]
        for thread in self._threads:
            thread.start()

    @property
    def busy(self) -> bool:
        """True while a task is running."""
        return bool(self._running)

    def slot(self) -> Slot | None:
        """Return itself while a thread has nothing to do, or nothing to do next."""
        return self if len(self._running) <= self._jobs else None

    def start(self, task: Task) -> None:
        """Submit a task."""
        self.affinity = task.affinity
        future: Future[Outcome] = Future()
        self._running[future] = task
        self._queue.put((future, *self._within(task)))

    def collect(self) -> Iterable[tuple[Task, Outcome]]:
        """The tasks that are done, after waiting for the next one."""
        tick = self._overdue.tick if self._sharing.deadline is None else TICK
        finished, _ = wait(self._running, timeout=tick, return_when=FIRST_COMPLETED)
        self._overdue.end_some()
        for future in finished:
            task, outcome = self._running.pop(future), future.result()
            charge_worked(outcome.work)
            if outcome.status == "timed-out" and self._sharing.deadline is not None:
                self._sharing.deadline.cut()
            yield task, outcome

    def close(self, *, now: bool) -> None:
        """End when the running tasks do; with `now` leave compiled code alone."""
        for future in self._running:
            future.cancel()
        for _ in self._threads:
            self._queue.put(None)
        if now:
            self._overdue.end_all()
        end = time.monotonic() + LEAVE
        for thread in self._threads:
            thread.join(max(end - time.monotonic(), 0.0) if now else None)
        left_alone.extend(thread for thread in self._threads if thread.is_alive())
        self._overdue.close()
        LAYOUTS.clear()

    def _within(self, task: Task) -> tuple[Task, Share | None]:
        """A task that is told its share of the work that is left, and all of its share."""
        share = self._sharing.next(self._jobs)
        if share is None:
            return task, None
        limit_of_cell = task.cell.time_limit
        limit = share.work if limit_of_cell is None else min(share.work, limit_of_cell)
        return replace(task, cell=replace(task.cell, time_limit=limit)), share

    def _work(self) -> None:
        """Compute the tasks of the queue, unless they were cancelled by then: a thread's life."""
        while (entry := self._next()) is not None:
            future, task, share = entry
            if future.set_running_or_notify_cancel():
                self._compute(future, task, share)
            if (order := laid_out(task)) is not None:
                LAYOUTS.leave(task.identity, order)

    def _next(self) -> tuple[Future[Outcome], Task, Share | None] | None:
        """The next task, its layout announced before another thread takes one."""
        with self._taking:
            entry = self._queue.get()
            if entry is not None and (order := laid_out(entry[1])) is not None:
                LAYOUTS.announce(entry[1].identity, order)
        return entry

    def _compute(self, future: Future[Outcome], task: Task, share: Share | None) -> None:
        began, clock = time.monotonic(), self._clock if share is None else share.clock
        limit = None if share is None else share.most
        try:
            with under(clock):
                dag = self._given.get(task.cell.dag)
                future.set_result(self._overdue.compute(task, dag, limit))
        except OutOfTimeError:  # it came when the cell had just ended
            if not future.done():
                future.set_result(ended(time.monotonic() - began))
        except BaseException as error:
            future.set_exception(error)


class InProcess:
    """Computes in this process, one task at a time.

    Parameters
    ----------
    given
        Computations by name; others are made from their specifications.
    """

    def __init__(self, computations: Mapping[str, Computation]) -> None:
        self.affinity: str | None = None
        self._given = computations
        self._done: list[tuple[Task, Outcome]] = []

    @property
    def busy(self) -> bool:
        """True if there is something to collect."""
        return bool(self._done)

    def slot(self) -> Slot | None:
        """Return itself when the last task has been collected."""
        return None if self._done else self

    def start(self, task: Task) -> None:
        """Do a task."""
        outcome = worker.run(task, self._given.get(task.cell.dag))
        self.affinity = task.affinity
        self._done.append((task, outcome))

    def collect(self) -> Iterable[tuple[Task, Outcome]]:
        """The task that is done."""
        finished, self._done = self._done, []
        return finished

    def close(self, *, now: bool) -> None:
        """Forget layouts."""
        LAYOUTS.clear()


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

    def compute(
        self, task: Task, known: Computation | None, work_limit: float | None = None
    ) -> Outcome:
        """The outcome of a task, or that it was ended.

        Parameters
        ----------
        task, known
            The cell and its computation.
        work_limit
            Seconds after which it is ended; None for a little more than its limit.
        """
        number, began = threading.get_ident(), time.perf_counter()
        limit = inf if task.cell.time_limit is None else task.cell.time_limit

        def started() -> None:
            late = PATIENCE + (1 + SHARE) * limit if work_limit is None else work_limit
            self._ends[number] = time.monotonic() + late - self._compilation.seconds

        try:
            try:
                return worker.compute(task, known, started=started, alone=False)
            finally:
                with self._lock:
                    self._ends.pop(number, None)
        except OutOfTimeError:
            return ended(time.perf_counter() - began)

    def end_some(self) -> None:
        """Raise OutOfTimeError in the threads whose cells are overdue."""
        current = time.monotonic() - self._compilation.seconds
        with self._lock:
            for number in [number for number, end in self._ends.items() if current > end]:
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
    """The outcome of a cell that was ended after so many seconds."""
    text = "ended beyond its limit"
    return Outcome("timed-out", error=text, seconds=seconds, finished=worker.now())
