"""Sweeps killed at random moments: what goes on from the store ends as if nothing had happened.

A case forks a process that sweeps into a store and is killed, by SIGKILL and at some moment; some
are killed again as they go on. Then the sweep is run to its end: its outcomes are those of a sweep
that was left alone, the store is whole, and it computes no cell that the store had.
"""

import os
import random
import signal
import tempfile
import threading
import time
from pathlib import Path

from redblue.sweeps import sweep
from redblue.sweeps.store import Store
from redblue.sweeps.store.cells import Cell, Outcome
from tests.campaigns.outcomes import Failure, Outcomes

KILLS = 3  # of a case, at the most
SPECS = ("fft:n=8", "pyramid:height=4", "grid:shape=4x4")


def run(cases: int, seed: int) -> Outcomes:
    """What `cases` sweeps came to."""
    outcomes = Outcomes()
    cells = _cells()
    full = [_shown(outcome) for outcome in sweep(cells)]
    with tempfile.TemporaryDirectory() as name:
        began = time.monotonic()
        _into(Path(name, "first.db"), cells)
        seconds = time.monotonic() - began
        for case in range(cases):
            rng = random.Random(f"{seed} {case}")
            path = Path(name, f"{case}.db")
            killed = sum(_killed(path, cells, rng, seconds) for _ in range(rng.randint(1, KILLS)))
            began = time.monotonic()
            outcome = _resumed(path, cells, full)
            outcomes.slowest = max(outcomes.slowest, time.monotonic() - began)
            kind = f"killed {killed} times"
            outcomes.counts[kind, outcome.partition(":")[0]] += 1
            if outcome.startswith("failed"):
                outcomes.failures.append(Failure(case, kind, outcome))
    return outcomes


def _cells() -> list[Cell]:
    """Cells that take about a millisecond, of bounds and of schedules."""
    upper = [
        Cell("upper", spec, method, memory)
        for spec in SPECS
        for method in ("natural+lru", "depth-first+belady")
        for memory in (4, 6, 8)
    ]
    return [*upper, *(Cell("lower", spec, "compulsory", 5) for spec in SPECS)]


def _shown(outcome: Outcome) -> object:
    """What does not depend on speed."""
    return outcome.status, outcome.result, outcome.error


def _into(path: Path, cells: list[Cell]) -> list[Outcome]:
    with Store(path) as store:
        return sweep(cells, store=store)


def _killed(path: Path, cells: list[Cell], rng: random.Random, seconds: float) -> bool:
    """Sweep in a process that is killed at some moment; return whether it was at work then."""
    moment, at_commit = rng.random() * 1.2 * seconds, rng.random() < 0.5
    child = os.fork()
    if not child:
        try:
            if at_commit:  # every result is written at once, so that many kills meet a write
                Store.commit_when_due = Store.commit
            threading.Timer(moment, os.kill, (os.getpid(), signal.SIGKILL)).start()
            _into(path, cells)
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


def _resumed(path: Path, cells: list[Cell], full: list[object]) -> str:
    """Return "the same", or "failed: ..." and why."""
    try:
        with Store(path) as store:
            store.check()
            kept = {entry.key for entry in store.entries()}
            finished = {entry.key: entry.outcome for entry in store.entries()}
        result = _into(path, cells)
        with Store(path, readonly=True) as store:
            store.check()
            later = {entry.key: entry.outcome for entry in store.entries()}
    except Exception as error:
        return f"failed: {type(error).__name__}: {error}"
    if [_shown(outcome) for outcome in result] != full:
        return "failed: other outcomes"
    if any(later[key] != finished[key] for key in kept):
        return "failed: a cell was computed again that the store had"
    return "the same" if len(later) == len(cells) else f"failed: {len(later)} cells are kept"
