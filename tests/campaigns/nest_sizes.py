"""Nests as they are counted without a DAG, against their DAG: bounds, plays, compulsory words.

A case draws a nest: random loops like products, factorizations and sweeps, loops over time,
statements that read each other across loops that are moved on, a text of the tests, or a program of
PolyBench, at small sizes; and a memory. Of loops over time tiles that
lean over are drawn and held against the referee. The bound passes its checker and is above no play:
of two orders with furthest next use, of tiles, and of the exact search where the DAG is tiny
and the bound beyond compulsory words. Each play by tiles is counted as the referee counts it, or
with more words ("more are told"), never with fewer.
"""

import random
from functools import lru_cache

from dags import CDAG
from dags.programs import ProgramError, instantiate
from dags.programs.box_reader import box_nest
from dags.programs.instances import NotReadError
from dags.programs.nest import Program
from dags.programs.text import from_c
from dags.programs.text.library import KERNELS, polybench
from pebble import compulsory_words, judge, min_memory, play
from proofs import check
from proofs.bounds.loops.nests import nest_bound
from proofs.lemmas.loops.nests import compulsory_of
from schedulers import scheduler_named
from schedulers.exact import exact
from schedulers.tilings.moves import moves
from schedulers.tilings.plan import Counts
from schedulers.tilings.search import best_tilings
from tests.campaigns.outcomes import Outcomes, in_turns
from tests.nest_texts import TEXTS, drawn_sizes
from tests.skewed_tiles import drawn_text, tiles_are_counted
from tests.test_proofs.moved_nests import moved_program
from tests.test_proofs.small_nests import small_nest_text

MOST, TINY = 600, 18  # vertices
TILED, SECONDS = 0.25, 0.5  # of the cases look for tiles, so long
ORDERS = ("natural+belady-cost", "depth-first+belady")


def run(cases: int, seed: int) -> Outcomes:
    """What `cases` nests came to."""
    kinds = {"random": random_nest, "over time": over_time, "texts": text, "polybench": kernel}
    kinds["moved"] = moved
    return in_turns(kinds, cases, seed)


def random_nest(rng: random.Random) -> str:
    """Judge random loops."""
    while True:
        program = from_c(small_nest_text(rng))
        try:
            dag = instantiate(program, {})
        except ProgramError:
            continue
        if 0 < dag.n <= MOST:
            return judged(rng, program, {}, dag)


def over_time(rng: random.Random) -> str:
    """Judge loops over time, and tiles of them that lean over."""
    while True:
        program = from_c(drawn_text(rng))
        try:
            dag = instantiate(program, {})
            tiles_are_counted(rng, program, {}, tries=2)
        except (NotReadError, ProgramError):
            continue
        if 0 < dag.n <= MOST:
            return judged(rng, program, {}, dag)


def moved(rng: random.Random) -> str:
    """Judge statements that read each other across moved loops, or where few arrays are live."""
    drawn = moved_program(rng)
    return judged(rng, drawn.program, {}, drawn.dag, live=drawn.live)


@lru_cache(maxsize=2048)
def drawn(name: str, sizes: tuple[tuple[str, int], ...]) -> CDAG | None:
    """The DAG of a text or a program at some sizes, unless it is large."""
    program = from_c(TEXTS[name][0]) if name in TEXTS else polybench(name)
    try:
        dag: CDAG = instantiate(program, dict(sizes))
    except ProgramError:
        return None
    return dag if 0 < dag.n <= MOST else None


def text(rng: random.Random) -> str:
    """Judge a text of the tests."""
    while True:
        name = rng.choice([*TEXTS])
        sizes = drawn_sizes(name, rng)
        if (dag := drawn(name, tuple(sizes.items()))) is not None:
            return judged(rng, from_c(TEXTS[name][0]), sizes, dag)


def kernel(rng: random.Random) -> str:
    """Judge a program of PolyBench."""
    while True:
        name = rng.choice([*KERNELS])
        sizes = {size: rng.randint(1, 7) for size in polybench(name).sizes}
        if (dag := drawn(name, tuple(sizes.items()))) is not None:
            return judged(rng, polybench(name), sizes, dag)


def judged(
    rng: random.Random,
    program: Program,
    sizes: dict[str, int],
    dag: CDAG,
    *,
    live: list[str] | None = None,
) -> str:
    """Hold what is counted of a nest against its DAG."""
    try:
        nest = box_nest(program, sizes, live=live)
        floor = compulsory_of(nest)
    except NotReadError:
        return "not read"
    assert floor == compulsory_words(dag)
    smallest = min_memory(dag)
    memory = smallest + rng.choice([0, 0, 1, 2, rng.randint(3, 12)])
    bound = nest_bound(nest, memory)
    check(nest, memory, bound)
    assert bound.io >= floor
    played = [play(dag, scheduler_named(name)(dag, memory), memory).io for name in ORDERS]
    if rng.random() < TILED:
        for best_tiling in best_tilings(nest, [memory], seconds=SECONDS):
            count = judge(
                dag, moves(dag, Counts(nest), best_tiling.tiling), best_tiling.moved.words
            )
            assert count.io <= best_tiling.io, (nest.name, nest.sizes, best_tiling)
            if count.io < best_tiling.io:
                return "more are told"
            played += [best_tiling.io] if best_tiling.moved.words <= memory else []
    if bound.io == floor:
        return "compulsory words alone"
    assert bound.io <= min(played), (nest.name, nest.sizes, memory, bound)
    if dag.n > TINY:
        return f"{bound.certificate.kind}, below plays"
    solution = exact(dag, memory, time_limit=20)
    assert solution.io is None or bound.io <= solution.io, (nest.name, nest.sizes, memory, bound)
    return f"{bound.certificate.kind}, optimum searched"
