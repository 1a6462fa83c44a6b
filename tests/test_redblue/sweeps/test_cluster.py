"""Sweeps on a Dask cluster: the same rows, and workers that come late, die, or are killed."""

import os
import signal
import sys
from concurrent.futures import Future
from contextlib import ExitStack

import pytest

from dags import from_edges
from redblue import compare, io_curve
from redblue.sweeps import SweepError, SweepOptions, cluster, sweep
from redblue.sweeps.store import Store
from redblue.sweeps.store.cells import Cell, Outcome
from tests.dask_cluster import scheduler, worker
from tests.sweep_cells import PATIENCE, cell, pids_in

distributed = pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")

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
def test_a_cluster_that_grows_and_shrinks(tmp_path, monkeypatch):
    """One cluster for all, as its processes take seconds to begin."""
    with ExitStack() as stack:
        address = stack.enter_context(scheduler(tmp_path))

        def join(count):
            stack.enter_context(worker(address, tmp_path))
            with distributed.Client(address, set_as_default=False) as client:
                client.wait_for_workers(count, timeout=PATIENCE)

        join(1)
        same_rows_and_cells_that_misbehave(address, join, tmp_path)
        curve_of_a_cluster(address)
        workers_of_another_version(address, monkeypatch)


def same_rows_and_cells_that_misbehave(address, join, folder):
    """A worker is killed, another one joins late, cells go beyond their limits."""
    file = folder / "marks"
    arguments = {"mine": PLAIN}
    # of a DAG that is sent: the only worker that has it is killed
    good = [
        *GRID,
        *(cell("marked", size, dag="mine", file=str(file), seconds=0.02) for size in range(40)),
    ]
    expected = [
        *results(sweep(GRID, dags=arguments)),  # first, so that workers find compiled kernels
        *(("done", {"io": size**2}) for size in range(40)),
    ]
    odd = [
        cell("fails", 7),
        cell("greedy", memory_limit=1 << 26),
        cell("deaf", time_limit=0.05),
    ]
    killed = []

    def disturb(done, total, failed):
        pids = pids_in(file)
        if pids and not killed:
            killed.append(pids[0])
            os.kill(pids[0], signal.SIGKILL)
            join(2)

    with Store(folder / "a.db") as store:
        outcomes = sweep(
            [*good, *odd], dags=arguments, dask=address, grace=0.2, progress=disturb, store=store
        )
        store.check()
    assert len(killed) == 1
    assert len(set(pids_in(file))) >= 3  # the one that was killed, the next one, the late one
    assert results(outcomes[: len(good)]) == expected, [outcome.error for outcome in outcomes]
    assert [(outcome.status, outcome.result) for outcome in outcomes[len(good) :]] == [
        ("failed", None),
        ("out-of-memory", None),
        ("timed-out", None),
    ]


def curve_of_a_cluster(address):
    direct = io_curve(PLAIN, [3, 4], schedulers=["lru"])
    swept = io_curve(PLAIN, [3, 4], schedulers=["lru"], sweep=SweepOptions(dask=address))
    assert [row.io for row in swept.rows] == [row.io for row in direct.rows]
    specs, options = ["matmul:n=100000", "fft:n=16"], {"effort": "quick"}
    kernels = compare(specs, [1000], sweep=SweepOptions(dask=address), **options).kernels
    assert kernels == compare(specs, [1000], **options).kernels


def workers_of_another_version(address, monkeypatch):
    monkeypatch.setattr(cluster, "versions", lambda: {"redblue": "7"})
    with pytest.raises(SweepError, match=r"has redblue .*, not redblue 7"):
        sweep([cell("sums")], dask=address)


def test_no_cluster(monkeypatch):
    monkeypatch.setattr(cluster, "PATIENCE", 0.2)
    with pytest.raises(SweepError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"):
        sweep([cell("sums")], dask="tcp://127.0.0.1:9")
    with pytest.raises(SweepError, match="at nonsense: missing port number"):
        sweep([cell("sums")], dask="nonsense")
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(SweepError, match="a cluster takes the extra 'cluster'"):
        sweep([cell("sums")], dask="tcp://127.0.0.1:9")


class IdleScheduler:
    """A scheduler that forgets the first task that it is given, and computes the others."""

    status = "running"

    def __init__(self):
        self.given = 0

    def subscribe_topic(self, topic, listener):
        """Nothing is told."""

    def get_executor(self, pure):
        return self

    def nthreads(self):
        return {"worker": 1}

    def processing(self):
        return {"worker": ()}

    def submit(self, function, task, *arguments):
        self.given += 1
        future = Future()
        if self.given > 1:
            future.set_result(Outcome("done", {"io": 7}))
        return future

    def close(self, timeout):
        """Nothing is open."""


def test_a_cell_that_the_scheduler_loses_is_submitted_again(monkeypatch):
    idle = IdleScheduler()
    monkeypatch.setattr(cluster, "_client", lambda address: idle)
    monkeypatch.setattr(cluster, "STALLED", 0.1)
    monkeypatch.setattr(cluster, "TICK", 0.01)
    assert results(sweep([cell("sums")], dask="tcp://127.0.0.1:9")) == [("done", {"io": 7})]
    assert idle.given == 2


class LosingWorkers(IdleScheduler):
    """A scheduler whose first workers are gone when a DAG is sent to them."""

    def __init__(self, gone):
        super().__init__()
        self.gone, self.sent = gone, []

    def scatter(self, dag, **options):
        self.sent.append(options)
        if len(self.sent) <= self.gone:
            raise OSError("Timed out trying to connect")
        return dag


def test_a_dag_is_sent_again_where_the_worker_is_gone_and_never_to_all_at_once(monkeypatch):
    monkeypatch.setattr(cluster, "STALLED", 0.1)
    monkeypatch.setattr(cluster, "TICK", 0.01)
    own_values = [Cell("lower", "mine", "compulsory", 3)]
    workers = LosingWorkers(gone=2)
    monkeypatch.setattr(cluster, "_client", lambda address: workers)
    outcomes = sweep(own_values, dags={"mine": PLAIN}, dask="tcp://127.0.0.1:9")
    assert results(outcomes) == [("done", {"io": 7})]
    assert all("broadcast" not in options for options in workers.sent)
    monkeypatch.setattr(cluster, "_client", lambda address: LosingWorkers(gone=99))
    with pytest.raises(SweepError, match="takes the DAG mine"):
        sweep(own_values, dags={"mine": PLAIN}, dask="tcp://127.0.0.1:9")


class BusyScheduler(IdleScheduler):
    """A scheduler that is told late of a cell that is cancelled, and would begin it elsewhere."""

    def __init__(self):
        super().__init__()
        self.looks, self.begun_anew = 3, []

    def subscribe_topic(self, topic, listener):
        self.topic, self.listener = topic, listener

    def submit(self, function, task, called, *arguments):
        assert called == (self.topic, 0)
        self.listener((0.0, (0, "tcp://first", "cell")))
        self.future = Future()
        return self.future

    def processing(self):
        self.looks -= self.future.cancelled()
        return {"tcp://first": ("another", "cell")[: 1 + (self.looks > 0)]}

    def restart_workers(self, addresses, **options):
        self.begun_anew.append((addresses, self.looks))


def test_workers_begin_anew_when_the_scheduler_knows_that_their_cell_is_cancelled(monkeypatch):
    monkeypatch.setattr(cluster, "TICK", 0.01)
    busy = BusyScheduler()
    monkeypatch.setattr(cluster, "_client", lambda address: busy)
    late = cell("sums", time_limit=0.01)
    assert results(sweep([late], dask="tcp://127.0.0.1:9", grace=0.01)) == [("timed-out", None)]
    assert busy.begun_anew == [(["tcp://first"], 0)]
