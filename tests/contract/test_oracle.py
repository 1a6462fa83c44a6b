"""The exhaustive oracle of the tests, held to published optima."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dags import fft, from_edges, grid, matmul, tree
from pebble import ONE_SHOT, RULES, Rules, min_memory
from tests.oracles import optimum
from tests.strategies import dags

SLIDING = Rules(sliding=True)
LARGEST_GOLDEN = 12  # vertices; the larger ones take the oracle a minute


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
    smallest = min_memory(dag, rules=rules)
    assert optimum(dag, smallest, rules) is not None
    assert not dag.m or optimum(dag, smallest - 1, rules) is None
