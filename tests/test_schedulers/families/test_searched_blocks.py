"""Kernels of pieces, the blocks that networks are made of, and the passes over their levels."""

from itertools import product

import numpy as np
import pytest

from benchmarks.make_searched_blocks import asked
from benchmarks.published import PUBLISHED
from dags import bitonic_sort, fft, random_layered
from pebble import ONE_SHOT, Move, judge, min_memory, play
from schedulers import EVICTIONS, ORDERS, accesses, belady_loads, structured
from schedulers.exact import exact
from schedulers.families.networks import (
    bases,
    block,
    block_play,
    cheapest_passes,
    level_by_level,
    renamed,
    within,
)
from schedulers.families.searched_blocks import searched_play, stored_play, stored_schedule
from schedulers.families.sorting import bitonic_orders
from schedulers.families.transforms import widest_pass
from tests.oracles import optimum

FIRST_SORTS = (0, 1, 0, 2, 1, 0)


def bits_of(depth):
    return [bit for stage in range(1, depth + 1) for bit in reversed(range(stage))]


def operands(dag, v):
    return dag.pred_indices[dag.pred_indptr[v] : dag.pred_indptr[v + 1]].tolist()


@pytest.mark.parametrize("seed", range(4))
def test_a_kernel_is_an_order_between_the_optimum_and_the_generic_ones(seed):
    piece = random_layered(14, seed=seed)
    memory = min_memory(piece) + seed
    result = searched_play(piece, memory)
    assert sorted(result.order) == piece.computed.tolist()
    assert belady_loads(accesses(piece, result.order)).loads_at(memory) <= result.io
    assert result.io >= optimum(piece, memory, ONE_SHOT)
    for order, eviction in product(ORDERS.values(), EVICTIONS.values()):
        assert result.io <= eviction(accesses(piece, order(piece)), memory).io


def test_the_same_kernel_every_time():
    first = searched_play(fft(16), 8)
    searched_play.cache_clear()
    repeated = searched_play(fft(16), 8)
    assert repeated.io == first.io
    assert np.array_equal(repeated.order, first.order)


@pytest.mark.parametrize("memory", [3, 4, 5, 6, 7, 8, 9])
def test_kernels_of_eight_points_are_optimal(memory):
    assert block_play(2, (0, 1, 2), memory).io == exact(fft(8), memory, time_limit=60).io


@pytest.mark.parametrize(("radix", "digits"), [(2, (0, 1, 2, 3)), (3, (0, 1)), (2, FIRST_SORTS)])
@pytest.mark.parametrize("memory", [4, 5, 8])
def test_a_kernel_of_a_block_moves_what_it_says(radix, digits, memory):
    dag = block(radix, digits)
    result = block_play(radix, digits, memory)
    assert sorted(result.order) == dag.computed.tolist()
    assert belady_loads(accesses(dag, result.order)).loads_at(memory) <= result.io


@pytest.mark.parametrize(("radix", "digits"), [(2, (1, 0, 1)), (3, (1, 0)), (2, FIRST_SORTS)])
def test_a_block_is_what_its_digits_say(radix, digits):
    dag = block(radix, digits)
    size = radix ** (max(digits) + 1)
    for level, point in product(range(len(digits)), range(size)):
        stride = radix ** digits[level]
        low = point - point // stride % radix * stride
        expected = [level * size + low + stride * i for i in range(radix)]
        assert operands(dag, (level + 1) * size + point) == expected
    accesses(dag, level_by_level(radix, digits))


def naive_blocked(n, radix, digits, play_, backwards):
    """[(level, point)] of a pass, point by point."""
    names = list(dict.fromkeys(digits))
    size = radix ** len(names)
    bases = [x for x in range(n) if not any(x // radix**digit % radix for digit in names)]
    results = []
    for base in reversed(bases) if backwards else bases:
        for vertex in play_.tolist():
            level, point = divmod(vertex, size)
            for place, digit in enumerate(names):
                base_digit = point // radix**place % radix
                base = base - base // radix**digit % radix * radix**digit
                base += base_digit * radix**digit
            results.append((level - 1, base))
    return results


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize(
    ("n", "radix", "digits"),
    [(32, 2, (3, 1)), (32, 2, (1, 0, 4, 3)), (81, 3, (2, 0)), (16, 2, (3,))],
)
def test_passes_as_point_by_point(n, radix, digits, backwards):
    plain = level_by_level(radix, digits)
    level, point = within(radix, digits, plain)
    points = bases(n, radix, digits, backwards)[:, None] + point
    levels = np.broadcast_to(level, points.shape)
    expected = naive_blocked(n, radix, digits, plain, backwards)
    assert [*zip(levels.ravel().tolist(), points.ravel().tolist(), strict=True)] == expected


@pytest.mark.parametrize("memory", [6, 8])
def test_blocks_of_a_sort_are_congruent_to_the_kernel_they_are_played_as(memory):
    """Edge by edge: a block's vertices read each other as those of the kernel's piece do."""
    n, depth = 64, 6
    dag, bits = bitonic_sort(n), bits_of(6)
    vertex = vertices_of_levels(n, bits)
    for run in cheapest_passes(bits, memory, widest_pass(memory, depth)):
        own_part = bits[run.levels.start : run.levels.stop]
        piece = block(2, renamed(own_part))
        size = 2 ** len(set(own_part))
        everything = np.arange(piece.n, dtype=np.int32)
        level, point = within(2, own_part, everything)
        for base in bases(n, 2, own_part, backwards=False):
            current = vertex[run.levels.start + 1 + level, base + point]
            for v in range(size, piece.n):
                assert sorted(current[operands(piece, v)]) == operands(dag, current[v])


def vertices_of_levels(n, bits):
    """(levels + 1, n) the vertex on each wire behind each level, wire by wire."""
    vertex = [list(range(n))]
    following = n
    for bit in bits:
        row = [0] * n
        for lower in (w for w in range(n) if not w >> bit & 1):
            row[lower], row[lower + (1 << bit)] = following, following + 1
            following += 2
        vertex.append(row)
    return np.array(vertex)


@pytest.mark.parametrize("memory", [3, 4, 6, 8, 12, 18, 40])
@pytest.mark.parametrize("digits", [range(2), range(10), bits_of(3), bits_of(6)])
def test_passes_cover_the_levels_and_are_no_dearer_than_the_textbook(memory, digits):
    depth = len(set(digits))
    widest = widest_pass(memory, depth)
    passes = cheapest_passes(digits, memory, widest)
    assert [level for run in passes for level in run.levels] == list(range(len(digits)))
    for run in passes:
        own_part = digits[run.levels.start : run.levels.stop]
        assert run.is_searched == (len(set(own_part)) > widest)
        kernel_words = block_play(2, renamed(own_part), memory).io / 2 ** len(set(own_part))
        assert run.words == (kernel_words if run.is_searched else 2)
    dag = fft(2**depth) if list(digits) == list(range(depth)) else bitonic_sort(2**depth)
    words = 2**depth * sum(run.words for run in passes)
    assert words <= PUBLISHED[dag.family].words(dag, memory)
    assert play(dag, structured.blocks(dag, memory), memory).io <= words


@pytest.mark.parametrize("memory", [4, 6, 8, 13])
def test_all_orders_of_a_sort_are_orders(memory):
    dag = bitonic_sort(64)
    for order in bitonic_orders(dag, memory):
        accesses(dag, order)


def io_of(dag, memory):
    moves = structured(dag, memory)
    assert (moves.op == Move.COMPUTE).sum() == dag.computed.size
    return play(dag, moves, memory).io


def test_what_kernels_gain():
    """Words of the textbook, and how many are not needed."""
    gains = {
        fft(1024): {4: (20480, 13056), 8: (10240, 8448)},
        bitonic_sort(256): {6: (9216, 8800), 7: (9216, 8050), 14: (5632, 5000), 16: (5632, 4550)},
    }
    for dag, counts in gains.items():
        for memory, (textbook, ours) in counts.items():
            assert PUBLISHED[dag.family].words(dag, memory) == textbook
            assert io_of(dag, memory) <= ours


def test_the_file_has_a_legal_play_of_every_block_that_networks_ask_for():
    for key in asked():
        radix, digits, memory = key
        dag = block(radix, digits)
        schedule = stored_schedule(key)
        assert schedule is not None, key
        result = stored_play(dag, key)
        assert judge(dag, schedule, memory).io == result.io
        assert sorted(result.order) == dag.computed.tolist()
        smaller = stored_play(dag, (radix, digits, memory - 1))
        assert smaller is None or result.io <= smaller.io
