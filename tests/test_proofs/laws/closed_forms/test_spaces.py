"""Closed forms of grids and stencils in several axes, against tables of boundaries."""

from itertools import product
from math import factorial

import numpy as np
import pytest

from dags import load
from pebble import ONE_SHOT, Budget
from proofs import BOUNDS, check
from proofs.bounds.windows.isoperimetry.set_sizes import best_windows
from proofs.laws.closed_forms import largest_form
from proofs.lemmas.isoperimetry.layers import REACH, between_layers
from proofs.lemmas.isoperimetry.mesh_words import grid_words, stencil_words
from proofs.lemmas.isoperimetry.meshes import (
    grid_two_sided,
    least_root,
    most_vertices,
    stencil_two_sided,
)
from proofs.lemmas.isoperimetry.neighbourhoods import Points
from schedulers import COUNTED_PLAYS

VOLUMES = [(2, (4, 1)), (2, (1, 2)), (3, (8, 1)), (3, (2, 3)), (4, (5, 24)), (4, (1, 24))]


@pytest.mark.parametrize(("d", "volume"), VOLUMES)
def test_no_sequence_of_layers_has_more_vertices(d, volume):
    """With layers that see exactly (x^(1/d) + w)^d points, rounded up."""
    width = (volume[0] / volume[1]) ** (1 / d)

    def beta(limit):
        sizes = np.arange(limit + 1)
        seen = np.ceil((sizes ** (1 / d) + width) ** d - 1e-9).astype(np.int64)
        seen[0] = 0
        return np.maximum.accumulate(np.maximum(seen, sizes))

    minimum = between_layers(beta)
    for vertices in (*range(1, 40), *range(40, 900, 111)):
        limit = most_vertices(minimum(vertices), d, volume)
        assert vertices <= limit <= 1.6 * vertices + 40


def test_stars_in_the_plane():
    minimum = between_layers(Points((2, 2), False, "endless"))
    for vertices in range(1, 2500, 61):
        boundary = minimum(vertices)
        assert vertices <= most_vertices(boundary, 2, (2, 1)) - (-boundary // 8)


@pytest.mark.parametrize("d", [2, 3, 4])
def test_points_that_are_seen(d):
    """Sets that are grown so that they see little see no less than the theorem says."""
    units = [tuple(int(i == j) for i in range(d)) for j in range(d)]
    corners = [(0,) * d, *units]
    star = [*corners, *(tuple(-x for x in unit) for unit in units)]
    for around in (corners, star):
        w = ((len(around) - d) / factorial(d)) ** (1 / d)
        points, seen = {(0,) * d}, set(around)
        for _ in range(40):
            assert len(seen) >= (len(points) ** (1 / d) + w) ** d - 1e-9
            near = {moved(position, step) for position, step in product(points, star)} - points
            new = min(
                near,
                key=lambda position: (len({moved(position, s) for s in around} - seen), position),
            )
            points.add(new)
            seen |= {moved(new, step) for step in around}


def moved(point, step):
    return tuple(x + y for x, y in zip(point, step, strict=True))


def test_roots():
    for value, d in product((*range(30), 10**40 - 1, 10**40, 10**40 + 1), (1, 2, 3, 4)):
        root = least_root(value, d)
        assert root**d >= value > (root - 1) ** d or value == root == 0


def test_nothing_is_said_of_lines_and_of_what_wraps():
    plane = {"shape": (500, 500), "steps": 500, "neighbourhood": "box", "periodic": False}
    assert stencil_words(plane, 40) > 0
    assert stencil_words(plane, 0) is None
    assert stencil_words({**plane, "periodic": True}, 40) is None
    assert stencil_words({**plane, "shape": (500, 1)}, 40) is None
    assert grid_words({"shape": (500, 500)}, 40) is None


@pytest.mark.parametrize(
    "spec",
    [
        "grid:shape=26x26x26",
        "stencil:shape=60x60,steps=60",
        "stencil:shape=50x50,steps=20,neighbourhood=box",
    ],
)
def test_never_above_the_tables(spec):
    dag = load(spec)
    form = {"grid": grid_words, "stencil": stencil_words}[dag.family]
    for memory in (7, 10, 13):
        words = form(dag.params, memory - 1)
        assert words <= BOUNDS["segments"](dag, memory).io
        assert words <= largest_form(dag.family, dag.params, memory, ONE_SHOT)


def test_what_wraps_is_no_easier_than_what_ends():
    """In the segments of rings; and no tile that is folded flat moves less."""
    dag = load("stencil:shape=24x20,steps=40,neighbourhood=box,periodic=true")
    for memory in (12, 16):
        words = largest_form("stencil", dag.params, memory, ONE_SHOT)
        assert words == stencil_words({**dag.params, "periodic": False}, memory - 1)
        assert words <= BOUNDS["segments"](dag, memory).io
        assert words <= sum(COUNTED_PLAYS["stencil"].count(dag.params, memory))


def test_windows_beyond_the_tables_prove_as_much():
    """Sets of more vertices than a table has, as memory is large against the space."""
    moves, cuts = best_windows(grid_two_sided((80, 80, 80))[0][0], 2 * 511, Budget())
    assert max(cuts["sizes"]) > REACH
    assert moves + 2 >= grid_words({"shape": (80, 80, 80)}, 511) > 2


@pytest.mark.parametrize("neighbourhood", ["star", "box"])
def test_rings_prove_as_much(neighbourhood):
    stencil = {"shape": (400, 400), "steps": 200, "neighbourhood": neighbourhood}
    rings = stencil_two_sided(**stencil, periodic=True)[-1][0]
    moves, _ = best_windows(rings, 2 * 500, Budget())
    assert moves + 2 * 400**2 >= stencil_words({**stencil, "periodic": False}, 500) > 2 * 400**2


def test_a_certificate_of_large_windows_is_checked():
    dag = load("grid:shape=48x48x48")
    result = BOUNDS["segments"](dag, 301)
    check(dag, 301, result)
    assert result.io >= grid_words(dag.params, 300) > 2
