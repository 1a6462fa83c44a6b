"""Threads: they share layouts, take methods of one's own, and pass exceptions on."""

import threading

import pytest

from dags import fft
from proofs import compulsory
from redblue import io_curve
from redblue.sweeps import layouts as layouts_module
from redblue.sweeps import sweep
from redblue.sweeps.layouts import LAYOUTS
from redblue.sweeps.store.cells import Cell
from schedulers import EVICTIONS, ORDERS, OrderAndEviction
from tests.sweep_cells import cell


def test_an_order_is_laid_out_once():
    calls = []

    def counted(dag):
        calls.append(threading.get_ident())
        return ORDERS["natural"](dag)

    own_part = [OrderAndEviction(counted, EVICTIONS[name]) for name in ("lru", "fifo")]
    curve = io_curve(fft(16), [4, 8, 16, 32], schedulers=own_part, bounds=[], jobs=3)
    assert len(calls) == 1
    assert curve.points("upper", "counted+lru") == io_curve(
        fft(16), [4, 8, 16, 32], schedulers=["lru"], bounds=[]
    ).points("upper", "natural+lru")
    assert len(LAYOUTS) == 0


@pytest.mark.parametrize("jobs", [1, 4])
def test_large_layouts_follow_each_other(jobs, monkeypatch):
    monkeypatch.setattr(layouts_module, "LAYOUTS_SIDE_BY_SIDE", 0)
    asked = [f"{order}+{policy}" for order in ORDERS for policy in ("lru", "belady")]
    built, limit = [], []
    lay_out = layouts_module.lay_out

    def counted(dag, order, plays):
        built.append(order)
        limit.append(len(LAYOUTS))
        return lay_out(dag, order, plays)

    monkeypatch.setattr(layouts_module, "lay_out", counted)
    large = io_curve(fft(32), [4, 8, 16], schedulers=[*asked, "structured"], jobs=jobs)
    assert len(built) == len(ORDERS)
    assert max(limit) == 1
    monkeypatch.undo()
    small = io_curve(fft(32), [4, 8, 16], schedulers=[*asked, "structured"], jobs=jobs)
    assert [row.io for row in large.rows] == [row.io for row in small.rows]


def test_exceptions_are_raised_and_others_do_not_begin():
    done = []

    def broken(dag, memory, *, rules):
        if memory == 4:
            raise RuntimeError("no luck")
        done.append(memory)
        return compulsory(dag, memory, rules=rules)

    with pytest.raises(RuntimeError, match="no luck"):
        io_curve(fft(8), range(4, 60), schedulers=[], bounds=[broken])
    assert len(done) < 50


def test_threads_do_what_one_process_does():
    cells = [cell("sums", size, seed=seed) for size in (3, 1) for seed in (5, 4)]
    single, threads = sweep(cells), sweep(cells, threads=True, jobs=2)
    assert [thread.result for thread in threads] == [outcome.result for outcome in single]


def test_bounds_run_side_by_side():
    meeting = threading.Barrier(2, timeout=60)

    def meets(dag, memory, *, rules):
        meeting.wait()
        return compulsory(dag, memory, rules=rules)

    curve = io_curve(fft(8), [4, 8], schedulers=[], bounds=[meets], jobs=2)
    assert curve.points("lower", "meets") == ((4, 16), (8, 16))


def test_cells_arrive_with_their_numbers():
    arrived = {}
    cells = [cell("sums", size) for size in (7, 5, 7)]
    outcomes = sweep(cells, arrived=lambda number, outcome: arrived.update({number: outcome}))
    assert [arrived[number] for number in range(3)] == outcomes


def test_a_function_of_ones_own_goes_to_processes():
    cells = [Cell("tests.sweep_cells:called", "", name) for name in ("a", "b")]
    functions = {(cell.kind, cell.method): str.upper for cell in cells}
    assert [outcome.result for outcome in sweep(cells, functions=functions, jobs=2)] == ["A", "B"]
