"""Traces against twins that run NumPy's object loops, or plain ones, on scalars."""

import inspect

import numpy as np
import pytest

from dags import cholesky, fft, lu, matmul, syrk
from dags.tracing import trace
from tests.test_dags.tracing import grid_programs, matrix_programs, other_programs
from tests.test_dags.tracing.scalar_twin import (
    cells,
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


def chain(cells_of):
    total = cells_of[0]
    for each in cells_of[1:]:
        total = total + each
    return total


def naive_einsum(text, *arrays):
    ahead, _, behind = text.partition("->")
    terms = ahead.split(",")
    lengths = {
        i: n for t, a in zip(terms, arrays, strict=True) for i, n in zip(t, a.shape, strict=True)
    }
    summed = [i for i in lengths if i not in behind]
    found = np.empty([lengths[i] for i in behind], object)
    for place in np.ndindex(*found.shape):
        terms_at = []
        for point in np.ndindex(*(lengths[i] for i in summed)):
            at = {**dict(zip(behind, place, strict=True)), **dict(zip(summed, point, strict=True))}
            product = None
            for term, array in zip(terms, arrays, strict=True):
                cell = array[tuple(at[i] for i in term)]
                product = cell if product is None else product * cell
            terms_at.append(product)
        found[place] = chain(terms_at)
    return found


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
    expected = [each for each in leaves(naive_einsum(text, *arrays)) if each.name is None]

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


@pytest.mark.parametrize(("m", "n", "k"), [(3, 2, 4), (1, 1, 1), (2, 5, 3)])
def test_products_are_those_of_the_generator(m, n, k):
    shapes = (m, k), (k, n)
    assert trace(np.matmul, *shapes) == matmul(n, m, k, form="multiply-add")
    assert trace(np.matmul, *shapes, tree=True) == matmul(n, m, k, form="tree")
    fused, chains = trace(np.matmul, *shapes, level="statement"), matmul(n, m, k)
    assert np.array_equal(fused.pred_indices, chains.pred_indices)
    assert np.array_equal(fused.pred_indptr, chains.pred_indptr)


def without_labels(dag):
    """Hashes from the inputs on, and from the outputs back: no names, no numbers."""
    ahead, back = [""] * dag.n, [""] * dag.n
    indptr, indices = dag.successors
    for _ in range(2):
        for v in range(dag.n):
            below = dag.pred_indices[dag.pred_indptr[v] : dag.pred_indptr[v + 1]].tolist()
            ahead[v] = str(hash(("a", back[v], *sorted(ahead[u] for u in below))))
        for v in range(dag.n - 1, -1, -1):
            above = indices[indptr[v] : indptr[v + 1]].tolist()
            back[v] = str(hash(("b", ahead[v], *sorted(back[u] for u in above))))
    return sorted(zip(ahead, back, strict=True))


def lower_product(a):
    return np.stack([a[i] @ a[j] for i in range(len(a)) for j in range(i + 1)])


@pytest.mark.parametrize(
    ("function", "shape", "generated"),
    [
        (np.linalg.cholesky, (6, 6), cholesky(6)),
        (np.fft.fft, (16,), fft(16)),
    ],
    ids=["cholesky", "fft"],
)
def test_algorithms_are_those_of_the_generators(function, shape, generated):
    assert without_labels(trace(function, shape, level="statement")) == without_labels(generated)


def eliminate(a):
    n = a.shape[0]
    for k in range(n - 1):
        for i in range(k + 1, n):
            a[i, k] = a[i, k] / a[k, k]
            for j in range(k + 1, n):
                a[i, j] = a[i, j] - a[i, k] * a[k, j]
    return a


def naive_solve(a, b):
    a, n = eliminate(a), len(b)
    for k in range(n):
        for i in range(k + 1, n):
            b[i] = b[i] - a[i, k] * b[k]
    for k in reversed(range(n)):
        b[k] = b[k] / a[k, k]
        for i in range(k):
            b[i] = b[i] - a[i, k] * b[k]
    return b


def naive_det(a):
    product = eliminate(a)[0, 0]
    for k in range(1, len(a)):
        product = product * a[k, k]
    return product


@pytest.mark.parametrize(
    ("function", "twin", "shapes"),
    [
        (np.linalg.solve, naive_solve, [(5, 5), (5,)]),
        (np.linalg.det, naive_det, [(5, 5)]),
        (np.linalg.norm, lambda a: chain((a * a).ravel()).sqrt(), [(3, 4)]),
        (np.linalg.matrix_power, lambda a, n: a @ (a @ a), [(3, 3), 3]),
    ],
    ids=["solve", "det", "norm", "matrix_power"],
)
def test_linear_algebra(function, twin, shapes):
    names = ["a", "b"][: len(shapes)] if function is not np.linalg.norm else ["x"]
    expected = outputs_of(twin, shapes, names)
    assert fingerprint(trace(function, *shapes)) == fingerprint_of_cells(expected)


@pytest.mark.parametrize("pair", [(np.max, np.sum), (np.min, np.prod), (np.all, np.any)])
@pytest.mark.parametrize("axis", [None, 0, (0, 2)])
@pytest.mark.parametrize("tree", [False, True])
def test_reductions_have_one_structure(pair, axis, tree):
    one, other = (trace(lambda a, f=f: f(a, axis=axis), (2, 3, 4), tree=tree) for f in pair)
    assert fingerprint(one) == fingerprint(other)
    assert one.computed.size == 24 - np.sum(np.ones((2, 3, 4)), axis=axis).size


def test_selections_read_the_condition_and_both_branches():
    dag = trace(lambda a, b: np.where(a > b, a * 2, b), (3,), (3,))
    compared, doubled, selected = 6, 9, 12
    assert dag.n == 15
    for i in range(3):
        begin, end = dag.pred_indptr[selected + i], dag.pred_indptr[selected + i + 1]
        assert dag.pred_indices[begin:end].tolist() == [3 + i, compared + i, doubled + i]


def test_elimination_is_that_of_the_generator():
    dag = trace(eliminate, (5, 5))
    assert dag.n == 25 + 10 + 2 * sum(k * k for k in range(5))
    assert lu(5).n <= dag.n
    assert trace(lower_product, (4, 3), level="statement").n == syrk(4, 3).n
