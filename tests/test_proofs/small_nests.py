"""Random nests of two and three loops, like products, factorizations and sweeps, as C text."""

import random
import re

from dags import CDAG
from dags.programs import ProgramError, instantiate
from dags.programs.text import from_c

LOOP = re.compile(r"for \(int (\w) = ([^;]*); \w < ([^;]*); \w\+\+\)")
ARRAYS = {"A": 2, "B": 2, "C": 2, "x": 1, "y": 1}


def small_nest(
    seed: int | str, limit: int, executed: int | None = None, level: str = "statement"
) -> CDAG | None:
    """The DAG of a random nest, None if it has more than `most` vertices or none.

    Nests that execute more than `executed` assignments are not even read.
    """
    rng = random.Random(f"nest {seed}")
    text = small_nest_text(rng)
    if executed is not None and sum(map(_assignments, text.splitlines())) > executed:
        return None
    try:
        live = rng.choice([None, ["A"], ["A", "B", "C", "x"]])
        dag = instantiate(from_c(text), {}, live=live, level=level)
    except ProgramError:
        return None
    return dag if dag.n <= limit else None


def small_nest_text(rng: random.Random) -> str:
    """The text of one nest or two."""
    return "".join(_nest(rng) for _ in range(rng.choice([1, 1, 2])))


def _nest(rng: random.Random) -> str:
    """Loops around one statement or two."""
    depth = rng.choice([2, 3, 3, 3])
    names, head = "ijk"[:depth], ""
    for place, name in enumerate(names):
        low = rng.choice(["0", "0", "0", "1", *(f"{outer} + 1" for outer in names[:place])])
        high = rng.choice([*"23345", *(f"{outer}" for outer in names[:place])])
        head += f"for (int {name} = {low}; {name} < {high}; {name}++) "
    body = " ".join(_statement(rng, names) for _ in range(rng.choice([1, 1, 2])))
    return f"{head}{{ {body} }}\n"


def _assignments(nest: str) -> int:
    """How many assignments a nest executes."""
    loops = [(name, low, high) for name, low, high in LOOP.findall(nest)]

    def iterations(depth: int, names: dict[str, int]) -> int:
        if depth == len(loops):
            return 1
        name, low, high = loops[depth]
        ends = (
            sum(names[w] if w in names else int(w) for w in end.split(" + ")) for end in (low, high)
        )
        return sum(iterations(depth + 1, {**names, name: position}) for position in range(*ends))

    return iterations(0, {}) * nest.partition("{")[2].count(";")


def _statement(rng: random.Random, names: str) -> str:
    """An update of a cell, or a new value for it, from one to three others."""
    target = _cell(rng, names)
    values = [_cell(rng, names) for _ in range(rng.choice([1, 2, 2, 2, 3]))]
    sign = rng.choice(["+=", "+=", "-=", "="])
    return f"{target} {sign} {' * '.join(values)} + 1;"


def _cell(rng: random.Random, names: str) -> str:
    array = rng.choice([*ARRAYS])
    shift = rng.choice(["", "", "", "", " + 1"])
    indices = rng.sample(names, ARRAYS[array])
    return array + "".join(f"[{index}{shift}]" for index in indices)
