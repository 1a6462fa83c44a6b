"""Laws of programs without sizes: tight constants, and forms that the bound at sizes attains."""

from fractions import Fraction
from functools import cache

import pytest

from dags import load
from dags.programs.text.library import polybench
from pebble import play
from proofs import affine, check, slices, uniform
from proofs.laws.programs import law
from schedulers import scheduler_named

HALF = Fraction(-1, 2)


@cache
def known_law(name):
    """The law of a program of the library, which several tests look at."""
    return law(polybench(name))


@pytest.mark.parametrize(
    ("name", "degree", "leading", "updates", "gain"),
    [
        ("cholesky", 3, 1 / (3 * 2**0.5), "N^3/6 - N^2/2 + N/3", "3 N"),
        ("gemm", 3, 2, "NI NJ NK", "NI NJ"),
        ("lu", 3, 2 / 3, "N^3/3 - N^2/2 + N/6", "2 N - 1"),
        ("nussinov", 3, 1 / 6, "N^3/6 - N^2/2 + N/3", "3 N + 2"),
        ("symm", 3, 2**0.5, "M^2 N - M N", None),
        ("syr2k", 3, 2**0.5, "M N^2/2 - M N/2", None),
        ("syrk", 3, 1 / 2**0.5, "M N^2/2 - M N/2", None),
    ],
)
def test_laws(name, degree, leading, updates, gain):
    law = known_law(name)
    assert (law.exponent, law.degree) == (HALF, degree)
    assert law.leading == pytest.approx(leading)
    assert str(law.updates) == updates
    assert gain is None or str(law.gain) == gain


def test_operations_have_the_law_and_the_tiles_of_their_statements():
    of_statements = law(polybench("gemm"), level="statement")
    of_operations = law(polybench("gemm"), level="operation")
    assert of_operations.leading_term() == of_statements.leading_term()
    assert of_operations.tile == of_statements.tile


def test_traffic_that_no_memory_saves():
    law = known_law("bicg")
    assert (law.exponent, law.shape, law.room) == (0, None, None)
    assert str(law.updates.leading) == "M N"
    assert law.at({"M": 9, "N": 7}, 5) == 9 * 7 + 2 * 9 + 2 * 7


@pytest.mark.parametrize(
    ("spec", "leading"),
    [
        ("atax:M=9,N=12", "2 M N"),
        ("durbin:N=18", "N^2"),
    ],
)
def test_values_that_wait_in_iterations(spec, leading):
    """Twice IOLB's M N and N^2 / 2: what is read again is stored, or read, before."""
    dag = load(f"polybench/{spec}")
    law = known_law(spec.partition(":")[0])
    assert (law.exponent, law.shape, law.distances) == (0, None, None)
    assert str(law.updates.leading) == leading
    for memory in (5, 8):
        printed = law.at(dag.origin.sizes, memory)
        assert law.compulsory(dag.origin.sizes) < printed
        assert printed <= play(dag, scheduler_named("natural+belady")(dag, memory), memory).io
        bound = slices(dag, memory)
        check(dag, memory, bound)
        assert printed <= bound.io


@pytest.mark.parametrize(("spec", "memory"), [("lu:N=20", 8), ("gemm:NI=9,NJ=11,NK=13", 12)])
def test_the_form_at_sizes_is_what_the_bound_proves(spec, memory):
    dag = load(f"polybench/{spec}")
    bound = affine(dag, memory)
    check(dag, memory, bound)
    law = known_law(spec.partition(":")[0])
    assert 0.97 * bound.io <= law.at(dag.origin.sizes, memory) <= bound.io


@pytest.mark.parametrize(
    ("name", "exponent", "leading", "sizes"),
    [
        ("jacobi-1d", -1, 4, {"TSTEPS": 24, "N": 66}),
        ("seidel-2d", HALF, 4.32, {"TSTEPS": 9, "N": 12}),
        ("fdtd-2d", HALF, 1.633, {"TMAX": 14, "NX": 11, "NY": 10}),
    ],
)
def test_stencils(name, exponent, leading, sizes):
    law = known_law(name)
    assert law.exponent == exponent
    assert law.leading == pytest.approx(leading, rel=1e-3)
    dag = load(f"polybench/{name}:" + ",".join(f"{key}={value}" for key, value in sizes.items()))
    memory = 12 if name == "seidel-2d" else 8
    assert law.at(sizes, memory) == uniform(dag, memory).io
