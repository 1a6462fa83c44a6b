"""Blocks of grids and transforms on arrays of elements, played."""

import pytest

from redblue.papers.experiments.array_claims import (
    Share,
    automatic_claim,
    balanced_share,
    boundary_claim,
    grid_share,
    linear_claim,
    transform_share,
)


@pytest.mark.parametrize(
    ("dimensions", "array", "side"), [(1, (3,), 6), (2, (2,), 4), (2, (3, 3), 6), (3, (2, 2), 4)]
)
def test_a_step_moves_the_points_around_a_block_and_those_on_its_faces(dimensions, array, side):
    result = grid_share(dimensions, array, side)
    assert result.loads == 2 * dimensions * side ** (dimensions - 1)
    assert result.stores == side**dimensions - (side - 2) ** dimensions
    elements = array[0] ** len(array)
    assert result.computes == result.points // elements
    assert result.links == 2 * len(array) * array[0] ** (len(array) - 1)
    assert result.memory > result.points // elements


def test_a_transform_moves_each_point_once():
    result = transform_share(2, 4)
    assert (result.loads, result.stores, result.computes) == (16, 16, 4 * 16 // 2)
    assert result.balance == 2


def test_the_first_share_that_is_balanced():
    result = balanced_share(lambda size: Share(size, size, 2, 0, 2, size), 3.0)
    assert result.points == 3


def test_other_growth_is_refuted():
    def share(points, memory, links=2):
        return Share(points, 1, 1, 0, links, memory)

    alike = {(1, 1): {2: share(2, 4), 4: share(8, 8)}}
    assert linear_claim(alike).verdict == automatic_claim(alike).verdict == "refuted"
    grown = {(2, 1): {2: share(4, 4), 4: share(16, 8)}}
    assert linear_claim(grown).verdict == "confirmed"
    assert boundary_claim({(2, 2): {2: share(4, 4)}}).verdict == "corrected"
