"""Leading terms as text and as LaTeX: the number that they say is the one that is meant."""

import re
from fractions import Fraction
from math import sqrt

import pytest

from proofs.laws.leading_terms import leading_latex, leading_text, polynomial_latex, root_of
from proofs.laws.polynomials import Polynomial

CUBE = Polynomial(("N",), {(3,): Fraction(1, 6)})
SUM = Polynomial(("NI", "NJ"), {(2, 1): Fraction(1, 2), (1, 2): Fraction(3, 2)})
CASES = [(CUBE, 2**0.5), (CUBE, 2.0), (CUBE, 36 ** (1 / 3)), (SUM, 0.3), (SUM, (14 / 3) ** 0.5)]


@pytest.mark.parametrize("power", ["0", "-1", "-1/2", "-1/3", "-2/3", "-2"])
@pytest.mark.parametrize(("sizes", "coefficient"), CASES)
def test_a_text_has_the_value_that_is_meant(sizes, coefficient, power):
    exponent = Fraction(power)
    message = leading_text(coefficient, sizes, exponent, "M")
    product = re.sub(r"(?<=[\w)]) (?=[\w(])", "*", message).replace("^", "**")
    values = {"N": 3, "NI": 5, "NJ": 7}
    meant = coefficient * float(sizes(values)) * 11 ** float(exponent)
    assert eval(product, {**values, "M": 11, "sqrt": sqrt}) == pytest.approx(meant)


def test_latex():
    half = Fraction(-1, 2)
    assert leading_latex(2**0.5, CUBE, half, "S") == r"\frac{\sqrt{2}\,N^{3}}{6\,\sqrt{S}}"
    assert leading_latex(1.0, CUBE, Fraction(0), "S") == r"\frac{N^{3}}{6}"
    assert leading_latex(12.0, CUBE, Fraction(-1), "S") == r"\frac{2\,N^{3}}{S}"
    assert leading_latex(36 ** (1 / 3), CUBE, Fraction(-1, 3), "M") == (
        r"\frac{\sqrt[3]{36}\,N^{3}}{6\,M^{1/3}}"
    )
    assert r"\left(\mathrm{NI}^{2}\,\mathrm{NJ} + 3\," in leading_latex(1.0, SUM, half, "M")
    assert polynomial_latex(Polynomial(("N",), {})) == "0"
    assert polynomial_latex(Polynomial(("N",), {(1,): Fraction(-2), (0,): Fraction(1)})) == (
        r"-2\,N + 1"
    )


def test_what_is_no_root_of_small_numbers_is_written_as_it_is():
    assert root_of(3.14159265358979) is None
    assert leading_text(3.14159265358979, CUBE, Fraction(-1), "M") == "3.14159 N^3 / (6 M)"
