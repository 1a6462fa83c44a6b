"""Worker processes on this machine, each in a pool of its own, so that one can be ended alone."""

import os
import pickle
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

from dags import CDAG
from redblue.store.cells import Outcome
from redblue.sweeps import worker
from redblue.sweeps.errors import SweepError
from redblue.sweeps.task import Job, Task

THREADS = (
    "NUMBA_NUM_THREADS",
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)
TICK = 0.25  # seconds between two looks at the clocks
MOST_DEATHS = 2  # workers that one cell may end
MOST_STILLBORN = 5  # workers in succession that end before they begin


class Pool:
    """Computes in so many processes.

    Parameters
    ----------
    jobs
        How many.
    given
        DAGs by name; they are sent through files, once per worker. Others are made by the
        workers.
    """

    def __init__(self, jobs: int, given: dict[str, CDAG]) -> None:
        self._folder: TemporaryDirectory[str] | None = None
        self._given = given
        self._files: dict[str, str] = {}
        self._seats = [ProcessSeat(self._file) for _ in range(jobs)]

    @property
    def busy(self) -> bool:
        """Whether a job is being done."""
        return any(seat.job is not None for seat in self._seats)

    def seat(self) -> "ProcessSeat | None":
        """Return a worker that has nothing to do."""
        return next((seat for seat in self._seats if seat.job is None), None)

    def collect(self) -> Iterable[tuple[Job, Outcome]]:
        """Return what has been done, and end workers whose cell is overdue."""
        working = [seat for seat in self._seats if seat.job is not None]
        futures = [seat.future for seat in working if seat.future is not None]
        done, _ = wait(futures, TICK, FIRST_COMPLETED)
        for seat in working:
            job = seat.job
            if job is None:
                continue
            if seat.future not in done:
                seat.end_if_overdue(job)
                continue
            outcome = seat.outcome(job)
            if outcome is not None:
                yield job, outcome

    def close(self, *, now: bool) -> None:
        """End the workers."""
        for seat in self._seats:
            seat.close(now=now)
        if self._folder is not None:
            self._folder.cleanup()

    def _file(self, name: str, identity: str) -> str | None:
        """Return where the workers find a DAG that was given."""
        if name in self._given and identity not in self._files:
            self._folder = self._folder or TemporaryDirectory(prefix="redblue-")
            path = Path(self._folder.name, identity)
            with path.open("wb") as file:
                pickle.dump(self._given[name], file, protocol=5)
            self._files[identity] = str(path)
        return self._files.get(identity)


class ProcessSeat:
    """One worker process, and the next one where it dies."""

    def __init__(self, file: Callable[[str, str], str | None]) -> None:
        self.affinity: str | None = None
        self.job: Job | None = None
        self.future: Future[Outcome] | None = None
        self._file = file
        self._stillborn = 0
        self._open()

    def start(self, job: Job) -> None:
        """Let the worker begin with a job."""
        self.job, self.affinity = job, job.affinity
        file = self._file(job.task.cell.dag, job.task.identity)
        told = Task(**{**vars(job.task), "file": file})
        self._clock[0] = self._clock[1] = 0.0
        try:
            self.future = self._executor.submit(worker.run_by_the_clock, told)
        except BrokenExecutor:  # the worker died while it had nothing to do
            self._reopen()
            self.start(job)

    def outcome(self, job: Job) -> Outcome | None:
        """Return what came of the job; None where its worker died and another one is at it."""
        assert self.future is not None
        outcome: Outcome | None
        try:
            outcome = self.future.result()
            self._stillborn = 0
        except BrokenExecutor:
            seconds = time.monotonic() - self._clock[1] if self._clock[1] else 0.0
            job.deaths += self._clock[0] > 0
            self._reopen()
            outcome = last_word(job, seconds)
            if outcome is None:
                self.start(job)
                return None
        self.job = None
        return outcome

    def end_if_overdue(self, job: Job) -> None:
        """End the worker if its cell takes no notice of its limit."""
        limit, began = job.task.cell.time_limit, self._clock[1]
        if limit is not None and began and time.monotonic() > began + limit + 2 * job.task.grace:
            job.overdue = True
            self._kill()

    def close(self, *, now: bool) -> None:
        """End the worker; `now` whatever it does."""
        if now:
            wait([self._hello])  # until then nobody knows whom to kill
            self._kill()
        self._executor.shutdown(cancel_futures=True)

    def _open(self) -> None:
        """Start a worker, which tells its process id."""
        context = get_context("spawn")
        self._clock = context.RawArray("d", 2)
        self._executor = ProcessPoolExecutor(
            1, mp_context=context, initializer=worker.begin, initargs=(self._clock,)
        )
        with one_thread_each(), without_interrupts():
            self._hello = self._executor.submit(os.getpid)

    def _reopen(self) -> None:
        """Start the next worker; raise SweepError where one after the other is stillborn."""
        self._stillborn = 0 if self._clock[0] else self._stillborn + 1
        if self._stillborn >= MOST_STILLBORN:
            raise SweepError(
                f"{MOST_STILLBORN} worker processes ended before they began to work "
                "(a program that sweeps must be guarded by: if __name__ == '__main__')"
            )
        self._executor.shutdown(wait=False)
        self._open()

    def _kill(self) -> None:
        """Kill the worker, if it is there."""
        if self._hello.done() and self._hello.exception() is None:
            with suppress(ProcessLookupError):
                os.kill(self._hello.result(), signal.SIGKILL)


def last_word(job: Job, seconds: float) -> Outcome | None:
    """Return what a job's dead worker means for it; None if another one should try."""
    if job.overdue:
        text = "ended with its process, for it took no notice of its limit"
        return Outcome("timed-out", error=text, seconds=seconds, finished=worker.now())
    if job.deaths < MOST_DEATHS:
        return None
    text = f"{job.deaths} worker processes died of it (out of memory?)"
    return Outcome("failed", error=text, seconds=seconds, finished=worker.now())


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
