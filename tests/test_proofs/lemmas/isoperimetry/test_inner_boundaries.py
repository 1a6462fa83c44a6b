"""Balls of the lattice: no set of as many points has fewer with neighbours outside."""

import random
from itertools import pairwise, product

import pytest

from proofs.lemmas.isoperimetry.tori import ball, least_inner, torus_over


def neighbours(point):
    for axis, factor in product(range(len(point)), (-1, 1)):
        yield (*point[:axis], point[axis] + factor, *point[axis + 1 :])


def inner(points):
    """Points with a neighbour that is none of them."""
    return sum(any(near not in points for near in neighbours(point)) for point in points)


@pytest.mark.parametrize(("d", "radius"), [(1, 7), (2, 6), (3, 4), (4, 3)])
def test_balls_have_as_few(d, radius):
    box = product(range(-radius, radius + 1), repeat=d)
    points = {point for point in box if sum(map(abs, point)) <= radius}
    assert len(points) == ball(d, radius)
    assert inner(points) == least_inner(len(points), d)


@pytest.mark.parametrize(("d", "sides"), [(2, (3, 4)), (3, (2, 2, 3)), (4, (2, 2, 2, 2))])
def test_all_sets_in_a_small_box(d, sides):
    box = list(product(*map(range, sides)))
    for chosen in range(1, 2 ** len(box), 23):
        points = {point for i, point in enumerate(box) if chosen >> i & 1}
        assert inner(points) >= least_inner(len(points), d)


@pytest.mark.parametrize(("d", "most"), [(2, 120), (3, 150), (4, 120)])
@pytest.mark.parametrize("compact", [True, False])
def test_sets_that_grow_by_the_point_that_is_nearest(d, most, compact):
    rng = random.Random(d)
    points, near = {(0,) * d}, set(neighbours((0,) * d))

    def worth(point):
        inside = sum(neighbour in points for neighbour in neighbours(point))
        return (-inside if compact else sum(map(abs, point)), rng.random())

    for size in range(1, most):
        assert inner(points) >= least_inner(size, d)
        best = min(near, key=worth)
        points.add(best)
        near = (near | set(neighbours(best))) - points


def test_it_rises_and_is_concave():
    for d in (1, 2, 3, 4):
        values = [least_inner(points, d) for points in range(400)]
        steps = [b - a for a, b in pairwise(values)]
        assert values[0] == 0
        assert steps == sorted(steps, reverse=True)
        assert d == 1 or steps[-1] > 0


def box_neighbours(point, sides, ring):
    for axis, factor in product(range(len(point)), (-1, 1)):
        moved = point[axis] + factor
        if ring and axis == len(sides) - 1:
            moved %= sides[axis]
        if 0 <= moved < sides[axis]:
            yield (*point[:axis], moved, *point[axis + 1 :])


@pytest.mark.parametrize(
    ("sides", "ring"), [((3, 3), False), ((2, 6), True), ((3, 2, 2), False), ((2, 2, 4), True)]
)
def test_two_sets_of_edges_share_points(sides, ring):
    box = list(product(*map(range, sides)))
    edges = [(x, y) for x in box for y in box_neighbours(x, sides, ring) if x < y]
    torus = torus_over(sides[:-1], sides[-1:]) if ring else torus_over(sides)
    rng = random.Random(len(box))
    for _ in range(300):
        tilt = [rng.gauss(0, 1) for _ in sides]
        order = sorted(
            edges,
            key=lambda edge: rng.random() + sum(a * b for a, b in zip(tilt, edge[0], strict=True)),
        )
        cut = rng.randrange(len(edges) + 1)
        first, second = ({x for edge in part for x in edge} for part in (order[:cut], order[cut:]))
        shared = min(torus.least_shared(len(first)), torus.least_shared(len(second)))
        assert len(first & second) >= shared


def test_a_torus_that_has_half_the_points():
    torus = torus_over((), (4, 4))
    assert torus.spheres.tolist() == [1, 4, 6]
    assert [str(torus.least_shared(t)) for t in (0, 1, 3, 5, 8, 11, 16)] == [
        "0", "1", "5/2", "4", "5", "6", "6"
    ]  # fmt: skip
    assert torus_over((5,), (2**12,)) is None
