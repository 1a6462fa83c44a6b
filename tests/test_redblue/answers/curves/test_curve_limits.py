"""Limits of the cells of a curve: methods are told, and in a sweep they are held to them."""

import pytest

from dags import fft, random_layered
from pebble import ONE_SHOT
from proofs import compulsory
from redblue.answers.curves.curve import io_curve
from redblue.sweeps import SweepOptions
from redblue.sweeps.store import Store
from schedulers import SCHEDULERS
from tests.command_line import run_redblue


def test_methods_are_given_the_limit():
    texts = []

    def patient(dag, memory, *, rules, seed=0, time_limit=None):
        texts.append((seed, time_limit))
        return SCHEDULERS["natural+lru"](dag, memory)

    def careful(dag, memory, *, rules=ONE_SHOT, time_limit=None):
        texts.append(time_limit)
        return compulsory(dag, memory, rules=rules)

    io_curve(fft(8), [4], schedulers=[patient], bounds=[careful], seed=5, time_limit=2.5)
    io_curve(fft(8), [4], schedulers=[patient], bounds=[careful])
    assert texts == [2.5, (5, 2.5), None, (0, None)]


def test_a_cell_that_takes_too_much_is_recorded(tmp_path):
    with Store(tmp_path / "a.db") as store:
        curve = io_curve(
            random_layered(60_000, seed=1),
            [8, 30],
            schedulers=["depth-first+belady-cost"],
            bounds=["compulsory"],
            time_limit=1e-4,
            sweep=SweepOptions(store),
        )
    rows = {(row.method, row.memory): row.status for row in curve.rows if row.method != "best"}
    assert rows["depth-first+belady-cost", 8] in ("feasible", "timed-out")
    assert rows["compulsory", 30] == "bound"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--time-limit", "0"], "the time limit must be more than 0, not 0"),
        (["--store", "a.db:gigabytes=-1"], "the memory limit must be more than 0"),
        (["--store", "a.db:seconds=0"], "the seconds of a cell must be more than 0, not 0"),
        (["--store", "a.db:minutes=1"], "--store has no parameter 'minutes'; it has: seconds"),
        (["--store", "a.db:keep,retri"], "--store has no parameter 'retri'"),
        (["--store", "a.db:seconds=9", "--compare"], "is for one curve, not a comparison"),
        (["--store", "a.db:seconds=9", "--time-limit", "9"], "for each cell, or --time-limit"),
        (["--memory-limit", "1"], "--memory-limit takes a --store"),
    ],
)
def test_refusals(arguments, sentence, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ending = run_redblue("curve", "fft:n=8", "--memory", "4", *arguments)
    assert ending.code == 2
    assert sentence in ending.err
    assert not list(tmp_path.iterdir())


def test_on_the_command_line(tmp_path):
    asked = ("curve", "fft:n=8", "--memory", "4", "--seed", 3, "--jobs", 1, "--json")
    ending = run_redblue(*asked, "--store", f"{tmp_path / 'a.db'}:seconds=60,gigabytes=4")
    assert ending.err == ""
    before = run_redblue(*asked, "--store", tmp_path / "a.db", "--time-limit", 60)
    assert f"write '--store {tmp_path / 'a.db'}:seconds=60'" in before.err
    assert ending.code == 0
    assert '"optimal"' in ending.out or '"feasible"' in ending.out
