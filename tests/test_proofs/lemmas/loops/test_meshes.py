"""Stencils and grids that are parts of nests."""

from dataclasses import replace

import pytest

pytest.importorskip("islpy", reason="islpy is not installed")

from dags.programs import instantiate
from dags.programs.box_reader import box_nest
from dags.programs.text import from_c
from dags.programs.text.library import polybench
from pebble import ONE_SHOT, RULES, compulsory_words, min_memory, play
from proofs import CertificateError, check
from proofs.bounds.loops.nests import nest_bound
from proofs.core.records import Certificate
from proofs.lemmas.loops.meshes import Mesh, mesh_words
from proofs.lemmas.loops.nests import proven
from schedulers import scheduler_named

GRID = """void f(int N, int P, double a[N], double b[P], double L[N+1][P+1]) {
  for (int i = 1; i <= N; i++) for (int j = 1; j <= P; j++)
    L[i][j] = max(L[i-1][j], L[i][j-1], L[i-1][j-1] + same(a[i-1], b[j-1])); }"""
SLIDING = """void f(int T, int N, double A[N][N], double B[N][N]) {
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < N - 1; i++) for (int j = 1; j < N - 1; j++)
      B[i][j] = A[i][j] + A[i-1][j] + A[i+1][j] + A[i][j-1] + A[i][j+1];
    for (int i = 1; i < N - 1; i++) for (int j = 1; j < N - 1; j++) A[i][j] = 2 * B[i][j]; } }"""
MESHES = {
    "jacobi-1d": ("star", {"TSTEPS": 5, "N": 16}),
    "jacobi-2d": ("star", {"TSTEPS": 4, "N": 9}),
    "heat-3d": ("star", {"TSTEPS": 3, "N": 6}),
    "seidel-2d": ("grid", {"TSTEPS": 6, "N": 9}),
}


@pytest.mark.parametrize("name", MESHES)
def test_programs_that_are_meshes(name):
    family, sizes = MESHES[name]
    program = polybench(name)
    nest, dag = box_nest(program, sizes), instantiate(program, sizes)
    members = tuple(assignment.name for assignment in nest.assignments)
    result = 0
    smallest = min_memory(dag)
    for memory in range(2, 2 * smallest):
        try:
            words = mesh_words(nest, memory - 1, Mesh(family, members))
        except CertificateError:  # too few updates for a window
            continue
        result += 1
        if memory >= smallest:
            schedule = scheduler_named("natural+belady-cost")(dag, memory)
            assert words <= play(dag, schedule, memory).io
            assert nest_bound(nest, memory).io >= max(words, compulsory_words(dag))
    assert result


LARGE = {
    "jacobi-2d": ({"TSTEPS": 500, "N": 1300}, 4096, 90e6),
    "heat-3d": ({"TSTEPS": 500, "N": 120}, 4096, 200e6),
    "seidel-2d": ({"TSTEPS": 500, "N": 2000}, 4096, 50e6),
}


@pytest.mark.parametrize("name", LARGE)
def test_at_size(name):
    sizes, memory, words = LARGE[name]
    nest = box_nest(polybench(name), sizes)
    bound = nest_bound(nest, memory)
    check(nest, memory, bound)
    assert bound.certificate.kind == "nest-mesh"
    assert bound.io > words


def test_a_table_of_two_strings_is_a_grid():
    program = from_c(GRID)
    nest, dag = box_nest(program, {"N": 5, "P": 5}), instantiate(program, {"N": 5, "P": 5})
    bound = nest_bound(nest, 6)
    schedule = scheduler_named("natural+belady-cost")(dag, 6)
    assert mesh_words(nest, 2, Mesh("grid", ("S0",))) < bound.io
    assert compulsory_words(dag) <= bound.io <= play(dag, schedule, 6).io
    large = box_nest(program, {"N": 3000, "P": 2000})
    assert mesh_words(large, 4, Mesh("grid", ("S0",))) > 2e6


def test_what_is_no_mesh():
    nest = box_nest(from_c(SLIDING), {"T": 9, "N": 30})
    for family in ("star", "box", "grid"):
        for members in (("S0",), ("S1",), ("S0", "S1"), ("S1", "S0"), ("S0", "S0"), ("S7",)):
            with pytest.raises(CertificateError):
                mesh_words(nest, 5, Mesh(family, members))


def test_forged_meshes():
    nest = box_nest(polybench("jacobi-2d"), {"TSTEPS": 20, "N": 40})
    bound = nest_bound(nest, 12)
    assert bound.certificate == Certificate(
        "nest-mesh", {"family": "star", "members": ["S0", "S1"]}
    )
    for data in (
        {"family": "box", "members": ["S0", "S1"]},
        {"family": "grid", "members": ["S0", "S1"]},
        {"family": "star", "members": ["S1", "S0"]},
        {"family": "star", "members": ["S0"]},
        {"family": "ring", "members": ["S0", "S1"]},
    ):
        with pytest.raises(CertificateError):
            proven(nest, 12, ONE_SHOT, Certificate("nest-mesh", data))
    for rules in (entry for entry in RULES.values() if entry.recompute):
        with pytest.raises(CertificateError):
            proven(nest, 12, rules, bound.certificate)
    smaller = box_nest(polybench("jacobi-2d"), {"TSTEPS": 19, "N": 40})
    with pytest.raises(CertificateError):
        check(smaller, 12, replace(bound))


@pytest.mark.parametrize("family", ["star", "box", "grid"])
def test_members_without_loops_are_no_mesh(family):
    nest = box_nest(polybench("durbin"), {"N": 2})
    for assignment in nest.assignments:
        if not assignment.box:
            forged = Certificate("nest-mesh", {"family": family, "members": [assignment.name]})
            with pytest.raises(CertificateError, match="not run on boxes"):
                proven(nest, 6, ONE_SHOT, forged)
    assert not all(assignment.box for assignment in nest.assignments)
