"""Points of members by formula, against the DAG of their text."""

import re

import numpy as np
import pytest

import dags
from dags import points_of
from dags.families import FAMILIES
from dags.programs.layout import instantiate
from dags.programs.text.c_text import from_c

MEMBERS = (
    "matmul:m=2,n=3,k=4",
    "matmul:n=1",
    "syrk:n=4,k=3",
    "triangular_solve:n=5,k=3",
    "lu:n=6",
    "cholesky:n=1",
    "cholesky:n=6",
)


def named_rows(dag, labels):
    """The operands of each computed vertex, and its work, by labels without "S1"."""
    names = [re.sub(r"^S\d+", "S", label) for label in labels]
    rows = np.split(dag.pred_indices, dag.pred_indptr[1:-1])
    return {
        names[v]: ({names[u] for u in rows[v]}, int(dag.work[v])) for v in dag.computed.tolist()
    }


def program_of(dag):
    points = FAMILIES[dag.family].points(**dag.params)
    text = "void f(int n, int m, int k) {\n#pragma scop\n" + points.text + "\n#pragma endscop\n}"
    program = from_c(text, None)
    return instantiate(program, {name: dag.params[name] for name in program.sizes})


def test_all_families_with_points_are_here():
    assert {spec.partition(":")[0] for spec in MEMBERS} == {
        name for name, family in FAMILIES.items() if family.points is not None
    }


@pytest.mark.parametrize("spec", MEMBERS)
def test_a_member_is_the_program_of_its_text(spec):
    dag = dags.load(spec)
    built = program_of(dag)
    assert named_rows(dag, points_of(dag).labels()) == named_rows(built, built.labels)
    assert points_of(dag) is points_of(dag)
    assert dag.labels is None


@pytest.mark.parametrize("spec", MEMBERS[:1] + MEMBERS[2:5])
def test_what_is_recognised_has_the_points_of_the_member_it_is(spec):
    dag = dags.load(spec)
    order = np.argsort(dag.level + np.random.default_rng(1).random(dag.n))
    second = dags.recognise(dags.renumber(dag, order))
    assert second.recognised is not None
    assert second.recognised.dag.family == dag.family
    own_part = points_of(second)
    assert named_rows(second, own_part.labels()) == named_rows(dag, points_of(dag).labels())


@pytest.mark.parametrize("spec", ["matmul:n=3,form=tree", "fft:n=8", "chain:n=3"])
def test_what_is_no_program_has_no_points(spec):
    assert points_of(dags.load(spec)) is None


def test_a_program_has_its_own():
    dag = dags.load("ij,jk->ik:i=2,j=2,k=2")
    assert points_of(dag) is dag.origin
