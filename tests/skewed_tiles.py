"""Loops over time that are drawn, and drawn tiles of them held against the referee."""

import random
from collections.abc import Sequence
from contextlib import suppress

from dags.programs import instantiate
from dags.programs.box_reader import box_nest
from dags.programs.instances import NotReadError
from dags.programs.nest import Program
from pebble import judge
from schedulers.tilings.holds import Found
from schedulers.tilings.moves import moves
from schedulers.tilings.plan import Counts, Tiling
from schedulers.tilings.search import best_tilings, text_path
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
            f"for (int {position} = {rng.randint(2, 3)}; {position} < {rng.randint(6, 8)}; "
            f"{position}++) "
            for position in index
        )
        target = cell(name, index, [rng.choice([0, 0, 0, 1])] * axes)
        body += f"{loops}{target} = {' + '.join(reads)} + 1;\n"
    if rng.random() < 0.2:  # loops before and behind, over all or part of the cells
        loops = "".join(
            f"for (int {position} = 0; {position} < {rng.randint(7, 12)}; {position}++) "
            for position in index
        )
        first, last = cell("a", index, [0] * axes), cell("w", index, [0] * axes)
        before, behind = f"{loops}{first} = {last} + 1;\n", f"{loops}z{last[1:]} = {first} * 2;\n"
        body = f"{before}TIME {{ {body} }}\n{behind}"
    else:
        body = f"TIME {{ {body} }}"
    arrays = ", ".join(f"double {name}{'[12]' * axes}" for name in (*names, "w", "z"))
    steps = rng.randint(1, 6)
    head = f"void f({arrays}, double u[9], double v[2])"
    return f"{head} {{ {body.replace('TIME', f'for (int t = 1; t < {1 + steps}; t++)')} }}"


def cell(array: str, index: str, far: Sequence[int]) -> str:
    """A cell of an array, so far from where the loops are."""
    return array + "".join(
        f"[{position} + {factor}]" for position, factor in zip(index, far, strict=True)
    )


def tiles_are_counted(
    rng: random.Random, program: Program, sizes: dict[str, int], tries: int = 3
) -> int:
    """Hold drawn tiles against the referee; return how many there were."""
    nest, dag = box_nest(program, sizes, as_written=True), instantiate(program, sizes)
    text = {assignment.name: text_path(assignment) for assignment in nest.assignments}
    tried = 0
    for search in searches(nest):
        for _ in range(tries):
            tiles = search.cut(
                [rng.randint(1, 1 + search.extents[position]) for position in search.sided]
            )
            play = Tiling(text, skewed=tiles)
            count = judge(dag, moves(dag, Counts(nest), play), MUCH)
            assert (count.loads, count.stores) == skewed_words(search.layers, tiles), play
            assert count.peak <= search.room(tiles), play
            assert tiling_text(nest, play)
            assert sum(group.io for group in groups_of(Counts(nest), play)[0]) == count.io
            tried += 1
    plays = list[Found]()
    with suppress(NotReadError):  # compulsory words of very small nests may not be counted
        plays = best_tilings(nest, [dag.n // 4], seconds=0.5)
    for entry in plays:
        count = judge(dag, moves(dag, Counts(nest), entry.tiling), entry.moved.words)
        assert count.io <= entry.io, entry
        tried += bool(entry.tiling.parts)
    return tried
