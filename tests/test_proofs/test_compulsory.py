import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dags import UnknownNameError, fft, from_edges, grid, matmul, tree
from pebble import ONE_SHOT, RULES, Rules, min_memory, play
from proofs import BOUNDS, Bound, bound_named, compulsory
from schedulers import SCHEDULERS
from tests.oracles import optimum
from tests.strategies import dags

SLIDING = Rules(sliding=True)
LARGEST_GOLDEN = 12  # vertices; the larger ones take the oracle a minute

BY_HAND = {
    "two inputs, one output": (from_edges(3, [(0, 2), (1, 2)]), 3),
    "sizes": (from_edges(3, [(0, 2), (1, 2)], words=[2, 3, 7]), 12),
    "an input that nobody reads": (from_edges(4, [(0, 2), (1, 2)], words=[2, 3, 7, 100]), 12),
    "an output with a successor": (from_edges(3, [(0, 1), (1, 2)], outputs=[1]), 3),
    "the same, with sizes": (from_edges(3, [(0, 1), (1, 2)], words=[4, 5, 6], outputs=[1]), 15),
    "an input that two read": (from_edges(3, [(0, 1), (0, 2)], words=[10, 1, 1]), 12),
    "a value in between": (from_edges(3, [(0, 1), (1, 2)], words=[1, 100, 1]), 2),
    "no computation": (from_edges(3, []), 0),
}


@pytest.mark.parametrize(("dag", "io"), BY_HAND.values(), ids=BY_HAND)
def test_by_hand(dag, io):
    assert compulsory(dag, 1).io == io


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_a_bound_says_what_it_holds_for(rules):
    assert compulsory(fft(8), 5, rules=rules) == Bound("compulsory", 5, 16, rules)


def test_bounds_by_name():
    assert bound_named("compulsory") is compulsory
    assert all(method(fft(8), 4, rules=ONE_SHOT).method == name for name, method in BOUNDS.items())
    with pytest.raises(UnknownNameError, match="no bound is called 'nothing'; known: compulsory"):
        bound_named("nothing")


@pytest.mark.parametrize(
    ("dag", "rules", "optima"),
    [
        (fft(4), ONE_SHOT, {2: None, 3: 14, 4: 11, 5: 9, 6: 8}),
        (fft(4), Rules(recompute=True), {2: None, 3: 14, 4: 11, 5: 9, 6: 8}),
        (fft(4), SLIDING, {1: None, 3: 12, 4: 10, 5: 8}),
        (tree(3), ONE_SHOT, {3: 15, 4: 11, 5: 9}),
        (tree(3), SLIDING, {2: 15, 3: 11, 4: 9}),
        (matmul(3, k=1), ONE_SHOT, {3: 19, 4: 17, 5: 15}),
        (matmul(2), ONE_SHOT, {4: 17, 5: 14, 6: 13, 7: 12}),
        (grid((4, 4)), ONE_SHOT, {3: 14, 4: 6, 5: 2}),
    ],
)
def test_the_oracle_finds_published_optima(dag, rules, optima):
    assert {memory: optimum(dag, memory, rules) for memory in optima} == optima


def test_the_oracle_finds_the_shared_optima(shared):
    golden = json.loads((shared / "golden" / "exact_optima.json").read_text())
    graphs = {
        name: from_edges(graph["n"], graph["edges"]) for name, graph in golden["graphs"].items()
    }
    small = [case for case in golden["optima"] if graphs[case["graph"]].n <= LARGEST_GOLDEN]
    assert len(small) > 50
    for case in small:
        dag, memory, rules = graphs[case["graph"]], case["memory"], RULES[case["rules"]]
        assert optimum(dag, memory, rules) == case["io"], case


@given(st.data())
@settings(max_examples=150)
def test_oracle_needs_as_much_memory_as_the_game(data):
    dag = data.draw(dags(max_vertices=6))
    rules = data.draw(st.sampled_from(list(RULES.values())))
    least = min_memory(dag, rules=rules)
    assert optimum(dag, least, rules) is not None
    assert not dag.m or optimum(dag, least - 1, rules) is None


@given(st.data())
@settings(max_examples=500)
def test_bounds_never_exceed_the_optimum_and_no_scheduler_beats_it(data):
    dag = data.draw(dags(max_vertices=7))
    least = min_memory(dag)
    memory = data.draw(st.integers(least, least + 4))
    best = optimum(dag, memory, ONE_SHOT)
    for method in BOUNDS.values():
        assert method(dag, memory, rules=ONE_SHOT).io <= best
    for scheduler in SCHEDULERS.values():
        assert play(dag, scheduler(dag, memory), memory).io >= best


@given(st.data())
@settings(max_examples=150)
def test_bounds_hold_under_all_rules_and_more_freedom_costs_no_more(data):
    dag = data.draw(dags(max_vertices=6))
    least = min_memory(dag)
    memory = data.draw(st.integers(least, least + 3))
    best = {name: optimum(dag, memory, rules) for name, rules in RULES.items()}
    for name, rules in RULES.items():
        for method in BOUNDS.values():
            assert method(dag, memory, rules=rules).io <= best[name]
    assert best["recompute-sliding"] <= best["recompute"] <= best["one-shot"]
    assert best["recompute-sliding"] <= best["one-shot-sliding"] <= best["one-shot"]


@given(dags(max_vertices=10))
@settings(max_examples=150)
def test_with_room_for_everything_the_bound_is_met(dag):
    memory = int(dag.sizes.sum())
    io = compulsory(dag, memory).io
    for scheduler in SCHEDULERS.values():
        assert play(dag, scheduler(dag, memory), memory).io == io
