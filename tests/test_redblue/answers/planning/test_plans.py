import json
import re
from dataclasses import replace

import pytest

import redblue as rb
from dags import InvalidSpecError
from pebble import Again, IOCount, Rules, Schedule, compulsory_words, judge, min_memory
from proofs import check
from redblue.answers.planning.evidence import Choice, Evidence
from redblue.answers.planning.knees import knee_of
from redblue.answers.planning.least import NoMemoryIsEnoughError, Requirement
from schedulers.exact import exact
from tests.command_line import run_redblue
from tests.training import MIB, training_step


@pytest.mark.parametrize("io", [16, 20, 24, 31, 40])
def test_the_least_memory_for_an_io_is_between_proof_and_play(io):
    dag = rb.load("fft:n=8").dag
    plan = rb.plan(dag, io_at_most=io, effort="quick").requirement
    memory = plan.choice.memory
    assert judge(dag, plan.choice.schedule, memory) == plan.choice.count
    assert plan.choice.count.io <= io
    minimum = next(m for m in range(3, 20) if exact(dag, m).io <= io)
    assert plan.at_least <= minimum <= memory
    if plan.bound is not None:
        assert plan.bound.io > io
        assert plan.bound.memory == plan.at_least - 1
        check(dag, plan.bound.memory, plan.bound)


def test_searches_close_the_interval():
    plan = rb.plan("fft:n=8", io_at_most=22)
    assert plan.requirement.known
    assert plan.requirement.choice.memory == plan.requirement.at_least == 7
    assert plan.end.known
    assert plan.end.choice.memory == 10


def test_the_end_is_where_only_compulsory_io_is_left():
    dag = rb.load("matmul:n=4").dag
    plan = rb.plan(dag, effort="quick")
    assert plan.end.choice.count.io == compulsory_words(dag) == plan.points[-1][1]
    costs = [cost for _, cost in plan.points]
    assert costs == sorted(costs, reverse=True)
    assert plan.requirement is plan.choice is None
    assert plan.points[0][0] == plan.dag["min_memory"]


def test_io_with_a_memory():
    plan = rb.plan("fft:n=8", memory="32B", effort="quick")
    assert plan.choice.memory == 4
    assert plan.bound.io <= 31 <= plan.choice.count.io


def test_work_has_a_price():
    dag = rb.load("fft:n=8").dag
    rules = Rules(recompute=True)
    free, dear = (
        rb.plan(dag, memory=9, rules="recompute", price_of_work=price, effort="quick").choice
        for price in (0.01, 50)
    )
    assert dear.count.recomputes == 0
    assert dear.cost == dear.count.io
    assert free.cost == pytest.approx(free.count.io + 0.01 * free.count.recomputes)
    assert free.cost <= dear.cost
    assert judge(dag, free.schedule, 9, rules=rules) == free.count


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"io_at_most": 20, "memory": 4}, "not both"),
        ({"io_at_most": -1}, "at least 0 words, not -1"),
        ({"price_of_work": 1}, "under the rules 'one-shot' no value is recomputed"),
        ({"price_of_work": -1, "rules": "recompute"}, "at least 0 words, not -1"),
        ({"effort": "much"}, "no effort is called 'much'; known: quick, normal, high"),
        ({"memory": 2}, "2 words"),
    ],
)
def test_what_cannot_be_asked(asked, message):
    with pytest.raises((InvalidSpecError, rb.RedBlueError), match=message):
        rb.plan("fft:n=8", **asked)


def test_no_memory_is_enough():
    with pytest.raises(NoMemoryIsEnoughError, match=r"for 15 words .* every schedule moves 16"):
        rb.plan("fft:n=8", io_at_most=15, effort="quick")
    ending = run_redblue("plan", "fft:n=8", "--io-at-most", 15, "--effort", "quick")
    assert ending.code == 3
    assert ending.sentence.startswith("no memory is enough for 15 words")


def test_the_command(tmp_path):
    out = tmp_path / "a.npz"
    asked = ("plan", "fft:n=8", "--io-at-most", "176B", "--effort", "quick", "--out", out)
    record = json.loads(run_redblue(*asked, "--json").out)
    keys = ["dag", "rules", "price_of_work", "answer", "knee", "end", "points"]
    assert list(record) == [*keys, "word_bytes"]  # of the size that was given in bytes
    assert record["word_bytes"] == 8
    answer = record["answer"]
    assert answer["io_at_most"] == 22
    count = judge(rb.load("fft:n=8").dag, Schedule.load(out), answer["memory"])
    assert count.io == answer["io"] <= 22
    text = run_redblue(*asked).out
    assert re.search(
        rf"To move at most 22 words you need .*\b{answer['memory']}\b.*: 22 words", text
    )
    assert "The knee is at M = " in text
    assert re.search(
        r"To move only compulsory words you need (between .* and )?10\b.*: 16 words", text
    )
    text = run_redblue("plan", "fft:n=8", "--memory", 4, "--effort", "quick").out
    assert "Proved: no schedule moves fewer than " in text


def test_the_least_that_runs_and_large_words_are_told_in_digits():
    count = IOCount(Rules(), 5_242_880, 0, 1, 0, 1, 0, 4)
    choice = Choice(6_000_000, 5_242_880.0, Again(0, 0, 1), count, "best", None)
    result = Requirement(5_242_880.0, 4_000_000, choice, None)
    assert result.sentence("move only compulsory words").startswith(
        "To move only compulsory words you need between 4,000,000 words of memory (below that no "
        "schedule is legal) and 6,000,000: 5,242,880 words of I/O "
    )
    assert (
        replace(result, at_least=6_000_000)
        .sentence("run")
        .startswith("To run you need 6,000,000 words of memory (below that no schedule is legal): ")
    )
    priced = replace(choice, cost=6_242_880.0, again=Again(1, 1, 1))
    assert "6,242,880 words with their price" in str(priced)
    dag = training_step(24)
    too_few = compulsory_words(dag) - 1
    with pytest.raises(NoMemoryIsEnoughError, match=rf"for {too_few:,} words of I/O"):
        rb.plan(dag, io_at_most=too_few, effort="quick")


@pytest.mark.parametrize("rules", ["one-shot", "recompute"])
@pytest.mark.parametrize("question", [{"memory": 10 * MIB}, {"io_at_most": 60 * MIB}, {}])
@pytest.mark.parametrize("layers", [{"weights": 1}, {}, {"seed": 1}])
def test_all_that_is_known_counts_in_every_line(layers, question, rules):
    dag = training_step(8, **layers)
    question = {key: max(value, min_memory(dag)) for key, value in question.items()}
    plan = rb.plan(dag, **question, rules=rules, effort="quick")
    lines = [plan.knee, plan.choice, plan.end.choice, plan.requirement]
    lines[-1] = plan.requirement and plan.requirement.choice
    known = [(line.memory, line.cost) for line in lines if line is not None]
    known += plan.points
    for memory, cost in known:
        assert all(second >= cost for position, second in known if position <= memory)
        if cost <= plan.end.cost:
            assert memory >= plan.end.choice.memory
        if plan.requirement is not None and cost <= plan.requirement.cost:
            assert memory >= plan.requirement.choice.memory
    if plan.bound is not None:
        assert plan.choice.cost >= plan.bound.io
        assert plan.bound.io == compulsory_words(dag) or plan.end.at_least > plan.choice.memory


def test_a_play_counts_from_its_own_peak_on():
    dag = training_step(24)
    evidence = Evidence(dag, Rules(recompute=True))
    peak = evidence.choice(12 * MIB + 1).count.peak
    assert peak <= 12 * MIB
    assert evidence.cheapest(evidence.choice(12 * MIB).cost).memory <= peak
    for memory in evidence.sizes:
        result = evidence.choice(memory)
        assert judge(dag, result.schedule, memory, rules=evidence.rules) == result.count


def test_values_that_are_computed_again_need_little_memory():
    dag = training_step(24)
    assert rb.plan(dag, effort="quick").end.choice.memory == 26 * MIB
    plan = rb.plan(dag, rules="recompute", effort="quick").end
    assert plan.choice.memory <= 5 * MIB
    assert plan.cost == plan.choice.count.io == 2 * MIB
    assert plan.at_least % MIB == 0


def test_knees():
    assert knee_of([(4, 100), (8, 100), (16, 100)]) is None
    assert knee_of([(4, 100), (8, 50)]) is None
    assert knee_of([(4, 64), (8, 32), (16, 16)]) is None  # a straight line
    assert knee_of([(1, 100), (2, 10), (4, 9), (8, 8)]) == 2
