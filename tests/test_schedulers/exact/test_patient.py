"""Schedulers that leave choices to OR-Tools."""

import json

import pytest

from dags import UnknownNameError, fft, load
from pebble import RULES, MemoryTooSmallError, judge
from schedulers import PATIENT, SCHEDULERS, full_name, scheduler_named
from schedulers.exact import optimal_eviction
from tests.command_line import run_redblue

SPECS = ("fft:n=4", "random_layered:n=14,max_words=3,seed=1")


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("name", PATIENT)
def test_schedules_are_legal_under_all_rules(name, rules):
    for spec in SPECS:
        dag = load(spec)
        memory = 4 if dag.words is None else 12
        built = PATIENT[name](dag, memory, rules=RULES[rules], time_limit=0.2)
        count = judge(dag, built, memory, rules=RULES[rules])
        quick = SCHEDULERS["natural+belady-cost"](dag, memory, rules=RULES[rules])
        if not name.endswith("optimal-eviction"):
            assert count.io <= judge(dag, quick, memory, rules=RULES[rules]).io


def test_an_order_moves_no_less_than_its_optimal_eviction():
    dag = load("random_layered:n=30,max_words=4,seed=1")
    minimum = judge(dag, scheduler_named("optimal-eviction")(dag, 16), 16).io
    assert minimum == optimal_eviction(dag, dag.computed, 16).order_bound
    own_part = (name for name in SCHEDULERS if name.startswith("natural+"))
    assert minimum <= min(judge(dag, SCHEDULERS[name](dag, 16), 16).io for name in own_part)


@pytest.mark.parametrize("name", PATIENT)
def test_too_small_a_memory_is_refused(name):
    with pytest.raises(MemoryTooSmallError, match="2 words"):
        PATIENT[name](fft(4), 2, time_limit=0.1)


def test_names():
    assert full_name("optimal-eviction") == "natural+optimal-eviction"
    assert scheduler_named("cp-sat") is PATIENT["cp-sat"]
    with pytest.raises(UnknownNameError, match="'lns' any more: search"):
        full_name("lns")
    assert not set(PATIENT) & set(SCHEDULERS)
    with pytest.raises(UnknownNameError, match="tiled, cp-sat, lru"):
        full_name("nothing")


def test_on_the_command_line():
    names = ("--schedulers", "belady,optimal-eviction,cp-sat", "--bounds", "compulsory")
    record = json.loads(
        run_redblue("curve", "--compare", "fft:n=4", "--memory", 4, *names, "--json").out
    )
    io = {play["method"]: play["io"] for play in record["plays"]}
    assert io["cp-sat"] == 11
    assert io["natural+optimal-eviction"] <= io["natural+belady"]
