"""Spaces of updates, and what some of the updates touch, counted in plain Python."""

from fractions import Fraction

from dags import (
    attention,
    cholesky,
    convolution,
    lu,
    matmul,
    matvec,
    qr_givens,
    syrk,
    triangular_solve,
)
from pebble import ONE_SHOT, RULES, Budget
from proofs import affine, projections
from proofs.bounds.loops.space_search import named_dag, verified_spaces
from proofs.lemmas.loops.program_space import program_space
from proofs.lemmas.loops.projections import CHAINS, DOMINATORS, SEGMENTS

GENERATED = [
    attention(3, 2),
    cholesky(6),
    convolution(6, 5, channels=2, filters=2),
    convolution(7, 7, filters=2, kernel=3, stride=2),
    lu(5),
    matmul(3, 4, 2, form="tree"),
    matmul(3, form="multiply-add"),
    matmul(4, 3, 4),
    matvec(4, 5),
    qr_givens(4, 6),
    qr_givens(5),
    syrk(5, 4),
    triangular_solve(5, 3),
    triangular_solve(6),
]
FOUND = [
    (argument, dag, builders[dag.family](dag.n, dag.params))
    for argument, builders in (
        ("segments", SEGMENTS),
        ("chains", CHAINS),
        ("dominators", DOMINATORS),
    )
    for dag in GENERATED
    if dag.family in builders
]
NAMED = [(dag, named_dag(dag).dag) for dag in GENERATED if dag.family not in SEGMENTS]
FOUND += [
    (space.argument, dag, program_space(named, space.space))
    for dag, named in NAMED
    for rules in (ONE_SHOT, RULES["recompute"])
    for space in verified_spaces(named, rules, Budget())
]


def by_windows(dag, memory, **options):
    """The bound by windows of updates that a family has, or a program by its points."""
    method = projections if dag.family in SEGMENTS else affine
    return method(dag, memory, **options)


def touched_words(space, chosen):
    """The items of each array that the updates touch, each at its price."""
    total = Fraction(0)
    for name, roles in space.touched.items():
        measure, items = space.shape.measure(name), set()
        for kept, values in zip(measure.projections, roles, strict=True):
            if name in space.by_value:
                items |= {int(values[u]) if values[u] >= 0 else ("head", u) for u in chosen}
            else:
                items |= {tuple(int(space.at[index][u]) for index in kept) for u in chosen}
        total += measure.cost * len(items)
    return total
