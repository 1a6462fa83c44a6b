"""Running experiments: one after the other, or several at once in processes of their own."""

import os
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from threading import Thread
from time import perf_counter
from typing import Any

from redblue.experiments import Bench, Experiment
from redblue.reporting.as_data import from_data, to_data
from redblue.reporting.scenes import scene_player

Function = Callable[[Bench], Experiment]
Data = dict[str, Any]


@dataclass(frozen=True)
class Run:
    """What became of an experiment.

    Parameters
    ----------
    name
        Its name in the registry.
    experiment
        What it found; None where it failed.
    problem
        Why it failed, in a sentence; empty where it did not.
    seconds
        Time that it took; where the result was remembered, when it was computed.
    """

    name: str
    experiment: Experiment | None
    problem: str
    seconds: float

    @property
    def sound(self) -> bool:
        """Whether it ended, and refuted no claim."""
        return self.experiment is not None and self.refuted == 0

    @property
    def refuted(self) -> int:
        """Number of claims that the measurements refute."""
        claims = () if self.experiment is None else self.experiment.claims
        return sum(claim.verdict == "refuted" for claim in claims)


def run_experiments(
    functions: Mapping[str, Function], bench: Bench, *, jobs: int = 1
) -> Iterator[Run]:
    """Yield what became of each of `functions`, as they end.

    An experiment that raises, or whose process is killed, is a run with a problem; it never ends
    the others. What `bench` remembers is not computed again. With several jobs, each experiment
    has a process and one thread; a single one has all threads.
    """
    if jobs == 1 or len(functions) == 1:
        for name, function in functions.items():
            yield _run(name, _answer(name, function, replace(bench, jobs=jobs)))
    else:
        yield from _run_in_processes(functions, replace(bench, jobs=1), jobs)


def _answer(name: str, function: Function, bench: Bench) -> Data:
    """Return the result of an experiment, or its problem, as plain JSON."""
    started = perf_counter()

    def compute() -> Data:
        found = function(bench)
        for scene in found.players:
            scene_player(scene)  # the referee replays it: an illegal play is no result
        return {"experiment": to_data(found), "seconds": perf_counter() - started}

    configuration = {"experiment": name, "quick": bench.quick, "seed": bench.seed}
    try:
        answer: Data = bench.remembered(configuration, compute)
    except Exception as error:  # whatever it is, the other experiments go on
        problem = " ".join(f"{type(error).__name__}: {error}".split())
        return {"problem": problem, "seconds": perf_counter() - started}
    return answer


def _run(name: str, answer: Data) -> Run:
    """Return an answer as a run."""
    found = answer.get("experiment")
    experiment = None if found is None else from_data(found)
    return Run(name, experiment, answer.get("problem", ""), answer["seconds"])


def _run_in_processes(functions: Mapping[str, Function], bench: Bench, jobs: int) -> Iterator[Run]:
    """Yield runs of processes, `jobs` of them at a time; end them all where nobody wants more.

    A process goes on to the next experiment, with all that it has loaded and compiled.
    """
    waiting = list(functions.items())
    idle: list[_Worker] = []
    running: dict[object, _Task] = {}
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                worker = idle.pop() if idle else _start()
                running[worker.pipe] = _give(worker, *waiting.pop(0), bench)
            for pipe in wait([task.worker.pipe for task in running.values()]):
                task = running.pop(pipe)
                run, alive = _take(task)
                if alive:
                    idle.append(task.worker)
                yield run
    finally:
        for worker in (*idle, *(task.worker for task in running.values())):
            worker.process.terminate()
            worker.process.join()


@dataclass(frozen=True)
class _Worker:
    """A process that runs experiments, and our end of the pipe between us."""

    process: BaseProcess
    pipe: Connection


@dataclass(frozen=True)
class _Task:
    """An experiment that a worker runs."""

    worker: _Worker
    name: str
    started: float


def _start() -> _Worker:
    """Return a worker that has been started; it inherits no thread and no lock of ours."""
    context = get_context("spawn")
    pipe, other = context.Pipe()
    process = context.Process(target=_work, args=(other,), daemon=True)
    process.start()
    other.close()  # so that the death of the process is the end of the pipe
    return _Worker(process, pipe)


def _give(worker: _Worker, name: str, function: Function, bench: Bench) -> _Task:
    """Return the task of a worker that has been sent an experiment."""
    with suppress(BrokenPipeError):  # it has been killed, which is seen when its answer is taken
        worker.pipe.send((name, function, bench))
    return _Task(worker, name, perf_counter())


def _take(task: _Task) -> tuple[Run, bool]:
    """Return the run of a worker that has answered or died, and whether it lives."""
    try:
        return _run(task.name, task.worker.pipe.recv()), True
    except (EOFError, ConnectionResetError):
        task.worker.process.join()
    task.worker.pipe.close()
    problem = f"its process ended with exit code {task.worker.process.exitcode}"
    return Run(task.name, None, problem, perf_counter() - task.started), False


def _work(pipe: Connection) -> None:
    """Answer with what becomes of experiments: what runs in a worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends its workers
    Thread(target=_end_with_parent, daemon=True).start()
    while True:
        pipe.send(_answer(*pipe.recv()))


def _end_with_parent() -> None:
    """End this worker when the parent has been killed: nobody waits for the answer."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
