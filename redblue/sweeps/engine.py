"""What an engine is, and the one that computes in this process."""

import signal
import threading
from collections.abc import Iterable
from types import FrameType
from typing import Any, Protocol

from dags import CDAG
from redblue.store.cells import Outcome
from redblue.sweeps import worker
from redblue.sweeps.task import Job


class Seat(Protocol):
    """A place where a job can be started."""

    affinity: str | None

    def start(self, job: Job) -> None:
        """Begin with a job, or do it."""


class Engine(Protocol):
    """What computes jobs, one or several at a time."""

    @property
    def busy(self) -> bool:
        """Whether something is to be collected, now or later."""

    def seat(self) -> Seat | None:
        """Return a place that is free, or None."""

    def collect(self) -> Iterable[tuple[Job, Outcome]]:
        """Return what has been done, after waiting for a short time if nothing has."""

    def close(self, *, now: bool) -> None:
        """End; `now` also what is still being done."""


class InProcess:
    """Computes in this process, one job at a time.

    Parameters
    ----------
    given
        DAGs by name; others are made from their specifications.
    """

    def __init__(self, given: dict[str, CDAG]) -> None:
        self.affinity: str | None = None
        self._given = given
        self._done: list[tuple[Job, Outcome]] = []
        self._interrupted = False
        self._before: Any = None
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._interrupt)

    @property
    def busy(self) -> bool:
        """Whether something is to be collected."""
        return bool(self._done)

    def seat(self) -> Seat | None:
        """Return itself when the last job has been collected."""
        return None if self._done else self

    def start(self, job: Job) -> None:
        """Do a job.

        A search that is interrupted returns the best so far, which is not what was asked for:
        Ctrl-C counts even if the job takes it for its own.
        """
        outcome = worker.run(job.task, self._given.get(job.task.cell.dag))
        if self._interrupted:
            raise KeyboardInterrupt
        self.affinity = job.affinity
        self._done.append((job, outcome))

    def collect(self) -> Iterable[tuple[Job, Outcome]]:
        """Return the job that has been done."""
        done, self._done = self._done, []
        return done

    def close(self, *, now: bool) -> None:
        """Give Ctrl-C back to whom it belongs."""
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        self._interrupted = True
        raise KeyboardInterrupt
