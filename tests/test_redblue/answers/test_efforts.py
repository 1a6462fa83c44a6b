import json

import pytest

import redblue as rb
from dags import UnknownNameError
from redblue.answers.efforts import EFFORTS, Effort, effort_for, open_gaps, seconds_of
from redblue.answers.results import Row
from redblue.cli.effort_sentences import sentence_of_effort
from tests.command_line import run_redblue


def best(kind, memory, io):
    return Row(kind, "best", memory, io, None, None, "feasible", 0.0)


def test_gaps_are_where_both_sides_are_known_and_apart():
    rows = [best("upper", 4, 30), best("lower", 4, 20), best("upper", 8, 9), best("lower", 8, 9)]
    rows += [best("upper", 16, 5), best("lower", 3, 50)]
    assert open_gaps(rows) == {4: 1.5}


def test_seconds_go_to_the_gaps():
    effort = Effort(seconds=10, least=1, most=6, largest=100)
    assert seconds_of({4: 1.001, 8: 2.0}, effort) == {4: 1, 8: 6}
    assert sum(seconds_of(dict.fromkeys(range(5), 2.0), effort).values()) == pytest.approx(10)
    assert [EFFORTS[name].seconds for name in ("quick", "normal", "high")] == [0, 16, 600]


def test_seconds_of_work_are_an_effort_everywhere():
    asked = "fft:n=8", 4
    assert rb.solve(*asked, effort=0.5).bound.io == rb.bound(*asked, effort=0.5).io == 31
    assert dict(rb.curve("fft:n=8", [4], effort=0.5).envelope("lower")) == {4: 31}
    plans = [rb.plan("fft:n=8", memory=4, effort=effort) for effort in (0.5, "0.5")]
    assert plans[0].to_dict() == plans[1].to_dict()


def test_a_point_that_solve_would_prove_is_proved():
    quick, normal = (rb.io_curve("fft:n=8", [4, 6], effort=name) for name in ("quick", "normal"))
    assert quick.effort.name == "quick"  # an exact search of few states
    assert dict(quick.envelope("lower")) == dict(normal.envelope("lower"))
    assert dict(normal.envelope("upper")) == dict(normal.envelope("lower")) == {4: 31, 6: 24}
    assert {point.memory for point in normal.effort.points} == {4, 6}
    assert all(point.after == 1.0 < point.before for point in normal.effort.points)
    assert normal.methods("upper") == quick.methods("upper")
    assert [row.status for row in normal.rows if row.method == "best"][::2] == ["optimal"] * 2


def test_the_same_effort_finds_the_same_again():
    first, second = (rb.io_curve("pyramid:height=6", [4], effort="normal") for _ in range(2))
    assert first.envelope("upper") == second.envelope("upper")
    assert first.envelope("lower") == second.envelope("lower")


def test_effort_is_normal_unless_methods_are_named():
    assert rb.curve("fft:n=8", 4 * [4]).envelope("upper") == ((4, 31),)
    assert rb.curve("fft:n=8", [4], schedulers=["lru"]).effort is None
    with pytest.raises(UnknownNameError, match="no effort is called 'much'"):
        rb.curve("fft:n=8", [4], effort="much")
    assert run_redblue("curve", "fft:n=8", "--memory", 4, "--effort", "much").code == 2


def test_what_the_last_line_says():
    done = run_redblue("curve", "fft:n=8", "--memory", 4).out.splitlines()[-1]
    assert done.startswith("effort normal: ")
    assert done.endswith("meet at every size, so all are optimal")
    quick = run_redblue("curve", "fft:n=64", "--memory", 4, "--effort", "quick").out
    assert quick.splitlines()[-1].startswith(
        "effort quick: nothing was searched; best / bound is at most 1."
    )
    assert quick.splitlines()[-1].endswith("--effort normal may narrow the gap")


def test_an_effort_within_a_limit():
    assert effort_for("high", 3.0).within(2.0) == effort_for("high", 2.0)
    assert (effort_for("high", 3.0).seconds, effort_for("high", 3.0).most) == (3.0, 3.0)
    assert effort_for(None, 30.0) == Effort(30.0, 0.0, 30.0)
    assert effort_for(None, None) is EFFORTS["normal"]
    assert effort_for("quick", 30.0) == EFFORTS["quick"]


def test_sizes_without_a_bound_do_not_meet_it():
    curve = rb.io_curve("fft:n=8", [2, 4, 8], schedulers=["lru"], bounds=[])
    line = sentence_of_effort(curve, "quick")
    assert line.endswith("a schedule or a bound is missing at 2 of the sizes")


def test_json_says_what_was_searched():
    record = json.loads(run_redblue("curve", "fft:n=8", "--memory", 4, "--json").out)
    (point,) = record["effort"]["points"]
    assert record["effort"]["name"] == "normal"
    assert (point["memory"], point["after"]) == (4, 1.0)
    compared = run_redblue(
        "curve", "--compare", "fft:n=8", "tree:height=3", "--memory", 4, "--effort", "normal"
    )
    assert compared.code == 0
    assert compared.out.count("effort normal: ") == 2


def test_an_effort_of_solve_is_that_of_a_size_of_a_curve():
    quick = ("solve", "fft:n=64", "--memory", 8, "--effort", "quick", "--json")
    rows = json.loads(run_redblue(*quick).out)["rows"]
    bound = json.loads(run_redblue("bound", "fft:n=64", *quick[2:]).out)
    best = max(row["io"] for row in bound["rows"])
    assert max(row["io"] for row in rows if row["kind"] == "lower") == best
    assert bound["plays"][0]["io"] == rows[0]["io"]
    assert run_redblue(*quick[:4], "--effort", "much").code == 2
