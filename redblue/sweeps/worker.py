"""The worker's side of a sweep: each DAG is read once, and cells run one by one within limits."""

import os
import pickle
import resource
import signal
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, MutableSequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from multiprocessing import parent_process
from multiprocessing.connection import Connection
from pathlib import Path
from types import FrameType

from dags import Computation
from dags.work import worked
from proofs import NotApplicableError
from redblue.sweeps.kinds import kind_named
from redblue.sweeps.options import SweepError
from redblue.sweeps.store.cells import Outcome, Status, canonical, identity
from redblue.sweeps.task import Task

MOST_DAGS = 2  # kept at a time
LONGEST_ERROR = 2000  # characters of an exception's text that are kept

_dags: OrderedDict[str, Computation] = OrderedDict()
_making = threading.Lock()


def compute(
    task: Task,
    known: Computation | None = None,
    *,
    started: Callable[[], object] = bool,
    alone: bool = True,
) -> Outcome:
    """The outcome of a task; exceptions of its method are raised.

    Parameters
    ----------
    task
        The cell.
    known
        Its computation, if that is at hand.
    started
        Called when the computation is there and the time of the cell begins.
    alone
        Whether nothing else runs in this process, so that its memory can be limited.

    Raises
    ------
    SweepError
        If this worker reads another computation than the sweep has.
    """
    asked = made(task) if known is None and task.cell.dag else known
    started()
    began, before = time.perf_counter(), worked()
    try:
        outcome = _outcome(asked, task, alone)
    except NotApplicableError as error:
        outcome = Outcome("not-applicable", error=str(error))
    seconds = outcome.seconds or time.perf_counter() - began
    return replace(outcome, seconds=seconds, finished=now(), work=worked() - before)


def run(
    task: Task,
    known: Computation | None = None,
    *,
    started: Callable[[], object] = bool,
    alone: bool = True,
) -> Outcome:
    """The outcome of a task, a failure too; parameters and errors as for `compute`."""
    began = time.perf_counter()
    status: Status = "failed"
    try:
        outcome = compute(task, known, started=started, alone=alone)
        canonical(outcome.result)  # a result that is no JSON is a failure of the cell
        return outcome
    except SweepError:  # no fault of the cell
        raise
    except MemoryError as error:
        status, text = "out-of-memory", f"more memory than there is: {error}".removesuffix(": ")
    except OutOfTimeError:
        status, text = "timed-out", f"ended {task.grace:g} s after its limit"
    except (Exception, SystemExit) as error:
        text = f"{type(error).__name__}: {error}"
    seconds = time.perf_counter() - began
    return Outcome(status, error=text[:LONGEST_ERROR], seconds=seconds, finished=now())


def made(task: Task) -> Computation:
    """Return the computation of a task, made or read where it is not one of the last ones.

    Raises
    ------
    SweepError
        If the specification names another one here.
    """
    with _making:
        if task.identity not in _dags:
            while len(_dags) >= MOST_DAGS:
                _dags.popitem(last=False)
            known = _read(Path(task.file)) if task.file else Computation.of(task.cell.dag)
            if task.file is None and identity(known) != task.identity:
                raise SweepError(f"{task.cell.dag} is another DAG than the one of the sweep")
            _dags[task.identity] = known
        _dags.move_to_end(task.identity)
        return _dags[task.identity]


def now() -> str:
    """The time, in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _outcome(known: Computation | None, task: Task, is_alone: bool) -> Outcome:
    """The outcome that the cell's kind finds within its limits."""
    cell = task.cell
    seconds = None if cell.time_limit is None else cell.time_limit + task.grace
    with time_limit(seconds), memory_limit(cell.memory_limit if is_alone else None):
        outcome = kind_named(cell.kind)(known, task)
    return outcome if isinstance(outcome, Outcome) else Outcome("done", outcome)


def _read(path: Path) -> Computation:
    with path.open("rb") as file:
        known: Computation = pickle.load(file)
    return known


# What follows is for the worker processes of a pool.

_clock: MutableSequence[float] = [0.0, 0.0]


def work(pipe: Connection, clock: MutableSequence[float]) -> None:
    """Answer each task that comes through a pipe with its outcome: the life of a worker process.

    It leaves Ctrl-C to its parent and ends with it.

    Parameters
    ----------
    pipe
        Brings tasks, and takes outcomes or a `SweepError`.
    clock
        Shared with the parent: when the task was taken, and when its time began, by the clock of
        the machine; 0 if not yet.
    """
    global _clock  # one process, one clock
    _clock = clock
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    while True:
        try:
            task = pipe.recv()
        except EOFError:  # there are no more
            return
        _clock[0] = time.monotonic()
        try:
            pipe.send(run(task, started=_start_clock))
        except SweepError as error:
            pipe.send(error)


def _start_clock() -> None:
    _clock[1] = time.monotonic()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


STATM = Path("/proc/self/statm")  # pages of this process, on Linux


class OutOfTimeError(BaseException):
    """A cell's time is over; no Exception, so that no method takes it for its own."""


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Raise OutOfTimeError in the block after so many seconds.

    Only in the main thread, and only between two steps of Python: compiled code is not stopped.
    """
    if seconds is None or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, _ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def memory_limit(size: int | None) -> Iterator[None]:
    """Let allocations in the block fail that go `size` bytes beyond those of the process now.

    Memory that the process has already, free in its heap, is not counted. Only on Linux; elsewhere
    nothing is limited.
    """
    if size is None or not STATM.exists():
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    held = int(STATM.read_text().split()[0]) * resource.getpagesize()
    ends = [held + size, *(end for end in (soft, hard) if end != resource.RLIM_INFINITY)]
    resource.setrlimit(resource.RLIMIT_AS, (min(ends), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _ring(number: int, frame: FrameType | None) -> None:
    raise OutOfTimeError
