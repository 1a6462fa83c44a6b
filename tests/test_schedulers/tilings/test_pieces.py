"""Pieces of arrays with holds of their own: what is counted is what the referee counts."""

import random

import pytest

pytest.importorskip("islpy", reason="islpy is not installed")

from dags.programs import instantiate
from dags.programs.box_reader import box_nest
from dags.programs.text import from_c
from dags.programs.text.library import polybench
from pebble import judge
from proofs.bounds.loops.nests import nest_bound
from schedulers.tilings.moves import moves
from schedulers.tilings.pieces import key_between
from schedulers.tilings.plan import Counts, Tiling
from schedulers.tilings.search import best_tilings, text_path
from tests.nest_texts import TEXTS, drawn_sizes

MUCH = 10**6


def cuts(counts, array):
    """Pairs of pieces of an array, up to some value of an index and from there on."""
    accesses = [entry for chosen in counts.arrays[array].values() for entry in chosen]
    for place in range(len(accesses[0].rows)):
        loops = [
            [position for position, row in enumerate(access.rows[place]) if row]
            for access in accesses
        ]
        if all(
            len(loop) == 1 and access.rows[place][loop[0]] > 0
            for loop, access in zip(loops, accesses, strict=True)
        ):
            for cut in range(1, 6):
                yield [key_between(array, place, *ends) for ends in ((-99, cut), (cut, 99))]


def shared(tree, names):
    """How many levels some assignments share, or the one that there is has around it."""
    limit = min((len(tree.levels(name)) for name in names), default=0)
    return max(
        depth for depth in range(limit + 1) if len({tree.node(name, depth) for name in names}) < 2
    )


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_pieces_are_counted_as_the_referee_counts(name):
    rng = random.Random(name)
    program = from_c(TEXTS[name][0])
    for _ in range(3):
        sizes = drawn_sizes(name, rng)
        nest, dag = box_nest(program, sizes, as_written=True), instantiate(program, sizes)
        counts = Counts(nest)
        if any(assignment.numbers is None for assignment in nest.assignments):
            continue
        paths = {assignment.name: text_path(assignment) for assignment in nest.assignments}
        tree = Tiling(paths)
        for _ in range(6):
            depths, separate = {}, True
            for array in counts.arrays:
                kinds = [[*counts.split[array]]], [*cuts(counts, array)]
                sample = [] if array in counts.assignments else rng.choice(kinds)
                chosen = rng.choice(sample or [[array]])
                separate &= chosen != [*counts.split[array]] or len(chosen) == 1
                for entry in chosen:
                    inside = counts.accesses[entry]
                    depth = rng.randint(0, shared(tree, [*inside]))
                    depths[entry] = dict.fromkeys(inside, depth)
            tiling = Tiling(paths, {array: factor for array, factor in depths.items() if factor})
            printed = counts.cost(tiling)
            count = judge(dag, moves(dag, counts, tiling), MUCH)
            assert count.stores == printed.stores
            assert count.peak <= printed.words
            assert count.loads == printed.loads or (not separate and count.loads < printed.loads)


def test_what_is_read_at_a_border_has_a_hold_of_its_own():
    nest = box_nest(polybench("trmm"), {"M": 1000, "N": 1200})
    tilings = best_tilings(nest, [4096], seconds=8)
    best = min(entry.io for entry in tilings if entry.moved.words <= 4096)
    assert best <= 1.3 * nest_bound(nest, 4096).io


def test_a_row_that_nearly_fits_stays_but_for_its_end():
    program, sizes = from_c(TEXTS["norm"][0]), {"N": 3, "C": 40}
    nest, dag = box_nest(program, sizes, as_written=True), instantiate(program, sizes)
    best = [
        best_tiling for best_tiling in best_tilings(nest, [34]) if best_tiling.moved.words <= 34
    ][-1]
    assert "A_x [1] 0:30" in best.tiling.depths
    count = judge(dag, moves(dag, Counts(nest), best.tiling), 34)
    assert count.io == best.io == 270


BESIDE = """void f(int n, double x[n], double y[n], double h[1]) {
  double s = FIRST * y[0];
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s = fmax(s, x[i] * y[j]);
  h[0] = s;
}"""


@pytest.mark.parametrize("first", ["x[0]", "x[n - 1]", "(x[2] + x[3])"])
def test_pieces_are_of_accesses_that_rise_beside_one_that_does_not(first):
    program = from_c(BESIDE.replace("FIRST", first))
    nest, dag = box_nest(program, {"n": 20}), instantiate(program, {"n": 20})
    for memory in (12, 24, 40):
        for play in best_tilings(nest, [memory], seconds=0.3):
            if play.moved.words <= memory:
                count = judge(dag, moves(dag, Counts(nest), play.tiling), memory)
                assert count.io <= play.io
                assert nest_bound(nest, memory).io <= play.io
