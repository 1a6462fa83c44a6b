"""Shares of time that are learned from drawn DAGs."""

import pytest

from dags import matmul, random_layered
from redblue.racing.proving import (
    SEARCHING,
    experience,
    learned_shares,
    searching_bounds,
    shape_of,
    shares,
    shares_of,
)


def test_every_method_gets_a_share_the_best_the_most():
    result = learned_shares(random_layered(200, seed=7), 8)
    assert set(result) == set(SEARCHING)
    first, *remaining = result.values()
    assert remaining[-1] == 1.0
    assert all(0 < share <= 1 for share in result.values())
    assert first == max(first, (1 - first) * remaining[0])


def test_equal_methods_share_and_poor_ones_get_little():
    result = shares({"poor": 0.4, "good": 0.0, "as good": 0.0})
    assert list(result) == ["good", "as good", "poor"]
    assert result["good"] == pytest.approx(1 / 2.05)
    assert result["as good"] == pytest.approx(1 / 1.05)


def test_nothing_is_learned_far_away():
    assert learned_shares(matmul(14), 300) is None
    assert set(searching_bounds(matmul(14), 300)) == set(SEARCHING)


def test_an_instance_is_left_out_and_nothing_may_be_learned():
    everything, chosen = experience(), experience("fixed_90")
    assert len(everything.shapes) - len(chosen.shapes) == 3
    assert (everything.losses.min(axis=1) == 0).all()
    dag = random_layered(200, seed=7)
    assert set(shares_of(dag, 30, learned=lambda *game: None)) == set(SEARCHING)


def test_shapes_are_logarithms():
    shape = shape_of(random_layered(128, seed=7), 8)
    assert shape.vertices == 7
    assert shape.room >= 0
