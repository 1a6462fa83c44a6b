"""What each method of bounds and of plays brings, by a table of games."""

import pytest

from benchmarks.leave_one_out import brought, played, proved, table, written
from dags import fft
from pebble import ONE_SHOT

GAMES = [{"compulsory": 10, "reuse": 20}, {"compulsory": 10, "reuse": 10, "segments": 10}]


def test_what_a_method_brings_is_what_the_others_lose_without_it():
    result = brought("reuse", GAMES)
    assert (result.best, result.alone) == (2, 1)
    assert result.largest_loss == pytest.approx(100)
    assert result.mean_loss == pytest.approx(100 * (2**0.5 - 1))
    assert brought("segments", GAMES) == (1, 0, 0, 0)
    assert brought("wavefront", GAMES) == (0, 0, 0, 0)


def test_a_line_for_each_method():
    lines = table({"one-shot": GAMES, "recompute": []}).splitlines()
    assert "| `reuse` | 2 / 1 / 41.42 / 100.0 |  |" in lines
    assert len(lines) == 4


def test_an_order_is_left_out_with_all_its_pairs():
    moved = [{"natural+lru": -8, "depth-first+lru": -4, "depth-first+belady": -5, "tiled": -6}]
    assert brought("depth-first", moved)[:2] == (1, 1)
    assert brought("depth-first", moved).largest_loss == pytest.approx(50)
    assert brought("lru", moved).largest_loss == pytest.approx(25)
    assert brought("tiled", moved) == (0, 0, 0, 0)


def test_tables_go_between_their_marks():
    page = "a <!-- left out: bounds --> old <!-- end of left out --> b"
    assert written(page, {"bounds": "new"}).split() == page.replace("old", "new").split()


def test_every_method_is_asked_alone():
    result = proved(fft(4), 4, ONE_SHOT, 0.05)
    assert {"compulsory", "segments", "wavefront"} <= set(result)


def test_every_scheduler_plays_alone():
    result = played(fft(4), 4, ONE_SHOT, 0.05)
    assert {"structured", "search", "natural+lru"} <= set(result)
    assert max(result.values()) < 0
