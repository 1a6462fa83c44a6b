"""Structured schedules of networks, lattices and layers against what their files state."""

from math import ceil, prod

import pytest

from benchmarks.published import matrices
from dags import (
    attention,
    binomial,
    bitonic_sort,
    convolution,
    fft,
    hypercube,
    merge_sort,
    odd_even_merge_sort,
    odd_even_transposition_sort,
    prefix_scan,
    qr_givens,
    spmv,
    sweep,
)
from pebble import play
from schedulers.families import structured
from schedulers.families.attention import resident_rows, resting_shapes
from schedulers.families.convolutions import best_blocks, block_io
from schedulers.families.factorizations import givens_shapes
from schedulers.families.sorting import passes
from schedulers.families.sweeps import best_columns, predicted_io


def moved(dag, memory):
    return play(dag, structured(dag, memory), memory).io


def widest(memory, depth, radix=2):
    return max(e for e in range(1, depth + 1) if e == 1 or radix**e + radix <= memory)


def stages(depth):
    """The index bit of each level of a sorting network, stage after stage."""
    return [bit for stage in range(1, depth + 1) for bit in reversed(range(stage))]


@pytest.mark.parametrize("depth", [1, 2, 4, 7, 10])
@pytest.mark.parametrize("memory", [3, 5, 6, 10, 13, 18, 34, 66, 130])
def test_bitonic_sort_moves_at_most_what_passes_do(depth, memory):
    n = 2**depth
    published = 2 * n * len(passes(stages(depth), widest(memory, depth)))
    assert moved(bitonic_sort(n), memory) <= published


def test_a_pass_is_a_longest_run_of_levels_on_few_bits():
    assert passes([0, 1, 0, 2, 1, 0], 2) == [range(3), range(3, 5), range(5, 6)]
    assert passes([0, 1, 0, 2, 1, 0], 1) == [range(i, i + 1) for i in range(6)]
    assert passes([0, 1, 0, 2, 1, 0], 3) == [range(6)]


@pytest.mark.parametrize("depth", [2, 7, 11])
@pytest.mark.parametrize("memory", [3, 6, 10, 18, 34])
def test_odd_even_merge_sort_moves_at_most_what_passes_do(depth, memory):
    n = 2**depth
    published = 2 * n * len(passes(stages(depth), widest(memory, depth)))
    assert moved(odd_even_merge_sort(n), memory) <= published


@pytest.mark.parametrize("n", [2, 9, 64, 151])
@pytest.mark.parametrize("memory", [4, 5, 7, 12, 21, 40])
def test_odd_even_transposition_sort_moves_at_most_what_strips_do(n, memory):
    width = (memory - 1) // 2
    assert moved(odd_even_transposition_sort(n), memory) <= n * n / width + 2 * n


@pytest.mark.parametrize(("radix", "depth"), [(3, 1), (3, 4), (3, 6), (4, 3), (5, 3)])
@pytest.mark.parametrize("memory", [6, 12, 20, 30, 68, 84])
def test_fft_of_any_radix_moves_at_most_what_passes_do(radix, depth, memory):
    n = radix**depth
    published = 2 * n * ceil(depth / widest(memory, depth, radix))
    assert moved(fft(n, radix=radix), memory) <= published


@pytest.mark.parametrize("n", [2, 7, 64, 100, 1000])
@pytest.mark.parametrize("memory", [3, 5, 9, 12, 17])
def test_prefix_scans_move_at_most_what_their_file_states(n, memory):
    depth = (n - 1).bit_length()
    published = 2 * n * ceil(depth / widest(memory + 1, depth))
    assert moved(prefix_scan(n), memory) <= published
    for network in ("sklansky", "brent-kung"):
        io = moved(prefix_scan(n, network), memory)
        assert io == 2 * n - 1 if memory >= depth + 2 else io >= 2 * n - 1


@pytest.mark.parametrize("n", [1, 9, 60, 150])
@pytest.mark.parametrize("memory", [3, 4, 7, 12, 30])
def test_binomials_move_at_most_what_strips_do(n, memory):
    width = memory - 2
    borders = sum(2 * (n - column + 1) for column in range(width, n + 1, width))
    assert moved(binomial(n), memory) <= n + 2 + borders


@pytest.mark.parametrize("depth", [3, 7, 11])
@pytest.mark.parametrize("spare", [1, 5, 20, 60])
def test_hypercubes_move_at_most_what_subcubes_do(depth, spare):
    memory = depth + spare
    e = max(e for e in range(depth + 1) if 2**e + depth - e <= memory)
    published = 2 ** (depth - 1) * (depth - e) + 2**depth - 2**e + 2
    assert moved(hypercube(depth), memory) <= published


@pytest.mark.parametrize(("n", "m"), [(30, 30), (20, 50)])
@pytest.mark.parametrize("memory", [6, 12, 21, 60])
def test_givens_rotations_follow_their_law(n, m, memory):
    a, b = givens_shapes(n, memory)[0]
    law = n * n * (m - n / 3) / 2 * (2 / a + 1 / b)
    assert moved(qr_givens(n, m), memory) <= law + 2 * n * m


def resting_io(keys, width, shape):
    """What results that stay beside a x b blocks of scores move."""
    a, b = shape
    return keys * width * (1 + 2 * ceil(keys / a) + ceil(keys / b))


@pytest.mark.parametrize(("tokens", "width"), [(24, 4), (30, 8), (7, 16)])
@pytest.mark.parametrize("memory", [4, 10, 20, 40, 100, 300])
def test_attention_moves_at_most_what_rows_or_stored_scores_do(tokens, width, memory):
    dag = attention(tokens, width)
    io = moved(dag, memory)
    assert io <= matrices.attention(dag, memory)
    for shape in resting_shapes(tokens, width, memory):
        assert io <= 1.05 * resting_io(tokens, width, shape)
    if resident_rows(tokens, width, memory):
        limit = (memory - 2) // (2 * width + 2)
        assert io <= 2 * tokens * width * (1 + ceil(tokens / limit))


@pytest.mark.parametrize(
    "dag",
    [
        convolution(16, 16),
        convolution(9, 12, channels=4, filters=4),
        convolution(11, 11, channels=3, filters=8, kernel=5, stride=2),
        convolution(6, 6, channels=6, filters=6, kernel=1),
        convolution(9, 9, channels=2, filters=3, kernel=2, stride=3),
    ],
    ids=str,
)
@pytest.mark.parametrize("memory", [4, 10, 20, 40, 100, 300])
def test_convolutions_move_at_most_what_blocks_do(dag, memory):
    assert moved(dag, memory) <= 1.01 * block_io(dag, best_blocks(dag, memory)[0])


@pytest.mark.parametrize("shape", [(40,), (30, 30), (17, 40), (12, 12, 12), (5, 6, 7, 6)])
@pytest.mark.parametrize("neighbourhood", ["star", "box"])
@pytest.mark.parametrize("memory", [10, 14, 30, 60, 150])
def test_sweeps_move_at_most_what_columns_do(shape, neighbourhood, memory):
    box = neighbourhood == "box"
    minimum = 3 ** len(shape) + 1 if box else 2 * len(shape) + 2
    memory = max(memory, minimum)
    column = best_columns(shape, memory, box)[0]
    dag = sweep(shape, neighbourhood)
    assert moved(dag, memory) <= predicted_io(shape, *column, box)


@pytest.mark.parametrize("shape", [(30, 30), (17, 40), (12, 12, 12)])
@pytest.mark.parametrize("memory", [12, 20, 40, 150])
def test_products_with_grids_matrices_move_what_sweeps_do_and_the_matrix(shape, memory):
    dag = spmv(shape)
    column = best_columns(shape, memory - 2, box=False)[0]
    nonzeros = dag.inputs.size - prod(shape)
    assert moved(dag, memory) <= nonzeros + predicted_io(shape, *column, box=False)


@pytest.mark.parametrize(
    ("n", "ways", "run"), [(2, 2, 2), (64, 2, 1), (512, 2, 2), (512, 8, 8), (2048, 4, 32)]
)
@pytest.mark.parametrize("memory", [3, 5, 9, 12, 17, 65])
def test_merge_sorts_move_at_most_what_passes_of_wide_merges_do(n, ways, run, memory):
    depth = n.bit_length() - 1
    widest = max(e for e in range(1, depth + 1) if e == 1 or 2**e + 1 <= memory)
    dag = merge_sort(n, ways=ways, run=run, seed=3)
    assert moved(dag, memory) <= 2 * n * ceil(depth / widest)


def test_wide_merges_are_no_matter_of_the_numbering():
    by_two = merge_sort(1024, ways=2)
    by_sixteen = merge_sort(1024, ways=16)
    assert abs(moved(by_two, 17) - moved(by_sixteen, 17)) <= 0.01 * moved(by_two, 17)
