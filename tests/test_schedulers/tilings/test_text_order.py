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
    return {assignment.name: text_path(assignment) for assignment in nest.assignments}


def played(dag, counts, result):
    """What a play moves: no more than is told, in no more memory."""
    count = judge(dag, moves(dag, counts, result.tiling), result.moved.words)
    assert count.loads <= result.moved.loads
    assert count.stores <= result.moved.stores
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
        result = best_holds(counts, texts_of(nest))
        assert result[0].moved.words <= min_memory(dag) + BESIDE
        for entry in result:
            io = played(dag, counts, entry)
            assert io == entry.io or name not in TIED


@pytest.mark.parametrize("name", LARGE)
def test_every_text_has_plays_at_its_size(name):
    sizes = {size: int(value) for size, value in (x.split("=") for x in LARGE[name].split(","))}
    nest = box_nest(polybench(name), sizes)
    result = best_holds(Counts(nest), texts_of(nest))
    assert result[0].moved.words <= 40


def drawn_depths(counts, tree, rng):
    """Of each access its own hold."""
    return {
        key: {name: rng.randint(0, len(tree.levels(name))) for name in factor}
        for keys in counts.split.values()
        for key, factor in keys.items()
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
            printed = counts.cost(tiling)
            count = judge(dag, moves(dag, counts, tiling), MUCH)
            assert count.loads <= printed.loads
            assert count.stores <= printed.stores
            assert count.peak <= printed.words


MIXED = """
for (int i = 1; i < 3; i++) for (int j = 0; j < 5; j++) {
  A[j][i] += C[j][i] * B[i][j] + 1; x[i] += C[j][i] * C[i + 1][j + 1] + 1; }
for (int i = 0; i < 3; i++) for (int j = 1; j < 4; j++) for (int k = 0; k < 3; k++)
  A[k][i] -= C[i][k] + 1;
"""


def test_an_array_is_split_in_one_part_of_a_play_and_whole_in_another():
    nest, dag = box_nest(from_c(MIXED), {}, as_written=True), instantiate(from_c(MIXED), {})
    results = [
        best_tiling
        for seed in range(2)
        for best_tiling in best_tilings(nest, [9], seed=seed, seconds=0.5)
    ]
    for entry in results:
        played(dag, Counts(nest), entry)
    keys = [{*entry.tiling.depths} for entry in results]
    assert any("A_C" in chosen and any(key.startswith("A_C ") for key in chosen) for chosen in keys)
