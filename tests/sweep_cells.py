"""Kinds of cells for the tests of sweeps; worker processes import them from here."""

import os
import signal
import time
from pathlib import Path

import numpy as np

from redblue.sweeps import Artefact, Cell, Outcome, sweep
from redblue.sweeps.store import Store

HERE = "tests.sweep_cells:"
PATIENCE = 120.0
GREEDY = 1 << 28  # words of 8 bytes


def cell(kind, memory=0, dag="fft:n=8", **remaining):
    """A cell of one of the kinds below; what `Cell` does not know are its parameters."""
    known = {
        name: remaining.pop(name)
        for name in ("seed", "time_limit", "memory_limit") & remaining.keys()
    }
    return Cell(HERE + kind, dag, memory=memory, parameters=remaining, **known)


def sums(dag, task):
    """What DAG, memory and seed decide, with an artefact where it is asked for."""
    result = {"n": dag.dag.n, "io": task.cell.memory * 1000 + task.cell.seed}
    artefact = Artefact(".txt", repr(result).encode()) if task.keep else None
    return Outcome("done", result, artefact=artefact)


def marked(dag, task):
    """Leave a line in a file, with the process's id, whenever this is computed."""
    time.sleep(task.cell.parameters.get("seconds", 0.0))
    with Path(task.cell.parameters["file"]).open("a") as file:
        file.write(f"{os.getpid()}\n")
    return {"io": task.cell.memory**2}


def pids_in(file):
    """Who has left marks, one for each, in the order in which they were left."""
    lines = file.read_text().splitlines(keepends=True) if file.exists() else []
    return [int(line) for line in lines if line.endswith("\n")]


def threads(dag, task):
    """How many threads Numba would use, and others."""
    from numba import config

    return [config.NUMBA_NUM_THREADS, os.environ.get("OMP_NUM_THREADS")]


def fails(dag, task):
    raise RuntimeError(f"no luck with {task.cell.memory} words")


def ends(dag, task):
    raise SystemExit(3)


def no_json(dag, task):
    return {"value": object()}


def sleeps(dag, task):
    """Sleep far longer than any limit."""
    time.sleep(PATIENCE)


def deaf(dag, task):
    """Sleep like compiled code, which no signal reaches."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
    time.sleep(PATIENCE)


def greedy(dag, task):
    """Take two gigabytes: more than the heap of a process that lived long has free by itself."""
    return int(np.empty(GREEDY).size)


def deadly(dag, task):
    """End the worker process, always."""
    os.kill(os.getpid(), signal.SIGKILL)


def interrupted(dag, task):
    """Press Ctrl-C, and take it for one's own, as a search does."""
    try:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(PATIENCE)
    except KeyboardInterrupt:
        return "best so far"


def sweep_marked(store, file, count, seconds=0.0, *, backwards=False):
    """Sweep so many marked cells into a store."""
    cells = [cell("marked", size, file=str(file), seconds=seconds) for size in range(count)]
    with Store(store) as kept:
        return sweep(reversed(cells) if backwards else cells, store=kept)


def no_worker(pipe, clock):
    """Begin as a worker, and end at once."""
    os._exit(1)


def called(dag, task):
    """What a function of one's own says; this kind needs no DAG."""
    assert dag is None
    return task.function(task.cell.method)
