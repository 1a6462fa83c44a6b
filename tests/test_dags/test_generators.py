"""Generators against closed forms, against naive twins, and against published graphs."""

import json
from itertools import pairwise, product

import numpy as np
import pytest

import dags
from dags import CDAG, InvalidSpecError
from tests.test_dags import linear_algebra_twins, network_twins

CASES = {
    "adjoint": [(1,), (2,), (5, 2)],
    "chain": [(1,), (2,), (7,)],
    "diamond": [(1,), (2,), (5,)],
    "grid": [((1,),), ((4,),), ((3, 4),), ((1, 5),), ((2, 3, 4),), ((2, 2, 2, 2),)],
    **linear_algebra_twins.CASES,
    **network_twins.CASES,
    "pyramid": [(1,), (2,), (5,)],
    "stencil": [
        (shape, steps, neighbourhood, periodic)
        for shape, steps in [((1,), 1), ((5,), 3), ((3, 4), 2), ((3, 3, 3), 1), ((3, 3, 3, 3), 1)]
        for neighbourhood in ("star", "box")
        for periodic in (False, True)
        if not periodic or min(shape) >= 3
    ],
    "tree": [(1, 2), (3, 2), (2, 3), (1, 5)],
}


class Rows:
    """A DAG built vertex by vertex."""

    def __init__(self, work=1):
        self.rows = []
        self.work = work  # of every computed vertex

    def add(self, *operands):
        self.rows.append(sorted(set(operands)))
        return len(self.rows) - 1

    def dag(self):
        flat = [u for row in self.rows for u in row]
        work = [self.work if row else 0 for row in self.rows]
        return CDAG(np.cumsum([0, *map(len, self.rows)]), np.array(flat, np.int32), work=work)


def naive_chain(n):
    rows = Rows()
    value = rows.add()
    for _ in range(n - 1):
        value = rows.add(value)
    return rows.dag()


def naive_adjoint(steps, snapshots=0):
    rows = Rows()
    first, adjoint = rows.add(), rows.add()
    states = [first]
    for _ in range(steps - 1):
        states.append(rows.add(states[-1]))
    tapes = [rows.add(state) for state in states]
    for tape in reversed(tapes):
        adjoint = rows.add(adjoint, tape)
    return rows.dag()


def naive_grid(shape):
    rows, position = Rows(), {}
    for point in product(*map(range, shape)):
        before = [(*point[:a], point[a] - 1, *point[a + 1 :]) for a in range(len(shape))]
        position[point] = rows.add(*(position[entry] for entry in before if min(entry) >= 0))
    return rows.dag()


def naive_pyramid(height):
    rows = Rows()
    row = [rows.add() for _ in range(height + 1)]
    while len(row) > 1:
        row = [rows.add(left, right) for left, right in pairwise(row)]
    return rows.dag()


def naive_stencil(shape, steps, neighbourhood, periodic):
    rows = Rows()
    values = {point: rows.add() for point in product(*map(range, shape))}
    for _ in range(steps):
        new = {}
        for point in product(*map(range, shape)):
            operands = set()
            for offset in product((-1, 0, 1), repeat=len(shape)):
                if neighbourhood == "star" and sum(map(abs, offset)) > 1:
                    continue
                seen = tuple(x + dx for x, dx in zip(point, offset, strict=True))
                if periodic:
                    seen = tuple(x % side for x, side in zip(seen, shape, strict=True))
                if seen in values:
                    operands.add(values[seen])
            new[point] = rows.add(*operands)
        values = new
    return rows.dag()


def naive_tree(height, arity):
    rows = Rows()
    level = [rows.add() for _ in range(arity**height)]
    while len(level) > 1:
        level = [rows.add(*level[i : i + arity]) for i in range(0, len(level), arity)]
    return rows.dag()


TWINS = {
    "adjoint": naive_adjoint,
    "chain": naive_chain,
    "diamond": lambda n: naive_grid((n, n)),
    "grid": naive_grid,
    **linear_algebra_twins.TWINS,
    **network_twins.TWINS,
    "pyramid": naive_pyramid,
    "stencil": naive_stencil,
    "tree": naive_tree,
}


def test_every_deterministic_generator_has_a_twin():
    assert set(TWINS) | {"random_layered"} == set(dags.GENERATORS)


@pytest.mark.parametrize(("name", "case"), [(n, case) for n in CASES for case in CASES[n]])
def test_generators_equal_their_naive_twins(name, case):
    dag = dags.GENERATORS[name](*case)
    assert dag == TWINS[name](*case)
    assert dag.family == {"diamond": "grid"}.get(name, name)
    assert dags.GENERATORS[dag.family](**dag.params) == dag


@pytest.mark.parametrize(
    ("dag", "vertices", "edges", "inputs", "outputs"),
    [
        (dags.matmul(9), 2 * 81 + 729, 81 * 26, 2 * 81, 81),
        (dags.matmul(9, form="multiply-add"), 2 * 81 + 81 * 17, 81 * 34, 2 * 81, 81),
        (dags.matmul(5, m=3, k=7), 21 + 35 + 105, 15 * 20, 56, 15),
        (dags.fft(64), 7 * 64, 2 * 6 * 64, 64, 64),
        (dags.chain(10), 10, 9, 1, 1),
        (dags.tree(5), 63, 62, 32, 1),
        (dags.tree(3, 4), 85, 84, 64, 1),
        (dags.pyramid(6), 28, 42, 7, 1),
        (dags.grid((6, 7)), 42, 2 * 42 - 13, 1, 1),
        (dags.stencil((8, 8), 5, periodic=True), 6 * 64, 5 * 5 * 64, 64, 64),
        (dags.stencil((8, 8), 5, "box", True), 6 * 64, 9 * 5 * 64, 64, 64),
        (dags.stencil((10,), 4), 50, 4 * 28, 10, 10),
        (dags.stencil((6, 6), 1, "box"), 72, 16 * 16, 36, 36),
    ],
    ids=repr,
)
def test_sizes_follow_closed_forms(dag, vertices, edges, inputs, outputs):
    assert (dag.n, dag.m, dag.inputs.size, dag.outputs.size) == (vertices, edges, inputs, outputs)
    assert dag.used_inputs.size == inputs


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("arguments", [{}, {"layers": 2}, {"layers": 60}, {"max_indegree": 6}])
def test_random_layered_keeps_its_promises(seed, arguments):
    dag = dags.random_layered(60, max_words=4, seed=seed, **arguments)
    assert dag == dags.random_layered(60, max_words=4, seed=seed, **arguments)
    assert dag != dags.random_layered(60, max_words=4, seed=seed + 1, **arguments)
    assert dag.n == 60
    assert 1 <= dag.words.min() <= dag.words.max() <= 4
    layers = dag.params["layers"]
    layer = np.searchsorted(np.linspace(0, 60, layers + 1).astype(int), np.arange(60), "right") - 1
    assert (dag.indegree[layer > 0] >= 1).all()
    assert (dag.indegree[layer == 0] == 0).all()
    assert dag.indegree.max() <= arguments.get("max_indegree", 3)
    behind = np.repeat(layer, dag.indegree) - layer[dag.pred_indices]
    assert set(behind.tolist()) <= {1, 2}
    nearest = [layer[dag.pred_indices[a:b]].max() for a, b in row_bounds(dag)]
    assert (layer[layer > 0] - nearest == 1).all()


def row_bounds(dag):
    """(start, end) of the row of every computed vertex."""
    starts, ends = dag.pred_indptr[:-1], dag.pred_indptr[1:]
    return zip(starts[dag.computed], ends[dag.computed], strict=True)


def test_random_layered_is_unweighted_by_default():
    assert dags.random_layered(30).words is None


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: dags.matmul(0), "n must be at least 1, not 0"),
        (lambda: dags.matmul(2, m=-1), "m must be at least 1, not -1"),
        (lambda: dags.matmul(2, form="row"), "form must be"),
        (lambda: dags.matmul(10**5), "vertices"),
        (lambda: dags.fft(1), "n must be at least 2"),
        (lambda: dags.fft(6), "power of two, not 6"),
        (lambda: dags.chain(0), "n must be at least 1"),
        (lambda: dags.tree(0), "height must be at least 1"),
        (lambda: dags.tree(2, 1), "arity must be at least 2"),
        (lambda: dags.tree(10**9), "height must be below 31"),
        (lambda: dags.pyramid(0), "height must be at least 1"),
        (lambda: dags.grid(()), "1 to 4 sides, not 0"),
        (lambda: dags.grid((3, 0)), "side must be at least 1, not 0"),
        (lambda: dags.stencil((2, 2, 2, 2, 2), 1), "1 to 4 sides, not 5"),
        (lambda: dags.stencil((4,), 0), "steps must be at least 1"),
        (lambda: dags.stencil((4,), 1, "cross"), "neighbourhood must be"),
        (lambda: dags.stencil((4, 2), 1, periodic=True), "periodic side must be at least 3, not 2"),
        (lambda: dags.random_layered(1), "n must be at least 2"),
        (lambda: dags.random_layered(5, layers=1), r"layers must be in 2\.\.5, not 1"),
        (lambda: dags.random_layered(5, layers=6), r"layers must be in 2\.\.5, not 6"),
        (lambda: dags.random_layered(5, max_indegree=0), "max_indegree must be at least 1"),
        (lambda: dags.random_layered(5, max_words=0), "max_words must be at least 1"),
        (lambda: dags.random_layered(5, seed=-1), "seed must be at least 0"),
    ],
)
def test_bad_parameters_are_refused(call, message):
    with pytest.raises(InvalidSpecError, match=message):
        call()


GOLDEN = {
    "bitonic4": dags.bitonic_sort(4),
    "fft4": dags.fft(4),
    "bintree2": dags.tree(2),
    "bintree3": dags.tree(3),
    "pyramid2": dags.pyramid(2),
    "pyramid3": dags.pyramid(3),
    "pyramid4": dags.pyramid(4),
    "grid3x3": dags.grid((3, 3)),
    "grid4x4": dags.grid((4, 4)),
    "stencil3x2": dags.stencil((3,), 2),
    "stencil3x3": dags.stencil((3,), 3),
    "stencil4x2": dags.stencil((4,), 2),
    "stencil4x3": dags.stencil((4,), 3),
    "stencil5x2": dags.stencil((5,), 2),
    "mm1x2x2": dags.matmul(2, m=1, k=2, form="multiply-add"),
    "mm1x4x1": dags.matmul(1, m=1, k=4, form="multiply-add"),
    "mm2x1x2": dags.matmul(2, m=2, k=1, form="multiply-add"),
    "mm2x2x1": dags.matmul(1, m=2, k=2, form="multiply-add"),
}


@pytest.mark.parametrize("name", GOLDEN)
def test_generators_equal_the_graphs_of_the_reference_optima(name, shared):
    graph = json.loads((shared / "golden" / "exact_optima.json").read_text())["graphs"][name]
    dag, reference = GOLDEN[name], dags.from_edges(graph["n"], graph["edges"])
    assert dag.pred_indptr.tolist() == reference.pred_indptr.tolist()
    assert dag.pred_indices.tolist() == reference.pred_indices.tolist()
