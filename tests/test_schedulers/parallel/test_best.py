"""Plays by several processors: legal, even, and in closed form where there is one."""

import dataclasses

import numpy as np
import pytest

import dags
from pebble import Costs, Machine, judge_on, min_memory, play_on
from schedulers.parallel import CircularWaitError, best_parallel, parallel_plays, played
from schedulers.parallel.grids import block_owners, on_point_grid
from schedulers.parallel.products import entries_of, on_grid

SPECS = [
    "matmul:m=3,n=4,k=3",
    "matmul:n=3,form=tree",
    "matmul:n=3,form=multiply-add",
    "fft:n=16",
    "fft:n=9,radix=3",
    "lu:n=5",
    "cholesky:n=5",
    "stencil:shape=4x4,steps=2",
    "sweep:shape=6",
    "random_layered:n=30,max_words=4,seed=3",
    "tree:height=4",
    "dirac:k=2,n4=4",
]


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("processors", [1, 3, 4])
def test_plays_are_legal(spec, processors):
    dag = dags.load(spec)
    machine = Machine.parallel(processors, min_memory(dag) + 2)
    methods = []
    for play in parallel_plays(dag, machine):
        assert judge_on(dag, play.schedule, machine) == play.count
        assert play.count.computes == dag.computed.size
        methods.append(play.method)
    assert len(methods) >= 2
    best = best_parallel(dag, machine, costs=Costs(g=3))
    assert best.method in methods


@pytest.mark.parametrize(("n", "grid"), [(16, (2, 2, 1)), (16, (4, 4, 1)), (16, (8, 8, 1))])
def test_two_dimensional_products_move_what_textbooks_say(n, grid):
    dag, processors = dags.load(f"matmul:n={n}"), grid[0] * grid[1]
    machine = Machine.parallel(processors, n * n // processors + n + 2)
    count = play_on(dag, played(dag, on_grid(dag, grid, machine.memory), machine), machine)
    loads, stores = 2 * n * n // grid[0], n * n // processors
    assert {(memory_.loads, memory_.stores) for memory_ in count.each} == {(loads, stores)}
    # all at once: each load and each computation is made by all processors side by side
    assert count.cost() == loads + stores + n**3 // processors


@pytest.mark.parametrize("grid", [(2, 2, 2), (2, 2, 4)])
def test_layers_of_a_product_pass_partial_sums_on(grid):
    n, (side, _, layers) = 16, grid
    dag, machine = dags.load(f"matmul:n={n}"), Machine.parallel(side * side * layers, 200)
    count = play_on(dag, played(dag, on_grid(dag, grid, 200), machine), machine)
    panels, block = 2 * n * n // (side * layers), n * n // side**2
    words = sorted({memory_.io for memory_ in count.each})
    assert words == [panels + block, panels + 2 * block]  # the first layer starts from nothing


def test_stencils_exchange_their_faces():
    shape, steps, grid = (8, 8), 3, (2, 2)
    dag, machine = dags.load("stencil:shape=8x8,steps=3"), Machine.parallel(4, 100)
    count = play_on(dag, played(dag, on_point_grid(dag, grid), machine), machine)
    own_part, face = 16, 2 * 4  # points of a block; of two faces, as the grid has borders
    for memory_ in count.each:
        assert memory_.loads == own_part + face * steps
        # the last step is output; of the others each face, whose corner is in both
        assert memory_.stores == own_part + (steps - 1) * (face - 1)
    assert np.bincount(block_owners(shape, grid)).tolist() == [own_part] * 4


def test_transforms_are_transposed_once():
    n, processors = 64, 4
    dag, machine = dags.load(f"fft:n={n}"), Machine.parallel(processors, 40)
    plays = {play.method: play.count for play in parallel_plays(dag, machine)}
    own_part = n // processors
    absent = own_part - own_part // processors  # of its values a processor keeps one part in p
    for memory_ in plays["transposition"].each:
        assert (memory_.loads, memory_.stores) == (own_part + absent, own_part + absent)
    assert plays["exchange"].busiest > plays["transposition"].busiest


@pytest.mark.parametrize("family", ["lu", "cholesky"])
def test_entries_of_factorizations(family):
    dag = dags.load(f"{family}:n=6")
    row, column = entries_of(dag)
    assert row.size == dag.n
    for v in dag.computed.tolist():
        operands = dag.pred_indices[dag.pred_indptr[v] : dag.pred_indptr[v + 1]]
        places = {(int(row[u]), int(column[u])) for u in operands}
        assert (int(row[v]), int(column[v])) in places  # a value of an entry updates it


def test_many_processors_finish_sooner():
    dag = dags.load("stencil:shape=24x24,steps=4")
    costs = [best_parallel(dag, Machine.parallel(p, 1200 // p)).count.cost() for p in (1, 4, 16)]
    assert costs[0] > 2.5 * costs[1] > 6 * costs[2]


def test_more_processors_than_work_are_no_obstacle():
    for spec in ("matmul:n=2", "stencil:shape=3,steps=1", "fft:n=4", "lu:n=3"):
        dag, machine = dags.load(spec), Machine.parallel(70, 5)
        play = best_parallel(dag, machine)
        assert judge_on(dag, play.schedule, machine) == play.count


def test_orders_that_wait_in_a_circle_are_noticed():
    dag = dags.from_edges(6, [(0, 2), (1, 3), (2, 5), (3, 4)])
    assignment = next(iter([on_point_grid(dags.load("sweep:shape=3"), (1,))]))
    crossed = dataclasses.replace(
        assignment,
        owner=np.array([-1, -1, 0, 1, 0, 1], np.int32),
        order=np.array([4, 2, 5, 3], np.int32),
    )
    with pytest.raises(CircularWaitError):
        played(dag, crossed, Machine.parallel(2, 3))
