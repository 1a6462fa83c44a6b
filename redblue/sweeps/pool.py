"""Worker processes on this machine, each ended alone if need be, and cells chosen one by one."""

import os
import pickle
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import count
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.connection import wait
from pathlib import Path
from tempfile import TemporaryDirectory

from dags import CDAG, Computation
from dags.work import charge_worked
from pebble import Budget
from redblue.sweeps import worker
from redblue.sweeps.options import SweepError
from redblue.sweeps.store.cells import Cell, Outcome, identity
from redblue.sweeps.task import Task

THREADS = (
    "NUMBA_NUM_THREADS",
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)
# A new interpreter imports for a second; a server does so once, and has no threads when it forks.
FORKS = "forkserver" in get_all_start_methods()
PRELOADED = [worker.__name__]
TICK = 0.25  # seconds between two looks at the clocks
MOST_DEATHS = 2  # workers that one cell may end
MOST_STILLBORN = 5  # workers in succession that end before they begin


class Pool:
    """Computes in several processes.

    Parameters
    ----------
    jobs
        Number of processes.
    given
        Computations by name; they are sent through files, once per worker. Others are made by the
        workers.
    """

    def __init__(self, jobs: int, computations: Mapping[str, Computation]) -> None:
        self._folder: TemporaryDirectory[str] | None = None
        self._given = computations
        self._files: dict[str, str] = {}
        self._slots = [ProcessSlot(self._file) for _ in range(jobs)]

    @property
    def busy(self) -> bool:
        """True while a task is running."""
        return any(slot.task is not None for slot in self._slots)

    def slot(self) -> "ProcessSlot | None":
        """A worker that has nothing to do."""
        return next((slot for slot in self._slots if slot.task is None), None)

    def collect(self) -> Iterable[tuple[Task, Outcome]]:
        """Return the tasks that are done, and end workers whose cell is overdue."""
        working = {slot.pipe: slot for slot in self._slots if slot.task is not None}
        ready = wait(list(working), TICK)
        for pipe, slot in working.items():
            task = slot.task
            if task is None:
                continue
            if pipe not in ready:
                slot.end_if_overdue(task)
                continue
            outcome = slot.outcome(task)
            if outcome is not None:
                yield task, outcome

    def close(self, *, now: bool) -> None:
        """End the workers."""
        for slot in self._slots:
            slot.dismiss(at_once=now)
        for slot in self._slots:
            slot.process.join()
        if self._folder is not None:
            self._folder.cleanup()

    def _file(self, name: str, identity: str) -> str | None:
        """The file in which workers find a DAG that was given."""
        if name in self._given and identity not in self._files:
            self._folder = self._folder or TemporaryDirectory(prefix="redblue-")
            path = Path(self._folder.name, identity)
            with path.open("wb") as file:
                pickle.dump(self._given[name], file, protocol=5)
            self._files[identity] = str(path)
        return self._files.get(identity)


class ProcessSlot:
    """One worker process, and the next one where it dies.

    Parameters
    ----------
    file
        Returns the file of a DAG by its name and identity; None where the worker makes it.
    """

    def __init__(self, file: Callable[[str, str], str | None]) -> None:
        self.affinity: str | None = None
        self.task: Task | None = None
        self._file = file
        self._deaths = 0  # of workers at this task
        self._stillborn = 0
        self._overdue = False  # whether the worker was ended for its task
        self._open()

    def start(self, task: Task) -> None:
        """Let the worker begin with a task."""
        self.task, self.affinity, self._deaths = task, task.affinity, 0
        self._send(task)

    def outcome(self, task: Task) -> Outcome | None:
        """The outcome of the task; None where its worker died and the next one is at it."""
        try:
            answer = self.pipe.recv()
        except (EOFError, ConnectionResetError):
            return self._after_death(task)
        if isinstance(answer, SweepError):
            raise answer
        self._stillborn = 0
        self._overdue = False  # the answer came just before the end, which is none of the next task
        self.task = None
        outcome: Outcome = answer
        return outcome

    def end_if_overdue(self, task: Task) -> None:
        """End the worker if its cell takes no notice of its limit."""
        limit, began = task.cell.time_limit, self._clock[1]
        if limit is not None and began and time.monotonic() > began + limit + 2 * task.grace:
            self._overdue = True
            self.process.kill()

    def dismiss(self, *, at_once: bool) -> None:
        """Let the worker end; with `at_once` at once."""
        if at_once:
            self.process.kill()
        self.pipe.close()

    def _send(self, task: Task) -> None:
        self._clock[0] = self._clock[1] = 0.0
        with suppress(BrokenPipeError):  # it died, which shows when its answer is taken
            self.pipe.send(replace(task, file=self._file(task.cell.dag, task.identity)))

    def _after_death(self, task: Task) -> Outcome | None:
        """The outcome of a task whose worker has ended; None where the next one tries."""
        self.process.join()
        seconds = time.monotonic() - self._clock[1] if self._clock[1] else 0.0
        code, started = self.process.exitcode, self._clock[0] > 0
        self._stillborn = 0 if started else self._stillborn + 1
        if self._stillborn >= MOST_STILLBORN:
            raise SweepError(
                f"{MOST_STILLBORN} worker processes ended before they began to work "
                "(a program that sweeps must be guarded by: if __name__ == '__main__')"
            )
        self.pipe.close()
        overdue = self._overdue
        self._open()
        if overdue:
            text = "ended with its process, for it took no notice of its limit"
            self.task = None
            return Outcome("timed-out", error=text, seconds=seconds, finished=worker.now())
        self._deaths += started
        if self._deaths < MOST_DEATHS:
            self._send(task)
            return None
        text = f"its process ended with exit code {code}"
        if code == -signal.SIGKILL:
            text += " (out of memory?)"
        self.task = None
        return Outcome("failed", error=text, seconds=seconds, finished=worker.now())

    def _open(self) -> None:
        """Start a worker: where it can be, a copy of a process that has imported all it needs."""
        context = get_context("forkserver") if FORKS else get_context("spawn")
        context.set_forkserver_preload(PRELOADED)
        self._clock = context.RawArray("d", 2)
        self._overdue = False
        self.pipe, worker_end = context.Pipe()
        self.process = context.Process(target=worker.work, args=(worker_end, self._clock))
        with one_thread_each(), without_interrupts():
            self.process.start()
        worker_end.close()  # so that the death of the process is the end of the pipe


@contextmanager
def one_thread_each() -> Iterator[None]:
    """Let processes that start in the block compute with one thread each."""
    before = {name: os.environ.get(name) for name in THREADS}
    os.environ.update(dict.fromkeys(THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextmanager
def without_interrupts() -> Iterator[None]:
    """Let processes that start in the block never see Ctrl-C; here it waits for the end."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def in_turns(
    choose: Callable[[], Cell | None],
    take: Callable[[Cell, Outcome], bool],
    *,
    is_long: Callable[[Cell], bool],
    settles: Callable[[Outcome], bool],
    dags: Mapping[str, CDAG],
    jobs: int,
    deadline: Budget,
) -> None:
    """Compute cells in worker processes until there are none, or `take` has enough.

    Unlike a sweep's, cells are chosen round by round: when all of the last round are done, and were
    taken in the order in which they were chosen, so that what is chosen does not depend on which is
    done first. A long one goes on beside the rounds, and is taken after the last. At the end, and
    at Ctrl-C, workers are ended at once, whatever they are at.

    Parameters
    ----------
    choose
        Returns the next cell; None for none until another one is done.
    take
        Takes a cell and its outcome, with the schedule or certificate; returns whether to end.
    is_long
        Says of a cell whether it goes on beside the rounds.
    settles
        Says of the outcome of a long cell whether it ends the rounds.
    dags
        The DAGs by the names that cells call them.
    jobs
        Number of processes.
    deadline
        Ends all of it.
    """
    computations = {name: Computation.of(dag) for name, dag in dags.items()}
    known = {name: identity(dag) for name, dag in dags.items()}
    numbers, long = count(), list[Cell]()
    outcomes: dict[Cell, Outcome] = {}
    engine = Pool(jobs, computations)

    def ended() -> bool:
        return deadline.late(answered=True) or any(
            cell in outcomes and settles(outcomes[cell]) for cell in long
        )

    def wait_for(cells: Sequence[Cell]) -> None:
        while any(cell not in outcomes for cell in cells) and not ended():
            outcomes.update((task.cell, outcome) for task, outcome in engine.collect())

    try:
        enough = False
        while not enough and not ended():
            cells = list[Cell]()
            while len(cells) + len(long) < jobs and (cell := choose()) is not None:
                (long if is_long(cell) else cells).append(cell)
                slot = engine.slot()
                assert slot is not None  # as none but these are at work
                slot.start(Task(cell, known[cell.dag], str(next(numbers)), keep=True))
            if not cells:
                break
            wait_for(cells)
            ready = [cell for cell in cells if cell in outcomes]
            charge_worked(max((outcomes[cell].work for cell in ready), default=0))
            for cell in ready:
                enough |= take(cell, outcomes[cell])
        if not enough:
            wait_for(long)
        for cell in long:
            if cell in outcomes:
                take(cell, outcomes[cell])
    finally:
        engine.close(now=True)
