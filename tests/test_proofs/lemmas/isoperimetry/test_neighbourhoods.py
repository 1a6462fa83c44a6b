"""What sets of grid points see, against all sets of small grids and the balls that see least."""

import itertools
from itertools import product

import numpy as np
import pytest

from proofs.lemmas.isoperimetry.neighbourhoods import Points, root_above
from tests.test_proofs.lemmas.isoperimetry.all_sets import (
    ahead,
    back,
    least_by_size,
    lines,
)


@pytest.mark.parametrize(
    "points",
    [
        Points((7,), False, "open"),
        Points((7,), False, "periodic"),
        Points((3, 5), False, "open"),
        Points((4, 4), True, "open"),
        Points((3, 5), False, "periodic"),
        Points((4, 4), False, "periodic"),
        Points((3, 5), True, "periodic"),
        Points((2, 2, 3), False, "open"),
        Points((2, 3, 2), True, "open"),
        Points((4, 4), False, "open"),
    ],
    ids=str,
)
def test_what_points_see(points):
    places = list(np.ndindex(*points.shape))
    steps = list(product((-1, 0, 1), repeat=len(points.shape)))
    steps = [o for o in steps if points.box or sum(map(abs, o)) <= 1]
    seen = []
    for v in places:
        near = [ahead(v, step) for step in steps]
        if points.border == "periodic":
            near = [tuple(a % s for a, s in zip(w, points.shape, strict=True)) for w in near]
        seen.append(sum(1 << places.index(w) for w in set(near) if w in places))
    masks = np.arange(2 ** len(places))
    total = np.zeros_like(masks)
    for i, selected in enumerate(seen):
        total |= np.where(masks >> i & 1, selected, 0)
    exact = least_by_size(np.bitwise_count(masks), np.bitwise_count(total))
    claimed = points(len(places)).tolist()
    assert claimed == sorted(claimed)
    assert np.less_equal(claimed, exact).all(), (claimed, exact)


@pytest.mark.parametrize("sides", [(5, 5), (3, 7), (4, 4, 4), (3, 5, 6), (3, 3, 3, 3)])
def test_balls_around_a_corner_see_least(sides):
    """The theorem of Bollobas and Leader: the first points by the sum of coordinates see least."""
    seen, exact = set(), [0]
    for v in sorted(np.ndindex(*sides), key=lambda v: (sum(v), [-a for a in v])):
        near = {v, *(move(v, o) for o in lines(len(sides)) for move in (ahead, back))}
        seen |= {w for w in near if all(0 <= a < s for a, s in zip(w, sides, strict=True))}
        exact.append(len(seen))
    assert Points(sides, False, "open")(len(exact) - 1).tolist() == exact


def test_balls_of_endless_grids_see_least():
    """Balls of radius r see those of radius r + 1."""
    for d, limit in ((2, 200), (3, 400), (4, 400)):
        radius = [sum(map(abs, v)) for v in product(range(-8, 9), repeat=d)]
        balls = [sum(r <= limit for r in radius) for limit in range(9)]
        seen = Points((2,) * d, False, "endless")(limit)
        for small, large in itertools.pairwise(balls):
            assert small > limit or seen[small] == large


def test_what_points_of_half_spaces_see():
    """Where one axis ends, half of a ball, at that end, sees half of the next one."""
    seen = Points((30,), False, "open", 2)(400)
    radius = [sum(map(abs, v)) for v in product(range(-8, 9), range(-8, 9), range(9))]
    halves = [sum(r <= limit for r in radius) for limit in range(8)]
    for small, large in itertools.pairwise(halves):
        assert small > 400 or seen[small] == large


def test_roots():
    for n, d in product([*range(200), 2**60 - 1, 2**60, 2**60 + 1], (1, 2, 3, 4)):
        root = root_above(n, d)
        assert root**d >= n
        assert not root or (root - 1) ** d < n
