"""The family of a nest: written in any order, by any names, and never by counts alone."""

from dataclasses import replace
from itertools import product
from operator import mul

import pytest

pytest.importorskip("islpy")

from dags import Computation, RedBlueError, load
from dags.families import FAMILIES
from dags.families.recognition import recognise_as
from dags.programs.box_reader import box_nest
from dags.programs.layout import instantiate
from dags.programs.members import family_nest, instance_of_member, sizes_of, text_nest
from dags.programs.recognition import kin_of, renaming_of
from dags.programs.text import from_c
from tests.family_texts import NO_STENCILS, SOLVE, STENCILS, SYRK, TEXTS

SIZES = {"n": 7, "m": 4, "l": 5}
STEPPED = {"n": 7, "m": 5, "l": 6, "h": 3}
# What has the counts of a member, and is none.
OTHERS = {
    "a solve that sums backwards": (
        "triangular_solve:n=7,k=4",
        SOLVE + "for (i = 0; i < n; i++) for (k = 0; k < m; k++) { for (j = i - 1; j >= 0; j--)"
        " X[i][k] -= L[i][j] * X[j][k]; X[i][k] /= L[i][i]; } }",
    ),
    "an update that sums backwards off the diagonal": (
        "syrk:n=7,k=4",
        SYRK + "for (i = 0; i < n; i++) for (j = 0; j < i; j++) { C[i][j] = 0;"
        " for (k = m - 1; k >= 0; k--) C[i][j] += A[i][k] * A[j][k]; }"
        " for (i = 0; i < n; i++) { C[i][i] = 0;"
        " for (k = 0; k < m; k++) C[i][i] += A[i][k] * A[i][k]; } }",
    ),
}


def nest_of(text, sizes=SIZES):
    program = from_c(text, "f")
    return box_nest(program, {name: sizes[name] for name in program.sizes})


def dag_of(text, sizes):
    program = from_c(text, "f")
    return instantiate(program, {name: sizes[name] for name in program.sizes})


def plain_dag(nest):
    """Operands of each instance, by running the loops one by one."""
    last, operands, built = {}, {}, {assignment.name for assignment in nest.assignments}
    queue = [
        (assignment, point)
        for assignment in nest.assignments
        for point in product(*(range(*ends) for ends in assignment.box))
        if all(tie.constant + sum(map(mul, tie.row, point)) >= 0 for tie in assignment.ties)
    ]
    for assignment, point in queue:  # the last of a sum is the last in the order of its loops
        own_part = assignment.name, item_of(assignment.item, point)
        operands[assignment.name, point] = (
            {last[own_part]} if assignment.sums and own_part in last else set()
        )
        last[own_part] = assignment.name, point
    for assignment, point in queue:
        for access in assignment.reads:
            ties = (tie.constant + sum(map(mul, tie.row, point)) for tie in access.ties)
            ends = zip(point, access.box, strict=True)
            if (
                all(low <= value < high for value, (low, high) in ends)
                and min(ties, default=0) >= 0
            ):
                item = access.array, item_of(access, point)
                operands[assignment.name, point].add(last[item] if access.array in built else item)
    return operands


def item_of(access, point):
    return tuple(
        factor + sum(map(mul, row, point))
        for row, factor in zip(access.rows, access.offset, strict=True)
    )


def renamed(vertex, renaming):
    name, point = vertex
    to = renaming[name]
    return to.name, tuple(
        factor + sum(map(mul, row, point)) for row, factor in zip(to.rows, to.offset, strict=True)
    )


@pytest.mark.parametrize("name", TEXTS)
def test_a_family_is_recognised_in_any_order_by_any_names(name):
    spec, text = TEXTS[name]
    nest, member = nest_of(text), Computation(spec)
    kin = kin_of(nest, sizes_of(nest))
    assert kin is not None
    assert (kin.member.family, kin.member.sizes) == (member.family, member.sizes)
    moved = {
        renamed(vertex, kin.renaming): {renamed(operand, kin.renaming) for operand in read}
        for vertex, read in plain_dag(nest).items()
    }
    assert moved == plain_dag(kin.nest)


@pytest.mark.parametrize("name", STENCILS)
def test_a_stencil_is_recognised_by_its_statements(name):
    spec, text = STENCILS[name]
    nest = nest_of(text, STEPPED)
    kin = kin_of(nest, sizes_of(nest))
    assert kin is not None
    assert Computation(kin.member.spec).member.params == Computation(spec).member.params
    assert recognise_as(dag_of(text, STEPPED), load(spec), spec).recognised is not None


@pytest.mark.parametrize("name", NO_STENCILS)
def test_what_has_the_counts_of_a_stencil_alone_is_none(name):
    spec, text = NO_STENCILS[name]
    nest = nest_of(text, STEPPED)
    assert sizes_of(nest)[:4] == Computation(spec).sizes[:4]
    assert kin_of(nest, sizes_of(nest)) is None
    with pytest.raises(RedBlueError):
        recognise_as(dag_of(text, STEPPED), load(spec), spec)


@pytest.mark.parametrize(
    "spec",
    [
        "stencil:shape=7,steps=4",
        "stencil:shape=5x4,steps=3",
        "stencil:shape=2x2,steps=2",
        "stencil:shape=1,steps=3",
        "stencil:shape=4x3,steps=2,neighbourhood=box",
        "stencil:shape=5,steps=4,periodic=true",
        "stencil:shape=4x3,steps=2,periodic=true",
        "stencil:shape=4x3,steps=2,neighbourhood=box,periodic=true",
        "sweep:shape=6x5",
        "sweep:shape=9",
    ],
)
def test_the_text_of_a_member_is_its_dag(spec):
    member = Computation(spec).member
    program = from_c(FAMILIES[member.family].texts.text(member.params))
    assert recognise_as(instantiate(program, {}), load(spec), spec).recognised.own == ()
    nest = text_nest(member.family, member.params)
    assert sizes_of(nest)[:4] == member.sizes[:4]


@pytest.mark.parametrize("name", OTHERS)
def test_what_has_the_counts_of_a_family_alone_is_no_member(name):
    spec, text = OTHERS[name]
    nest, member = nest_of(text), Computation(spec)
    assert sizes_of(nest)[:4] == member.sizes[:4]
    assert kin_of(nest, sizes_of(nest)) is None
    assert renaming_of(nest, member.nest) is None


def test_outputs_are_those_of_the_family():
    nest = nest_of(TEXTS["lu kij"][1])
    first, *remaining = nest.assignments
    assert renaming_of(nest, Computation("lu:n=7").nest) is not None
    smaller = replace(nest, assignments=(replace(first, outputs=None), *remaining))
    assert renaming_of(smaller, Computation("lu:n=7").nest) is None


@pytest.mark.parametrize("name", TEXTS)
def test_an_operand_that_is_read_twice_is_one_edge(name):
    nest = nest_of(TEXTS[name][1])
    assert sizes_of(nest).edges == sum(map(len, plain_dag(nest).values()))


@pytest.mark.parametrize("name", [name for name, family in FAMILIES.items() if family.nest])
def test_the_nest_of_a_family_is_its_dag(name):
    family = FAMILIES[name]
    for spec in (f"{name}:{family.example}", f"{name}:{family.small}"):
        instance = instance_of_member(spec)
        assert recognise_as(instance.dag, load(spec), spec).recognised.own == ()
        known = Computation(spec)
        assert sizes_of(family_nest(name, known.params))[:4] == known.sizes[:4]


def test_a_statement_without_loops_is_of_no_family_and_no_fault():
    nest = nest_of(
        "void f(int n, double x[n], double y[n], double h[1]) { double s = x[0] * y[0];"
        " for (int i = 0; i < n; i++) s = fmax(s, x[i] * y[i]); h[0] = s; }"
    )
    assert kin_of(nest, sizes_of(nest)) is None
