"""What each lemma on nests says of itself, against brute force on the DAG of the text.

A case draws a nest: statements that read each other across loops that are moved on, turned round,
gathered, cut off; random loops like products and factorizations; loops over time; a text of the
tests, a chain, or a program of PolyBench, at small sizes. Reads, sums and outputs of the nest are
those of its text. Of every lemma records are drawn; what the checker accepts of each is held
against sets of updates, windows of orders, lines of half a product, and loads that orders need.
"""

import random
from collections.abc import Mapping

from dags import CDAG
from dags.programs import ProgramError, instantiate
from dags.programs.box_nests import BoxNest
from dags.programs.instances import NotReadError
from dags.programs.nest import Program
from dags.programs.text import from_c
from dags.programs.text.library import KERNELS, polybench
from tests.campaigns.outcomes import Outcomes, in_turns
from tests.chain_texts import CHAINS, sized
from tests.nest_texts import TEXTS, drawn_sizes
from tests.skewed_tiles import drawn_text
from tests.test_proofs.moved_nests import VERTICES, moved_nest
from tests.test_proofs.nest_graphs import NestGraph, nest_and_dag
from tests.test_proofs.nest_inequalities import judged_nest
from tests.test_proofs.small_nests import small_nest_text

LENGTHS = (1, 2, 2, 2, 3, 3, 4)  # of loops


def run(cases: int, seed: int) -> Outcomes:
    """What `cases` nests came to, half of them with moved loops and several statements."""
    moved = dict.fromkeys(["moved", "moved 2", "moved 3", "moved 4"], moved_case)
    kinds = {"random": small, "over time": over_time, "texts": text, "programs": program}
    return in_turns({**moved, **kinds}, cases, seed)


def moved_case(rng: random.Random) -> str:
    """Judge statements that read each other across moved loops."""
    return judged(rng, *moved_nest(rng))


def small(rng: random.Random) -> str:
    """Judge random loops."""
    return of_program(rng, lambda: (from_c(small_nest_text(rng)), {}))


def over_time(rng: random.Random) -> str:
    """Judge loops over time."""
    return of_program(rng, lambda: (from_c(drawn_text(rng)), {}))


def text(rng: random.Random) -> str:
    """Judge a text of the tests."""

    def drawn() -> tuple[Program, Mapping[str, int]]:
        if rng.random() < 0.5:
            written, sizes, _ = CHAINS[rng.choice([*CHAINS])]
            return from_c(written), {entry: rng.choice(LENGTHS) for entry in sized(sizes)}
        name = rng.choice([*TEXTS])
        return from_c(TEXTS[name][0]), drawn_sizes(name, rng)

    return of_program(rng, drawn)


def program(rng: random.Random) -> str:
    """Judge a program of PolyBench."""

    def drawn() -> tuple[Program, Mapping[str, int]]:
        known = polybench(rng.choice([*KERNELS]))
        return known, {size: rng.randint(1, 5) for size in known.sizes}

    return of_program(rng, drawn)


def of_program(rng, drawn) -> str:
    """Judge the first of some drawn programs that is read as loops, and small."""
    while True:
        chosen, sizes = drawn()
        try:
            if instantiate(chosen, sizes).n <= VERTICES:
                ways = {"any_order": rng.random() < 0.2, "as_written": rng.random() < 0.5}
                return judged(rng, *nest_and_dag(chosen, sizes, **ways))
        except (NotReadError, ProgramError):
            continue


def judged(rng: random.Random, nest: BoxNest, dag: CDAG) -> str:
    """Hold a nest against its DAG, and what lemmas say of it: inputs alone are loaded, or more."""
    met = judged_nest(NestGraph(nest, dag), rng)
    beyond = {kind.partition(":")[0] for kind, number in met.items() if "beyond" in kind and number}
    moved = (
        "moved"
        if any(any(assignment.item.offset) for assignment in nest.assignments)
        else "as written"
    )
    return f"{moved}, {'more' if beyond else 'inputs'}"
