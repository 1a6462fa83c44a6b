"""Generators whose DAGs are those of a nest, inputs matched by name."""

from collections import Counter

import pytest

import dags
from dags.programs.text import from_python
from tests.test_dags.programs.traced import hashes


def matrix(name, columns, first=0):
    """The name of a row-major matrix's entry, by its number."""
    return lambda v: (name, *divmod(v - first, columns))


def triangle(name):
    def entry(v):
        i = next(i for i in range(v + 1) if (i + 1) * (i + 2) // 2 > v)
        return (name, i, v - i * (i + 1) // 2)

    return entry


def either(count, first, second):
    return lambda v: first(v) if v < count else second(v)


MATMUL = """
def f(A, B, n, m, k):
    C = np.zeros((m, n))
    for i in range(m):
        for j in range(n):
            for l in range(k):
                C[i, j] += A[i, l] * B[l, j]
    return C
"""
MULTIPLY_ADD = """
def f(A, B, n, m, k):
    C = np.zeros((m, n))
    for i in range(m):
        for j in range(n):
            C[i, j] = A[i, 0] * B[0, j]
            for l in range(1, k):
                C[i, j] += A[i, l] * B[l, j]
    return C
"""
MATVEC = """
def f(A, x, n, m):
    y = np.zeros(n)
    for i in range(n):
        for j in range(m):
            y[i] += A[i, j] * x[0, j]
    return y
"""
SYRK = """
def f(A, n, k):
    C = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            for l in range(k):
                C[i, j] += A[i, l] * A[j, l]
    return C
"""
SOLVE = """
def f(L, B, n, k):
    X = np.zeros((n, k))
    for i in range(n):
        for c in range(k):
            X[i, c] = B[i, c]
            for j in range(i):
                X[i, c] -= L[i, j] * X[j, c]
            X[i, c] /= L[i, i]
    return X
"""
LU = """
def f(A, n):
    for k in range(n):
        for i in range(k + 1, n):
            A[i, k] /= A[k, k]
            for j in range(k + 1, n):
                A[i, j] -= A[i, k] * A[k, j]
"""
CHOLESKY = """
def f(A, n):
    for k in range(n):
        A[k, k] = sqrt(A[k, k])
        for i in range(k + 1, n):
            A[i, k] /= A[k, k]
            for j in range(k + 1, i + 1):
                A[i, j] -= A[i, k] * A[j, k]
"""
# Cells around the grid are never written: they hold constants, which nothing is computed from.
STENCIL = """
def f(G, R, p, q, steps):
    A = np.zeros((steps + 1, p + 2, q + 2))
    for i in range(p):
        for j in range(q):
            A[0, i + 1, j + 1] = G[i, j]
    for t in range(steps):
        for i in range(1, p + 1):
            for j in range(1, q + 1):
                A[t + 1, i, j] = g(
                    A[t, i, j], A[t, i - 1, j], A[t, i + 1, j], A[t, i, j - 1], A[t, i, j + 1]
                )
    for i in range(p):
        for j in range(q):
            R[i, j] = A[steps, i + 1, j + 1]
"""
GRID = """
def f(G, p, q):
    A = np.zeros((p + 1, q + 1))
    A[1, 1] = G[0, 0]
    for i in range(1, p + 1):
        for j in range(1, q + 1):
            if i + j > 2:
                A[i, j] = A[i - 1, j] + A[i, j - 1]
    r = A[p, q]
    return r
"""
PYRAMID = """
def f(G, h):
    A = np.zeros((h + 1, h + 1))
    for i in range(h + 1):
        A[0, i] = G[0, i]
    for t in range(1, h + 1):
        for i in range(h + 1 - t):
            A[t, i] = A[t - 1, i] + A[t - 1, i + 1]
    r = A[h, 0]
    return r
"""
MET = {
    "matmul:n=3,m=4,k=5": (
        MATMUL,
        {"n": 3, "m": 4, "k": 5},
        either(20, matrix("A", 5), matrix("B", 3, 20)),
    ),
    "matmul:n=3,m=2,k=4,form=multiply-add": (
        MULTIPLY_ADD,
        {"n": 3, "m": 2, "k": 4, "level": "operation"},
        either(8, matrix("A", 4), matrix("B", 3, 8)),
    ),
    "matvec:n=4,m=3": (
        MATVEC,
        {"n": 4, "m": 3},
        either(12, matrix("A", 3), matrix("x", 3, 12)),
    ),
    "syrk:n=5,k=3": (SYRK, {"n": 5, "k": 3}, matrix("A", 3)),
    "triangular_solve:n=5,k=2": (
        SOLVE,
        {"n": 5, "k": 2},
        either(15, triangle("L"), matrix("B", 2, 15)),
    ),
    "lu:n=6": (LU, {"n": 6}, matrix("A", 6)),
    "cholesky:n=6": (CHOLESKY, {"n": 6}, triangle("A")),
    "stencil:shape=5x4,steps=3": (STENCIL, {"p": 5, "q": 4, "steps": 3}, matrix("G", 4)),
    "grid:shape=5x4": (GRID, {"p": 5, "q": 4}, matrix("G", 4)),
    "pyramid:height=6": (PYRAMID, {"h": 6}, matrix("G", 7)),
}


@pytest.mark.parametrize("spec", MET)
def test_a_nest_is_the_dag_of_a_generator(spec):
    text, arguments, name = MET[spec]
    dag, generated = from_python(text).dag(**arguments), dags.load(spec)
    own_values, theirs = hashes(dag), hashes(generated, name)
    assert Counter(own_values) == Counter(theirs)
    assert Counter(own_values[v] for v in dag.outputs) == Counter(
        theirs[v] for v in generated.outputs
    )
    assert sorted(zip(own_values, dag.indegree.tolist(), strict=True)) == sorted(
        zip(theirs, generated.indegree.tolist(), strict=True)
    )
