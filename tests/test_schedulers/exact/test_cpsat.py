"""CP-SAT's plays against exhaustive search, published optima and the exact search."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dags import CDAG, fft, matmul, pyramid, random_layered
from pebble import ONE_SHOT, RULES, InvalidRulesError, judge, min_memory
from schedulers.exact import exact
from schedulers.exact.cpsat import cp_sat
from schedulers.exact.cpsat.model import decisions, play_of, schedule_of
from tests.oracles import optimum
from tests.strategies import dags, legal_schedules, memories

OPTIMA = Path(__file__).resolve().parents[4] / "shared" / "golden" / "exact_optima.json"
ONCE = [ONE_SHOT, RULES["one-shot-sliding"]]
once = pytest.mark.parametrize("rules", ONCE, ids=lambda rules: rules.name)


def compulsory(dag):
    return dag.words_of(dag.used_inputs) + dag.words_of(dag.outputs)


@given(st.data(), st.sampled_from(ONCE))
@settings(max_examples=120)
def test_the_optimum_of_small_games(data, rules):
    dag = data.draw(dags(max_vertices=8))
    memory = data.draw(memories(dag, rules))
    result = cp_sat(dag, memory, rules=rules)
    assert (result.status, result.io) == ("optimal", optimum(dag, memory, rules))
    assert result.lower_bound == judge(dag, result.schedule, memory, rules=rules).io


@pytest.mark.skipif(not OPTIMA.exists(), reason="the published optima are not here")
def test_published_optima():
    known = json.loads(OPTIMA.read_text())
    for row in known["optima"]:
        if row["rules"] != "one-shot":
            continue
        graph = known["graphs"][row["graph"]]
        operands = [[] for _ in range(graph["n"])]
        for u, v in graph["edges"]:
            operands[v].append(u)
        together = [u for members in operands for u in sorted(members)]
        dag = CDAG(np.cumsum([0, *map(len, operands)]), together)
        result = cp_sat(dag, row["memory"], time_limit=60)
        assert (result.io, result.status) == (row["io"], "optimal"), row


@once
@pytest.mark.parametrize("dag", [matmul(2), pyramid(4), random_layered(18, max_words=4, seed=5)])
def test_two_methods_agree(dag, rules):
    smallest = min_memory(dag, rules=rules)
    for memory in (smallest, smallest + 2):
        result = cp_sat(dag, memory, rules=rules, time_limit=60)
        solution = exact(dag, memory, rules=rules)
        assert (
            (result.io, result.status) == (solution.io, solution.status) == (solution.io, "optimal")
        )


@given(st.data(), st.sampled_from(ONCE))
@settings(max_examples=200)
def test_a_play_taken_apart_and_put_together_moves_no_more(data, rules):
    dag = data.draw(dags(max_vertices=10))
    memory = data.draw(memories(dag, rules))
    old = data.draw(legal_schedules(dag, memory, rules))
    parts = play_of(dag, old)
    new = schedule_of(dag, parts.order, parts.loaded)
    repeated = judge(dag, new, memory, rules=rules)
    assert repeated.io <= judge(dag, old, memory, rules=rules).io
    assert play_of(dag, new) == parts
    if dag.computed.size:
        full = decisions(dag, parts)
        assert compulsory(dag) + full.cost == repeated.io


def test_a_bound_that_is_met_ends_the_search():
    dag = matmul(2)
    best = exact(dag, 4)
    result = cp_sat(dag, 4, upper=best.schedule, lower_bound=best.io)
    assert (result.io, result.status, result.schedule) == (best.io, "optimal", best.schedule)


def test_values_that_may_be_computed_again_are_refused():
    with pytest.raises(InvalidRulesError, match="no model of computing again"):
        cp_sat(matmul(2), 4, rules=RULES["recompute"])


def test_no_time_and_no_room():
    result = cp_sat(fft(16), 4, time_limit=0)
    assert result.status == "feasible"
    judge(fft(16), result.schedule, 4)
    assert cp_sat(fft(16), 2).status == "infeasible"
