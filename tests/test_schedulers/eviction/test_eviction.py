"""Counting, recording and the naive twin say the same; every schedule is legal."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dags import chain, fft, matmul, random_layered, stencil
from pebble import judge, min_memory, play
from schedulers import EVICTIONS, ORDERS, accesses, blocks, schedule
from schedulers.eviction import policies, traffic_within
from schedulers.eviction.policies import MOST_WORDS
from tests import naive
from tests.strategies import dags, memories

TWINS = {
    "lru": naive.lru,
    "fifo": naive.fifo,
    "belady": naive.belady,
    "belady-clean": naive.belady_clean,
    "belady-cost": naive.belady_cost,
}
DEARER = EVICTIONS["belady-clean"], EVICTIONS["belady-cost"]  # by the price of a store


def test_every_policy_has_a_twin():
    assert set(TWINS) == set(EVICTIONS)


@given(st.data(), st.sampled_from(sorted(EVICTIONS)), st.sampled_from(sorted(ORDERS)))
def test_policies_are_their_naive_twins(data, policy, order):
    dag = data.draw(dags(max_vertices=16))
    memory = data.draw(memories(dag))
    layout = accesses(dag, ORDERS[order](dag))
    built = schedule(layout, memory, EVICTIONS[policy])
    twin = naive.play_order(dag, ORDERS[order](dag).tolist(), memory, TWINS[policy])
    assert built == twin
    count = judge(dag, built, memory)
    counted = EVICTIONS[policy](layout, memory)
    assert (counted.loads, counted.stores, counted.io) == (count.loads, count.stores, count.io)


@pytest.mark.parametrize("policy", EVICTIONS)
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(
    "dag",
    [matmul(7), fft(64), stencil((9, 8), 5), random_layered(400, max_words=6, seed=2)],
    ids=str,
)
def test_policies_are_their_naive_twins_on_larger_dags(dag, order, policy):
    layout = accesses(dag, ORDERS[order](dag))
    for memory in (min_memory(dag), 2 * min_memory(dag) + 1, 90):
        built = schedule(layout, memory, EVICTIONS[policy])
        assert built == naive.play_order(dag, ORDERS[order](dag).tolist(), memory, TWINS[policy])
        count = play(dag, built, memory)
        counted = EVICTIONS[policy](layout, memory)
        assert (counted.loads, counted.stores) == (count.loads, count.stores)


@pytest.mark.parametrize("order", ORDERS)
def test_plays_that_dearer_stores_do_not_change_are_told(order):
    names_found = set()
    for dag in (matmul(4), fft(16), stencil((6, 5), 3), random_layered(60, max_words=6, seed=2)):
        layout = accesses(dag, ORDERS[order](dag))
        for memory in range(min_memory(dag), min_memory(dag) + 12):
            clean, dear = (schedule(layout, memory, policy) for policy in DEARER)
            alike = traffic_within(layout, memory, price=1, most=MOST_WORDS).alike
            assert not alike or clean == dear
            names_found.add((alike, clean == dear))
    assert {(True, True), (False, False)} <= names_found


@given(st.data())
def test_what_is_given_up_moves_more(data):
    dag = data.draw(dags(max_vertices=16))
    memory, limit = data.draw(memories(dag)), data.draw(st.integers(0, 60))
    layout = accesses(dag, dag.computed)
    for price, policy in enumerate(DEARER, 1):
        full = policy(layout, memory)
        result = traffic_within(layout, memory, price=price, most=limit)
        assert result == full if full.io <= limit else result.io > limit


def test_blocks_are_the_schedule_cut_between_steps(monkeypatch):
    dag = fft(64)
    layout = accesses(dag, dag.computed)
    full = schedule(layout, 5, EVICTIONS["lru"])
    monkeypatch.setattr(policies, "BLOCK_MOVES", 20)
    parts = list(blocks(layout, 5, EVICTIONS["lru"]))
    assert len(parts) > 50
    assert [pair for part in parts for pair in part] == list(full)
    assert play(dag, parts, 5) == play(dag, full, 5)


@given(st.data())
def test_belady_loads_least_of_all(data):
    dag = data.draw(dags(max_vertices=16, weighted=False))
    memory = data.draw(memories(dag))
    layout = accesses(dag, dag.computed)
    counted = {name: policy(layout, memory) for name, policy in EVICTIONS.items()}
    assert counted["belady"].loads == min(traffic.loads for traffic in counted.values())
    assert counted["belady-clean"].loads == counted["belady"].loads
    assert counted["belady-clean"].stores >= dag.outputs.size


def test_a_chain_moves_only_its_ends():
    dag = chain(50)
    layout = accesses(dag, dag.computed)
    assert all(policy(layout, 2).io == 2 for policy in EVICTIONS.values())
