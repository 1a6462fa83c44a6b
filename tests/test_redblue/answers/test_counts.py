"""Rows that are counted are those that are played."""

from functools import cache

import pytest

from dags import EXAMPLES, fft, load, matmul, random_layered
from pebble import min_memory
from redblue import io_curve
from redblue.answers import counts
from redblue.sweeps import SweepOptions
from redblue.sweeps.store import Store
from tests.command_line import run_redblue

METHODS = ("natural+lru", "natural+belady", "depth-first+lru", "least-live+belady", "natural+fifo")


@pytest.fixture
def counting(monkeypatch):
    """Counts plays of every size."""
    monkeypatch.setattr(counts, "MANY_ACCESSES", 0)


def words(curve):
    return [(row.kind, row.method, row.memory, row.io, row.loads, row.stores) for row in curve.rows]


def statuses(curve, method):
    return [row.status for row in curve.rows if row.method == method]


@cache
def asked(spec):
    """A DAG, sizes of memory, and what all plays of every size move."""
    dag = load(spec)
    smallest = min_memory(dag)
    sizes = range(max(1, smallest - 2), smallest + 28)
    return dag, sizes, words(io_curve(dag, sizes, schedulers=METHODS, bounds=["compulsory"]))


@pytest.mark.parametrize("passes", [0, 10**6], ids=["one pass", "each alone"])
@pytest.mark.parametrize("spec", [*EXAMPLES.values(), "random_layered:n=200,seed=4"])
def test_counts_are_the_plays_at_every_memory(spec, passes, monkeypatch):
    dag, sizes, played = asked(spec)
    monkeypatch.setattr(counts, "MANY_ACCESSES", 0)
    monkeypatch.setattr(counts, "PLAYS_WORTH_A_PASS", dict.fromkeys(counts.CURVES, passes))
    counted = io_curve(dag, sizes, schedulers=METHODS, bounds=["compulsory"])
    assert words(counted) == played


def test_the_ends_and_some_in_between_are_replayed(counting):
    del counting
    curve = io_curve(matmul(5), range(4, 24), schedulers=METHODS, bounds=[])
    replayed = [place % 8 == 0 or place == 19 for place in range(20)]
    for method in METHODS:
        counted = ["feasible" if present or "fifo" in method else "counted" for present in replayed]
        assert statuses(curve, method) == counted


def test_a_count_that_a_play_refutes_is_no_row(counting, monkeypatch):
    del counting
    monkeypatch.setattr(counts.Counts, "_words", lambda self, policy, memory: (1, 1))
    with pytest.raises(AssertionError):
        io_curve(fft(8), [4, 5, 6], schedulers=["lru"], bounds=[])


def test_what_is_not_counted(counting, tmp_path):
    del counting
    weighted = random_layered(60, max_words=3, seed=1)
    smallest = min_memory(weighted)
    curve = io_curve(weighted, range(smallest, smallest + 9), schedulers=["lru"], bounds=[])
    assert "counted" not in statuses(curve, "natural+lru")
    assert "counted" not in statuses(io_curve(fft(8), [4, 8], schedulers=["lru"]), "natural+lru")
    with Store(tmp_path / "a.db") as store:
        kept = SweepOptions(store, keep=True)
        curve = io_curve(fft(8), range(3, 9), schedulers=["lru"], bounds=[], sweep=kept)
    assert "counted" not in statuses(curve, "natural+lru")


def test_a_store_has_counts_too(counting, tmp_path):
    del counting
    asked = {"schedulers": ["lru", "belady"], "bounds": []}
    with Store(tmp_path / "a.db") as store:
        first, second = (
            io_curve(fft(16), range(3, 14), sweep=SweepOptions(store), **asked) for _ in range(2)
        )
    assert first.rows == second.rows
    assert words(first) == words(io_curve(fft(16), range(3, 14), **asked))


def test_the_command_says_what_is_counted(counting):
    del counting
    ending = run_redblue("curve", "fft:n=64", "--memory", "8:64:5", "--schedulers", "lru,fifo")
    assert ending.code == 0
    assert ending.err == "note: 3 points are exact counts, without a replay of moves: natural+lru\n"
