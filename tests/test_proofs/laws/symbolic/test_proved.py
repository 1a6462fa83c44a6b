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


def at(result, first):
    return {name: first + place for place, name in enumerate(result.updates.variables)}


@functools.cache
def law_of(name):
    return law(polybench(name))


@pytest.mark.parametrize("name", ["cholesky", "gramschmidt", "lu", "syrk"])
def test_a_proved_law_is_a_bound_that_the_checker_accepts(name):
    require_islpy()
    law = law_of(name)
    assert law.proved is not None
    assert law.proved <= 4
    for size in (law.proved, 9):
        sizes = at(law, size)
        dag = load(f"polybench/{name}:" + ",".join(f"{key}={n}" for key, n in sizes.items()))
        for memory in (6, 13):
            bound = law.bound(sizes, memory)
            assert bound.io == law.at(sizes, memory)
            check(dag, memory, bound)
    assert bound.io <= affine(dag, memory).io


def test_a_certificate_of_other_sizes_is_refused():
    require_islpy()
    law = law_of("gramschmidt")  # its certificate has the last index of a chain in it
    bound = law.bound({"M": 9, "N": 9}, 8)
    check(load("polybench/gramschmidt:M=9,N=9"), 8, bound)
    with pytest.raises(CertificateError):
        check(load("polybench/gramschmidt:M=10,N=9"), 8, bound)


def test_below_the_sizes_of_the_proof_there_is_no_bound():
    require_islpy()
    law = law_of("lu")
    with pytest.raises(NotApplicableError, match="each size is 4 or more, not 3"):
        law.bound({"N": 3}, 8)


def test_a_trend_is_no_bound():
    result = replace(law_of("lu"), proof=None)
    with pytest.raises(NotApplicableError, match="is a trend"):
        result.bound({"N": 30}, 8)


def test_without_the_extra_it_is_a_trend(monkeypatch):
    monkeypatch.setattr(module, "isl", None)
    result = law(polybench("gemm"))
    assert result.proved is None
    trend = result.trend()
    assert trend.kind == "lower"
    assert trend.words({"NI": 4, "NJ": 5, "NK": 6}, 16) == pytest.approx(2 * 120 / 4)


def test_wrong_numbers_are_not_proved():
    require_islpy()
    program = polybench("syrk")
    family = Family(program, {})
    result, _ = next(family.spaces())
    known = family.premises(result)
    words = law_of("syrk").compulsory
    form = Form(words, result.space, family.tried, known.updates, known.gain, known.ranges)
    assert proved(program, {}, form) is not None
    first = Polynomial(words.variables, {(0, 0): Fraction(1)})
    extra = Polynomial(words.variables, {**known.gain.terms, (0, 0): Fraction(1)})
    assert proved(program, {}, replace(form, gain=extra)) is None
    assert proved(program, {}, replace(form, updates=extra)) is None
    assert proved(program, {}, replace(form, compulsory=first)) is None
    assert proved(program, {}, replace(form, ranges={**known.ranges, "a": first})) is None
    assert proved(program, {"level": "operation"}, form) is None


def broken(space, *path, to):
    """A copy of nested lists and objects with another value in one place."""
    if not path:
        return to
    first, *remaining = path
    if isinstance(space, dict):
        return {**space, first: broken(space[first], *remaining, to=to)}
    return [
        broken(entry, *remaining, to=to) if i == first else entry for i, entry in enumerate(space)
    ]


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
    result = next(result for result, _ in family.spaces() if not result.space["order"])
    known = family.premises(result)
    words = family.polynomial(lambda sizes: compulsory_words(family.dag(sizes)))
    form = Form(words, result.space, family.tried, known.updates, known.gain, known.ranges)
    assert proved(program, {}, form) is not None
    for path, to in BROKEN:
        wrong = replace(form, space=broken(result.space, *path, to=to))
        assert proved(program, {}, wrong) is None, path


def test_products_that_another_statement_adds_up_are_not_proved():
    """Their space has sums, which are followed in one DAG only; the law remains a trend."""
    require_islpy()
    result = law(
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
    assert result.proved is None
    assert result.exponent == Fraction(-1, 2)
