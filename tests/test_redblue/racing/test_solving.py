"""``solve``: optimal where the search can tell, replayed, bounded, and interruptible."""

import json
import re
import time

import pytest

import redblue.racing.solving
from dags import CDAG, fft, from_edges, load, matmul, random_layered, tree
from pebble import ONE_SHOT, RULES, Budget, MemoryTooSmallError, Schedule, judge, min_memory
from pebble.budget import Clock
from proofs import check, compulsory, is_optimum
from redblue.racing.at_once import quick_bound
from redblue.racing.race import Race
from redblue.racing.solving import solve
from schedulers.search import candidates_in
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
    solution = solve(dag, memory, time_limit=1)
    assert judge(dag, solution.schedule, memory, rules=ONE_SHOT) == solution.count
    assert compulsory(dag, memory).io <= solution.lower_bound <= solution.count.io
    assert solution.gap == pytest.approx(1 - solution.lower_bound / solution.count.io)


def test_jobs_search_side_by_side():
    dag = random_layered(90, seed=4)
    memory = min_memory(dag) + 2
    solution = solve(dag, memory, time_limit=1, jobs=2)
    assert judge(dag, solution.schedule, memory).io == solution.count.io


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "memory"), [("bitonic_sort:n=16", 8), ("matmul:n=5", 12)])
def test_several_processes_never_know_less_than_one(spec, memory):
    single, several = (solve(spec, memory, effort=1, jobs=jobs) for jobs in (1, 2))
    assert several.count.io <= single.count.io
    assert several.lower_bound >= single.lower_bound
    assert judge(load(spec), several.schedule, memory).io == several.count.io
    check(load(spec), memory, several.bound)


def test_few_seconds_are_shared_where_plays_take_them_all(monkeypatch):
    def slow_plays(*game, rules, budget):
        while True:
            time.sleep(0.02)
            yield next(candidates_in("natural", [game[0].computed], *game, rules))

    monkeypatch.setattr("redblue.racing.at_once.counted_plays", slow_plays)
    monkeypatch.setattr(redblue.racing.solving, "AT_ONCE", 100)
    solution = solve(matmul(8), 6, time_limit=0.6)
    assert solution.lower_bound > compulsory(matmul(8), 6).io


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

    monkeypatch.setattr(redblue.racing.solving, stage, interrupted)
    dag = matmul(5) if stage == "_side_by_side" else fft(8)
    solution = solve(dag, 5, time_limit=1)
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
    assert run_redblue("check", "fft:n=4", out, "--memory", 4).code == 0
    first, second = run_redblue(*command[:-2]).out.splitlines()
    assert first.startswith("11 words of I/O (")
    assert second.startswith("optimal, proved by ")


def test_a_gap_is_told_in_a_sentence():
    asked = ("solve", "fft:n=64", "--memory", 16, "--time-limit", 0.1)
    first, second = run_redblue(*asked).out.splitlines()
    words = int(first.split()[0].replace(",", ""))
    match = re.match(
        r"Proved: no schedule moves fewer than ([\d,]+) words \(by [a-z-]+\)\. "
        r"The best one found moves ([\d.]+) times that\. [\d.]+ s",
        second,
    )
    minimum, ratio = int(match[1].replace(",", "")), float(match[2])
    assert ratio > 1
    assert words / minimum == pytest.approx(ratio, rel=0.05)


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
    texts = []
    solve(fft(8), 4, time_limit=60, progress=texts.append)
    stages = [line.partition(":")[0] for line in texts]
    assert set(stages[:4]) == {
        "proving at once",
        "compiling",
        "looking for a first schedule",
        "trying an exact search",
    }
    assert stages[3] == "trying an exact search"
    assert "at least 26 by butterflies" in texts[3]


def test_a_tiny_dag_waits_for_the_compilation_of_exact_search_alone(monkeypatch):
    compiled = []
    for name in ("_compile_exact", "_compile_best"):
        monkeypatch.setattr(
            redblue.racing.solving, name, lambda recompute, name=name: compiled.append(name)
        )
    assert solve(fft(4), 4).status == "optimal"
    assert compiled == ["_compile_exact"]
    solve(random_layered(80, seed=1), 6, time_limit=0.1)
    assert compiled[1:2] == ["_compile_best"]


def test_the_play_of_a_family_comes_before_searches_are_compiled(monkeypatch):
    """Where it meets a bound, none is."""
    compiled = []
    for name in ("_compile_portfolio", "_compile_best", "_compile_exact"):
        monkeypatch.setattr(redblue.racing.solving, name, compiled.append)
    texts = []
    assert solve(tree(6), 8, progress=texts.append).status == "optimal"
    assert texts[0].startswith("proving at once")
    assert compiled == []


def test_compilation_takes_nothing_from_the_time_of_a_search(monkeypatch):
    """But from that of a command, which ends when it says."""

    def compile_long(recompute):
        time.sleep(0.2)

    for counts in (False, True):
        budget = Budget(1.0, clock=Clock(0.2))
        race = Race(fft(4), 4, ONE_SHOT, budget, compilation_counts=counts)
        race.compile(compile_long)
        assert (race.left > 0) == (not counts)
        assert race.compiling >= 0.2
    monkeypatch.setattr(redblue.racing.solving, "_compile_exact", compile_long)
    solution = solve(fft(4), 4, time_limit=0.15)
    assert solution.status == "optimal"


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize(
    ("spec", "memory"), [("fft:n=8", 5), ("matmul:n=2", 4), ("sweep:shape=3x3,periodic=true", 6)]
)
def test_every_optimum_has_a_certificate(tmp_path, spec, memory, rules):
    file = tmp_path / "proof.json"
    command = ("solve", spec, "--memory", memory, "--rules", rules, "--certificate", file)
    solved = json.loads(run_redblue(*command, "--json").out)
    assert (solved["status"], solved["certificate"]) == ("optimal", "optimum")
    checked = run_redblue("check", spec, file)
    assert checked.code == 0
    assert f"at least {solved['rows'][0]['io']} words" in checked.out
    assert "optimal" in checked.out
    verdict = json.loads(run_redblue("check", spec, file, "--json").out)
    assert (verdict["valid"], verdict["optimal"]) == (True, True)


def test_what_is_not_optimal_has_the_certificate_of_its_bound(tmp_path):
    file = tmp_path / "proof.json"
    spec = "random_layered:n=150,seed=3"
    command = ("solve", spec, "--memory", 12, "--time-limit", 1, "--certificate", file, "--json")
    solved = json.loads(run_redblue(*command).out)
    assert solved["status"] == "feasible"
    verdict = json.loads(run_redblue("check", spec, file, "--json").out)
    lower = next(row for row in solved["rows"] if row["kind"] == "lower")
    assert (verdict["io"], verdict["optimal"]) == (lower["io"], False)


@pytest.mark.parametrize("method", ["exact", "cp-sat", "search"])
def test_no_method_says_optimal_without_a_certificate(method):
    solution = solve(fft(4), 4, method=method, time_limit=20)
    check(fft(4), 4, solution.bound)
    assert (solution.status == "optimal") == (solution.bound.io == solution.count.io)
    assert is_optimum(solution.bound) == (solution.status == "optimal")
    if method != "search":
        assert solution.status == "optimal"


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_values_of_many_words_are_bounded_and_checked(rules):
    dag = matmul(2)
    heavy = CDAG(dag.pred_indptr, dag.pred_indices, words=[2**31] * dag.n)
    memory = 2**31 * min_memory(dag, rules=rules)
    solution = solve(heavy, memory, rules=rules, time_limit=0.5)
    assert compulsory(heavy, memory, rules=rules).io <= solution.lower_bound <= solution.count.io
    check(heavy, memory, solution.bound)


def test_what_is_proved_at_once_comes_before_all_else():
    """A short limit was over before any bound was asked: 8,192 words, where 16,132 take no time."""
    known = quick_bound(fft(4096), 64)
    assert known.io > 16_000
    assert solve(fft(4096), 64, time_limit=0.2).lower_bound == known.io
