"""Tiles of stencils: valid orders, the constants of their laws, and overlapping tiles."""

from itertools import islice
from math import prod

import numpy as np
import pytest

from dags import InvalidDAGError, fft, grid, stencil
from pebble import RULES, MemoryTooSmallError, judge, min_memory, play
from schedulers import EVICTIONS, accesses
from schedulers.families.stencil_tiles import Hexagon, best_hexagon
from schedulers.families.stencils import grid_orders, stencil_orders
from schedulers.families.trapezoids import best_trapezoids, trapezoid_schedule
from tests.oracles import optimum

RECOMPUTE = RULES["recompute"]


def random_stencils(count, seed, sides=(30, 12, 8, 6)):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        dimensions, periodic = int(rng.integers(1, 5)), bool(rng.integers(2))
        limit = sides[dimensions - 1]
        shape = tuple(rng.integers(3 if periodic else 1, limit, dimensions).tolist())
        neighbourhood = ("star", "box")[int(rng.integers(2))]
        yield stencil(shape, int(rng.integers(1, 12)), neighbourhood, periodic)


def respects_operands(dag, order):
    place = np.full(dag.n, -1)
    place[order] = np.arange(order.size)
    reader = np.repeat(np.arange(dag.n), np.diff(dag.pred_indptr))
    return bool((place[dag.pred_indices] < place[reader]).all())


def words_moved(dag, orders, memory):
    """Yield what the orders move under each policy, one after another."""
    policies = EVICTIONS["belady-clean"], EVICTIONS["belady-cost"]
    layouts = (accesses(dag, order) for order in orders)
    return (policy(layout, memory).io for layout in layouts for policy in policies)


def some_order_moves(dag, orders, memory, limit):
    """Whether the least of what the orders move is at most so much."""
    return any(io <= limit for io in words_moved(dag, orders, memory))


@pytest.mark.parametrize("seed", range(4))
def test_orders_compute_everything_once_after_its_operands(seed):
    memories = np.random.default_rng(seed).integers(3, 250, 40).tolist()
    for dag, memory in zip(random_stencils(40, seed), memories, strict=True):
        orders = list(stencil_orders(dag, memory))
        assert 1 <= len(orders) <= 8
        for order in orders:
            assert sorted(order.tolist()) == dag.computed.tolist()
            assert respects_operands(dag, order)


@pytest.mark.parametrize("shape", [(1, 1, 7), (4, 6, 5), (9, 2, 8), (3, 4, 3, 5), (12, 7)])
@pytest.mark.parametrize("memory", [5, 9, 31])
def test_orders_of_grids_compute_everything_once_after_its_operands(shape, memory):
    dag = grid(shape)
    for order in grid_orders(dag, memory):
        assert sorted(order.tolist()) == dag.computed.tolist()
        assert respects_operands(dag, order)


@pytest.mark.parametrize("hexagon", [Hexagon(1, 1), Hexagon(3, 1), Hexagon(1, 4), Hexagon(5, 3)])
def test_hexagons_have_their_area_and_read_what_they_say(hexagon):
    c, t = np.meshgrid(np.arange(-40, 40), np.arange(-20, 20))
    points = zip(c.flat, t.flat, strict=True)
    tiles = dict(zip(points, zip(*map(np.ravel, hexagon.tile(c, t)), strict=True), strict=True))
    for tile in {tiles[point] for point in [(0, 0), (5, 2), (-3, 1)]}:
        inside = {point for point, second_path in tiles.items() if second_path == tile}
        read = {(x + step, time - 1) for x, time in inside for step in (-1, 0, 1)} - inside
        assert len(inside) == hexagon.area
        assert len(read) == hexagon.entering
        assert all(tiles[point][0] < tile[0] for point in read)


def test_the_best_hexagon_fits_and_is_about_regular():
    for room in (2, 10, 97, 1000, 5000):
        hexagon = best_hexagon(room)
        assert hexagon.area <= max(room, 2)
    assert 1.5 * hexagon.half < hexagon.base < 2.5 * hexagon.half


# The leading constants c of c / M^(1/d), and what edges and halos may add at these sizes.
@pytest.mark.parametrize(
    ("dag", "memory", "constant", "over"),
    [
        (stencil((1500,), 500), 60, 4.0, 1.06),
        (stencil((1500,), 500, periodic=True), 60, 4.0, 1.13),
        (stencil((150, 150), 60), 400, 4.90, 1.15),
        (stencil((150, 150), 60, "box"), 700, 6.93, 1.15),
        (stencil((36, 36, 36), 16), 900, 6.87, 1.1),
        (stencil((13, 13, 13, 13), 10), 1500, 7.44, 1.05),
    ],
    ids=str,
)
def test_tiles_attain_the_constants_of_their_law(dag, memory, constant, over):
    shape = dag.params["shape"]
    law = over * constant * dag.computed.size / memory ** (1 / len(shape))
    assert some_order_moves(
        dag, islice(stencil_orders(dag, memory), 6), memory, law + 2 * prod(shape)
    )


def test_rings_cost_little_more_than_lines():
    for shape, steps, memory in [((600,), 300, 40), ((90, 90), 30, 120)]:
        line, ring = (stencil(shape, steps, periodic=periodic) for periodic in (False, True))
        io = min(words_moved(line, stencil_orders(line, memory), memory))
        # a seam passes each axis once a step with 4 words, and twice where it is opened anew
        seams = 8 * steps * sum(prod(shape) // side for side in shape)
        assert some_order_moves(ring, stencil_orders(ring, memory), memory, io + seams)


@pytest.mark.parametrize("seed", range(4))
def test_overlapping_tiles_move_what_they_say_in_the_room_they_say(seed):
    memories = np.random.default_rng(seed).integers(4, 400, 60).tolist()
    played = 0
    for dag, memory in zip(random_stencils(60, seed, (30, 10, 6, 5)), memories, strict=True):
        plan = best_trapezoids(dag, memory)
        if plan is not None:
            count = play(dag, trapezoid_schedule(dag, memory), plan.peak, rules=RECOMPUTE)
            assert count.io == plan.io
            assert plan.peak <= memory
            played += 1
    assert played > 30


def test_the_referee_agrees_and_nothing_beats_the_optimum():
    for dag, memory in [(stencil((3,), 2), 7), (stencil((4,), 2), 7), (stencil((2, 2), 1), 12)]:
        schedule = trapezoid_schedule(dag, memory)
        count = judge(dag, schedule, memory, rules=RECOMPUTE)
        assert count == play(dag, schedule, memory, rules=RECOMPUTE)
        assert count.io >= optimum(dag, memory, RECOMPUTE)


def test_few_steps_of_a_box_move_less_if_computed_again():
    dag, memory = stencil((120, 120), 4, "box"), 200
    count = play(dag, trapezoid_schedule(dag, memory), memory, rules=RECOMPUTE)
    assert count.recomputes > 0
    assert not some_order_moves(dag, stencil_orders(dag, memory), memory, count.io)


def test_overlapping_tiles_need_a_stencil_and_room():
    with pytest.raises(InvalidDAGError, match="no stencil"):
        best_trapezoids(fft(4), 10)
    dag = stencil((9, 9), 4)
    assert best_trapezoids(dag, min_memory(dag)) is None
    with pytest.raises(MemoryTooSmallError) as caught:
        trapezoid_schedule(dag, min_memory(dag))
    assert best_trapezoids(dag, caught.value.minimum) is not None
    assert best_trapezoids(dag, caught.value.minimum - 1) is None
