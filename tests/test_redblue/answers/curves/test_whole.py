"""Rows that are known at every memory size."""

import json

import pytest

from dags import fft, random_layered
from pebble import play
from redblue import io_curve
from redblue.answers.counts import CURVES
from redblue.sweeps import SweepOptions
from redblue.sweeps.store import Store
from schedulers import EVICTIONS, SCHEDULERS, MemoryCurve, lru_curve
from tests.command_line import run_redblue

METHODS = ("natural+lru", "depth-first+belady")


@pytest.mark.parametrize("method", METHODS)
def test_every_size_is_what_a_play_moves(method):
    dag = fft(16)
    curve = io_curve(dag, "4:20", schedulers=[method], bounds=["compulsory"])
    (row,) = curve.whole
    assert (row.first, len(row.loads), len(row.stores)) == (4, 17, 17)
    for i, (loads, stores) in enumerate(zip(row.loads, row.stores, strict=True)):
        count = play(dag, SCHEDULERS[method](dag, 4 + i), 4 + i)
        assert (count.loads, count.stores) == (loads, stores)
    assert row.replayed == curve.memories
    assert curve.points("upper", method) == row.points
    assert [memory for memory, _ in row.points] == list(range(4, 21))


def test_large_plays_are_replayed_at_the_ends_and_some_sizes_between(monkeypatch):
    monkeypatch.setattr("redblue.answers.counts.MANY_ACCESSES", 1)
    curve = io_curve(fft(16), "4:64:13,4:64", schedulers=["lru"], bounds=["compulsory"])
    (row,) = curve.whole
    assert {4, 64} < set(row.replayed) < set(curve.memories)
    assert row.replayed == (*curve.memories[:-1:8], 64)


def test_a_wrong_count_is_noticed(monkeypatch):
    def wrong(layout):
        right = lru_curve(layout)
        return MemoryCurve(right.minimum, right.loads + 1, right.stores)

    monkeypatch.setitem(CURVES, EVICTIONS["lru"], wrong)
    with pytest.raises(AssertionError):
        io_curve(fft(16), "4:20", schedulers=["lru"])


def test_what_is_not_known_at_every_size():
    assert not io_curve(fft(16), [4, 8], schedulers=["lru"]).whole
    assert io_curve(fft(16), [4, 8], schedulers=["lru"], whole=True).whole
    assert not io_curve(fft(16), "4:8", schedulers=["structured", "fifo"]).whole
    sized = random_layered(30, max_words=3, seed=1)
    assert not io_curve(sized, schedulers=["lru"]).whole


def test_sizes_that_are_too_small_are_left_out():
    curve = io_curve(fft(16), "2:8", schedulers=["lru"])
    assert curve.whole[0].first == 3
    assert curve.points("upper", "natural+lru")[0][0] == 3


def test_a_store_keeps_them(tmp_path):
    asked = {"schedulers": ["lru", "belady"], "bounds": ["compulsory"]}
    direct = io_curve(fft(16), "4:20", **asked)
    with Store(tmp_path / "a.db") as store:
        for keep in (False, True, True):
            swept = io_curve(fft(16), "4:20", **asked, sweep=SweepOptions(store, keep=keep))
            assert swept.whole == direct.whole
        kept = {entry.key: entry.outcome.finished for entry in store.entries()}
        io_curve(fft(16), "4:20", **asked, sweep=SweepOptions(store, keep=True))
        assert {entry.key: entry.outcome.finished for entry in store.entries()} == kept


def test_the_command_says_so_and_writes_them(tmp_path):
    asked = ("curve", "fft:n=16", "--memory", "4:20", "--schedulers", "lru,belady")
    ending = run_redblue(*asked, "--out", tmp_path)
    assert ending.out.splitlines()[-1] == (
        "natural+lru and natural+belady: I/O at all 17 sizes from 4 to 20, counted in one pass; "
        "the engine replayed 10 of them and counted the same"
    )
    lines = (tmp_path / "whole.csv").read_text().splitlines()
    assert lines[0] == "method,memory,io,loads,stores"
    assert len(lines) == 1 + 2 * 17
    data = json.loads((tmp_path / "curve.json").read_text())
    assert [row["method"] for row in data["whole"]] == ["natural+lru", "natural+belady"]
    assert len(data["whole"][0]["loads"]) == 17
