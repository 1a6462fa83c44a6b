"""One computation, rewritten by random steps: one DAG, one answer, and counts that are true.

A case draws a nest and rewrites it: arrays flat, loops tiled, unrolled, exchanged, run down, sums
in scalars, products with names, other names. The DAG of the text must be that of the plain one up
to names, once products are one with their readers; so must the DAG of its canonical form be that
of the text. The nest of the canonical form is then played by tiles, which the referee counts again,
and bounded; no bound may be above a play. What is proved and played is compared with the plain
text: as much, or another answer.
"""

import random
from contextlib import suppress

import numpy as np

from dags import CDAG
from dags.programs import instantiate
from dags.programs.box_nests import BoxNest
from dags.programs.box_reader import box_nest
from dags.programs.canonical import canonical
from dags.programs.instances import NotReadError
from dags.programs.text import from_c
from pebble import judge
from proofs import check
from proofs.bounds.loops.nests import nest_bound
from schedulers.tilings.moves import moves
from schedulers.tilings.plan import Counts
from schedulers.tilings.search import best_tilings
from tests.campaigns.outcomes import Outcomes, in_turns
from tests.rewritings import drawn, rewritten
from tests.test_dags.programs.canonical.isomorphic import shape_of

MOST_STEPS = 5
SECONDS = 0.1  # of work, for plays of one nest
PLAIN = "name a product"


def run(cases: int, seed: int) -> Outcomes:
    """What `cases` rewritten nests came to."""
    return in_turns({"rewritten": look}, cases, seed)


def look(rng: random.Random) -> str:
    """What one case came to."""
    plain = drawn(rng)
    text = rewritten(rng, plain, rng.randint(1, MOST_STEPS))
    left, right = from_c(plain.c, "f"), from_c(text.c, "f")
    first, second = left.dag(), right.dag()
    has_names = PLAIN in text.steps
    equal = contracted(text.c, text.name("product")) if has_names else second
    if shape_of(equal) != shape_of(first):
        return f"failed: another DAG\n{text.c}"
    form = canonical(right, {})
    third = instantiate(form.program, {}, live=form.live, constants=form.constants)
    if shape_of(third) != shape_of(second):
        return f"failed: another DAG in canonical form\n{text.c}"
    try:
        known = box_nest(left, {})
    except NotReadError:
        return "plain text not read"
    try:
        nest = box_nest(right, {})
    except NotReadError as error:
        return f"not read: {error}\n{text.c}"
    minimum = max(map(len, (third.pred_indices[a:b] for a, b in _rows(third)))) + 1
    memory = rng.randint(minimum + 1, max(minimum + 2, third.n // 3))
    bound = nest_bound(nest, memory)
    check(nest, memory, bound)
    words, wrong = played(nest, third, memory)
    if wrong:
        return f"failed: {wrong}\n{text.c}"
    before, _ = played(known, None, memory)
    if words is not None and words < bound.io:
        return f"failed: {bound.io} are proved and {words} played\n{text.c}"
    proved = nest_bound(known, memory).io
    same_bound = bound.io == proved
    same_play = has_names or words == before
    if same_bound and same_play:
        return "the same"
    return "another bound" if same_play else "another play" if same_bound else "others"


def _rows(dag: CDAG) -> list[tuple[int, int]]:
    return [*zip(dag.pred_indptr[:-1].tolist(), dag.pred_indptr[1:].tolist(), strict=True)]


def played(nest: BoxNest, dag: CDAG | None, memory: int) -> tuple[int | None, str]:
    """The fewest words of plays by tiles, and what is wrong with one of them."""
    best = None
    with suppress(NotReadError):  # compulsory words of very small nests may not be counted
        for best_tiling in best_tilings(nest, [memory], seconds=SECONDS):
            if best_tiling.moved.words > memory:
                continue
            best = best_tiling.io if best is None else min(best, best_tiling.io)
            if dag is None:
                continue
            count = judge(dag, moves(dag, Counts(nest), best_tiling.tiling), memory)
            if count.io > best_tiling.io:
                return best, f"{best_tiling.io} words are counted, and {count.io} moved"
    return best, ""


def contracted(text: str, name: str) -> CDAG:
    """The DAG of a text whose products are one with their readers.

    Parameters
    ----------
    text
        In C.
    name
        What products are called.
    """
    program = from_c(text, "f")
    dag = program.dag()
    own_values = {
        f"S{number}"
        for number, (assign, _) in enumerate(program.statements)
        if assign.target.array == name
    }
    removed = {v for v, label in enumerate(dag.labels) if label.partition("[")[0] in own_values}
    operands = [dag.pred_indices[a:b].tolist() for a, b in _rows(dag)]
    kept = {v: place for place, v in enumerate(v for v in range(dag.n) if v not in removed)}
    rows = [
        sorted({kept[w] for u in operands[v] for w in (operands[u] if u in removed else [u])})
        for v in kept
    ]
    indptr = np.cumsum([0, *map(len, rows)])
    indices = np.array([u for row in rows for u in row])
    return CDAG(indptr, indices, outputs=[kept[v] for v in dag.outputs.tolist()])
