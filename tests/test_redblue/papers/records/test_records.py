"""Records of a leaderboard: kept, made better, and held against results."""

import pytest

from dags import FormatError
from pebble import ONE_SHOT
from redblue.papers.records import Case, Standing, changes, load_records, save_records
from redblue.papers.records.records import contradictions, updated

CASE = Case("families", "fft", "fft:n=8", "fft:n=8", 4, ONE_SHOT)


def reached(io, bound, dag="abcd"):
    return Standing(CASE, io, "best", "s", bound, "exact", "c", 32, dag, 1.0)


def test_records_outlive_their_file(tmp_path):
    record = updated(None, reached(40, 31), "redblue papers gap")
    save_records([record], tmp_path / "records.csv")
    assert load_records(tmp_path / "records.csv") == {("fft:n=8", "one-shot", 4): record}
    assert load_records(tmp_path / "none.csv") == {}


def test_each_side_of_a_record_gets_better_alone():
    record = updated(None, reached(40, 31), "first")
    better = updated(record, reached(38, 30), "second")
    assert (better.io, better.schedule_made) == (38, "second")
    assert (better.bound, better.bound_made) == (31, "first")
    assert updated(better, reached(39, 31), "third") == better


def test_a_record_of_another_dag_counts_for_nothing():
    record = updated(None, reached(40, 31), "first")
    known = {record.key: record}
    assert changes([reached(38, 31, "other")], known) == []
    assert updated(record, reached(50, 20, "other"), "second").io == 50


def test_what_differs_from_the_record_is_better_or_worse():
    record = updated(None, reached(40, 31), "first")
    result = changes([reached(38, 30)], {record.key: record})
    assert [(change.side, change.better) for change in result] == [
        ("schedule", True),
        ("bound", False),
    ]


def test_a_schedule_below_a_bound_on_record_is_a_contradiction():
    record = updated(None, reached(40, 31), "first")
    (sentence,) = contradictions([reached(30, 20)], {record.key: record})
    assert "31" in sentence
    assert contradictions([reached(31, 31)], {record.key: record}) == []


def test_damaged_records_say_where(tmp_path):
    path = tmp_path / "records.csv"
    save_records([updated(None, reached(40, 31), "x")], path)
    path.write_text(path.read_text().replace(",40,", ",many,"))
    with pytest.raises(FormatError, match=r"2: .*whole numbers"):
        load_records(path)
    path.write_text("a,b\n1,2\n")
    with pytest.raises(FormatError, match="columns"):
        load_records(path)
