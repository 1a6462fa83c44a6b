"""Orders are topological, and their naive twins'."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dags import InvalidDAGError, fft, random_layered, stencil, tree
from pebble import judge, min_memory
from schedulers import EVICTIONS, ORDERS, accesses, in_order_of_play, schedule
from schedulers.eviction import belady
from tests import naive
from tests.strategies import dags

TWINS = {
    "natural": lambda dag: dag.computed.tolist(),
    "depth-first": naive.depth_first,
    "breadth-first": naive.breadth_first,
    "least-live": naive.least_live,
}


def test_every_order_has_a_twin():
    assert set(TWINS) == set(ORDERS)


@given(dags(max_vertices=16), st.sampled_from(sorted(ORDERS)))
def test_orders_are_their_naive_twins(dag, name):
    order = ORDERS[name](dag)
    assert order.tolist() == TWINS[name](dag)
    assert not order.flags.writeable


@pytest.mark.parametrize("name", ORDERS)
@pytest.mark.parametrize(
    "dag", [fft(32), stencil((5, 6), 3), random_layered(150, max_words=4, seed=5)], ids=str
)
def test_orders_are_their_naive_twins_on_larger_dags(dag, name):
    order = ORDERS[name](dag).tolist()
    assert order == TWINS[name](dag)
    place = {v: i for i, v in enumerate(order)}
    for v in order:
        row = dag.pred_indices[dag.pred_indptr[v] : dag.pred_indptr[v + 1]].tolist()
        assert all(place.get(u, -1) < place[v] for u in row)


@pytest.mark.parametrize("seed", range(3))
def test_rows_that_are_long_are_sorted_like_short_ones(seed):
    dag = random_layered(300, layers=4, max_indegree=90, max_words=9, seed=seed)
    assert dag.indegree.max() > 60
    for name, twin in TWINS.items():
        order = ORDERS[name](dag)
        assert order.tolist() == twin(dag)
        layout = accesses(dag, order)
        values = np.where(layout.touched < 0, ~layout.touched, layout.touched)
        rows = naive.rows_as_touched(dag, order.tolist())
        expected = [u for v in order.tolist() for u in [*rows[v], v]]
        assert layout.name[values].tolist() == expected
        assert in_order_of_play(layout).dag.indegree.max() == dag.indegree.max()


@pytest.mark.parametrize("height", [2, 3, 5])
def test_depth_first_plays_trees_with_the_least_memory(height):
    dag = tree(height)
    layout = accesses(dag, ORDERS["depth-first"](dag))
    assert belady(layout, height + 2).io == 2**height + 1  # Savage; one more word than sliding
    assert belady(layout, height + 1).io > 2**height + 1


@given(dags(max_vertices=16))
def test_accesses_are_operands_then_result_with_the_last_ones_marked(dag):
    layout = accesses(dag, dag.computed)
    rows = naive.rows_as_touched(dag, dag.computed.tolist())
    expected = [[*rows[v], v] for v in dag.computed.tolist()]
    flat = [u for step in expected for u in step]
    values = np.where(layout.touched < 0, ~layout.touched, layout.touched)
    assert layout.name[values].tolist() == flat
    last = [u not in flat[place + 1 :] for place, u in enumerate(flat)]
    assert (layout.touched < 0).tolist() == last
    firsts = dict.fromkeys(u for v in dag.computed.tolist() for u in [*naive.rows(dag)[v], v])
    assert layout.name.tolist() == list(firsts)
    following = [
        flat.index(u, place + 1) if not last[place] else -1 for place, u in enumerate(flat)
    ]
    assert layout.following.tolist() == following
    assert layout.step_of.tolist() == [i for i, step in enumerate(expected) for _ in step]


@given(dags(max_vertices=16), st.sampled_from(sorted(ORDERS)))
def test_in_order_of_play_is_the_same_game(dag, name):
    layout = accesses(dag, ORDERS[name](dag))
    equal = in_order_of_play(layout)
    assert equal.name.tolist() == list(range(layout.values))
    assert equal.dag.computed.size == dag.computed.size
    fresh = accesses(equal.dag, equal.dag.computed)
    assert (fresh.touched == layout.touched).all()
    minimum = max(min_memory(dag), 1)
    for policy in EVICTIONS.values():
        current, present = schedule(layout, minimum, policy), schedule(equal, minimum, policy)
        assert layout.name[present.vertex].tolist() == current.vertex.tolist()
        assert judge(equal.dag, present, minimum) == judge(dag, current, minimum)


@pytest.mark.parametrize(
    "order", [[], [4, 5], [4, 5, 5], [4, 5, 99], [-1, 4, 5], [0, 4, 5], [6, 4, 5]]
)
def test_orders_that_are_none_are_refused(order):
    with pytest.raises(InvalidDAGError, match="order"):
        accesses(tree(2), order)
