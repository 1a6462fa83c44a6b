"""Merge sort of any size: structured orders are legal and take as few passes as fit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dags import merge_sort
from pebble import judge, play
from schedulers import EVICTIONS, ORDERS, accesses, schedule, structured
from schedulers.families import FAMILIES


def passes(n, ways, run, limit):
    """How often keys are moved if passes of merges are joined while there are `most` lists."""
    length, lists, count = 1, limit + 1, 0
    fan = run
    while length < n:
        if fan > 1:
            joined = lists * fan <= limit
            lists = lists * fan if joined else fan
            count += not joined
        length, fan = length * fan, ways
    return count


@given(
    st.integers(2, 70), st.integers(2, 9), st.integers(1, 12), st.integers(0, 3), st.integers(3, 40)
)
def test_orders_are_legal(n, ways, run, seed, memory):
    dag = merge_sort(n, ways=ways, run=run, seed=seed)
    for order in FAMILIES["merge_sort"](dag, memory):
        built = schedule(accesses(dag, order), memory, EVICTIONS["belady"])
        assert judge(dag, built, memory).computes == dag.computed.size


@pytest.mark.parametrize(
    ("n", "ways", "run"), [(1000, 6, 6), (1000, 3, 10), (777, 2, 5), (900, 30, 1), (100, 7, 7)]
)
@pytest.mark.parametrize("memory", [11, 13, 31, 40, 61, 200, 1000])
def test_merges_that_fit_together_are_one_pass(n, ways, run, memory):
    if max(ways, run) >= memory:
        return
    dag = merge_sort(n, ways=ways, run=run, seed=2)
    io = play(dag, structured(dag, memory), memory).io
    assert io <= 2 * n * passes(n, ways, run, memory - 1)


def test_uneven_merges_beat_every_generic_order():
    dag = merge_sort(2000, ways=3, run=7)
    for memory in (6, 12, 30, 100):
        generic = min(
            policy(accesses(dag, order(dag)), memory).io
            for order in ORDERS.values()
            for policy in EVICTIONS.values()
        )
        assert play(dag, structured(dag, memory), memory).io < 0.95 * generic
