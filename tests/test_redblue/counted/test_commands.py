"""Commands on members of families that no memory holds."""

import json

import pytest

from tests.command_line import run_redblue

HUGE = "matmul:n=100000"


def answer(*arguments):
    """The JSON that a command prints; it says that nothing is laid out."""
    ending = run_redblue(*arguments, "--json")
    assert ending.code == 0
    assert "vertices are not laid out" in ending.err
    return json.loads(ending.out)


def test_a_curve_of_10_to_15_vertices(tmp_path):
    found = answer("curve", HUGE, "--memory", "100:1e8", "--out", tmp_path)
    assert found["dag"]["vertices"] == 10**15 + 2 * 10**10
    uppers = {row["memory"]: row for row in found["rows"] if row["method"] == "counted"}
    assert uppers[100]["io"] == uppers[100]["loads"] + uppers[100]["stores"] == 215920000000000
    assert {row["status"] for row in uppers.values()} == {"counted"}
    lowers = [row["io"] for row in found["rows"] if row["method"] == "closed-forms"]
    assert len(lowers) == len(uppers)
    assert {path.name for path in tmp_path.iterdir()} > {"curve.csv", "curve.svg"}


def test_a_bound_and_a_plan():
    found = answer("bound", HUGE, "--memory", "50MB")
    assert found["rows"][0]["io"] == 800006121999
    plan = answer("plan", HUGE, "--memory", "50MB")["answer"]
    assert (plan["io"], plan["at_least"]) == (820000000000, 800006121999)
    plan = answer("plan", HUGE, "--io-at-most", "3e12")["answer"]
    assert plan["memory_at_least"] <= plan["memory"] <= 1.02 * plan["memory_at_least"]
    assert plan["io"] <= 3 * 10**12


def test_no_memory_is_enough():
    ending = run_redblue("plan", HUGE, "--io-at-most", "1e9")
    assert ending.code == 3
    assert "moves 30,000,000,000 words with any memory" in ending.err


def test_a_law_from_both_sides():
    law = answer("law", "matmul:n=10000000")["law"]
    assert law["name"].startswith("M^0.50")
    assert law["verdict"] == "agrees"
    sides = law["sides"]
    assert (sides["first"], sides["last"]) == (100, 10**8)
    assert abs(sides["played"] - 0.5) < 0.01
    assert abs(sides["proved"] - 0.5) < 0.01
    assert sides["gap"] < 1.1


@pytest.mark.parametrize("command", ["curve", "bound", "law", "plan"])
def test_counted_answers_of_small_members(command):
    found = run_redblue(command, "fft:n=64", "--counted")
    assert found.code == 0
    assert "closed-forms" in found.out or command != "curve"


def test_options_that_take_a_dag():
    ending = run_redblue("curve", HUGE, "--memory", "100", "--schedulers", "lru")
    assert ending.code == 2
    assert ending.sentence.startswith("matmul:n=100000 is not laid out (a DAG has at most")
    assert ending.sentence.endswith("and --schedulers would take its DAG")


def test_too_little_memory():
    ending = run_redblue("curve", HUGE, "--memory", "3")
    assert ending.code == 2
    assert ending.sentence == (
        "3 words of fast memory are too few: computing vertex of matmul takes 4"
    )


def test_a_dag_is_still_refused():
    ending = run_redblue("dag", HUGE)
    assert ending.code == 2
    assert ending.sentence.startswith("matmul: a DAG has at most 2147483647 vertices")
