"""The best evictions for an order, against exhaustive search and against the policies."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dags import CDAG, InvalidDAGError, fft, grid, matmul, random_layered
from pebble import ONE_SHOT, RULES, UNLIMITED, judge, min_memory
from schedulers import EVICTIONS, ORDERS, accesses
from schedulers.exact.fixed_order import gaps, optimal_eviction
from schedulers.exact.fixed_order.search import decide
from tests.naive import rows
from tests.oracles import optimum
from tests.strategies import dags, memories

SLIDING = RULES["one-shot-sliding"]


@st.composite
def orders(draw, dag):
    """Draw a topological order of the computed vertices."""
    preds, waiting, order = rows(dag), set(dag.computed.tolist()), []
    while waiting:
        ready = sorted(v for v in waiting if not waiting & set(preds[v]))
        order.append(draw(st.sampled_from(ready)))
        waiting.remove(order[-1])
    return order


def weighted(dag, seed=0):
    """The same DAG with sizes from 1 to 5."""
    words = np.random.default_rng(seed).integers(1, 6, dag.n)
    return CDAG(dag.pred_indptr, dag.pred_indices, words=words, outputs=dag.outputs)


@given(st.data(), st.sampled_from([ONE_SHOT, SLIDING]))
@settings(max_examples=200)
def test_least_of_all_plays_in_the_order(data, rules):
    dag = data.draw(dags(max_vertices=9))
    order = data.draw(orders(dag))
    memory = data.draw(memories(dag, rules))
    result = optimal_eviction(dag, order, memory, rules=rules)
    assert result.status == "optimal"
    assert result.io == result.order_bound == optimum(dag, memory, rules, order)
    assert judge(dag, result.schedule, memory, rules=rules).io == result.io


@pytest.mark.parametrize("rules", [ONE_SHOT, SLIDING], ids=lambda rules: rules.name)
@pytest.mark.parametrize("make", [lambda: fft(64), lambda: matmul(5), lambda: grid((12, 12))])
@pytest.mark.parametrize("sizes", [lambda dag: dag, weighted], ids=["unit", "weighted"])
def test_no_policy_is_better(make, rules, sizes):
    dag = sizes(make())
    memory = min_memory(dag) + 3
    for order in (ORDERS["depth-first"](dag), ORDERS["least-live"](dag)):
        result = optimal_eviction(dag, order, memory, rules=rules, time_limit=30)
        layout = accesses(dag, order)
        assert result.order_bound <= result.io
        assert result.io <= min(policy(layout, memory).io for policy in EVICTIONS.values())
        computed = result.schedule.vertex[result.schedule.op == 2]
        assert computed.tolist() == order.tolist()
        assert judge(dag, result.schedule, memory, rules=rules).io == result.io


def test_more_freedom_costs_no_more():
    dag = random_layered(120, seed=3)
    order = ORDERS["depth-first"](dag)
    smallest = min_memory(dag)
    costs = [optimal_eviction(dag, order, smallest + extra).io for extra in range(6)]
    assert costs == sorted(costs, reverse=True)
    for memory, placed in enumerate(costs, smallest):
        assert optimal_eviction(dag, order, memory, rules=SLIDING).io <= placed


def test_cp_sat_alone_agrees_with_the_relaxation():
    dag = weighted(random_layered(40, seed=1))
    order = ORDERS["depth-first"](dag)
    memory = min_memory(dag) + 2
    result = optimal_eviction(dag, order, memory)
    compulsory = dag.words_of(dag.used_inputs) + dag.words_of(dag.outputs)
    problem = gaps(accesses(dag, order), memory, ONE_SHOT)
    everything = problem.cost(np.ones(problem.value.size, bool))
    single = decide(problem, None, everything + 1, UNLIMITED)
    assert compulsory + single.bound == result.io == result.order_bound
    assert problem.holds(single.away)
    assert problem.cost(single.away) == single.bound


def test_nothing_is_away_where_memory_is_large():
    result = optimal_eviction(fft(16), fft(16).computed, 1000)
    assert (result.io, result.status, result.prices) == (32, "optimal", None)


def test_no_time_is_a_feasible_play():
    dag = fft(256)
    result = optimal_eviction(dag, dag.computed, 16, time_limit=0)
    assert result.status == "feasible"
    assert result.order_bound <= result.io
    judge(dag, result.schedule, 16)


def test_too_little_memory():
    result = optimal_eviction(fft(8), fft(8).computed, 2)
    assert (result.schedule, result.io, result.status) == (None, None, "infeasible")


def test_an_order_must_be_one():
    for wrong in ([1, 2, 3], fft(8).computed[:-1], [*fft(8).computed, 9], [99]):
        with pytest.raises(InvalidDAGError, match="order"):
            optimal_eviction(fft(8), wrong, 4)
    with pytest.raises(InvalidDAGError, match="after a vertex that reads it"):
        optimal_eviction(fft(8), fft(8).computed[::-1], 4)
