"""Networks, sorts, lattices and sparse iterations: what the DAGs mean, and closed forms."""

from itertools import pairwise
from math import comb, log2

import numpy as np
import pytest
import scipy.sparse

import dags
from dags import InvalidSpecError
from dags.families.common import sparse_patterns
from pebble import min_memory, play
from schedulers import scheduler_named
from tests.test_dags import network_twins
from tests.test_dags.network_twins import CASES, RUNS


@pytest.mark.parametrize(("name", "case"), [(n, case) for n in CASES for case in CASES[n]])
def test_the_twins_compute_what_they_should(name, case):
    claims = RUNS[name](*case).claims
    assert claims
    for result, expected in claims:
        np.testing.assert_allclose(result, expected, rtol=1e-8, atol=1e-12)


def rows(dag):
    bounds = dag.pred_indptr.tolist()
    return [dag.pred_indices[a:b].tolist() for a, b in pairwise(bounds)]


def reached(dag, v):
    """The inputs that vertex v depends on."""
    operands, waiting, seen = rows(dag), [v], set()
    while waiting:
        u = waiting.pop()
        if u not in seen:
            seen.add(u)
            waiting += operands[u]
    return seen & set(dag.inputs.tolist())


@pytest.mark.parametrize(("n", "radix"), [(27, 3), (64, 4), (25, 5), (64, 8)])
def test_every_output_of_a_butterfly_needs_every_input(n, radix):
    dag = dags.fft(n, radix)
    assert all(len(reached(dag, v)) == n for v in dag.outputs.tolist())


def test_radix_4_does_two_levels_of_radix_2_at_once():
    fine, coarse = dags.fft(64), dags.fft(64, 4)
    for level in range(1, 4):
        for i in range(64):
            before = set()
            for u in rows(fine)[2 * level * 64 + i]:
                before |= set(rows(fine)[u])
            renumbered = {u - (2 * level - 2) * 64 + (level - 1) * 64 for u in before}
            assert set(rows(coarse)[level * 64 + i]) == renumbered


@pytest.mark.parametrize("network", network_twins.SCANS)
@pytest.mark.parametrize("n", range(2, 40))
def test_prefix_scans_have_the_documented_size(network, n):
    d, bits, units = (n - 1).bit_length(), n.bit_length(), n.bit_count()
    computed = {
        "kogge-stone": n * d - 2**d + 1,
        "sklansky": sum(i.bit_count() for i in range(n)),
        "brent-kung": 2 * n - bits - units,
    }[network]
    dag = dags.prefix_scan(n, network)
    assert (dag.n, dag.m) == (n + computed, 2 * computed)
    assert (dag.inputs.size, dag.outputs.size) == (n, n - 1)
    if network != "brent-kung":
        assert dag.level.max() == d


@pytest.mark.parametrize(
    ("spec", "computed", "edges", "inputs", "outputs", "work"),
    [
        ("fft:n=6561,radix=3", 8 * 6561, 24 * 6561, 6561, 6561, 16 * 6561),
        ("fft:n=4096,radix=16", 3 * 4096, 48 * 4096, 4096, 4096, 45 * 4096),
        ("prefix_scan:n=4096", 11 * 4096 + 1, 22 * 4096 + 2, 4096, 4095, 11 * 4096 + 1),
        ("prefix_scan:n=4096,network=sklansky", 24576, 49152, 4096, 4095, 24576),
        ("prefix_scan:n=4096,network=brent-kung", 8178, 16356, 4096, 4095, 8178),
        ("bitonic_sort:n=1024", 1024 * 55, 2048 * 55, 1024, 1024, 1024 * 55),
        ("odd_even_merge_sort:n=1024", 512 * 94 - 2, 1024 * 94 - 4, 1024, 1024, 512 * 94 - 2),
        ("odd_even_transposition_sort:n=300", 300 * 299, 600 * 299, 300, 300, 300 * 299),
        ("odd_even_transposition_sort:n=301", 300 * 301, 600 * 301, 301, 301, 300 * 301),
        ("binomial:n=300", 301 * 151 - 1, 300 * 301, 1, 301, 301 * 151 - 1),
        ("hypercube:d=12", 4095, 6 * 4096, 1, 1, 6 * 4096),
        ("sweep:shape=40x50", 2000, 2000 + 2 * (39 * 50 + 40 * 49), 2000, 2000, 2000),
        ("sweep:shape=40x50,neighbourhood=box", 2000, 118 * 148, 2000, 2000, 2000),
        ("sweep:shape=9x8x7,periodic=true", 504, 7 * 504, 504, 504, 504),
        ("sweep:shape=9x8x7,neighbourhood=box,periodic=1", 504, 27 * 504, 504, 504, 504),
        ("spmv:shape=40x50", 2 * 9820 - 2000, 2 * 17640, 11820, 2000, 17640),
        (
            "conjugate_gradient:shape=40x50,steps=7",
            14 * 9820 + 2000 * 58 - 1,
            2 * (14 * 9820 + 2000 * 58 - 1) - 14000,
            11820,
            2000,
            14 * 9820 + 2000 * 58 - 1,
        ),
    ],
)
def test_sizes_follow_closed_forms(spec, computed, edges, inputs, outputs, work):
    dag = dags.load(spec)
    assert (dag.computed.size, dag.m) == (computed, edges)
    assert (dag.inputs.size, dag.outputs.size, dag.work.sum()) == (inputs, outputs, work)
    assert dag.used_inputs.size == inputs


@pytest.mark.parametrize(
    ("spec", "vertices"),
    [
        ("fft:n=65536,radix=4", 9 * 65536),
        ("prefix_scan:n=100000", 1800000 - 2**17 + 1),
        ("bitonic_sort:n=65536", 65536 * 137),
        ("odd_even_merge_sort:n=65536", 65536 + 32768 * 244 - 2),
        ("odd_even_transposition_sort:n=2000", 2000 * 2000),
        ("binomial:n=3000", 3001 * 1501),
        ("hypercube:d=20", 2**20),
        ("sweep:shape=600x700", 840000),
        ("spmv:shape=500x400", 3 * 998200),
        ("conjugate_gradient:shape=100x100,steps=10", 49600 * 21 + 860000 - 1),
        ("random_tree:n=300000", 300000),
    ],
)
def test_hundreds_of_thousands_of_vertices_are_built(spec, vertices):
    assert dags.load(spec).n == vertices


def test_a_comparator_is_two_vertices_with_the_same_operands():
    for dag in (dags.bitonic_sort(16), dags.odd_even_merge_sort(16)):
        computed = rows(dag)[16:]
        assert computed[::2] == computed[1::2]


@pytest.mark.parametrize("seed", range(3))
def test_a_large_random_matrix_has_the_density_asked_for(seed):
    pattern = sparse_patterns.random_square(2000, 0.01, seed)
    off_diagonal = pattern.nonzeros - 2000
    assert abs(off_diagonal - 0.01 * 2000 * 1999) < 5 * 200
    columns = [pattern.indices[a:b].tolist() for a, b in pairwise(pattern.indptr)]
    assert all(i in row and row == sorted(set(row)) for i, row in enumerate(columns))


def sparse_matrix(shape, density):
    return scipy.sparse.random_array(
        shape, density=density, format="csr", rng=np.random.default_rng(1)
    )


def test_any_sparse_pattern_is_multiplied():
    matrix = sparse_matrix((30, 20), 0.1)
    dag = dags.spmv_of(matrix)
    pattern = sparse_patterns.pattern_of(matrix)
    assert (np.diff(matrix.indptr) == 0).any()
    assert dag == network_twins.spmv_of(pattern).dag()
    z, r = matrix.nnz, pattern.filled_rows
    assert (dag.n, dag.m, dag.outputs.size) == (20 + 3 * z - r, 4 * z - 2 * r, r)


def test_any_sparse_pattern_is_iterated_on():
    matrix = (sparse_matrix((12, 12), 0.1) + scipy.sparse.eye_array(12, format="csr")).tocsr()
    pattern = sparse_patterns.pattern_of((matrix + matrix.T).tocsr())
    run = network_twins.conjugate_gradient_of(pattern, 4)
    assert dags.conjugate_gradient_of((matrix + matrix.T).tocsr(), 4) == run.dag()
    np.testing.assert_allclose(*run.claims[0], rtol=1e-8)


class Rows:
    """A matrix in compressed sparse rows."""

    def __init__(self, shape, indptr, indices):
        self.shape, self.indptr, self.indices = shape, indptr, indices


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (Rows((2, 2), [0, 1], [0]), "a matrix of 2 rows has 3 row pointers"),
        (Rows((1, 1), [0, 1], [[0]]), "a matrix of 1 rows has 2 row pointers"),
        (Rows((2, 2), [0, 1, 3], [0, 1]), "row pointers must rise from 0 to 2"),
        (Rows((2, 2), [0, 2, 1], [0]), "row pointers must rise from 0 to 1"),
        (Rows((1, 2), [0, 2], [0, 2]), r"columns must be in 0\.\.1"),
        (Rows((2, 1), [0, 1, 2], [0, 0]), "square matrix with a nonzero in each row, not 2 x 1"),
        (Rows((2, 2), [0, 0, 1], [1]), "not 2 x 2 with nonzeros in 1 rows"),
    ],
)
def test_a_matrix_that_is_none_is_refused(matrix, message):
    with pytest.raises(InvalidSpecError, match=message):
        dags.conjugate_gradient_of(matrix, 1)


def comparisons_of_merges(keys, width):
    """Sort by binary merges; return the keys and how many comparisons that takes."""
    if width == 1:
        return keys, 0
    half = width // 2
    (left, first), (right, second) = (
        comparisons_of_merges(part, half) for part in (keys[:half], keys[half:])
    )
    merged, built = [], first + second
    while left and right:
        merged.append((left if left[0] < right[0] else right).pop(0))
        built += 1
    return merged + left + right, built


@pytest.mark.parametrize(("ways", "run"), [(2, 2), (2, 1), (4, 4), (8, 2), (16, 16), (2, 64)])
def test_a_tournament_makes_the_comparisons_of_binary_merges(ways, run):
    keys = np.random.default_rng(5).permutation(256).tolist()
    merged, comparisons = comparisons_of_merges(keys, 256)
    dag = dags.merge_sort(256, ways, run, seed=5)
    assert merged == list(range(256))
    assert (dag.n, dag.m) == (256 + comparisons, 2 * comparisons)
    assert (dag.inputs.size, dag.outputs.size) == (256, 255)


def test_merge_sort_takes_the_expected_comparisons():
    n, d = 2**16, 16
    expected = sum(2 ** (d - s - 1) * (2 * 2**s - 2 * 2**s / (2**s + 1)) for s in range(d))
    dag = dags.merge_sort(n, ways=16)
    assert abs(dag.n - n - expected) < 0.001 * expected
    assert dag.n - n < n * d
    assert dag != dags.merge_sort(n, ways=16, seed=1)


def passes(n, ways, run):
    """The loads and stores of a sort that moves every key once a pass."""
    keys = np.random.default_rng(0).permutation(n).tolist()
    lists, fan = [[key] for key in keys], run
    loads, stores = 0, 0
    while len(lists) > 1:
        groups = [lists[i : i + fan] for i in range(0, len(lists), fan)]
        for group in groups:
            if len(group) == 1:
                continue
            top = sorted(max(part) for part in group)[-2]
            loads += sum(map(len, group))
            stores += sum(key <= top for part in group for key in part)
        lists, fan = [sorted(key for part in group for key in part) for group in groups], ways
    return loads, stores


@pytest.mark.parametrize(("n", "ways"), [(64, 4), (256, 16), (1000, 10), (4096, 8), (729, 9)])
def test_the_natural_order_moves_every_key_once_a_pass(n, ways):
    dag = dags.merge_sort(n, ways)
    count = play(dag, scheduler_named("natural+belady-clean")(dag, ways + 1), ways + 1)
    loads, stores = passes(n, ways, ways)
    assert count.loads <= loads
    assert count.stores <= stores
    assert count.io >= 0.9 * (loads + stores)


def test_more_memory_sorts_in_fewer_passes():
    """Words a comparison fall like 2 / log2 k when k = memory - 1 lists are merged at once."""
    n = 4096
    for ways in (4, 8, 16, 64):
        dag = dags.merge_sort(n, ways)
        io = play(dag, scheduler_named("natural+belady-clean")(dag, ways + 1), ways + 1).io
        assert 2 * n * 12 / log2(ways) * 0.9 < io <= 2 * n * 12 / log2(ways)


def test_sort_needs_three_words_at_least():
    assert min_memory(dags.merge_sort(50)) == 3


def test_hypercube_levels_are_sizes_of_subsets():
    dag = dags.hypercube(8)
    assert np.bincount(dag.level).tolist() == [comb(8, k) for k in range(9)]
    assert dag.level.tolist() == dag.work.tolist()


def test_binomial_is_a_pyramid_turned_round():
    dag, pyramid = dags.binomial(7), dags.pyramid(7)
    turned = {(dag.n - 1 - v, dag.n - 1 - u) for v, row in enumerate(rows(dag)) for u in row}
    assert turned == {(u, v) for v, row in enumerate(rows(pyramid)) for u in row}


def test_sweep_is_a_stencil_of_one_step():
    assert dags.sweep((5, 6), "box") == dags.stencil((5, 6), 1, "box")


@pytest.mark.parametrize("seed", range(3))
def test_random_trees_keep_their_promises(seed):
    dag = dags.random_tree(500, 4, seed)
    assert dag == dags.random_tree(500, 4, seed)
    assert dag != dags.random_tree(500, 4, seed + 3)
    assert dag.m == 499
    assert dag.outputs.tolist() == [499]
    assert dag.outdegree[:-1].tolist() == [1] * 499
    assert (dag.words.min(), dag.words.max()) == (1, 4)
    assert dags.random_tree(500, 1, seed).words is None


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: dags.fft(4, 1), "radix must be at least 2, not 1"),
        (lambda: dags.fft(2, 3), "n must be at least 3, not 2"),
        (lambda: dags.fft(6, 3), "n must be a power of the radix 3, not 6"),
        (lambda: dags.prefix_scan(1), "n must be at least 2, not 1"),
        (lambda: dags.prefix_scan(4, "ladner"), "one of kogge-stone, brent-kung, sklansky, not"),
        (lambda: dags.bitonic_sort(1), "n must be at least 2, not 1"),
        (lambda: dags.bitonic_sort(12), "n must be a power of two, not 12"),
        (lambda: dags.odd_even_merge_sort(12), "n must be a power of two, not 12"),
        (lambda: dags.odd_even_transposition_sort(1), "n must be at least 2, not 1"),
        (lambda: dags.merge_sort(1), "n must be at least 2, not 1"),
        (lambda: dags.merge_sort(4, 1), "ways must be at least 2, not 1"),
        (lambda: dags.merge_sort(4, run=0), "run must be at least 1, not 0"),
        (lambda: dags.merge_sort(4, seed=-1), "seed must be at least 0, not -1"),
        (lambda: dags.sweep(()), "1 to 4 sides, not 0"),
        (lambda: dags.sweep((4, 0)), "side must be at least 1, not 0"),
        (lambda: dags.sweep((4,), "cross"), "neighbourhood must be"),
        (lambda: dags.sweep((4, 2), periodic=True), "periodic side must be at least 3, not 2"),
        (lambda: dags.binomial(0), "n must be at least 1, not 0"),
        (lambda: dags.hypercube(0), "d must be at least 1, not 0"),
        (lambda: dags.hypercube(31), "d must be below 31, not 31"),
        (lambda: dags.spmv((2, 0)), "side must be at least 1, not 0"),
        (lambda: dags.random_spmv(0), "n must be at least 1, not 0"),
        (lambda: dags.random_spmv(2, -0.1), r"density must be in 0\.\.1, not -0\.1"),
        (lambda: dags.random_spmv(2, 1.5), r"density must be in 0\.\.1, not 1\.5"),
        (lambda: dags.random_spmv(2, seed=-1), "seed must be at least 0, not -1"),
        (lambda: dags.conjugate_gradient((2, 2), 0), "steps must be at least 1, not 0"),
        (lambda: dags.random_tree(1), "n must be at least 2, not 1"),
        (lambda: dags.random_tree(5, 0), "max_words must be at least 1, not 0"),
        (lambda: dags.random_tree(5, 2**31), "max_words must be at most 2147483647"),
        (lambda: dags.random_tree(5, seed=-1), "seed must be at least 0, not -1"),
    ],
)
def test_bad_parameters_are_refused(call, message):
    with pytest.raises(InvalidSpecError, match=message):
        call()


HUGE = 10**4000


@pytest.mark.parametrize(
    "call",
    [
        lambda: dags.fft(2**9000),
        lambda: dags.fft(3**5000, 3),
        lambda: dags.fft(HUGE, HUGE),
        *(lambda name=name: dags.prefix_scan(HUGE, name) for name in network_twins.SCANS),
        lambda: dags.bitonic_sort(2**9000),
        lambda: dags.odd_even_merge_sort(2**9000),
        lambda: dags.odd_even_transposition_sort(HUGE),
        lambda: dags.merge_sort(HUGE),
        lambda: dags.merge_sort(HUGE, HUGE),
        lambda: dags.sweep((HUGE, HUGE)),
        lambda: dags.binomial(HUGE),
        lambda: dags.spmv((HUGE,)),
        lambda: dags.random_spmv(HUGE),
        lambda: dags.conjugate_gradient((4,), HUGE),
        lambda: dags.conjugate_gradient((HUGE,), 1),
        lambda: dags.random_tree(HUGE),
    ],
)
def test_a_dag_that_cannot_be_held_is_refused_at_once(call):
    with pytest.raises(InvalidSpecError, match="at most 2147483647 vertices"):
        call()


@pytest.mark.parametrize(
    ("k", "n4", "wrap"), [(1, 3, True), (2, 4, True), (3, 4, True), (3, 2, False)]
)
def test_a_node_of_the_dirac_operator_holds_what_the_paper_says(k, n4, wrap):
    dag = dags.dirac(k, n4, wrap)
    n, face, outer = k**3 * n4, k * k * n4, 0 if wrap else k**3
    assert dag.n == 14 * n + 12 * face - 3 * outer
    assert dag.m == 25 * n + 6 * face - 6 * outer
    assert dag.inputs.size == 5 * n - outer + 6 * face
    assert dag.outputs.size == n + 6 * face
    ends = np.union1d(dag.inputs, dag.outputs)
    local = ends[dag.channel[ends] == 0]
    assert dag.words_of(local) == 120 * n - 18 * outer
    assert dag.words_of(np.flatnonzero(dag.channel == 1)) == 288 * face
    assert dag.work.sum() == 2328 * n - 2 * 288 * outer


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: dags.dirac(0, 4), "k must be at least 1, not 0"),
        (lambda: dags.dirac(2, 2), "n4 must be at least 3, not 2"),
        (lambda: dags.dirac(2, 1, False), "n4 must be at least 2, not 1"),
        (lambda: dags.dirac(2, 4, slab=3), "a tile of 3 x 4 does not fit into 2 x 4"),
        (lambda: dags.dirac(2, 4, strip=0), "strip must be at least 1, not 0"),
        (lambda: dags.dirac(2, 4, sweep="x5"), "sweep must be x1, x2, x3 or x4, not 'x5'"),
        (lambda: dags.dirac(10**3, 10**3), "14012000000000|at most"),
    ],
)
def test_bad_nodes_of_the_dirac_operator_are_refused(call, message):
    with pytest.raises(InvalidSpecError, match=message):
        call()
