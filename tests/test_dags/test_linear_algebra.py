"""Dense linear algebra and neural networks: what the DAGs mean, and their closed forms."""

from itertools import product

import numpy as np
import pytest

import dags
from dags import InvalidSpecError
from tests.test_dags.linear_algebra_twins import CASES, RUNS


@pytest.mark.parametrize(("name", "case"), [(n, case) for n in CASES for case in CASES[n]])
def test_the_twins_compute_what_they_should(name, case):
    claims = RUNS[name](*case).claims
    assert claims
    for result, expected in claims:
        np.testing.assert_allclose(result, expected, rtol=1e-10, atol=1e-12)


def operands(dag, v):
    return dag.pred_indices[dag.pred_indptr[v] : dag.pred_indptr[v + 1]].tolist()


def test_tree_sums_two_by_two():
    n, m, k = 2, 3, 7
    dag = dags.matmul(n, m, k, "tree")
    for i, j, t in product(range(m), range(n), range(k)):
        first = m * k + k * n + (i * n + j) * (2 * k - 1)
        assert operands(dag, first + t) == [i * k + t, m * k + t * n + j]
        if t < k - 1:
            assert operands(dag, first + k + t) == [first + 2 * t, first + 2 * t + 1]


@pytest.mark.parametrize("k", range(1, 20))
def test_trees_are_of_least_height(k):
    dag = dags.matmul(1, k=k, form="tree", m=1)
    assert dag.level[-1] == 1 + (k - 1).bit_length()


def test_triangular_solve_is_numbered_as_documented():
    n, k = 5, 3
    dag = dags.triangular_solve(n, k)
    s = n * (n + 1) // 2 + n * k

    def x(i, c, j):
        return s + k * i * (i + 1) // 2 + c * (i + 1) + j

    for i, c in product(range(n), range(k)):
        before = n * (n + 1) // 2 + i * k + c
        for j in range(i):
            assert operands(dag, x(i, c, j)) == sorted([before, i * (i + 1) // 2 + j, x(j, c, j)])
            before = x(i, c, j)
        assert operands(dag, x(i, c, i)) == [i * (i + 1) // 2 + i, before]
        assert dag.work[x(i, c, i)] == 1


def test_syrk_is_numbered_as_documented():
    n, k = 4, 3
    dag = dags.syrk(n, k)
    for i, t in product(range(n), range(k)):
        for j in range(i + 1):
            v = n * k + (i * (i + 1) // 2 + j) * k + t
            assert operands(dag, v) == sorted({i * k + t, j * k + t}) + [v - 1] * (t > 0)


def test_lu_is_numbered_as_documented():
    n = 6
    dag = dags.lu(n)

    def a(i, j, k):
        """What step k makes of entry (i, j); step -1 is the input."""
        if k < 0:
            return i * n + j
        left = n - k
        return n * n + (n**3 - n - left**3 + left) // 3 + (i - k - 1) * left + j - k

    for k in range(n):
        for i in range(k + 1, n):
            assert operands(dag, a(i, k, k)) == [a(k, k, k - 1), a(i, k, k - 1)]
            assert dag.work[a(i, k, k)] == 1
            for j in range(k + 1, n):
                update = [a(k, j, k - 1), a(i, j, k - 1), a(i, k, k)]
                assert operands(dag, a(i, j, k)) == update


def test_cholesky_is_numbered_as_documented():
    n = 6
    dag = dags.cholesky(n)

    def a(i, j, k):
        if k < 0:
            return i * (i + 1) // 2 + j
        left = n - k
        start = n * (n + 1) // 2 + (n * (n + 1) * (n + 2) - left * (left + 1) * (left + 2)) // 6
        return start + (i - k) * (i - k + 1) // 2 + j - k

    for k in range(n):
        assert operands(dag, a(k, k, k)) == [a(k, k, k - 1)]
        for i in range(k + 1, n):
            assert operands(dag, a(i, k, k)) == [a(i, k, k - 1), a(k, k, k)]
            for j in range(k + 1, i + 1):
                update = {a(i, j, k - 1), a(i, k, k), a(j, k, k)}
                assert operands(dag, a(i, j, k)) == sorted(update)


def test_givens_rotations_are_numbered_as_documented():
    n, m = 3, 6
    dag = dags.qr_givens(n, m)
    start = m * n
    for j in range(n):
        for i in range(j + 1, m):
            rotation = start + 2 * (n - j) * (i - j - 1)
            assert dag.indegree[rotation] == 2
            assert dag.work[rotation] == 6
            assert rotation in dag.outputs
            for v in range(rotation + 1, rotation + 2 * (n - j)):
                assert operands(dag, v)[2] == rotation
        start += 2 * (m - 1 - j) * (n - j)
    assert start == dag.n


def test_attention_is_numbered_as_documented():
    n, d = 4, 3
    dag = dags.attention(n, d)
    per_query = 2 * n * d + 2 * n + d - 1
    for query in range(n):
        first = 3 * n * d + query * per_query
        p, sums, columns = first + n * d, first + n * d + n, first + n * d + 2 * n - 1
        for j, c in product(range(n), range(d)):
            link = first + j * d + c
            product_of = [query * d + c, n * d + j * d + c]
            assert operands(dag, link) == product_of + [link - 1] * (c > 0)
            link = columns + c * (n + 1) + j
            assert operands(dag, link) == [2 * n * d + j * d + c, p + j] + [link - 1] * (j > 0)
            assert operands(dag, columns + c * (n + 1) + n) == [sums + n - 2, link - j + n - 1]
        for j in range(n):
            assert operands(dag, p + j) == [first + j * d + d - 1]
        for j in range(1, n):
            assert operands(dag, sums + j - 1) == sorted([p + j, sums + j - 2 if j > 1 else p])


def test_convolution_leaves_pixels_that_no_filter_reaches():
    dag = dags.convolution(5, 5, kernel=1, stride=3)
    assert (dag.inputs.size, dag.used_inputs.size, dag.outputs.size) == (26, 5, 4)


def test_strassen_goes_as_deep_as_it_can():
    assert dags.strassen(12).params["levels"] == 2
    assert dags.strassen(8) == dags.strassen(8, 3)


@pytest.mark.parametrize("n", [1, 2, 5])
def test_strassen_of_no_levels_is_the_classical_product(n):
    assert dags.strassen(n, 0) == dags.matmul(n, form="multiply-add")


@pytest.mark.parametrize("n", [1, 2, 5])
def test_matvec_is_a_product_with_one_column(n):
    assert dags.matvec(n, 4) == dags.matmul(1, m=n, k=4)


@pytest.mark.parametrize("n", [2, 3, 6])
def test_convolution_with_one_pixel_filters_is_a_product(n):
    dag = dags.convolution(1, n, channels=3, filters=2, kernel=1)
    second = dags.matmul(n, m=2, k=3)
    assert (dag.n, dag.m, dag.outputs.size) == (second.n, second.m, second.outputs.size)


@pytest.mark.parametrize(
    ("call", "vertices", "edges", "inputs", "outputs", "work"),
    [
        ("matmul:n=60,form=tree", 2 * 3600 + 3600 * 119, 3600 * 238, 7200, 3600, 3600 * 119),
        ("matvec:n=300,m=500", 500 * 601, 300 * 1499, 150500, 300, 2 * 150000),
        ("triangular_solve:n=128", 2 * 8256 + 128, 64 * 385, 8256 + 128, 128, 128**2),
        ("triangular_solve:n=100,k=70", 70 * 5050 + 12050, 35 * 30100, 12050, 7000, 700000),
        ("syrk:n=80,k=50", 4000 + 3240 * 50, 3160 * 149 + 80 * 99, 4000, 3240, 324000),
        ("lu:n=100", 10000 + 333300, 50 * 99 * 201, 10000, 9900, 2 * 333300 - 4950),
        ("cholesky:n=120", 7260 + 295240, 7200 * 121, 7260, 7260, 2 * 295240 - 7260),
        ("qr_givens:n=60", 3600 + 143960, 3 * 143960 - 1770, 3600, 3600, 3 * 143960 + 3 * 1770),
        ("qr_givens:n=60,m=90", 5400 + 253760, 761280 - 3570, 5400, 5400, 761280 + 3 * 3570),
        ("strassen:n=64", 8192 + 7**7 - 6 * 4096, 2 * (7**7 - 24576), 8192, 4096, 7**7 - 24576),
        ("strassen:n=48,levels=2", 4608 + 190800, 381600, 4608, 2304, 190800),
        ("attention:tokens=128,width=16", 128 * 4415, 128 * 12558, 6144, 2048, 128 * 8463),
        (
            "convolution:height=40,width=50,channels=3,filters=4,kernel=5,stride=2",
            6000 + 300 * (1 + 18 * 23),
            4 * 18 * 23 * 224,
            6300,
            4 * 18 * 23,
            600 * 18 * 23,
        ),
    ],
)
def test_sizes_follow_closed_forms(call, vertices, edges, inputs, outputs, work):
    dag = dags.load(call)
    assert (dag.n, dag.m) == (vertices, edges)
    assert (dag.inputs.size, dag.outputs.size, dag.work.sum()) == (inputs, outputs, work)


@pytest.mark.parametrize(
    ("call", "vertices"),
    [
        ("matmul:n=120,form=tree", 2 * 14400 + 14400 * 239),
        ("matvec:n=1500", 1500 * 3001),
        ("triangular_solve:n=2000", 2001 * 2000 + 2000),
        ("syrk:n=200,k=200", 200 * 200 * 203 // 2),
        ("lu:n=230", 52900 + (230**3 - 230) // 3),
        ("cholesky:n=280", 140 * 281 + 280 * 281 * 282 // 6),
        ("qr_givens:n=180", 32400 + 60 * 181 * 358),
        ("strassen:n=128", 32768 + 7**8 - 6 * 16384),
        ("attention:tokens=256,width=30", 256 * (90 + 15901)),
        ("convolution:height=64,width=64,channels=8,filters=16", 32768 + 1152 * (1 + 62**2)),
    ],
)
def test_millions_of_vertices_are_built(call, vertices):
    assert dags.load(call).n == vertices


HUGE = 10**4000


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: dags.matvec(0), "n must be at least 1, not 0"),
        (lambda: dags.matvec(1, 0), "m must be at least 1, not 0"),
        (lambda: dags.triangular_solve(0), "n must be at least 1, not 0"),
        (lambda: dags.triangular_solve(2, 0), "k must be at least 1, not 0"),
        (lambda: dags.syrk(0, 1), "n must be at least 1, not 0"),
        (lambda: dags.syrk(1, 0), "k must be at least 1, not 0"),
        (lambda: dags.lu(1), "n must be at least 2, not 1"),
        (lambda: dags.cholesky(0), "n must be at least 1, not 0"),
        (lambda: dags.qr_givens(0), "n must be at least 1, not 0"),
        (lambda: dags.qr_givens(1), "m must be at least 2, not 1"),
        (lambda: dags.qr_givens(4, 3), "m must be at least 4, not 3"),
        (lambda: dags.strassen(0), "n must be at least 1, not 0"),
        (lambda: dags.strassen(4, -1), "levels must be at least 0, not -1"),
        (lambda: dags.strassen(12, 3), "levels must be at most 2, .*, not 3"),
        (lambda: dags.attention(0, 1), "tokens must be at least 1, not 0"),
        (lambda: dags.attention(1, 0), "width must be at least 1, not 0"),
        (lambda: dags.convolution(0, 3), "height must be at least 1, not 0"),
        (lambda: dags.convolution(3, 3, channels=0), "channels must be at least 1, not 0"),
        (lambda: dags.convolution(3, 3, filters=0), "filters must be at least 1, not 0"),
        (lambda: dags.convolution(3, 3, kernel=0), "kernel must be at least 1, not 0"),
        (lambda: dags.convolution(3, 3, stride=0), "stride must be at least 1, not 0"),
        (lambda: dags.convolution(3, 2), "kernel must be at most 2, not 3"),
    ],
)
def test_bad_parameters_are_refused(call, message):
    with pytest.raises(InvalidSpecError, match=message):
        call()


@pytest.mark.parametrize(
    "call",
    [
        lambda: dags.matmul(HUGE, form="tree"),
        lambda: dags.matvec(HUGE),
        lambda: dags.triangular_solve(2, HUGE),
        lambda: dags.syrk(HUGE, 2),
        lambda: dags.lu(HUGE),
        lambda: dags.cholesky(HUGE),
        lambda: dags.qr_givens(2, HUGE),
        lambda: dags.strassen(2**9000),
        lambda: dags.strassen(2**9000, 1),
        lambda: dags.attention(HUGE, 1),
        lambda: dags.convolution(HUGE, 3),
    ],
)
def test_a_dag_that_cannot_be_held_is_refused_at_once(call):
    with pytest.raises(InvalidSpecError, match="at most 2147483647 vertices"):
        call()
