"""Sweeps that are killed at any moment, and two of them on one store."""

import time
from multiprocessing import get_context

import numpy as np
import pytest

from redblue.sweeps.store import Store
from tests.sweep_cells import PATIENCE, sweep_marked

COUNT = 400
KILLS = 10


@pytest.fixture(scope="module")
def context():
    """Processes that begin with our modules imported, and none of our threads."""
    server = get_context("forkserver")
    server.set_forkserver_preload(["tests.sweep_cells"])
    return server


def rows(path):
    with Store(path, readonly=True) as store:
        store.check()
        entries = list(store.entries())
    return {entry.key: (entry.outcome.status, entry.outcome.result) for entry in entries}


def marks(path):
    return len(path.read_text().splitlines()) if path.exists() else 0


def killed(process, file, target):
    """Kill a sweep when so many cells are done, or it has ended."""
    process.start()
    end = time.monotonic() + PATIENCE
    while process.is_alive() and marks(file) < target:
        assert time.monotonic() < end
        time.sleep(0.001)
    process.kill()
    process.join()


def test_ten_kills_lose_nothing(context, tmp_path):
    undisturbed, store, file = (tmp_path / name for name in ("calm.db", "a.db", "marks"))
    sweep_marked(undisturbed, file, COUNT)
    random, kept = np.random.default_rng(8), 0
    for _ in range(KILLS):
        # some are killed before the store is there, others when it has been written to
        target = marks(file) + int(random.choice([0, 2, 30, 100]))
        time.sleep(random.uniform(0, 0.02))
        killed(context.Process(target=sweep_marked, args=(store, file, COUNT)), file, target)
        if store.exists() and store.stat().st_size:
            result = len(rows(store))
            assert result >= kept
            kept = result
    assert kept > 0
    before = marks(file)
    outcomes = sweep_marked(store, file, COUNT)
    assert marks(file) - before == COUNT - kept
    assert [outcome.result["io"] for outcome in outcomes] == [size**2 for size in range(COUNT)]
    assert rows(store) == rows(undisturbed)


def test_two_sweeps_on_one_store(context, tmp_path):
    store, file = tmp_path / "a.db", tmp_path / "marks"
    sweeps = [
        context.Process(
            target=sweep_marked, args=(store, file, COUNT), kwargs={"backwards": backwards}
        )
        for backwards in (False, True)
    ]
    for process in sweeps:
        process.start()
    for process in sweeps:
        process.join(PATIENCE)
        assert process.exitcode == 0
    assert sorted(result["io"] for _, result in rows(store).values()) == [
        size**2 for size in range(COUNT)
    ]
    assert marks(file) <= 2 * COUNT
