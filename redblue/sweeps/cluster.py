"""A Dask cluster that exists already, through its interface of concurrent.futures."""

import time
from collections.abc import Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from importlib import import_module
from itertools import count
from typing import Any, NamedTuple
from uuid import uuid4

from dags import Computation
from redblue.sweeps import worker
from redblue.sweeps.options import SweepError
from redblue.sweeps.store.cells import Outcome, versions
from redblue.sweeps.task import Task

TICK = 0.25  # seconds between two looks at the clocks
GLANCE = 0.02  # seconds between two looks at whether a cell is cancelled
AHEAD = 2  # cells for each thread, so that it need not wait for the next one to come
STALLED = 10.0  # seconds without an outcome after which the scheduler is asked what it is at
CENSUS = 1.0  # seconds between two looks at how many workers there are
PATIENCE = 60.0  # seconds to wait for the scheduler, and for a first worker
MOST_LOSSES = 5  # times that data or connections of one cell may be lost


class Beginning(NamedTuple):
    """Beginning of a cell: its worker, Dask's name of the cell, and the moment by our clock."""

    address: str
    key: str
    moment: float


class Cluster:
    """Computes on the workers of a Dask scheduler, a few more cells than they have threads.

    Workers may come and go: Dask computes again elsewhere the work of one of them.

    Parameters
    ----------
    address
        Of the scheduler: "tcp://host:8786".
    given
        Computations by name; they are sent once, and workers hand them on. Workers make others.

    Raises
    ------
    SweepError
        If Dask is not installed, or neither scheduler nor worker answers.
    """

    def __init__(self, address: str, computations: Mapping[str, Computation]) -> None:
        self.affinity: str | None = None  # Dask chooses the worker
        self._address = address
        self._given = computations
        self._client = _client(address)
        self._topic = f"redblue-{uuid4().hex}"  # other sweeps number their cells alike
        self._client.subscribe_topic(self._topic, self._hear)
        self._executor = self._client.get_executor(pure=False)
        self._sent: dict[str, Any] = {}
        self._running: dict[Future[Outcome], tuple[Task, int]] = {}
        self._began: dict[int, Beginning] = {}
        self._numbers = count()
        self._threads, self._counted = 1, 0.0
        self._moved = time.monotonic()
        self._lost: dict[str, int] = {}

    @property
    def busy(self) -> bool:
        """True while a task is running."""
        return bool(self._running)

    def slot(self) -> "Cluster | None":
        """Return itself while there are threads that will soon have nothing to do."""
        if time.monotonic() - self._counted > CENSUS:
            self._threads = max(1, sum(self._client.nthreads().values()))
            self._counted = time.monotonic()
        return self if len(self._running) < AHEAD * self._threads else None

    def start(self, task: Task) -> None:
        """Submit a task."""
        number = next(self._numbers)
        known = self._scattered(task)
        future = self._executor.submit(run, task, (self._topic, number), dict(versions()), known)
        self._running[future] = (task, number)
        self._moved = time.monotonic()

    def collect(self) -> Iterable[tuple[Task, Outcome]]:
        """Return the cells that are done, and leave cells that are overdue."""
        finished, _ = wait(self._running, TICK, FIRST_COMPLETED)
        for future in finished:
            self._moved = time.monotonic()
            task, number = self._running.pop(future)
            self._began.pop(number, None)
            outcome = self._outcome(future, task)
            if outcome is not None:
                yield task, outcome
        yield from self._overdue()
        if time.monotonic() - self._moved > STALLED:
            self._revive()

    def close(self, *, now: bool) -> None:
        """Leave the cluster to itself."""
        for future in self._running:
            future.cancel()
        self._client.close(timeout=5 if now else PATIENCE)

    def _hear(self, event: tuple[float, Any]) -> None:
        """Note when a cell's time began; called in Dask's thread."""
        number, address, key = event[1]
        self._began[number] = Beginning(address, key, time.monotonic())

    def _scattered(self, task: Task) -> Any:
        """The stand-in for what was given; a worker has it then, for the others too.

        Not for all workers at once: a scheduler that is to copy data to a worker which dies
        meanwhile tries that for ever (`replicate` in distributed 2026.8).
        """
        name, identity = task.cell.dag, task.identity
        if name not in self._given or identity in self._sent:
            return self._sent.get(identity)
        for _ in range(MOST_LOSSES):
            try:
                self._sent[identity] = self._client.scatter(
                    self._given[name], hash=False, timeout=PATIENCE
                )
                return self._sent[identity]
            except OSError:  # the worker that it was sent to is gone; TimeoutError is one, too
                continue
        raise SweepError(f"no worker of {self._address} takes the DAG {name}")

    def _outcome(self, future: Future[Outcome], task: Task) -> Outcome | None:
        """The outcome of a task; None where it has been submitted again."""
        from distributed import KilledWorker

        try:
            return future.result()
        except KilledWorker as error:
            text = f"the workers that were at it died: {error}"
            return Outcome("failed", error=text[: worker.LONGEST_ERROR], finished=worker.now())
        except (CancelledError, OSError):  # the last worker that had its DAG is gone
            self._again(task)
            return None
        except SweepError:
            raise
        except Exception as error:
            raise SweepError(
                f"the workers of {self._address} cannot compute: {type(error).__name__}: {error}"
            ) from error

    def _again(self, task: Task) -> None:
        """Submit a task again whose data or connection was lost."""
        self._lost[task.key] = self._lost.get(task.key, 0) + 1
        if self._client.status != "running" or self._lost[task.key] > MOST_LOSSES:
            raise SweepError(f"the Dask scheduler at {self._address} does not answer any more")
        self._sent.pop(task.identity, None)
        self.start(task)

    def _revive(self) -> None:
        """Submit again the tasks lost on the way: there are workers, and none is at anything."""
        self._moved = time.monotonic()
        if not self._client.nthreads() or any(self._client.processing().values()):
            return
        for future, (task, _) in list(self._running.items()):
            del self._running[future]
            future.cancel()
            self._again(task)

    def _overdue(self) -> Iterable[tuple[Task, Outcome]]:
        """Cells that take no notice of their limits; their workers begin anew."""
        for future, (task, number) in list(self._running.items()):
            limit, began = task.cell.time_limit, self._began.get(number)
            if limit is None or began is None or future.done():
                continue
            seconds = time.monotonic() - began.moment
            if seconds <= limit + 2 * task.grace:
                continue
            del self._running[future], self._began[number]
            self._cancel(future, began.key)
            self._restart(began.address)
            text = "left alone, for it took no notice of its limit"
            yield task, Outcome("timed-out", error=text, seconds=seconds, finished=worker.now())

    def _cancel(self, future: Future[Outcome], key: str) -> None:
        """Cancel a cell, and wait until the scheduler knows.

        It would otherwise begin the cell again, on another worker, when its own one is ended; and
        cells sent to that one then wait until the cell has ended by itself.
        """
        future.cancel()
        end = time.monotonic() + STALLED
        while self._at(key) and time.monotonic() < end:
            time.sleep(GLANCE)

    def _at(self, key: str) -> bool:
        """Whether a worker is at a cell, or will be."""
        return any(key in keys for keys in self._client.processing().values())

    def _restart(self, address: str) -> None:
        """Let a worker begin anew, if it has a nanny; otherwise its thread ends some time."""
        try:
            self._client.restart_workers([address], timeout=PATIENCE, raise_for_error=False)
        except (ValueError, KeyError, OSError):
            self._counted = 0.0


def run(
    task: Task, called: tuple[str, int], expected: dict[str, str], known: Computation | None
) -> Outcome:
    """The outcome of a task, on a Dask worker.

    Parameters
    ----------
    task
        The task.
    called
        Topic of the events of its sweep, and its number there.
    expected
        Versions that the sweep computes with.
    known
        Its computation; None where the worker makes it.

    Raises
    ------
    SweepError
        If the worker computes with other versions than the sweep.
    """
    from distributed import get_worker

    here = get_worker()
    if dict(versions()) != expected:
        actual, wanted = _told(versions()), _told(expected)
        raise SweepError(f"the worker {here.address} has {actual}, not {wanted}")

    def started() -> None:
        if task.cell.time_limit is not None:
            topic, number = called
            here.log_event(topic, (number, here.address, here.get_current_task()))

    return worker.run(task, known, started=started, alone=here.state.nthreads == 1)


def _told(known: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {version}" for name, version in known.items())


def _client(address: str) -> Any:
    try:
        distributed: Any = import_module("distributed")  # Any: half of it is untyped
    except ImportError:
        raise SweepError("a cluster takes the extra 'cluster' (distributed)") from None
    try:
        # first, for a client that was given no address waits long before it gives up at exit
        distributed.comm.get_address_host_port(address)
        client = distributed.Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:  # TimeoutError is an OSError
        raise SweepError(f"no Dask scheduler answers at {address}: {error}") from None
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except OSError:
        client.close()
        raise SweepError(f"the Dask scheduler at {address} has no workers") from None
    return client
