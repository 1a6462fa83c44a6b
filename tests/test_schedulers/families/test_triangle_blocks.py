"""Triangle blocks cover every entry once, stream what they foretell, and beat square tiles."""

from itertools import product
from math import ceil, gcd, sqrt

import numpy as np
import pytest

from dags import cholesky, load, points_of, syrk
from pebble import Budget, judge, min_memory, play
from schedulers import COUNTED_PLAYS, EVICTIONS, SCHEDULERS
from schedulers.families import structured
from schedulers.families.factorizations import (
    cholesky_orders,
    resident_rows,
    streamed_by_tiles,
    syrk_orders,
)
from schedulers.families.plays import digest_of, laid_out
from schedulers.families.tiles import tile_shapes
from schedulers.families.triangle_blocks import (
    _chunks_of_a_group,
    best_cut,
    best_panels,
    by_blocks,
    by_panels,
    triangle_blocks,
)
from schedulers.tilings.scheduler import tiled_orders, tiling_of

SIZES = list(product([1, 2, 3, 7, 11, 30, 61], [3, 4, 5, 9, 16, 30, 56, 500]))


def moved(dag, order, memory):
    layout = laid_out(dag, order, digest_of(order))  # `structured` plays some of them again
    return min(EVICTIONS[name](layout, memory).io for name in ("belady-clean", "belady-cost"))


def rows_of_blocks(rows, memory):
    """The set of rows of each block, in turn, and the number of its entries."""
    results = {}
    for i, j, block in np.array(triangle_blocks(rows, memory)).T.tolist():
        results.setdefault(block, []).append((i, j))
    return [({row for pair in pairs for row in pair}, len(pairs)) for pairs in results.values()]


@pytest.mark.parametrize(("rows", "memory"), SIZES)
def test_every_entry_is_in_one_block(rows, memory):
    entries = triangle_blocks(rows, memory)
    result = list(zip(entries.row.tolist(), entries.column.tolist(), strict=True))
    assert sorted(result) == [(i, j) for i in range(rows) for j in range(i + 1)]
    assert np.all(np.diff(entries.block) >= 0)


@pytest.mark.parametrize(("rows", "memory"), SIZES)
def test_blocks_stream_what_their_cut_says_and_fit(rows, memory):
    blocks = rows_of_blocks(rows, memory)
    assert sum(len(rows) for rows, _ in blocks) <= best_cut(rows, memory).words
    for block, entries in blocks:
        assert entries + 2 <= memory or rows == 1 or memory < 4
        assert len(block) < memory


@pytest.mark.parametrize("memory", [3, 4, 9, 56, 500, 20_000])
@pytest.mark.parametrize("side", [1, 2, 5])
def test_groups_have_the_fewest_chunks_that_fit(memory, side):
    for chunks in (1, 2, 7, 30, 61, 97, 1000):
        groups = 2 if side == 1 else 1
        while (groups + 1) * groups // 2 * side**2 + groups * side + 2 <= memory:
            groups += 1
        separate = ceil(chunks / groups)
        while any(gcd(separate, distance) > 1 for distance in range(2, ceil(chunks / separate))):
            separate += 1
        assert _chunks_of_a_group(chunks, side, memory) == separate


@pytest.mark.parametrize("groups", [5, 7, 11])
@pytest.mark.parametrize("apart", [11, 13, 29])
def test_single_rows_of_many_groups_attain_the_published_count(groups, apart):
    rows, memory = groups * apart, groups * (groups + 1) // 2 + 1
    published = rows * apart + groups * best_cut(apart, memory).words
    assert best_cut(rows, memory).words <= published


@pytest.mark.parametrize("memory", [16, 56, 211])
def test_many_rows_come_near_the_leading_term(memory):
    largest = max(r for r in range(2, memory) if r * (r + 1) // 2 + 1 <= memory)
    streamed = [best_cut(rows, memory).words * (largest - 1) / rows**2 for rows in (800, 12800)]
    assert 1 < streamed[1] < 1.02
    assert streamed[1] < streamed[0] < 1.1
    assert largest - 1 > sqrt(2 * memory) - 2.5


@pytest.mark.parametrize("rows", [1, 5, 16, 29])
@pytest.mark.parametrize(("a", "b"), [(1, 1), (1, 4), (3, 4), (3, 3), (5, 1), (5, 7)])
def test_what_tiles_stream_is_counted_exactly(rows, a, b):
    words = 0
    for top, left in product(range(0, rows, a), range(0, rows, b)):
        pairs = {
            (i, j)
            for i in range(top, min(top + a, rows))
            for j in range(left, min(left + b, rows, top + a))
        }
        words += len({row for pair in pairs for row in pair})
    assert streamed_by_tiles(rows, a, b) == words


@pytest.mark.parametrize(("n", "k"), [(2, 1), (9, 4), (30, 7), (60, 12)])
@pytest.mark.parametrize("memory", [4, 5, 9, 16, 30, 56, 130])
def test_syrk_moves_at_most_what_triangle_blocks_stream(n, k, memory):
    dag = syrk(n, k)
    entries = triangle_blocks(n, memory)
    first = n * k + (entries.row * (entries.row + 1) // 2 + entries.column) * k
    order = by_blocks(entries, range(k), lambda step: first + step)
    assert moved(dag, order, memory) <= n * (n + 1) // 2 + k * best_cut(n, memory).words


@pytest.mark.parametrize("n", [1, 2, 3, 8, 20, 33])
@pytest.mark.parametrize("memory", [4, 9, 16, 40])
def test_any_panels_make_a_legal_order(n, memory):
    dag = cholesky(n)
    halves = sorted({(n + 1) // 2, n})
    for ends in (best_panels(n, memory).ends, halves, list(range(1, n + 1))):
        assert ends[-1] == n
        order = by_panels(n, memory, ends)
        assert np.array_equal(np.sort(order), dag.computed)
        place = np.full(dag.n, -1)
        place[order] = np.arange(order.size)
        reader = np.repeat(np.arange(dag.n), np.diff(dag.pred_indptr))
        assert np.all(place[dag.pred_indices] < place[reader])


@pytest.mark.parametrize(("n", "memory"), [(60, 9), (90, 16), (120, 16), (200, 56)])
def test_panels_move_about_what_was_foretold(n, memory):
    panels = best_panels(n, memory)
    io = moved(cholesky(n), by_panels(n, memory, panels.ends), memory)
    assert 0.9 * panels.words <= io <= 1.01 * panels.words


@pytest.mark.parametrize(("n", "memory"), [(100, 11), (130, 16), (180, 56)])
def test_triangle_blocks_beat_tiles_where_there_are_many_rows(n, memory):
    for dag, orders in ((cholesky(n), cholesky_orders), (syrk(n, 40), syrk_orders)):
        *tiles, triangles = (moved(dag, order, memory) for order in orders(dag, memory))
        assert triangles < min(tiles)
        assert play(dag, structured(dag, memory), memory).io <= triangles


@pytest.mark.parametrize("dag", [cholesky(12), cholesky(25), syrk(12, 3), syrk(25, 4)], ids=str)
def test_schedules_are_legal_with_any_memory(dag):
    for memory in (min_memory(dag), 5, 7, 12, 20):
        judge(dag, structured(dag, memory), memory)


def test_tiles_alone_are_tried_where_they_stream_less():
    n, memory = 10, 16
    a, b = tile_shapes(memory, n, n)[0]
    sample, count = syrk(n, 8), syrk(200, 8)  # two rows of A are more than fit
    assert streamed_by_tiles(n, a, b) < best_cut(n, memory).words
    assert len(list(syrk_orders(sample, memory))) == len(tile_shapes(memory, n, n))
    assert len(list(syrk_orders(count, memory))) == 2


@pytest.mark.parametrize(("n", "k", "memory"), [(60, 4, 42), (100, 3, 60), (156, 6, 80)])
def test_rows_of_few_columns_stay(n, k, memory):
    dag, rows = syrk(n, k), resident_rows(n, k, memory)
    passing = sum(n - start for start in range(0, n, rows))
    assert k * (rows + 1) + 2 <= memory
    assert structured.plan(dag, memory).io <= n * (n + 1) // 2 + k * passing
    assert sum(COUNTED_PLAYS["syrk"].count(dag.params, memory)) == n * (n + 1) // 2 + k * passing
    assert passing < best_cut(n, memory).words


def test_members_of_families_of_loops_are_tiled():
    """Tiles of points are better than all that is known for so few right sides."""
    dag = load("triangular_solve:n=16,k=8")
    built = SCHEDULERS["tiled"](dag, 20, time_limit=2)
    assert judge(dag, built, 20).io < structured.plan(dag, 20).io
    assert any(tiling_of(dag, order) for order in tiled_orders(dag, 20, budget=Budget(1)))
    assert points_of(dag).program == "triangular_solve"
