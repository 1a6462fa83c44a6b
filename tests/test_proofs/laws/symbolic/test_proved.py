"""Finite forms for all sizes: their certificates pass the checker of a DAG, wrong ones do not."""

import functools
from dataclasses import replace
from fractions import Fraction

import pytest

from dags import load
from dags.programs.text import from_c
from dags.programs.text.library import polybench
from pebble import compulsory_words
from proofs import NotApplicableError, affine, check
from proofs.certificates import CertificateError
from proofs.laws.polynomials import Polynomial
from proofs.laws.programs import law
from proofs.laws.small_sizes import Family
from proofs.laws.symbolic import proved as module
from proofs.laws.symbolic.proved import Form, proved


def require_islpy():
    pytest.importorskip("islpy", reason="the extra 'affine' is not installed")


def at(found, first):
    return {name: first + place for place, name in enumerate(found.updates.variables)}


@functools.cache
def law_of(name):
    return law(polybench(name))


@pytest.mark.parametrize("name", ["cholesky", "gramschmidt", "lu", "syrk"])
def test_a_proved_law_is_a_bound_that_the_checker_accepts(name):
    require_islpy()
    found = law_of(name)
    assert found.proved is not None
    assert found.proved <= 4
    for first in (found.proved, 9):
        sizes = at(found, first)
        dag = load(f"polybench/{name}:" + ",".join(f"{key}={n}" for key, n in sizes.items()))
        for memory in (6, 13):
            bound = found.bound(sizes, memory)
            assert bound.io == found.at(sizes, memory)
            check(dag, memory, bound)
    assert bound.io <= affine(dag, memory).io


def test_a_certificate_of_other_sizes_is_refused():
    require_islpy()
    found = law_of("gramschmidt")  # its certificate has the last index of a chain in it
    bound = found.bound({"M": 9, "N": 9}, 8)
    check(load("polybench/gramschmidt:M=9,N=9"), 8, bound)
    with pytest.raises(CertificateError):
        check(load("polybench/gramschmidt:M=10,N=9"), 8, bound)


def test_below_the_sizes_of_the_proof_there_is_no_bound():
    require_islpy()
    found = law_of("lu")
    with pytest.raises(NotApplicableError, match="each size is 4 or more, not 3"):
        found.bound({"N": 3}, 8)


def test_a_trend_is_no_bound():
    found = replace(law_of("lu"), proof=None)
    with pytest.raises(NotApplicableError, match="is a trend"):
        found.bound({"N": 30}, 8)


def test_without_the_extra_it_is_a_trend(monkeypatch):
    monkeypatch.setattr(module, "isl", None)
    found = law(polybench("gemm"))
    assert found.proved is None
    trend = found.trend()
    assert trend.kind == "lower"
    assert trend.words({"NI": 4, "NJ": 5, "NK": 6}, 16) == pytest.approx(2 * 120 / 4)


def test_wrong_numbers_are_not_proved():
    require_islpy()
    program = polybench("syrk")
    family = Family(program, {})
    found, _ = next(family.spaces())
    known = family.premises(found)
    words = law_of("syrk").compulsory
    form = Form(words, found.space, family.tried, known.updates, known.gain, known.ranges)
    assert proved(program, {}, form) is not None
    one = Polynomial(words.variables, {(0, 0): Fraction(1)})
    more = Polynomial(words.variables, {**known.gain.terms, (0, 0): Fraction(1)})
    assert proved(program, {}, replace(form, gain=more)) is None
    assert proved(program, {}, replace(form, updates=more)) is None
    assert proved(program, {}, replace(form, compulsory=one)) is None
    assert proved(program, {}, replace(form, ranges={**known.ranges, "a": one})) is None
    assert proved(program, {"level": "operation"}, form) is None


def broken(space, *path, to):
    """A copy of nested lists and objects with another value in one place."""
    if not path:
        return to
    first, *rest = path
    if isinstance(space, dict):
        return {**space, first: broken(space[first], *rest, to=to)}
    return [broken(each, *rest, to=to) if i == first else each for i, each in enumerate(space)]


BROKEN = [
    (("statements", 0, "loops"), [0, 1, -1]),  # two updates at one point
    (("arrays", 0, "kept", 0), "ab"),  # a value stands for two items
    (("symmetric",), "ab"),
    (("shared",), True),
    (("order",), [["a", "!=", "b", 0]]),
]


def test_a_space_that_is_another_or_none_is_not_proved():
    require_islpy()
    program = from_c(
        "for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) "
        "for (int k = 0; k < N; k++) C[i][j] += A[i][k] * A[k][j];"
    )
    family = Family(program, {})
    found = next(found for found, _ in family.spaces() if not found.space["order"])
    known = family.premises(found)
    words = family.polynomial(lambda sizes: compulsory_words(family.dag(sizes)))
    form = Form(words, found.space, family.tried, known.updates, known.gain, known.ranges)
    assert proved(program, {}, form) is not None
    for path, to in BROKEN:
        wrong = replace(form, space=broken(found.space, *path, to=to))
        assert proved(program, {}, wrong) is None, path


def test_products_that_another_statement_adds_up_are_not_proved():
    """Their space has sums, which are followed in one DAG only; the law remains a trend."""
    require_islpy()
    found = law(
        from_c(
            """void f(int N, double A[N][N], double B[N][N], double C[N][N], double D[N][N]) {
            double t;
            for (int i = 0; i < N; i++)
              for (int j = 0; j < N; j++) {
                C[i][j] = D[i][j];
                for (int k = 0; k < N; k++) {
                  t = A[i][k] * B[k][j];
                  C[i][j] = C[i][j] + t;
                }
                C[i][j] = C[i][j] / D[j][i];
                C[0][j] = C[0][j] + C[i][j];
              }
            }"""
        )
    )
    assert found.proved is None
    assert found.exponent == Fraction(-1, 2)
