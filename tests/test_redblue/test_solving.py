"""``solve``: optimal where the search can tell, replayed, bounded, and interruptible."""

import json

import pytest

import redblue.solving
from dags import CDAG, fft, from_edges, load, matmul, random_layered, tree
from pebble import ONE_SHOT, RULES, MemoryTooSmallError, Schedule, judge, min_memory
from proofs import compulsory
from redblue.solving import solve
from tests.command_line import run_redblue
from tests.oracles import optimum


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
@pytest.mark.parametrize("extra", [0, 1, 3])
def test_small_dags_are_solved(rules, extra):
    dag = from_edges(
        9,
        [(0, 3), (1, 3), (1, 4), (2, 4), (3, 5), (4, 5), (3, 6), (0, 7), (6, 7), (5, 8), (7, 8)],
        words=[1, 2, 1, 2, 1, 1, 3, 1, 2],
    )
    memory = min_memory(dag, rules=rules) + extra
    solution = solve(dag, memory, rules=rules, time_limit=60)
    assert judge(dag, solution.schedule, memory, rules=rules) == solution.count
    assert solution.count.io == solution.lower_bound == optimum(dag, memory, rules)
    assert (solution.status, solution.gap) == ("optimal", 0)


@pytest.mark.slow
def test_recomputation_helps():
    answers = {
        name: solve(fft(8), 6, rules=RULES[name], time_limit=120).count.io
        for name in ("one-shot", "recompute")
    }
    assert answers == {"one-shot": 24, "recompute": 23}


def test_a_large_dag_is_bounded_from_both_sides():
    dag = random_layered(150, seed=3)
    memory = min_memory(dag) + 3
    solution = solve(dag, memory, time_limit=2)
    assert judge(dag, solution.schedule, memory, rules=ONE_SHOT) == solution.count
    assert compulsory(dag, memory).io <= solution.lower_bound <= solution.count.io
    assert solution.gap == pytest.approx(1 - solution.lower_bound / solution.count.io)


def test_jobs_search_side_by_side():
    dag = random_layered(90, seed=4)
    memory = min_memory(dag) + 2
    solution = solve(dag, memory, time_limit=3, jobs=2)
    assert judge(dag, solution.schedule, memory).io == solution.count.io


def test_it_ends_when_the_sides_meet():
    solution = solve(tree(6), 8, time_limit=1000)
    assert solution.status == "optimal"
    assert solution.seconds < 100


def test_too_small_a_memory():
    with pytest.raises(MemoryTooSmallError):
        solve(fft(4), 2)


@pytest.mark.parametrize("stage", ["_prove", "_exactly", "_side_by_side"])
def test_an_interrupt_leaves_what_there_is(monkeypatch, stage):
    def interrupted(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(redblue.solving, stage, interrupted)
    dag = matmul(5) if stage == "_side_by_side" else fft(8)
    solution = solve(dag, 5, time_limit=2)
    assert solution.lower_bound <= solution.count.io == judge(dag, solution.schedule, 5).io


def test_on_the_command_line(tmp_path):
    out = tmp_path / "best.npz"
    command = ("solve", "fft:n=4", "--memory", 4, "--time-limit", 60, "--out", out)
    ending = run_redblue(*command, "--json")
    assert (ending.code, ending.err) == (0, f"wrote {out}\n")
    answer = json.loads(ending.out)
    assert answer["status"] == "optimal"
    assert answer["gap"] == 0
    assert {(row["kind"], row["io"]) for row in answer["rows"]} == {("upper", 11), ("lower", 11)}
    assert judge(load("fft:n=4"), Schedule.load(out), 4).io == 11
    assert run_redblue("verify", "fft:n=4", out, "--memory", 4).code == 0
    first, second = run_redblue(*command[:-2]).out.splitlines()
    assert first.startswith("11 words of I/O (")
    assert second.startswith("optimal, proved by ")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--memory", "2"], "2 words of fast memory are too few"),
        (["--memory", "4,5"], "memory must be one size like 64"),
        (["--memory", "4", "--time-limit", "0"], "the time limit must be more than 0"),
        (["--memory", "4", "--max-memory", "-1"], "the memory limit must be more than 0"),
        (["--memory", "4", "--jobs", "0"], "the jobs must be more than 0"),
        (["--memory", "4", "--out", "x.txt"], "x.txt: a schedule is kept as .npz or .jsonl"),
        (["--memory", "4", "--out", "nowhere/x.npz"], "nowhere/x.npz: cannot be written"),
    ],
)
def test_refusals(arguments, sentence):
    ending = run_redblue("solve", "fft:n=4", *arguments)
    assert ending.code == 2
    assert ending.sentence.startswith(sentence)


def test_nothing_to_compute():
    solution = solve(CDAG([0, 0, 0], []), 1, time_limit=1)
    assert (solution.count.io, solution.status) == (0, "optimal")


def test_it_tells_what_it_does():
    told = []
    solve(fft(8), 4, time_limit=60, progress=told.append)
    assert told[0] == "compiling"
    assert [line.partition(":")[0] for line in told[1:3]] == [
        "looking for a first schedule",
        "proving bounds",
    ]
    assert "at least 16 by compulsory" in told[2]
