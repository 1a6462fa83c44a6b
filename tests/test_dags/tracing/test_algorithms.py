"""Algorithms of traces against the generators, and against plain loops on scalars."""

import numpy as np
import pytest

from dags import cholesky, fft, lu, matmul, syrk
from dags.tracing import trace
from tests.test_dags.tracing.scalar_twin import chain, fingerprint, fingerprint_of_cells, outputs_of


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


def test_elimination_is_that_of_the_generator():
    dag = trace(eliminate, (5, 5))
    assert dag.n == 25 + 10 + 2 * sum(k * k for k in range(5))
    assert lu(5).n <= dag.n
    assert trace(lower_product, (4, 3), level="statement").n == syrk(4, 3).n
