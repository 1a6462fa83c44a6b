"""Conjugate gradients: structured orders are legal and move what their file states."""

from math import prod

import pytest

from dags import conjugate_gradient
from pebble import judge, play
from schedulers import EVICTIONS, ORDERS, accesses, structured
from schedulers.families import FAMILIES

SHAPES = [(90,), (20, 30), (30, 20), (5, 6, 7), (3, 4, 3, 4)]


@pytest.mark.parametrize("shape", [(1,), (7,), (4, 3), (3, 3, 3)])
@pytest.mark.parametrize("steps", [1, 2, 4])
def test_orders_compute_everything_once(shape, steps):
    dag = conjugate_gradient(shape, steps)
    for memory in (3, 6, 20):
        for order in FAMILIES["conjugate_gradient"](dag, memory):
            assert sorted(order.tolist()) == dag.computed.tolist()
            built = EVICTIONS["belady"](accesses(dag, order), memory)
            assert built.io >= judge(dag, structured(dag, memory), memory).io


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("neighbourhood", ["star", "box"])
@pytest.mark.parametrize("periodic", [False, True])
@pytest.mark.parametrize("steps", [1, 3, 12])
def test_a_step_moves_eight_vectors_and_the_matrix(shape, neighbourhood, periodic, steps):
    dag = conjugate_gradient(shape, steps, neighbourhood, periodic)
    points = prod(shape)
    nonzeros = dag.inputs.size - points
    plane = points // shape[0]
    memory = 2 * plane + 2 * (plane // shape[1] if len(shape) > 1 else 1) + 12
    io = play(dag, structured(dag, memory), memory).io
    assert io <= steps * ((9 if periodic else 8) * points + nonzeros)


def test_fewer_passes_than_any_generic_order():
    dag = conjugate_gradient((30, 30), 5)
    for memory in (8, 24, 70, 200):
        generic = min(
            policy(accesses(dag, order(dag)), memory).io
            for order in ORDERS.values()
            for policy in EVICTIONS.values()
        )
        assert play(dag, structured(dag, memory), memory).io < 0.99 * generic
