"""CP-SAT's plays against exhaustive search, published optima and the exact search."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dags import CDAG, fft, from_edges, grid, matmul, pyramid, random_layered
from pebble import ONE_SHOT, RULES, InvalidRulesError, Move, Schedule, judge, min_memory, play
from schedulers import EVICTIONS, ORDERS, accesses, schedule
from schedulers.exact import exact
from schedulers.exact.cpsat import cp_sat, improve_window
from schedulers.exact.cpsat.windows import play_of, schedule_of, window
from schedulers.exact.first_play import one_at_a_time
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
    found = cp_sat(dag, memory, rules=rules)
    assert (found.status, found.io) == ("optimal", optimum(dag, memory, rules))
    assert found.lower_bound == judge(dag, found.schedule, memory, rules=rules).io


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
        found = cp_sat(dag, row["memory"], time_limit=60)
        assert (found.io, found.status) == (row["io"], "optimal"), row


@once
@pytest.mark.parametrize("dag", [matmul(2), pyramid(4), random_layered(18, max_words=4, seed=5)])
def test_two_methods_agree(dag, rules):
    least = min_memory(dag, rules=rules)
    for memory in (least, least + 2):
        found = cp_sat(dag, memory, rules=rules, time_limit=60)
        other = exact(dag, memory, rules=rules)
        assert (found.io, found.status) == (other.io, other.status) == (other.io, "optimal")


@given(st.data(), st.sampled_from(ONCE))
@settings(max_examples=200)
def test_a_play_taken_apart_and_put_together_moves_no_more(data, rules):
    dag = data.draw(dags(max_vertices=10))
    memory = data.draw(memories(dag, rules))
    old = data.draw(legal_schedules(dag, memory, rules))
    parts = play_of(dag, old)
    new = schedule_of(dag, parts.order, parts.loaded)
    again = judge(dag, new, memory, rules=rules)
    assert again.io <= judge(dag, old, memory, rules=rules).io
    assert play_of(dag, new) == parts
    if dag.computed.size:
        whole = window(dag, parts, 0, len(parts.order))
        assert compulsory(dag) + whole.cost == again.io


@given(st.data(), st.sampled_from(ONCE))
@settings(max_examples=100)
def test_a_window_is_played_better_or_not_at_all(data, rules):
    dag = data.draw(dags(max_vertices=12))
    memory = data.draw(memories(dag, rules))
    old = data.draw(legal_schedules(dag, memory, rules))
    count = dag.computed.size
    first = data.draw(st.integers(0, count))
    last = data.draw(st.integers(first, count))
    new = improve_window(dag, old, memory, rules=rules, first=first, last=last, time_limit=10)
    if new is None:
        return
    before, after = play_of(dag, old).order, play_of(dag, new).order
    assert before[:first] == after[:first]
    assert before[last:] == after[last:]
    assert judge(dag, new, memory, rules=rules).io < judge(dag, old, memory, rules=rules).io


@once
def test_the_window_of_everything_finds_the_optimum(rules):
    dag = matmul(2)
    memory = min_memory(dag, rules=rules)
    worst = one_at_a_time(dag)
    new = improve_window(
        dag, worst, memory, rules=rules, first=0, last=dag.computed.size, time_limit=60
    )
    assert play(dag, new, memory, rules=rules).io == exact(dag, memory, rules=rules).io


def test_windows_improve_a_poor_play():
    dag = grid((6, 6))
    memory = 4
    poor = schedule(accesses(dag, ORDERS["natural"](dag)), memory, EVICTIONS["lru"])
    costs = [play(dag, poor, memory).io]
    for first in range(0, 36, 9):
        poor = improve_window(dag, poor, memory, first=first, last=first + 18, time_limit=1) or poor
        costs.append(play(dag, poor, memory).io)
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] < costs[0]


def test_a_bound_that_is_met_ends_the_search():
    dag = matmul(2)
    best = exact(dag, 4)
    found = cp_sat(dag, 4, upper=best.schedule, lower_bound=best.io)
    assert (found.io, found.status, found.schedule) == (best.io, "optimal", best.schedule)


def test_values_that_may_be_computed_again():
    """The whole game is refused, windows are of plays that compute no value again."""
    again = RULES["recompute"]
    with pytest.raises(InvalidRulesError, match="no model of computing again"):
        cp_sat(matmul(2), 4, rules=again)
    game, window = (matmul(2), one_at_a_time(matmul(2)), 4), {"first": 0, "last": 12}
    better = improve_window(*game, rules=again, **window)
    assert list(better) == list(improve_window(*game, **window))
    inputs = [(Move.LOAD, 0), (Move.COMPUTE, 1), (Move.DELETE, 1), (Move.COMPUTE, 1)]
    twice = Schedule.from_moves([*inputs, (Move.COMPUTE, 2), (Move.STORE, 2)])
    line = from_edges(3, [(0, 1), (1, 2)])
    judge(line, twice, 3, rules=again)
    assert improve_window(line, twice, 3, rules=again, first=0, last=3) is None


def test_no_time_and_no_room():
    found = cp_sat(fft(16), 4, time_limit=0)
    assert found.status == "feasible"
    judge(fft(16), found.schedule, 4)
    assert cp_sat(fft(16), 2).status == "infeasible"
