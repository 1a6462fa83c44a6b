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
    accesses = [each for some in counts.arrays[array].values() for each in some]
    for place in range(len(accesses[0].rows)):
        loops = [[at for at, by in enumerate(each.rows[place]) if by] for each in accesses]
        if all(
            len(at) == 1 and each.rows[place][at[0]] > 0
            for at, each in zip(loops, accesses, strict=True)
        ):
            for cut in range(1, 6):
                yield [key_between(array, place, *ends) for ends in ((-99, cut), (cut, 99))]


def shared(tree, names):
    """How many levels some assignments share, or the one that there is has around it."""
    most = min((len(tree.levels(name)) for name in names), default=0)
    return max(
        depth for depth in range(most + 1) if len({tree.node(name, depth) for name in names}) < 2
    )


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_pieces_are_counted_as_the_referee_counts(name):
    rng = random.Random(name)
    program = from_c(TEXTS[name][0])
    for _ in range(3):
        sizes = drawn_sizes(name, rng)
        nest, dag = box_nest(program, sizes, as_written=True), instantiate(program, sizes)
        counts = Counts(nest)
        if any(each.numbers is None for each in nest.assignments):
            continue
        paths = {each.name: text_path(each) for each in nest.assignments}
        tree = Tiling(paths)
        for _ in range(6):
            depths, apart = {}, True
            for array in counts.arrays:
                kinds = [[*counts.split[array]]], [*cuts(counts, array)]
                some = [] if array in counts.assignments else rng.choice(kinds)
                chosen = rng.choice(some or [[array]])
                apart &= chosen != [*counts.split[array]] or len(chosen) == 1
                for each in chosen:
                    inside = counts.accesses[each]
                    depth = rng.randint(0, shared(tree, [*inside]))
                    depths[each] = dict.fromkeys(inside, depth)
            tiling = Tiling(paths, {array: by for array, by in depths.items() if by})
            told = counts.cost(tiling)
            count = judge(dag, moves(dag, counts, tiling), MUCH)
            assert count.stores == told.stores
            assert count.peak <= told.words
            assert count.loads == told.loads or (not apart and count.loads < told.loads)


def test_what_is_read_at_a_border_has_a_hold_of_its_own():
    nest = box_nest(polybench("trmm"), {"M": 1000, "N": 1200})
    found = best_tilings(nest, [4096], seconds=8)
    best = min(each.io for each in found if each.moved.words <= 4096)
    assert best <= 1.3 * nest_bound(nest, 4096).io


def test_a_row_that_nearly_fits_stays_but_for_its_end():
    program, sizes = from_c(TEXTS["norm"][0]), {"N": 3, "C": 40}
    nest, dag = box_nest(program, sizes, as_written=True), instantiate(program, sizes)
    best = [each for each in best_tilings(nest, [34]) if each.moved.words <= 34][-1]
    assert "A_x [1] 0:30" in best.tiling.depths
    count = judge(dag, moves(dag, Counts(nest), best.tiling), 34)
    assert count.io == best.io == 270
