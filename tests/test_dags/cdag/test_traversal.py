import numpy as np
from hypothesis import given

from dags import from_edges, tree
from dags.arrays import lock
from dags.cdag.construct import post_order
from tests.naive import rows
from tests.strategies import dags


def naive_post_order(preds, with_inputs):
    """Each sink's ancestors just before it, by recursion."""
    order = []

    def visit(v):
        if v not in order and (preds[v] or with_inputs):
            for u in preds[v]:
                visit(u)
            order.append(v)

    read = {u for row in preds for u in row}
    for v in range(len(preds)):
        if v not in read:
            visit(v)
    return order


@given(dags())
def test_the_naive_twin_says_the_same(dag):
    for with_inputs in (True, False):
        result = post_order(dag, with_inputs=with_inputs)
        assert result.tolist() == naive_post_order(rows(dag), with_inputs)
        assert not result.flags.writeable


@given(dags())
def test_operands_are_visited_in_the_order_that_is_asked_for(dag):
    turned = [row[::-1] for row in rows(dag)]
    operands = lock(np.array([u for row in turned for u in row], np.int32))
    assert post_order(dag, operands=operands).tolist() == naive_post_order(turned, True)


def test_isolated_vertices_are_inputs():
    dag = from_edges(3, [(0, 2)])
    assert post_order(dag).tolist() == [1, 0, 2]
    assert post_order(dag, with_inputs=False).tolist() == [2]


def test_a_chain_of_any_length_is_walked():
    n = 200_000
    assert post_order(from_edges(n, [(v, v + 1) for v in range(n - 1)])).tolist() == list(range(n))
    assert post_order(tree(2)).tolist() == [0, 1, 4, 2, 3, 5, 6]
