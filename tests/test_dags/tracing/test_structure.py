"""Traces against twins that run NumPy's object loops, or plain ones, on scalars."""

import inspect

import numpy as np
import pytest

from dags.tracing import trace
from tests.test_dags.tracing import grid_programs, matrix_programs, other_programs
from tests.test_dags.tracing.scalar_twin import (
    cells,
    chain,
    fingerprint,
    fingerprint_of_cells,
    leaves,
    outputs_of,
)

PROGRAMS = {**matrix_programs.PROGRAMS, **grid_programs.PROGRAMS, **other_programs.PROGRAMS}
SELECTING = {  # by values, which NumPy's loops over objects do not turn into vertices
    *("clipping", "compute", "correlation", "crc16_selected", "floyd_warshall", "hdiff", "lenet"),
    *("mandelbrot2", "maxpool2d", "mlp", "nussinov_selected", "resnet", "softmax"),
}
OTHERWISE = {  # by functions that know no objects
    *("cholesky2", "contour_integral", "lstsq", "nbody", "scattering_self_energies", "spmv"),
}
A, B, C = (3, 4), (4, 5), (4,)
FUNCTIONS = {
    "add": (lambda a, c: a + c * 2 - 1 / a, A, C),
    "twice": (lambda a: a * a + a, A),
    "constants": (lambda a: a * (2.0 + np.arange(4)) + np.ones((2, 1, 1)), A),
    "sum": (lambda a: (a.sum(), a.sum(axis=0), np.sum(a, axis=1, keepdims=True)), A),
    "sum of one": (lambda a: a[:1].sum(axis=0) * 2, A),
    "prod": (lambda a: np.multiply.reduce(a, axis=1), A),
    "mean": (lambda a: a.mean(axis=1), A),
    "subtract.reduce": (lambda a: np.subtract.reduce(a, axis=1), A),
    "cumsum": (lambda a: (np.cumsum(a, axis=1), a.cumsum(axis=0), np.cumsum(a)), A),
    "cumprod": (lambda a: np.cumprod(a, axis=-1), A),
    "matmul": (lambda a, b: a @ b, A, B),
    "matmul of a vector": (lambda a, c: (a @ c, c @ a.T), A, C),
    "batches": (lambda a, b: a @ b, (2, 3, 4), (4, 2)),
    "dot": (lambda a, b: np.dot(a, b), A, B),
    "tensordot": (lambda a, b: np.tensordot(a, b, axes=([1], [0])), A, B),
    "inner": (lambda a, b: np.inner(a, b.T), A, B),
    "outer": (lambda a, c: (np.outer(a, c), np.add.outer(c, c)), A, C),
    "kron": (lambda a, c: np.kron(a, c), A, C),
    "trace": (lambda a: np.trace(a), (4, 4)),
    "constant operands": (lambda a: np.ones((2, 3)) @ a, A),
    "slices": (lambda a: a[1:, ::2] * a[:-1, 1::2], A),
    "integers": (lambda a: a[[0, 2, 0]] + a[np.array([1, 1, 2])], A),
    "a mask": (lambda a: a[:, np.array([True, False, True, True])] * 2, A),
    "newaxis": (lambda a: a[:, None, :] - a[None, ...], A),
    "assignment": (lambda a: (a.__setitem__((slice(1, None), 0), a[0, 1] * 2), a + 0)[1], A),
    "in place": (lambda a, b: a.__iadd__(b).__imul__(a), A, A),
    "views": (lambda a: (a.T.__setitem__(0, a[:, 1] * 3), a[:, 0] - a[:, 2])[1], A),
    "shapes": (lambda a: np.roll(np.flip(a.reshape(2, 6).T, 0), 1, axis=1) * np.ravel(a)[:2], A),
    "joins": (lambda a: np.concatenate([a, np.ones((1, 4)), a * 2]).sum(axis=0), A),
    "stacks": (lambda a: np.stack([a[0], a[1]], axis=1) * np.vstack([a[:, 0]] * 4)[:, :2], A),
    "splits": (lambda a: np.subtract(*np.split(a, 2, axis=1)), A),
    "tile": (lambda a: np.tile(a, 2) * np.repeat(a, 2, axis=1), A),
    "diagonals": (lambda a: np.diag(a) * np.diagonal(a), (4, 4)),
    "diff": (lambda a: np.diff(a, axis=0), A),
    "cross": (lambda a: np.cross(a[0, :3], a[1, :3]), A),
    "square roots": (lambda a: np.sqrt(a) / np.exp(-a) + np.abs(a), A),
    "scalars": (lambda s, a: s * a + s, (), A),
    "a dict": (lambda a: {"x": a * 2, "y": (a + 1, a)}, A),
}


def names_of(function):
    return [*inspect.signature(function).parameters]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name):
    function, *shapes = FUNCTIONS[name]
    expected = outputs_of(function, shapes, names_of(function))
    assert fingerprint(trace(function, *shapes)) == fingerprint_of_cells(expected)


@pytest.mark.parametrize("name", sorted(PROGRAMS.keys() - SELECTING - OTHERWISE))
def test_programs(name):
    function, *arguments = PROGRAMS[name]
    expected = outputs_of(function, arguments, names_of(function)[: len(arguments)])
    assert fingerprint(trace(function, *arguments)) == fingerprint_of_cells(expected)


def naive_einsum(text, *arrays):
    ahead, _, behind = text.partition("->")
    terms = ahead.split(",")
    lengths = {
        i: n for t, a in zip(terms, arrays, strict=True) for i, n in zip(t, a.shape, strict=True)
    }
    summed = [i for i in lengths if i not in behind]
    result = np.empty([lengths[i] for i in behind], object)
    for place in np.ndindex(*result.shape):
        terms_at = []
        for point in np.ndindex(*(lengths[i] for i in summed)):
            position = {
                **dict(zip(behind, place, strict=True)),
                **dict(zip(summed, point, strict=True)),
            }
            product = None
            for term, array in zip(terms, arrays, strict=True):
                cell = array[tuple(position[i] for i in term)]
                product = cell if product is None else product * cell
            terms_at.append(product)
        result[place] = chain(terms_at)
    return result


@pytest.mark.parametrize(
    ("text", "shapes"),
    [
        ("ij,jk->ik", [(2, 3), (3, 4)]),
        ("ij,jk->ki", [(2, 3), (3, 4)]),
        ("ijk,il,jl->kl", [(2, 3, 2), (2, 2), (3, 2)]),
        ("ii,i->i", [(3, 3), (3,)]),
        ("ii,i->", [(3, 3), (3,)]),
        ("ij->j", [(3, 2)]),
        ("bij,bjk->bik", [(2, 2, 3), (2, 3, 2)]),
        ("i,j->ij", [(3,), (2,)]),
    ],
)
def test_einsum(text, shapes):
    arrays = [cells(f"x{i}", shape) for i, shape in enumerate(shapes)]
    expected = [leaf for leaf in leaves(naive_einsum(text, *arrays)) if leaf.name is None]

    def function(*x):
        return np.einsum(text, *x)

    assert fingerprint(trace(function, *shapes)) == fingerprint_of_cells(expected)


def test_trees_pair_neighbours_first():
    def tree(queue):
        for t in range(len(queue) - 1):
            queue.append(queue[2 * t] + queue[2 * t + 1])
        return queue[-1]

    expected = [tree(list(row)) for row in cells("a", (3, 5))]
    dag = trace(lambda a: a.sum(axis=1), (3, 5), tree=True)
    assert fingerprint(dag) == fingerprint_of_cells(expected)
    assert int(dag.level.max()) == 3


@pytest.mark.parametrize("pair", [(np.max, np.sum), (np.min, np.prod), (np.all, np.any)])
@pytest.mark.parametrize("axis", [None, 0, (0, 2)])
@pytest.mark.parametrize("tree", [False, True])
def test_reductions_have_one_structure(pair, axis, tree):
    first, second = (trace(lambda a, f=f: f(a, axis=axis), (2, 3, 4), tree=tree) for f in pair)
    assert fingerprint(first) == fingerprint(second)
    assert first.computed.size == 24 - np.sum(np.ones((2, 3, 4)), axis=axis).size


def test_selections_read_the_condition_and_both_branches():
    dag = trace(lambda a, b: np.where(a > b, a * 2, b), (3,), (3,))
    compared, doubled, selected = 6, 9, 12
    assert dag.n == 15
    for i in range(3):
        begin, end = dag.pred_indptr[selected + i], dag.pred_indptr[selected + i + 1]
        assert dag.pred_indices[begin:end].tolist() == [3 + i, compared + i, doubled + i]
