"""Boundaries of all sets of vertices of small DAGs, against what is claimed of them."""

import itertools
from itertools import product

import numpy as np
import pytest

from dags import load
from proofs.lemmas.isoperimetry import DOMINATED, TWO_SIDED
from proofs.lemmas.isoperimetry.boundary import inverse
from proofs.lemmas.isoperimetry.butterflies import most_between, ones_below
from proofs.lemmas.isoperimetry.cubes import (
    hypercube_two_sided,
    least_boundaries,
    shadow,
)
from proofs.lemmas.isoperimetry.layers import (
    between_layers,
    lines_between,
    lines_dominated,
)
from proofs.lemmas.isoperimetry.neighbourhoods import Corners, Points
from tests.test_proofs.lemmas.isoperimetry.all_sets import (
    ahead,
    back,
    least_by_size,
    lines,
    readers_in,
    sets_of,
)

WITHOUT_BORDERS = [  # nothing is waived but inputs and outputs
    "fft:n=4",
    "fft:n=9,radix=3",
    "stencil:shape=3,steps=5",
    "stencil:shape=5,steps=3",
    "stencil:shape=3,steps=5,periodic=true",
    "stencil:shape=5,steps=3,periodic=true",
    "stencil:shape=2x3,steps=2",
    "stencil:shape=2x3,steps=2,neighbourhood=box",
    "stencil:shape=2x2x2,steps=2",
    "stencil:shape=3x3,steps=2,periodic=true",
]
ONE_SIDED = [
    *WITHOUT_BORDERS,
    "pyramid:height=5",
    "sweep:shape=15",
    "sweep:shape=4x4",
    "sweep:shape=3x5,periodic=true",
    "sweep:shape=2x2x4",
    "sweep:shape=4x4,neighbourhood=box",
]


def boundary_of(families, spec):
    """The first alternative of a family that is in one piece."""
    dag = load(spec)
    return dag, families[dag.family](**dag.params)[0][0]


@pytest.mark.parametrize("spec", WITHOUT_BORDERS)
def test_no_set_exchanges_less(spec):
    dag, boundary = boundary_of(TWO_SIDED, spec)
    outputs = set(dag.outputs.tolist())
    sizes, reads, needed = sets_of(readers_in(dag), dag.computed.tolist(), outputs)
    claimed = [boundary.least(size) for size in range(dag.computed.size + 1)]
    exact = least_by_size(sizes, reads + needed)
    assert np.less_equal(claimed, exact).all(), (claimed, exact)
    assert boundary.vertices == dag.computed.size
    assert boundary.waived == dag.inputs.size + len(outputs)


@pytest.mark.parametrize("spec", ONE_SIDED)
def test_no_set_is_computed_from_less(spec):
    """A set that is computed from D is part of one that reads no more than D outside."""
    dag, boundary = boundary_of(DOMINATED, spec)
    sizes, reads, _ = sets_of(readers_in(dag), dag.computed.tolist())
    claimed = [boundary.least(size) for size in range(dag.computed.size + 1)]
    exact = least_by_size(sizes, reads)
    assert claimed == sorted(claimed)
    assert np.less_equal(claimed, exact).all(), (claimed, exact)
    assert (boundary.vertices, boundary.waived) == (dag.computed.size, dag.inputs.size)


def test_butterflies_of_four_points_attain_what_is_claimed():
    dag, boundary = boundary_of(TWO_SIDED, "fft:n=4")
    sizes, reads, needed = sets_of(
        readers_in(dag), dag.computed.tolist(), set(dag.outputs.tolist())
    )
    exact = least_by_size(sizes, reads + needed)
    assert [boundary.least(size) for size in (1, 2, 8)] == [exact[size] for size in (1, 2, 8)]


@pytest.mark.parametrize("spec", ["fft:n=16", "fft:n=16,radix=4", "stencil:shape=4x4x4,steps=3"])
@pytest.mark.parametrize("seed", range(20))
def test_sets_that_are_connected_exchange_no_less(spec, seed):
    """Sets grown at random, which are better than those that are just random."""
    dag, boundary = boundary_of(TWO_SIDED, spec)
    _, dominated = boundary_of(DOMINATED, spec)
    random = np.random.default_rng(seed)
    readers = readers_in(dag)
    operands = {v: [u for u, reader in readers.items() if v in reader] for v in readers}
    computed, outputs = set(dag.computed.tolist()), set(dag.outputs.tolist())
    inside = {int(random.choice(dag.computed))}
    while len(inside) < len(computed):
        near = {w for v in inside for w in readers[v] + operands[v]} & computed - inside
        near = near or computed - inside
        scores = {
            w: sum(u in inside for u in readers[w] + operands[w]) + random.random() for w in near
        }
        inside.add(max(scores, key=scores.get))
        reads = {u for v in inside for u in operands[v]} - inside
        needed = [v for v in inside if v in outputs or not inside.issuperset(readers[v])]
        assert boundary.least(len(inside)) <= len(reads) + len(needed)
        assert dominated.least(len(inside)) <= len(reads)


def endless(box, offsets):
    """Sizes and boundaries of all sets in a box of an endless DAG: v reads v - 1 - offset."""
    members = list(product(*map(range, box)))
    readers = {}
    for v in members:
        for offset in offsets:
            readers.setdefault(tuple(a - b for a, b in zip(v, offset, strict=True)), [])
            readers.setdefault(v, [])
    for u in readers:
        readers[u] = [tuple(a + b for a, b in zip(u, offset, strict=True)) for offset in offsets]
    return sets_of(readers, members)


def star(d):
    return [(1, *step) for sign in (1, -1) for step in (sign * np.eye(d, dtype=int)).tolist()] + [
        (1, *[0] * d)
    ]


ENDLESS = {
    "a grid": ((4, 4), lines(2), lines_between(1), lines_dominated(1)),
    "a long grid": ((2, 8), lines(2), lines_between(1), lines_dominated(1)),
    "a line in time": ((4, 4), star(1), lines_between(2), lines_dominated(2)),
    "a short line in time": ((6, 3), star(1), lines_between(2), lines_dominated(2)),
    "a long line in time": ((3, 6), star(1), lines_between(2), lines_dominated(2)),
    "a plane in time": ((2, 3, 3), star(2), Points((9, 9), False, "endless"), None),
    "a plane in more time": ((4, 2, 2), star(2), Points((9, 9), False, "endless"), None),
    "boxes in a plane": (
        (2, 3, 3),
        list(product((1,), (-1, 0, 1), (-1, 0, 1))),
        Points((9, 9), True, "endless"),
        None,
    ),
    "space": ((2, 2, 2, 2), star(3), Points((9, 9, 9), False, "endless"), None),
    "boxes in space": (
        (2, 2, 2, 2),
        list(product((1,), *[(-1, 0, 1)] * 3)),
        Points((9, 9, 9), True, "endless"),
        None,
    ),
    "a grid in space": ((3, 2, 3), lines(3), Corners(2), None),
    "a grid of four dimensions": ((2, 2, 2, 2), lines(4), Corners(3), None),
}


@pytest.mark.parametrize(("box", "offsets", "between", "dominated"), ENDLESS.values(), ids=ENDLESS)
def test_no_set_in_an_endless_dag_exchanges_less(box, offsets, between, dominated):
    sizes, reads, needed = endless(box, offsets)
    minimum = between_layers(between) if isinstance(between, Points | Corners) else between
    exact = least_by_size(sizes, reads + needed)
    claimed = [minimum(size) for size in range(len(exact))]
    assert np.less_equal(claimed, exact).all(), (claimed, exact)
    assert claimed[1] == exact[1]
    if dominated:
        exact = least_by_size(sizes, reads)
        assert np.less_equal([dominated(size) for size in range(len(exact))], exact).all()


@pytest.mark.parametrize(
    "spec",
    [
        "grid:shape=4x5",
        "grid:shape=3x3x4",
        "pyramid:height=5",
        "binomial:n=5",
        "stencil:shape=5,steps=4",
        "stencil:shape=4x3,steps=3",
        "stencil:shape=3x1x4,steps=3,neighbourhood=box",
    ],
)
@pytest.mark.parametrize("seed", range(5))
def test_what_is_waived_covers_what_is_not_there(spec, seed):
    """Random partitions: boundaries as if endless, against real ones and what is waived."""
    dag = load(spec)
    boundary = TWO_SIDED[dag.family](**dag.params)[-1][0]
    place, offsets = endless_places(dag)
    real, computed = set(place), {v for v in place if dag.indegree[place[v]]}
    outputs = {v for v in place if place[v] in dag.outputs}
    random = np.random.default_rng(seed)
    parts = [set() for _ in range(random.integers(1, 5))]
    for v in computed:
        parts[random.integers(len(parts))].add(v)
    total, present = 0, 0
    for part in parts:
        reads = {back(v, offset) for v in part for offset in offsets} - part
        needed = {v for v in part if any(ahead(v, offset) not in part for offset in offsets)}
        total += len(reads) + len(needed)
        present += len(reads & real) + sum(
            v in outputs or any(w in real - part for w in (ahead(v, o) for o in offsets))
            for v in needed
        )
    moved_once = dag.inputs.size + dag.outputs.size
    assert total - present <= boundary.waived - moved_once
    assert boundary.vertices == len(computed)


@pytest.mark.parametrize(
    "spec", ["stencil:shape=4x3,steps=3", "stencil:shape=3x2x4,steps=3,neighbourhood=box"]
)
@pytest.mark.parametrize("seed", range(3))
def test_what_is_waived_where_a_grid_goes_on_along_some_axes(spec, seed):
    """The same for neighbours that are not there along the longest axes only."""
    dag = load(spec)
    place, offsets = endless_places(dag)
    computed = [v for v in place if dag.indegree[place[v]]]
    shape = dag.params["shape"]
    longest = sorted(range(len(shape)), key=lambda axis: -shape[axis])
    outputs = {v for v in place if place[v] in dag.outputs}
    random = np.random.default_rng(seed)
    owner = dict(zip(computed, random.integers(4, size=len(computed)).tolist(), strict=True))
    for axes in range(len(shape) + 1):
        boundary = TWO_SIDED["stencil"](**dag.params)[axes][0]
        ends = longest[axes:]

        def within(v, ends=ends):
            return all(0 <= v[1 + axis] < shape[axis] for axis in ends)

        total, present = 0, 0
        for part in range(4):
            own_values = {v for v in computed if owner[v] == part}
            reads = {back(v, o) for v in own_values for o in offsets} - own_values
            later = {v: {ahead(v, o) for o in offsets} - own_values for v in own_values}
            total += sum(map(within, reads)) + sum(any(map(within, w)) for w in later.values())
            present += sum(v in place for v in reads)
            present += sum(v in outputs or any(w in place for w in later[v]) for v in own_values)
        assert total - present <= boundary.waived - dag.inputs.size - dag.outputs.size


def endless_places(dag):
    """Vertices by coordinates, and the offsets along which they would read in an endless DAG."""
    params = dag.params
    if dag.family == "grid":
        shape = params["shape"]
        return {v: i for i, v in enumerate(np.ndindex(*shape))}, lines(len(shape))
    if dag.family == "pyramid":
        rows = range(params["height"] + 1)
        places = [(row, i) for row in rows for i in range(params["height"] + 1 - row)]
        return {v: i for i, v in enumerate(places)}, [(1, 0), (1, -1)]
    if dag.family == "binomial":
        places = [(row, i) for row in range(params["n"] + 1) for i in range(row + 1)]
        return {v: i for i, v in enumerate(places)}, [(1, 0), (1, 1)]
    shape = tuple(side for side in params["shape"] if side > 1)
    places = {v: i for i, v in enumerate(np.ndindex(params["steps"] + 1, *shape))}
    if params["neighbourhood"] == "box":
        return places, list(product((1,), *[(-1, 0, 1)] * len(shape)))
    return places, star(len(shape))


def test_the_endless_dags_contain_the_real_ones():
    for spec in ("grid:shape=3x4", "pyramid:height=4", "binomial:n=4", "stencil:shape=3x4,steps=2"):
        dag = load(spec)
        place, offsets = endless_places(dag)
        for v, number in place.items():
            results = {place[back(v, o)] for o in offsets if back(v, o) in place}
            row = dag.pred_indices[dag.pred_indptr[number] : dag.pred_indptr[number + 1]]
            assert results == set(row.tolist())


@pytest.mark.parametrize("d", [3, 4])
def test_no_set_of_subsets_exchanges_less(d):
    dag = load(f"hypercube:d={d}")
    members = list(range(1, 2**d))
    readers = {u: reader for u, reader in readers_in(dag).items() if u}
    sizes, reads, needed = sets_of(readers, members)
    exact = least_by_size(sizes, reads + needed)
    claimed = least_boundaries(d).tolist()
    assert np.less_equal(claimed, exact).all()
    assert sum(map(int.__ne__, claimed, exact)) <= 2
    (by_levels,), (by_edges,) = hypercube_two_sided(d)
    assert [by_levels.least(size) for size in range(2**d)] == claimed
    sizes, reads, needed = sets_of(readers_in(dag), members, {2**d - 1})
    exact = least_by_size(sizes, reads + needed)
    assert np.less_equal([by_edges.least(size) for size in range(2**d)], exact).all()


def test_large_lattices_are_cut_into_pieces():
    (piece,), (full,) = hypercube_two_sided(14)
    assert (piece.vertices, piece.copies, piece.waived) == (2**11 - 1, 8, 0)
    assert (full.vertices, full.copies, full.waived) == (2**14 - 1, 1, 2)


def test_shadows_of_first_sets():
    for k in (2, 3, 4):
        sets = sorted(itertools.combinations(range(7), k), key=lambda s: s[::-1])
        for x in range(len(sets) + 1):
            below = {smaller for s in sets[:x] for smaller in itertools.combinations(s, k - 1)}
            assert shadow(x, k) == len(below)


@pytest.mark.parametrize("c", [1, 2])
def test_lines_are_what_layers_find(c):
    class Line:
        def __call__(self, limit):
            sizes = np.arange(limit + 1)
            return sizes + c * (sizes > 0)

    by_layers, by_formula = between_layers(Line()), lines_between(c)
    assert [by_layers(size) for size in range(300)] == [by_formula(size) for size in range(300)]


def test_ones_and_their_sums():
    units = [ones_below(n) for n in range(200)]
    assert units == [sum(i.bit_count() for i in range(n)) for n in range(200)]
    for a, b in product(range(100), repeat=2):
        assert units[a + b] >= units[a] + units[b] + min(a, b)
        assert most_between(a + b) >= most_between(a) + most_between(b) + min(a, b) // 2 * 2


def test_inverse():
    minimum = inverse(lambda boundary: boundary**2, limit=9)
    assert [minimum(size) for size in (0, 1, 2, 4, 5, 81, 82, 1000)] == [0, 1, 2, 2, 3, 9, 9, 9]
