"""The cheapest sequences of layers, against the recurrence as it is stated."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dags import stencil
from dags.arrays import lock
from proofs import check, segments
from proofs.lemmas.isoperimetry import _kernels
from proofs.lemmas.isoperimetry.layers import between_layers
from proofs.lemmas.isoperimetry.neighbourhoods import Points


def naive_layers(beta, eta, reach, nothing):
    """least[size] by all layers behind all layers: a layer of v behind one of u has a price."""
    widest = beta.size - 1
    minimum = [0] + [nothing] * reach
    cost = {}  # by vertices so far, and vertices in the last layer
    for size in range(1, reach + 1):
        for v in range(1, min(size, widest) + 1):
            remaining = size - v
            behind = [
                cost[remaining, u] + max(beta[v] - u, 0) + max(u - eta[v], 0)
                for u in range(1, min(remaining, widest) + 1)
            ]
            cost[size, v] = min([minimum[remaining] + beta[v], *behind])
            minimum[size] = min(minimum[size], cost[size, v] + v)
    return minimum


@given(st.lists(st.integers(0, 6), min_size=1, max_size=12), st.integers(1, 30))
def test_one_pass_finds_what_all_pairs_of_layers_cost(beyond, reach):
    beta = lock(np.maximum.accumulate([0, *(v + extra for v, extra in enumerate(beyond, 1))]))
    eta = np.searchsorted(beta, np.arange(beta.size), side="right") - 1
    minimum = np.full(reach + 1, 2 * beta.size)
    _kernels.layer_by_layer(beta, eta, minimum)
    assert minimum.tolist() == naive_layers(beta, eta, reach, 2 * beta.size)


def test_what_was_asked_before_changes_nothing():
    """Of sets that fill a box some read more than the largest ones."""
    box = Points((3, 7, 5), False, "open")
    before, after = between_layers(box), between_layers(box)
    after(290)
    assert [after(size) for size in range(1, 323)] == [before(size) for size in range(1, 323)]


def test_a_bound_of_a_small_box_is_what_its_certificate_proves():
    dag = stencil((3, 7, 5), 8)
    check(dag, 75, segments(dag, 75, time_limit=0.1))
