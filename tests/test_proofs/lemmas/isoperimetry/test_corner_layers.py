"""Sets in endless grids: what a layer reads and keeps together, and boundaries of whole sets."""

from itertools import product

import numpy as np
import pytest

from proofs.lemmas.isoperimetry.corner_layers import (
    FARTHEST,
    between_corners,
    between_sections,
    between_steps,
    exchanged,
)
from proofs.lemmas.isoperimetry.layers import between_layers
from proofs.lemmas.isoperimetry.neighbourhoods import Corners


def corners(d):
    return [(0,) * d, *(tuple(int(i == axis) for i in range(d)) for axis in range(d))]


def plus(points, steps, sign=1):
    return {tuple(a + sign * b for a, b in zip(p, s, strict=True)) for p in points for s in steps}


def boundary(points, steps):
    """What points read outside, and those of them that are read there."""
    kept = [p for p in points if plus([p], steps) <= points]
    return len(plus(points, steps, -1)) - len(kept)


@pytest.mark.parametrize("box", [(3, 4), (2, 2, 3)])
def test_no_part_of_a_layer_exchanges_less(box):
    steps, table = corners(len(box)), exchanged(len(box), 16)
    cells = list(product(*map(range, box)))
    masks = np.arange(1 << len(cells))
    place = {cell: 1 << n for n, cell in enumerate(cells)}
    sizes = sum(masks >> n & 1 for n in range(len(cells)))
    reads, kept = np.zeros_like(masks), np.zeros_like(masks)
    for x in sorted(plus(cells, steps, -1)):
        readers = [place.get(plu, 0) for plu in plus([x], steps)]
        reads += (masks & sum(readers)) != 0
        kept += np.bitwise_and.reduce([masks & reader == reader for reader in readers]) & (
            0 not in readers
        )
    for u in range(17):
        real = np.full(sizes.max() + 1, 99)
        np.minimum.at(real, sizes, np.maximum(u, reads) - np.minimum(u, kept))
        assert (table[: real.size, u] <= real).all()
        assert (table[: real.size, u] == real).mean() > 0.6


def test_no_set_has_a_smaller_boundary():
    random = np.random.default_rng(4)
    for d, limit in ((2, 40), (3, 20)):
        steps, minimum = corners(d + 1), between_corners(d)
        for _ in range(5):
            points = {(0,) * (d + 1)}
            while len(points) < limit:
                assert minimum(len(points)) <= boundary(points, steps)
                near = sorted((plus(points, steps) | plus(points, steps, -1)) - points)
                chosen = [near[i] for i in random.integers(len(near), size=3)]
                points.add(min(chosen, key=lambda p: boundary(points | {p}, steps)))


def test_cuboctahedra_have_nearly_the_least():
    """E + T, with E a ball whose points differ by two steps, has boundaries of 42, 92, 162, ..."""
    steps, ball = corners(3), {(0, 0, 0)}
    for radius in range(1, 4):
        ball = plus(plus(ball, steps), steps, -1)
        points = plus(ball, steps)
        assert boundary(points, steps) == 10 * (radius + 1) ** 2 + 2
        assert 0 <= boundary(points, steps) - between_corners(2)(len(points)) <= 2


def test_larger_sets_and_one_by_one():
    together, separate = between_corners(2), between_layers(Corners(2))
    assert together(FARTHEST + 1) == separate(FARTHEST + 1)
    assert all(together(size) >= separate(size) for size in range(1, 90, 7))


def test_steps_that_a_matrix_makes_corners_of():
    upwind = [(-1, 0, 0), (-1, -1, 0), (-1, 0, -1)]
    assert between_steps(upwind)(20) == 33 > between_sections(upwind)(20)
    remaining = [(-1, 0, 0), (-1, -2, 0), (-1, 0, -1)]  # of every other point
    assert between_steps(remaining)(20) == between_sections(remaining)(20)
    ball = plus(plus({(0, 0, 0)}, corners(3)), corners(3), -1)
    image = {
        tuple(sum(-x * b[i] for x, b in zip(p, upwind, strict=True)) for i in range(3))
        for p in ball
    }
    steps = [(0, 0, 0), *upwind]
    assert boundary(image, [tuple(-x for x in step) for step in steps]) == boundary(
        ball, corners(3)
    )
