"""Nests have counted plays in the order of their text, at any size; arrays are split where need be.

What is told is what the referee counts, or more where an item is in two holds of a split array.
"""

import random

import pytest

pytest.importorskip("islpy", reason="islpy is not installed")

from benchmarks.polybench_sizes import LARGE
from dags.programs import ProgramError, instantiate
from dags.programs.box_reader import box_nest
from dags.programs.text import from_c
from dags.programs.text.library import KERNELS, polybench
from pebble import judge, min_memory
from schedulers.tilings.holds import best_holds
from schedulers.tilings.moves import moves
from schedulers.tilings.plan import Counts, Tiling
from schedulers.tilings.search import best_tilings, text_path
from tests.nest_texts import TEXTS, drawn_sizes

MUCH, BESIDE = 10**6, 20  # words that plays may need beyond the least memory
TIED = ["cholesky", "gramschmidt", "lu", "ludcmp", "symm", "trisolv", "trmm"]


def texts_of(nest):
    return {each.name: text_path(each) for each in nest.assignments}


def played(dag, counts, found):
    """What a play moves: no more than is told, in no more memory."""
    count = judge(dag, moves(dag, counts, found.tiling), found.moved.words)
    assert count.loads <= found.moved.loads
    assert count.stores <= found.moved.stores
    return count.io


@pytest.mark.parametrize("name", KERNELS)
def test_every_text_has_plays_for_small_memories(name):
    rng = random.Random(name)
    for _ in range(3):
        sizes = {size: rng.randint(3, 9) for size in polybench(name).sizes}
        nest, dag = (
            box_nest(polybench(name), sizes, as_written=True),
            instantiate(polybench(name), sizes),
        )
        counts = Counts(nest)
        found = best_holds(counts, texts_of(nest))
        assert found[0].moved.words <= min_memory(dag) + BESIDE
        for each in found:
            io = played(dag, counts, each)
            assert io == each.io or name not in TIED


@pytest.mark.parametrize("name", LARGE)
def test_every_text_has_plays_at_its_size(name):
    sizes = {size: int(value) for size, value in (x.split("=") for x in LARGE[name].split(","))}
    nest = box_nest(polybench(name), sizes)
    found = best_holds(Counts(nest), texts_of(nest))
    assert found[0].moved.words <= 40


def drawn_depths(counts, tree, rng):
    """Of each access its own hold."""
    return {
        key: {name: rng.randint(0, len(tree.levels(name))) for name in by}
        for keys in counts.split.values()
        for key, by in keys.items()
    }


@pytest.mark.parametrize("name", [*TEXTS, *TIED])
def test_split_arrays_move_no_more_than_is_told(name):
    rng = random.Random(name)
    for _ in range(8):
        if name in TEXTS:
            program, sizes = from_c(TEXTS[name][0]), drawn_sizes(name, rng)
        else:
            program = polybench(name)
            sizes = {size: rng.randint(2, 6) for size in program.sizes}
        try:
            nest, dag = box_nest(program, sizes, as_written=True), instantiate(program, sizes)
        except ProgramError:  # nothing is computed
            continue
        tree, counts = Tiling(texts_of(nest)), Counts(nest)
        if not all(tree.paths.values()):
            continue
        for _ in range(4):
            tiling = Tiling(tree.paths, drawn_depths(counts, tree, rng))
            told = counts.cost(tiling)
            count = judge(dag, moves(dag, counts, tiling), MUCH)
            assert count.loads <= told.loads
            assert count.stores <= told.stores
            assert count.peak <= told.words


MIXED = """
for (int i = 1; i < 3; i++) for (int j = 0; j < 5; j++) {
  A[j][i] += C[j][i] * B[i][j] + 1; x[i] += C[j][i] * C[i + 1][j + 1] + 1; }
for (int i = 0; i < 3; i++) for (int j = 1; j < 4; j++) for (int k = 0; k < 3; k++)
  A[k][i] -= C[i][k] + 1;
"""


def test_an_array_is_split_in_one_part_of_a_play_and_whole_in_another():
    nest, dag = box_nest(from_c(MIXED), {}, as_written=True), instantiate(from_c(MIXED), {})
    found = [each for seed in range(2) for each in best_tilings(nest, [9], seed=seed, seconds=0.5)]
    for each in found:
        played(dag, Counts(nest), each)
    keys = [{*each.tiling.depths} for each in found]
    assert any("A_C" in some and any(key.startswith("A_C ") for key in some) for some in keys)
