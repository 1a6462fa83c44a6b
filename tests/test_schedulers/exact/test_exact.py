"""Exact search against the exhaustive oracle, published optima and what it promises."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dags import CDAG, fft, from_edges, grid, matmul, pyramid, random_layered
from pebble import ONE_SHOT, RULES, IllegalMoveError, Rules, Schedule, judge
from schedulers.exact import TooLargeError, exact
from tests.oracles import optimum
from tests.strategies import dags, memories

RECOMPUTE = Rules(recompute=True)


@given(st.data())
@settings(max_examples=150)
def test_exact_is_the_oracle_with_a_play(data):
    dag = data.draw(dags(max_vertices=8))
    rules = data.draw(st.sampled_from(list(RULES.values())))
    memory = data.draw(memories(dag, rules))
    result = exact(dag, memory, rules=rules)
    assert result.status == "optimal"
    assert result.io == result.lower_bound == optimum(dag, memory, rules)
    assert judge(dag, result.schedule, memory, rules=rules).io == result.io


@given(st.data())
@settings(max_examples=100)
def test_twins_do_not_mislead(data):
    """Fans of equal vertices, some of them outputs with readers."""
    width, readers = data.draw(st.integers(1, 4)), data.draw(st.integers(0, 3))
    sources = data.draw(st.integers(1, 3))
    middle = range(sources, sources + width)
    rows = [[]] * sources + [list(range(sources))] * width + [list(middle)] * readers
    named = data.draw(st.lists(st.sampled_from(list(middle)), unique=True))
    dag = CDAG(np.cumsum([0, *map(len, rows)]), np.concatenate(rows).astype(int), outputs=named)
    rules = data.draw(st.sampled_from(list(RULES.values())))
    memory = data.draw(memories(dag, rules))
    result = exact(dag, memory, rules=rules)
    assert result.io == optimum(dag, memory, rules)
    assert judge(dag, result.schedule, memory, rules=rules).io == result.io


def test_shared_optima_are_reproduced(shared):
    golden = json.loads((shared / "golden" / "exact_optima.json").read_text())
    graphs = {
        name: from_edges(graph["n"], graph["edges"]) for name, graph in golden["graphs"].items()
    }
    for case in golden["optima"]:
        dag, rules = graphs[case["graph"]], RULES[case["rules"]]
        result = exact(dag, case["memory"], rules=rules)
        assert (result.status, result.io) == ("optimal", case["io"]), case


@pytest.mark.parametrize(
    ("dag", "optima"),
    [
        (fft(4), {3: 14, 4: 11, 5: 9, 6: 8}),
        (matmul(2), {4: 17, 5: 14, 6: 13, 7: 12}),
        (grid((5, 5)), {3: 25, 4: 10, 5: 6}),
        # An 8-point butterfly takes 10 words to be played without spilling (2^e + 2).
        (fft(8), {8: 20, 10: 16}),
    ],
    ids=str,
)
def test_published_optima(dag, optima):
    for memory, io in optima.items():
        result = exact(dag, memory)
        assert (result.status, result.io) == ("optimal", io)
        assert judge(dag, result.schedule, memory).io == io


def test_recomputation_wins_on_a_butterfly():
    dag = fft(8)
    once, repeated = exact(dag, 9), exact(dag, 9, rules=RECOMPUTE)
    assert (once.io, repeated.io) == (18, 17)
    assert judge(dag, repeated.schedule, 9, rules=RECOMPUTE).recomputes


@pytest.mark.parametrize("dag", [fft(8), pyramid(6), matmul(2, k=3), random_layered(26)], ids=str)
def test_more_memory_costs_no_more_until_only_the_compulsory_is_left(dag):
    minimum = int(dag.used_inputs.size + dag.outputs.size)
    memory, before = int(dag.indegree.max()) + 1, None
    while before != minimum:
        result = exact(dag, memory)
        assert result.status == "optimal"
        assert judge(dag, result.schedule, memory).io == result.io
        assert minimum <= result.io <= (before or result.io)
        memory, before = memory + 1, result.io


def test_an_upper_bound_that_is_met_is_returned():
    dag = fft(8)
    best = exact(dag, 5).schedule
    result = exact(dag, 5, upper=best)
    assert result.status == "optimal"
    assert result.schedule is best


def test_an_upper_bound_that_is_no_play_is_refused():
    with pytest.raises(IllegalMoveError):
        exact(fft(4), 3, upper=Schedule([], []))


@pytest.mark.parametrize("rules", [ONE_SHOT, RECOMPUTE], ids=lambda rules: rules.name)
@pytest.mark.parametrize("limits", [{"time_limit": 0.0}, {"max_memory": 0}], ids=str)
def test_limits_leave_a_play_and_a_bound(rules, limits):
    dag = pyramid(8)
    result = exact(dag, 4, rules=rules, **limits)
    assert result.status == "feasible"
    assert judge(dag, result.schedule, 4, rules=rules).io == result.io
    assert dag.used_inputs.size + dag.outputs.size <= result.lower_bound < result.io


def test_too_little_memory_is_infeasible():
    result = exact(fft(8), 2)
    assert (result.status, result.schedule, result.io) == ("infeasible", None, None)
    assert exact(fft(8), 2, rules=Rules(sliding=True)).status == "optimal"


def test_too_large_a_dag_is_refused():
    assert exact(fft(16), 18).io == 32  # 80 vertices: 64 computed, 64 that are read
    with pytest.raises(TooLargeError, match="64 computed vertices, not 160"):
        exact(fft(32), 8)
