"""Plays with recomputation: copies of what is computed again, and the search among them."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from dags import fft, random_layered
from pebble import RULES, Budget, judge
from schedulers.search import local_search, recomputing, rematerialize
from schedulers.search.portfolio import portfolio
from schedulers.search.recomputation import copies_of, merged, split
from schedulers.search.replay import new_replay
from tests.strategies import dags, memories

AGAIN = [rules for rules in RULES.values() if rules.recompute]


@given(st.data(), st.sampled_from(AGAIN), st.integers(0, 99))
def test_a_play_of_copies_is_a_play(data, rules, seed):
    drawn = dags(max_vertices=16, in_place=data.draw(st.booleans()))
    dag = data.draw(drawn.filter(lambda dag: dag.computed.size))
    memory = data.draw(memories(dag, rules))
    schedule = portfolio(dag, memory, rules=rules)[0].moves()
    schedule = split(dag, schedule, np.random.default_rng(seed)) or schedule
    copies = copies_of(dag, schedule)
    replay = new_replay(copies.dag, memory, rules=rules)
    io = replay.start(copies.dag.computed)
    built = merged(dag, copies, replay.schedule())
    assert judge(dag, built, memory, rules=rules).io <= io
    assert np.array_equal(np.unique(copies.vertex[copies.dag.computed]), dag.computed)


@settings(max_examples=5)
@given(st.data(), st.sampled_from(AGAIN))
def test_it_is_legal_and_moves_no_more(data, rules):
    dag = data.draw(dags(max_vertices=12, in_place=data.draw(st.booleans())))
    memory = data.draw(memories(dag, rules))
    first = portfolio(dag, memory, rules=rules)[0]
    result = recomputing(dag, first.moves(), memory, rules=rules, budget=Budget(0.02))
    assert judge(dag, result, memory, rules=rules).io <= first.io


def test_it_finds_what_does_not_pay_at_once():
    dag, rules = random_layered(20, seed=4), RULES["recompute"]
    once = local_search(dag, 5, [dag.computed], iterations=20_000)
    known = rematerialize(dag, once.schedule, 5)
    io = judge(dag, known, 5, rules=rules).io
    assert once.io == io == 15
    result = recomputing(dag, known, 5, rules=rules, budget=Budget(60.0), goal=14)
    assert judge(dag, result, 5, rules=rules).io == 14


def test_what_is_never_loaded_is_not_split():
    dag = fft(4)
    schedule = portfolio(dag, 12, rules=RULES["recompute"])[0].moves()
    assert split(dag, schedule, np.random.default_rng(0)) is None
    assert rematerialize(dag, schedule, 12) == schedule
