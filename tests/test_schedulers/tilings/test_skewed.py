"""Tiles that lean over in time: counted as the referee counts, in the memory that is told."""

import random
from math import log

import pytest

pytest.importorskip("islpy", reason="islpy is not installed")

from dags.programs import ProgramError, instantiate
from dags.programs.box_reader import box_nest
from dags.programs.instances import NotReadError
from dags.programs.text import from_c
from dags.programs.text.library import polybench
from pebble import judge
from proofs.bounds.loops.nests import nest_bound
from schedulers.tilings.moves import moves
from schedulers.tilings.plan import Counts, Tiling
from schedulers.tilings.search import best_tilings, text_path
from schedulers.tilings.skewed.search import searches
from schedulers.tilings.skewed.words import skewed_words
from schedulers.tilings.words import groups_of, tiling_text

MUCH = 10**6
KERNELS = ("jacobi-1d", "jacobi-2d", "heat-3d", "seidel-2d", "fdtd-2d")
LARGE = {
    "jacobi-2d": {"TSTEPS": 500, "N": 1300},
    "heat-3d": {"TSTEPS": 500, "N": 120},
    "seidel-2d": {"TSTEPS": 500, "N": 2000},
    "fdtd-2d": {"TMAX": 500, "NX": 1000, "NY": 1200},
}


def drawn_text(rng):
    """One to three assignments that take turns, on their own boxes, reading any that were made."""
    axes, count = rng.choice([(1, 1), (1, 2), (1, 3), (2, 1), (2, 2)])
    names, index = "abc"[:count], "ij"[:axes]
    body = ""
    for name in names:
        reads = []
        for _ in range(rng.randint(1, 4)):
            far = [rng.choice([-2, -1, -1, 0, 0, 1, 1, 2]) for _ in index]
            reads.append(cell(rng.choice([name, *names]), index, far))
        if rng.random() < 0.3:
            reads.append(rng.choice(["u[t]", cell("w", index, [0] * axes), "w" + "[1]" * axes]))
        loops = "".join(
            f"for (int {at} = {rng.randint(2, 3)}; {at} < {rng.randint(6, 8)}; {at}++) "
            for at in index
        )
        target = cell(name, index, [rng.choice([0, 0, 0, 1])] * axes)
        body += f"{loops}{target} = {' + '.join(reads)} + 1;\n"
    arrays = ", ".join(f"double {name}{'[12]' * axes}" for name in (*names, "w"))
    steps = rng.randint(1, 6)
    return f"void f({arrays}, double u[9]) {{ for (int t = 1; t < {1 + steps}; t++) {{ {body} }} }}"


def cell(array, index, far):
    return array + "".join(f"[{at} + {by}]" for at, by in zip(index, far, strict=True))


def tiles_are_counted(rng, program, sizes, tries=3):
    """Hold drawn tiles against the referee; return how many there were, and the least slack."""
    nest, dag = box_nest(program, sizes), instantiate(program, sizes)
    text = {each.name: text_path(each) for each in nest.assignments}
    tried = 0
    for search in searches(nest):
        for _ in range(tries):
            tiles = search.cut([rng.randint(1, 1 + search.extents[at]) for at in search.sided])
            play = Tiling(text, skewed=tiles)
            count = judge(dag, moves(dag, Counts(nest), play), MUCH)
            assert (count.loads, count.stores) == skewed_words(search.layers, tiles), play
            assert count.peak <= search.room(tiles), play
            assert tiling_text(nest, play)
            assert sum(each.io for each in groups_of(Counts(nest), play)[0]) == count.io
            tried += 1
    return tried


@pytest.mark.parametrize("name", KERNELS)
def test_tiles_of_kernels_are_counted_as_the_referee_counts(name):
    rng, program = random.Random(name), polybench(name)
    tried = 0
    for _ in range(6):
        sizes = {
            size: rng.randint(1, 8) if size[0] == "T" else rng.randint(4, 8)
            for size in program.sizes
        }
        tried += tiles_are_counted(rng, program, sizes)
    assert tried


@pytest.mark.parametrize("seed", range(60))
def test_tiles_of_drawn_loops_are_counted_as_the_referee_counts(seed):
    rng = random.Random(seed)
    while True:
        try:
            if tiles_are_counted(rng, from_c(drawn_text(rng)), {}):
                return
        except (ProgramError, NotReadError):
            continue


@pytest.mark.parametrize("name", KERNELS)
def test_what_is_found_can_be_played(name):
    program = polybench(name)
    sizes = {size: 7 if size[0] == "T" else 9 for size in program.sizes}
    nest, dag = box_nest(program, sizes), instantiate(program, sizes)
    found = best_tilings(nest, [10, 20, 40, 80])
    for each in found:
        count = judge(dag, moves(dag, Counts(nest), each.tiling), each.moved.words)
        assert (count.loads, count.stores) == (each.moved.loads, each.moved.stores)


@pytest.mark.parametrize("name", LARGE)
def test_words_fall_as_memory_grows(name):
    nest = box_nest(polybench(name), LARGE[name])
    memories = [4_000, 32_000]
    found = best_tilings(nest, memories)
    played = [min(each.io for each in found if each.moved.words <= size) for size in memories]
    axes = len(nest.assignments[0].box) - 1
    assert log(played[0] / played[1]) / log(8) > 0.8 / axes
    for memory, io in zip(memories, played, strict=True):
        assert nest_bound(nest, memory).io <= io
