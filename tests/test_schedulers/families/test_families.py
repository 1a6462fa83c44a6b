"""Structured schedules: legal, no worse than their closed forms, no worse than generic ones."""

from math import ceil, log2

import pytest

from dags import (
    GENERATORS,
    attention,
    binomial,
    bitonic_sort,
    chain,
    cholesky,
    convolution,
    fft,
    from_edges,
    grid,
    hypercube,
    lu,
    matmul,
    matvec,
    merge_sort,
    odd_even_merge_sort,
    odd_even_transposition_sort,
    prefix_scan,
    pyramid,
    qr_givens,
    spmv,
    stencil,
    strassen,
    sweep,
    syrk,
    tree,
    triangular_solve,
)
from pebble import MemoryTooSmallError, judge, min_memory, play
from schedulers import EVICTIONS, ORDERS, accesses
from schedulers.families import FAMILIES, structured
from schedulers.families.transforms import pass_widths

SMALL = [
    attention(1, 3),
    attention(4, 1),
    attention(6, 3),
    binomial(1),
    binomial(9),
    bitonic_sort(16),
    bitonic_sort(2),
    chain(6),
    cholesky(1),
    cholesky(7),
    convolution(5, 4),
    convolution(5, 5, channels=2, filters=3),
    convolution(5, 5, channels=2, kernel=2, stride=3),
    convolution(6, 7, filters=2, kernel=2, stride=2),
    fft(16, radix=4),
    fft(2),
    fft(27, radix=3),
    fft(32),
    fft(8),
    grid((3, 3, 3, 3)),
    grid((4, 3, 4)),
    grid((6,)),
    grid((7, 5)),
    hypercube(1),
    hypercube(5),
    lu(2),
    lu(7),
    matmul(1),
    matmul(3, m=4, k=1, form="multiply-add"),
    matmul(3, m=4, k=5, form="tree"),
    matmul(4, m=6, k=1),
    matmul(5, m=3, k=4),
    matmul(5, m=3, k=4, form="multiply-add"),
    matvec(1),
    matvec(4, m=9),
    matvec(9, m=4),
    odd_even_merge_sort(16),
    merge_sort(2),
    merge_sort(32),
    merge_sort(64, ways=4, run=8, seed=1),
    merge_sort(16, ways=2, run=1),
    merge_sort(21, ways=3),
    odd_even_merge_sort(2),
    odd_even_merge_sort(32),
    odd_even_transposition_sort(11),
    odd_even_transposition_sort(2),
    prefix_scan(2),
    prefix_scan(21),
    prefix_scan(21, "brent-kung"),
    prefix_scan(21, "sklansky"),
    pyramid(1),
    pyramid(9),
    qr_givens(1, 2),
    qr_givens(4, 7),
    qr_givens(5),
    spmv((6, 5)),
    spmv((4, 5), "box"),
    spmv((3, 4, 3)),
    stencil((3, 4, 3), 2),
    stencil((4, 5), 3, "box"),
    stencil((5, 6), 4),
    stencil((5,), 3, periodic=True),
    stencil((9,), 7),
    strassen(2),
    strassen(3),
    strassen(8),
    strassen(12, 1),
    sweep((12,)),
    sweep((4, 5, 3)),
    sweep((5, 4), periodic=True),
    sweep((6, 5), "box"),
    sweep((6, 7)),
    syrk(1, 3),
    syrk(6, 4),
    tree(2, arity=4),
    tree(4),
    triangular_solve(1),
    triangular_solve(6, k=4),
    triangular_solve(9),
]


def memories(dag):
    smallest = min_memory(dag)
    return sorted({smallest, smallest + 1, smallest + 3, 2 * smallest, 3 * smallest + 1, 40})


@pytest.mark.parametrize("dag", SMALL, ids=str)
def test_orders_compute_everything_once_and_schedules_are_legal(dag):
    for memory in memories(dag):
        for order in FAMILIES[dag.family](dag, memory):
            assert sorted(order.tolist()) == dag.computed.tolist()
            layout = accesses(dag, order)
            assert judge(dag, structured(dag, memory), memory).io <= (
                EVICTIONS["belady-clean"](layout, memory).io
            )
        count = judge(dag, structured(dag, memory), memory)
        assert play(dag, structured.blocks(dag, memory), memory) == count


@pytest.mark.parametrize("dag", SMALL, ids=str)
def test_generic_orders_are_hardly_ever_better(dag):
    for memory in memories(dag):
        generic = min(
            policy(accesses(dag, order(dag)), memory).io
            for order in ORDERS.values()
            for policy in EVICTIONS.values()
        )
        ours = judge(dag, structured(dag, memory), memory).io
        assert ours <= max(1.01 * generic, generic + 2)


@pytest.mark.parametrize("form", ["fma", "multiply-add"])
@pytest.mark.parametrize(("n", "m", "k"), [(16, 16, 16), (12, 7, 9), (20, 20, 1), (1, 9, 9)])
@pytest.mark.parametrize("memory", [5, 9, 24, 70])
def test_matmul_moves_at_most_what_resident_blocks_do(form, n, m, k, memory):
    room = memory - (2 if form == "fma" else 3)
    shapes = [(a, b) for a in range(1, m + 1) for b in range(1, n + 1) if a * b + a <= room]
    published = min(m * n + k * (m * ceil(n / b) + n * ceil(m / a)) for a, b in shapes)
    dag = matmul(n, m=m, k=k, form=form)
    assert play(dag, structured(dag, memory), memory).io <= published


@pytest.mark.parametrize("n", [4, 16, 128, 1024])
@pytest.mark.parametrize("memory", [3, 4, 6, 8, 10, 18, 30, 34, 66, 200])
def test_fft_moves_at_most_what_passes_do(n, memory):
    depth = int(log2(n))
    widest = max(e for e in range(1, depth + 1) if e == 1 or 2**e + 2 <= memory)
    dag = fft(n)
    assert play(dag, structured(dag, memory), memory).io <= 2 * n * ceil(depth / widest)


@pytest.mark.parametrize("memory", [4, 5, 9, 20, 50])
@pytest.mark.parametrize(("n", "m"), [(30, 30), (9, 41), (41, 9)])
def test_matvec_moves_at_most_what_blocks_of_rows_do(n, m, memory):
    dag = matvec(n, m)
    published = n * m + m * ceil(n / (memory - 3)) + n
    assert play(dag, structured(dag, memory), memory).io <= published


@pytest.mark.parametrize("memory", [14, 44, 112])
def test_factorizations_follow_their_laws(memory):
    side = next(b for b in range(1, memory) if (b + 1) ** 2 + (b + 1) + 2 > memory)
    n = 12 * side if side < 6 else 6 * side
    laws = {
        lu(n): 2 * n**3 / 3 / side + 2 * n * n,
        cholesky(n): n**3 / 3 / side + n * n,
        syrk(n, n): n**3 / side + n * n / 2,
        triangular_solve(n, k=n): n**3 / side + 2 * n * n,
    }
    for dag, law in laws.items():
        assert play(dag, structured(dag, memory), memory).io <= 1.05 * law


def test_passes_are_as_equal_as_they_can_be():
    assert pass_widths(10, 4) == [4, 3, 3]
    assert pass_widths(9, 3) == [3, 3, 3]
    assert pass_widths(3, 9) == [3]


@pytest.mark.parametrize("memory", [3, 5, 8, 14])
@pytest.mark.parametrize("shape", [(20, 20), (9, 31), (31, 9)])
def test_grids_move_at_most_what_strips_do(shape, memory):
    p, q = shape
    dag = grid(shape)
    count = play(dag, structured(dag, memory), memory)
    assert count.io <= 2 * p * (ceil(q / (memory - 2)) - 1) + 2


@pytest.mark.parametrize("memory", [16, 40, 90])
def test_one_dimensional_stencils_follow_their_law(memory):
    dag = stencil((600,), 300)
    io = play(dag, structured(dag, memory), memory).io
    assert io - 1200 <= 4 / (memory - 6) * dag.computed.size


def test_trees_move_only_what_they_must_from_their_height_on():
    for height in (2, 4, 6):
        dag = tree(height)
        assert play(dag, structured(dag, height + 2), height + 2).io == 2**height + 1


def test_what_has_no_family_is_played_by_the_best_generic_order():
    dag = from_edges(6, [(0, 3), (1, 3), (1, 4), (2, 4), (3, 5), (4, 5)])
    for memory in (3, 4):
        generic = min(
            policy(accesses(dag, order(dag)), memory).io
            for order in ORDERS.values()
            for policy in EVICTIONS.values()
        )
        assert judge(dag, structured(dag, memory), memory).io == generic
    with pytest.raises(MemoryTooSmallError):
        structured(dag, 2)


def test_every_family_is_one_of_the_generators():
    assert set(FAMILIES) <= set(GENERATORS)


@pytest.mark.parametrize(("n", "m", "k"), [(8, 8, 8), (5, 7, 3), (2, 3, 2), (6, 1, 4)])
def test_products_come_first_where_no_sum_fits_beside_one(n, m, k):
    dag = matmul(n, m=m, k=k, form="multiply-add")
    words = play(dag, structured(dag, 3), 3).io
    assert words <= 3 * m * n * k + m * k + m * n
