"""The greedy order of fewest loads: against a naive twin, and what it moves."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dags import chain, fft, hypercube
from pebble import play
from schedulers import SCHEDULERS
from schedulers.families.lattices import LARGEST, QUARTERS, fewest_loads
from tests.strategies import dags


def naive(dag, memory, dying, freed, operand):
    """The same order by sets, counted anew in each step."""
    preds = np.split(dag.pred_indices, dag.pred_indptr[1:-1])
    preds = [row.tolist() for row in preds]
    succs = [set(dag.successors[1][a:b].tolist()) for a, b in _rows(dag.successors[0])]
    left, order, touched = set(dag.computed.tolist()), [], {}

    def price(v):
        last = [u for u in preds[v] if succs[u] & left == {v}]
        loads = sum(u not in touched for u in preds[v])
        red = sum(u in touched for u in last)
        entry = QUARTERS * loads - dying * len(last) - freed * red - operand * len(preds[v])
        return entry, v

    while left:
        v = min((v for v in left if not left & set(preds[v])), key=price)
        left.discard(v)
        order.append(v)
        for u in [*preds[v], v]:
            touched[u] = len(order)
        touched = {u: time for u, time in touched.items() if succs[u] & left}
        while touched and sum(int(dag.sizes[u]) for u in touched) >= memory:
            longest = min(touched.values())
            chosen = {u: len(succs[u] & left) for u in touched if touched[u] == longest}
            yield_to = [u for u in chosen if chosen[u] == max(chosen.values())]
            if len(yield_to) > 1:
                return order, False  # which one leaves is anybody's choice
            del touched[yield_to[0]]
    return order, True


def _rows(indptr):
    return zip(indptr[:-1].tolist(), indptr[1:].tolist(), strict=True)


@given(dags(max_vertices=12), st.integers(1, 12), st.tuples(*[st.integers(-1, 6)] * 3))
@settings(max_examples=100)
def test_as_a_naive_twin(dag, memory, prices):
    dying, freed, operand = prices
    order = fewest_loads(dag, memory, dying=dying, freed=freed, operand=operand)
    expected, full = naive(dag, memory, dying, freed, operand)
    assert order[: len(expected)].tolist() == expected
    assert full or sorted(order.tolist()) == dag.computed.tolist()


def test_too_large_a_dag_is_refused():
    with pytest.raises(ValueError, match=str(LARGEST)):
        fewest_loads(chain(LARGEST + 1), 4)


def test_subsets_move_less_than_by_counting():
    for d, memory, counting in ((8, 10, 744), (10, 12, 3836), (10, 128, 1177)):
        dag = hypercube(d)
        assert play(dag, SCHEDULERS["structured"](dag, memory), memory).io <= 0.96 * counting


def test_an_order_of_all_that_is_computed():
    dag = fft(64)
    assert sorted(fewest_loads(dag, 8).tolist()) == dag.computed.tolist()
