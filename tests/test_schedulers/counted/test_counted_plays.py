"""Counted plays are legal, and the engine counts what the formulas say."""

from itertools import pairwise

import numpy as np
import pytest

from dags import Computation, load
from dags import dirac as load_dirac
from pebble import Move, Rules, Schedule, judge, min_memory, play
from schedulers import COUNTED_PLAYS, dirac_schedule
from schedulers.counted import laid_out, laid_out_in_parts
from schedulers.counted.dirac_steps import best_plan, hop_by_hop, link_sums, links_one_by_one
from schedulers.counted.stencil_counts import axis_sums, one_by_one

SPECS = {
    "bitonic_sort": ["n=2", "n=4", "n=32"],
    "cholesky": ["n=1", "n=2", "n=3", "n=8", "n=13"],
    "dirac_steps": [
        "shape=9,steps=14",
        "shape=5x6,steps=7",
        "shape=3x1x4,steps=4",
        "shape=2x3x2x3,steps=4",
        "shape=10,steps=9,periodic=true",
        "shape=4x6,steps=5,periodic=true",
    ],
    "fft": ["n=2", "n=32", "n=64", "n=27,radix=3"],
    "grid": ["shape=5", "shape=1x4", "shape=5x6", "shape=4x3x5", "shape=3x3x2x4"],
    "lu": ["n=2", "n=3", "n=7", "n=11"],
    "matmul": [
        "n=1",
        "n=5",
        "n=7,m=3,k=4",
        "n=6,m=9,k=1",
        "n=1,m=8,k=2",
        "n=4,m=5,k=3,form=multiply-add",
        "n=4,k=2,form=tree",
    ],
    "matvec": ["n=1,m=1", "n=5,m=1", "n=12,m=9"],
    "qr_givens": ["n=1,m=2", "n=2", "n=5", "n=4,m=9", "n=7,m=8"],
    "stencil": [
        "shape=1,steps=3",
        "shape=14,steps=17",
        "shape=8x9,steps=7",
        "shape=5x4,steps=4,neighbourhood=box",
        "shape=6x1x3,steps=3",
        "shape=4x3x3,steps=5",
        "shape=3x2x2x3,steps=3",
        "shape=20,steps=13,periodic=true",
        "shape=8x6,steps=5,periodic=true",
        "shape=6x8,steps=4,neighbourhood=box,periodic=true",
    ],
    "syrk": ["n=1,k=1", "n=1,k=3", "n=2,k=1", "n=9,k=3", "n=14,k=2", "n=23,k=1"],
    "triangular_solve": ["n=1,k=3", "n=7", "n=6,k=5", "n=4,k=9"],
}
CASES = [f"{family}:{text}" for family, texts in SPECS.items() for text in texts]


def test_all_counted_plays_are_tested():
    assert COUNTED_PLAYS.keys() == {"dirac", *SPECS}


@pytest.mark.parametrize("spec", CASES)
def test_the_engine_counts_the_same(spec):
    dag = load(spec, recognise=False)
    counted, minimum = COUNTED_PLAYS[dag.family], min_memory(dag)
    sizes = [*range(minimum, minimum + 16), *range(minimum + 17, minimum + 500, 69)]
    for memory in sizes:
        words = counted.count(dag.params, memory)
        if words is None:  # products beside a sum, and two rotated values, take a word more
            assert memory == minimum
            assert dag.family in ("matmul", "qr_givens")
            continue
        tiles = counted.tiles(dag, memory)
        moves = laid_out(dag, tiles) if memory % 2 else laid_out_in_parts(dag, tiles, steps=7)
        count = play(dag, moves, memory)
        assert (count.loads, count.stores) == words, memory
    if dag.words is None:
        assert sum(words) == dag.used_inputs.size + dag.outputs.size


def test_a_lattice_of_which_all_fits_is_moved_once():
    dag = load("dirac_steps:shape=4x5,steps=6")
    counted = COUNTED_PLAYS["dirac_steps"]
    words = counted.count(dag.params, 4000)
    assert sum(words) == dag.words_of(dag.used_inputs) + dag.words_of(dag.outputs)
    assert judge(dag, laid_out(dag, counted.tiles(dag, 4000)), 4000).io == sum(words)
    assert counted.count({**dag.params, "periodic": True}, 4000) is None  # 5 sites of a ring


def test_links_along_long_axes_are_counted_as_along_short_ones():
    for side, length in ((1, 40), (3, 35), (7, 90), (5, 11)):
        slow = links_one_by_one(length, side, min(side, 50))
        assert (link_sums(length, side, 50) == slow).all()


@pytest.mark.parametrize("spec", ["lu:n=4", "fft:n=8", "matmul:n=3"])
def test_the_referee_agrees(spec):
    dag = load(spec)
    memory = min_memory(dag) + 2
    counted = COUNTED_PLAYS[dag.family]
    result = judge(dag, laid_out(dag, counted.tiles(dag, memory)), memory)
    assert (result.loads, result.stores) == counted.count(dag.params, memory)


@pytest.mark.parametrize("family", sorted({"bitonic_sort", "fft", "lu", "matmul", "matvec"}))
def test_more_memory_moves_no_more(family):
    spec = {"matmul": "matmul:n=1000", "matvec": "matvec:n=1000", "lu": "lu:n=1000"}
    known = Computation(spec.get(family, f"{family}:n=2^40"))
    words = [
        sum(COUNTED_PLAYS[family].count(known.params, memory)) for memory in range(4, 4000, 97)
    ]
    assert words == sorted(words, reverse=True)


def test_long_axes_are_counted_as_short_ones_and_periods():
    for side, length in ((1, 40), (3, 35), (7, 90)):
        assert all(
            (fast == slow).all()
            for fast, slow in zip(
                axis_sums(length, side, 50), one_by_one(length, side, min(side, 50)), strict=True
            )
        )


@pytest.mark.parametrize("rules", [Rules(), Rules(sliding=True)])
def test_the_dirac_operator_is_played_by_its_best_plan(rules):
    params, known = {"k": 2, "n4": 4, "wrap": True}, COUNTED_PLAYS["dirac"]
    for memory in (80, 114, 160, 210, 300, 600):
        room = memory + (known.slides if rules.sliding else 0)
        words, plan = known.count(params, room), best_plan(params, room)
        if plan is None:
            assert words == hop_by_hop(params)
            assert memory < 186 + (0 if rules.sliding else 24)
            continue
        dag = load_dirac(**plan.params)
        count = play(dag, dirac_schedule(dag), memory, rules=rules)
        assert (count.loads, count.stores) == words


@pytest.mark.parametrize("rules", [Rules(), Rules(sliding=True)])
@pytest.mark.parametrize(
    "params",
    [
        {"k": 2, "n4": 3, "wrap": True},
        {"k": 1, "n4": 4, "wrap": False},
        {"k": 3, "n4": 2, "wrap": False, "copies": True},
    ],
)
def test_the_dirac_operator_is_played_hop_by_hop_in_the_least_memory(params, rules):
    dag = load_dirac(**params)
    memory = min_memory(dag, rules=rules)
    result = judge(dag, every_hop_for_itself(dag), memory, rules=rules)
    assert (result.loads, result.stores) == hop_by_hop(params)
    known = COUNTED_PLAYS["dirac"]
    room = memory + (known.slides if rules.sliding else 0)
    assert known.count(params, room) == hop_by_hop(params)


def every_hop_for_itself(dag):
    """Each value that is not the sum so far is loaded for the one vertex that reads it next."""
    moves = []
    rows = [dag.pred_indices[a:b].tolist() for a, b in pairwise(dag.pred_indptr.tolist())]
    reader = {u: v for v, row in enumerate(rows) for u in row if rows[u]}
    for vertex in (v for v, row in enumerate(rows) if row and not any(rows[u] for u in row)):
        v, red = vertex, None
        while v is not None:
            read = [u for u in rows[v] if u != red]
            moves += [(Move.LOAD, u) for u in read]
            moves.append((Move.COMPUTE, v))
            moves += [(Move.DELETE, u) for u in sorted(rows[v], key=lambda u: u != red)]
            v, red = reader.get(v), v
        moves += [(Move.STORE, red), (Move.DELETE, red)]
    return Schedule(*(np.array(side) for side in zip(*moves, strict=True)))


def test_a_stencil_that_wraps_is_not_counted():
    params = Computation("stencil:shape=5x5,steps=3,periodic=true").params
    assert COUNTED_PLAYS["stencil"].count(params, 20) is None


def test_sums_by_trees_are_not_counted():
    dag = load("matmul:n=3,form=tree")
    assert COUNTED_PLAYS["matmul"].count(dag.params, 10) is None
