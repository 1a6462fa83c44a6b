"""Polynomials through values at whole numbers."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from proofs.laws.polynomials import Polynomial, interpolated

TERMS = st.dictionaries(
    st.tuples(st.integers(0, 3), st.integers(0, 2)), st.fractions(-9, 9, max_denominator=6)
)


@given(TERMS, st.integers(0, 5))
def test_interpolation_finds_what_was_there(terms, least):
    terms = {powers: factor for powers, factor in terms.items() if factor}
    wanted = Polynomial(("m", "n"), terms)
    result = interpolated(wanted, ("m", "n"), (3, 2), {"m": least, "n": least + 1})
    assert result == wanted
    assert result({"m": 17, "n": 23}) == wanted({"m": 17, "n": 23})


def test_in_writing():
    third = Fraction(1, 3)
    polynomial = Polynomial(("N",), {(3,): Fraction(1, 6), (2,): Fraction(-1, 2), (1,): third})
    assert str(polynomial) == "N^3/6 - N^2/2 + N/3"
    assert (polynomial.degree, polynomial.at_equal_sizes) == (3, Fraction(1, 6))
    assert str(polynomial.leading) == "N^3/6"
    assert str(Polynomial(("N", "M"), {(0, 0): Fraction(-2)})) == "-2"
    assert str(Polynomial(("N",), {})) == "0"
    assert str(Polynomial(("N",), {(1,): Fraction(-1), (0,): Fraction(5, 2)})) == "-N + 5/2"
