"""Cells on threads that go beyond their time limits."""

import time

from dags import fft
from redblue.sweeps import engine, sweep
from redblue.sweeps.store.cells import Cell


def endless(dag, memory, **options):
    """Prove nothing, step by step, for ever."""
    while True:
        time.sleep(0.001)


def test_a_cell_that_takes_no_notice_of_its_limit_is_ended(monkeypatch):
    monkeypatch.setattr(engine, "PATIENCE", 0.1)
    cells = [
        Cell("lower", "dag", "endless", 4, time_limit=0.1),
        Cell("lower", "dag", "compulsory", 4, time_limit=60),
    ]
    own_part = {("lower", "endless"): endless}
    began = time.monotonic()
    outcomes = sweep(cells, dags={"dag": fft(4)}, functions=own_part, jobs=2, threads=True)
    assert [outcome.status for outcome in outcomes] == ["timed-out", "done"]
    assert outcomes[1].result["io"] == 8
    assert 0.2 < outcomes[0].seconds < time.monotonic() - began < 20
