"""Sweeps on worker processes: the same rows, and what happens to workers that die."""

import os
import signal
import subprocess
import sys
import time
from multiprocessing import active_children
from pathlib import Path

import pytest

from dags import from_edges
from pebble import Budget
from pebble.budget import Clock
from redblue.sweeps import SweepError, sweep
from redblue.sweeps import pool as pool_module
from redblue.sweeps.store import Store
from redblue.sweeps.store.cells import Cell
from tests.sweep_cells import PATIENCE, cell, no_worker, pids_in

ROOT = Path(__file__).resolve().parents[3]
PLAIN = from_edges(3, [(0, 2), (1, 2)])
GRID = [
    Cell(kind, dag, method, memory)
    for dag in ("fft:n=16", "mine")
    for kind, method in (("lower", "compulsory"), ("upper", "natural+lru"))
    for memory in (2, 4, 8)
]


def results(outcomes):
    return [(outcome.status, outcome.result) for outcome in outcomes]


@pytest.mark.slow
def test_one_pool_for_all_that_can_happen(tmp_path):
    """The rows of one process; a worker that is killed, and cells that end theirs."""
    file = tmp_path / "marks"
    arguments = {"mine": PLAIN}
    good = [*GRID, *(cell("marked", size, file=str(file)) for size in range(30))]
    expected = [
        *results(sweep(GRID, dags=arguments)),  # first, so that workers find compiled kernels
        *(("done", {"io": size**2}) for size in range(30)),
    ]
    bad = [
        cell("fails", 7),
        cell("greedy", memory_limit=1 << 26),
        cell("sleeps", time_limit=0.05),
        cell("deaf", time_limit=0.05),
        cell("deadly"),
        cell("threads"),
    ]
    killed = []

    def kill(done, total, failed):
        pids = pids_in(file)
        if pids and not killed:
            killed.append(pids[0])
            os.kill(pids[0], signal.SIGKILL)

    with Store(tmp_path / "a.db") as store:
        outcomes = sweep(
            [*good, *bad], dags=arguments, jobs=2, grace=0.2, progress=kill, store=store, keep=True
        )
    assert len(killed) == 1
    assert len(set(pids_in(file))) >= 2  # others took over
    assert results(outcomes[: len(good)]) == expected
    assert [outcome.status for outcome in outcomes[len(good) :]] == [
        *("failed", "out-of-memory", "timed-out", "timed-out", "failed", "done")
    ]
    assert outcomes[-3].error == "ended with its process, for it took no notice of its limit"
    assert outcomes[-2].error == "its process ended with exit code -9 (out of memory?)"
    assert outcomes[-1].result == [1, "1"]
    assert active_children() == []
    with Store(tmp_path / "a.db", readonly=True) as store:
        store.check()
        assert len(list(store.entries())) == len(good) + len(bad)


def test_workers_that_are_stillborn_stop_the_sweep(monkeypatch):
    monkeypatch.setattr(pool_module.worker, "work", no_worker)
    monkeypatch.setattr(pool_module, "MOST_STILLBORN", 2)
    with pytest.raises(SweepError, match="2 worker processes ended before they began to work"):
        sweep([cell("sums", 1), cell("sums", 2)], jobs=2)
    assert active_children() == []


def running(pid):
    """Whether a process is there and no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_until(true):
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


# A curve whose cells are others; the workers import this file too, as their main module.
ENDLESS = """
from redblue.cli import main
from redblue.sweeps import sweep
from redblue.answers.curves import swept as curves
from tests.sweep_cells import cell

def endless(cells, **rest):
    marks = [cell("marked", size, file=FILE) for size in range(20)]
    return sweep([*marks, cell("sleeps", 1), cell("sleeps", 2)], **rest)

if __name__ == "__main__":
    curves.sweep = endless
    main()
"""


@pytest.fixture
def endless(tmp_path):
    """A ``redblue curve`` of 22 cells on two workers; 20 are done, two never will be."""
    script, marks, store = tmp_path / "endless.py", tmp_path / "marks", tmp_path / "a.db"
    script.write_text(ENDLESS.replace("FILE", repr(str(marks))))
    asked = ["curve", "fft:n=8", "--memory", "4", "--store", str(store), "--jobs", "2"]
    command = [sys.executable, str(script), *asked]
    texts = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    child = subprocess.Popen(command, env=environment, start_new_session=True, **texts)

    def kept():
        if not store.exists() or not store.stat().st_size:
            return 0
        with Store(store, readonly=True) as opened:
            return len(list(opened.entries()))

    try:
        wait_until(lambda: child.poll() is not None or (pids_in(marks) and kept() == 20))
        assert child.poll() is None, child.stderr.read()
        yield child, store, set(pids_in(marks))
    finally:
        if child.poll() is None:
            os.killpg(child.pid, signal.SIGKILL)
        child.communicate()


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="this needs /proc")
def test_ctrl_c_ends_cleanly_and_says_how_to_go_on(endless):
    child, store, workers = endless
    os.killpg(child.pid, signal.SIGINT)  # as a terminal does: to the workers too
    out, err = child.communicate(timeout=PATIENCE)
    assert child.returncode == 130
    printed = f"interrupted: 20 of 22 cells are done and in {store}; the same command goes on"
    assert (out, err) == ("", f"redblue: {printed} from there\n")
    wait_until(lambda: not any(map(running, workers)))


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="this needs /proc")
def test_workers_end_with_a_sweep_that_is_killed(endless):
    child, store, workers = endless
    child.kill()
    child.wait()
    wait_until(lambda: not any(map(running, workers)))
    with Store(store) as opened:
        opened.check()
        assert len(list(opened.entries())) == 20


def test_a_deadline_ends_a_pool_and_the_store_has_what_was_done(tmp_path):
    cells = [cell("sums", 3), cell("deaf")]
    clock = Clock(0.0, compiling=lambda: PATIENCE)  # over as soon as there is an answer
    late = Budget(clock=clock)
    began = time.monotonic()
    with Store(tmp_path / "a.db") as store:
        outcomes = sweep(cells, store=store, deadline=late)
        assert [outcome.status for outcome in outcomes] == ["done", "timed-out"]
        assert [entry.outcome.status for entry in store.entries()] == ["done"]
    assert time.monotonic() - began < PATIENCE
