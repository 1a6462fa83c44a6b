"""Sums of lattice sets and two-sided boundaries, against all sets in a box and random ones."""

from functools import cache
from itertools import product

import numpy as np
import pytest

from proofs.lemmas.isoperimetry.corner_layers import between_sections, least_sums
from proofs.lemmas.isoperimetry.neighbourhoods import Points

STAR = frozenset([(0, 0), (0, 1), (0, -1), (1, 0), (-1, 0)])
SETS = [
    STAR,
    frozenset(product((-1, 0, 1), repeat=2)),
    frozenset([(0, 0), (1, 0), (0, 1)]),
    frozenset([(0, 0), (-1, -1), (-1, 0), (-1, 1), (0, -1)]),
    frozenset([(0, 0), (0, 1), (1, -1), (1, 0), (1, 1)]),
    frozenset([(0, 0), (0, 2), (3, 1)]),
    frozenset([(5, 5)]),
]
STENCILS = {
    "line": [(-1, -1), (-1, 0), (-1, 1)],
    "in place": [(0, -1), (-1, 0), (-1, 1)],
    "grid": [(0, -1), (-1, 0)],
    "alignment": [(0, -1), (-1, 0), (-1, -1)],
    "far": [(-1, -2), (-1, 3), (0, -2)],
}
SEIDEL = [(0, -1, -1), (0, -1, 0), (0, -1, 1), (0, 0, -1)]
SEIDEL += [(-1, 0, 0), (-1, 0, 1), (-1, 1, -1), (-1, 1, 0), (-1, 1, 1)]


@cache
def reached(point, steps):
    """What the steps, a tuple, lead to from one point."""
    return frozenset(tuple(map(sum, zip(point, s, strict=True))) for s in steps)


def added(points, steps):
    steps = tuple(steps)
    return set().union(*(reached(p, steps) for p in points))


def boundary(points, steps):
    """Points read outside, and points with a reader outside."""
    outside = added(points, steps) - points
    backwards = tuple(tuple(-c for c in s) for s in steps)
    return len(outside) + sum(not reached(p, backwards) <= points for p in points)


def all_sets(shape):
    places = [*product(*map(range, shape))]
    for bits in range(1, 2 ** len(places)):
        yield {place for number, place in enumerate(places) if bits >> number & 1}


def random_sets(rng, d, count):
    """Sets that grow from a point towards neighbours, and scattered ones."""
    for _ in range(count):
        size, reach = int(rng.integers(1, 40)), int(rng.integers(1, 4))
        points = {(0,) * d}
        while len(points) < size:
            base = [*points][int(rng.integers(len(points)))]
            points.add(tuple(c + int(rng.integers(-reach, reach + 1)) for c in base))
        yield points


@pytest.mark.parametrize("steps", SETS, ids=str)
def test_sums_of_all_sets_in_a_box(steps):
    bounds = least_sums(steps, 12)
    for points in all_sets((3, 4)):
        assert len(added(points, steps)) >= bounds[len(points)]


@pytest.mark.parametrize("d", [1, 2, 3])
def test_sums_of_random_sets(d):
    rng = np.random.default_rng(d)
    for points in random_sets(rng, d, 150):
        steps = frozenset(map(tuple, rng.integers(-2, 3, (int(rng.integers(1, 8)), d)).tolist()))
        bounds = least_sums(steps, 40)
        for grown in (points, set(sorted(points)[: len(points) // 2 + 1])):
            assert len(added(grown, steps)) >= bounds[len(grown)]


def test_sums_are_as_strong_as_what_is_known_of_stars_and_boxes():
    for steps, box in ((STAR, False), (SETS[1], True)):
        known = Points((50, 50), box, "endless")(60)
        assert (least_sums(steps, 60) >= known).all()
    diamond = {(x, y) for x in range(-4, 5) for y in range(-4, 5) if abs(x) + abs(y) <= 4}
    assert least_sums(STAR, 41)[41] == len(added(diamond, STAR))


@pytest.mark.parametrize("name", STENCILS)
def test_boundaries_of_all_sets_in_a_box(name):
    minimum = between_sections(STENCILS[name])
    steps = [*STENCILS[name], (0, 0)]
    for points in all_sets((4, 3)):
        assert boundary(points, steps) >= minimum(len(points))


def test_boundaries_of_random_sets():
    rng = np.random.default_rng(5)
    star = [(-1, *s) for s in STAR]
    for stencil in (SEIDEL, star, [(0, 0, -1), (0, -1, 0), (-1, 0, 0)]):
        minimum = between_sections(stencil)
        steps = [*stencil, (0, 0, 0)]
        for points in random_sets(rng, 3, 60):
            assert boundary(points, steps) >= minimum(len(points))
        for sides in product((1, 2, 4), repeat=3):
            box = {*product(*map(range, sides))}
            assert boundary(box, steps) >= minimum(len(box))
