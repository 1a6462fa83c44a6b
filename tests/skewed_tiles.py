"""Loops over time that are drawn, and drawn tiles of them held against the referee."""

import random
from collections.abc import Sequence

from dags.programs import instantiate
from dags.programs.box_reader import box_nest
from dags.programs.nest import Program
from pebble import judge
from schedulers.tilings.moves import moves
from schedulers.tilings.plan import Counts, Tiling
from schedulers.tilings.search import text_path
from schedulers.tilings.skewed.search import searches
from schedulers.tilings.skewed.words import skewed_words
from schedulers.tilings.words import groups_of, tiling_text

MUCH = 10**6


def drawn_text(rng: random.Random) -> str:
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
            reads.append(rng.choice(["u[t]", cell("w", index, [0] * axes), "v[1] + v[0]"]))
        loops = "".join(
            f"for (int {at} = {rng.randint(2, 3)}; {at} < {rng.randint(6, 8)}; {at}++) "
            for at in index
        )
        target = cell(name, index, [rng.choice([0, 0, 0, 1])] * axes)
        body += f"{loops}{target} = {' + '.join(reads)} + 1;\n"
    arrays = ", ".join(f"double {name}{'[12]' * axes}" for name in (*names, "w"))
    steps = rng.randint(1, 6)
    head = f"void f({arrays}, double u[9], double v[2])"
    return f"{head} {{ for (int t = 1; t < {1 + steps}; t++) {{ {body} }} }}"


def cell(array: str, index: str, far: Sequence[int]) -> str:
    """Return a cell of an array, so far from where the loops are."""
    return array + "".join(f"[{at} + {by}]" for at, by in zip(index, far, strict=True))


def tiles_are_counted(
    rng: random.Random, program: Program, sizes: dict[str, int], tries: int = 3
) -> int:
    """Hold drawn tiles against the referee; return how many there were."""
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
