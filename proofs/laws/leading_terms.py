"""Leading terms of laws as text and as LaTeX: a root, a polynomial in sizes, a power of memory."""

from dataclasses import dataclass
from fractions import Fraction
from math import gcd, isqrt, lcm
from typing import Final

from proofs.laws.polynomials import Polynomial, Powers

ROOTS: Final = (1, 2, 3, 4)
LARGEST: Final = 500  # denominator of a number whose root a coefficient is taken for
NEAR: Final = 1e-9


@dataclass(frozen=True)
class Root:
    """The positive root of a fraction: a coefficient without rounding."""

    radicand: Fraction
    degree: int

    @property
    def text(self) -> str:
        """The root as formulas on one line have it."""
        if self.degree == 1:
            return str(self.radicand)
        number = f"({self.radicand})" if self.radicand.denominator > 1 else str(self.radicand)
        if self.degree == 2:
            return f"sqrt{number}" if number.startswith("(") else f"sqrt({number})"
        return f"{number}^(1/{self.degree})"

    @property
    def latex(self) -> str:
        r"""The root as LaTeX.

        Examples
        --------
        >>> print(Root(Fraction(56, 3), 2).latex)
        \sqrt{\frac{56}{3}}
        """
        number = latex_fraction(self.radicand)
        if self.degree == 1:
            return number
        return rf"\sqrt{'' if self.degree == 2 else f'[{self.degree}]'}{{{number}}}"


def root_of(value: float) -> Root | None:
    """The root that a number is, up to rounding; None if it is none with small numbers.

    Examples
    --------
    >>> root_of(2.0).text, root_of(2**0.5).text, root_of(36 ** (1 / 3)).text
    ('2', 'sqrt(2)', '36^(1/3)')
    """
    for degree in ROOTS:
        power = value**degree
        fraction = Fraction(power).limit_denominator(LARGEST)
        if fraction and abs(float(fraction) - power) <= NEAR * power:
            return Root(fraction, degree)
    return None


def leading_text(coefficient: float, sizes: Polynomial, exponent: Fraction, memory: str) -> str:
    """A leading term on one line.

    Parameters
    ----------
    coefficient
        Its number.
    sizes
        A polynomial in sizes.
    exponent
        The power of the memory.
    memory
        The letter for the memory.

    Examples
    --------
    >>> cube = Polynomial(("N",), {(3,): Fraction(1, 6)})
    >>> leading_text(2**0.5, cube, Fraction(-1, 2), "M")
    'sqrt(2) N^3 / (6 sqrt(M))'
    """
    number, root, polynomial = _factors(coefficient, sizes)
    words = f"({polynomial})" if len(polynomial.terms) > 1 else str(polynomial)
    above = _product((str(number.numerator), _number_text(root), words), " ")
    under = (str(number.denominator), power_text(-exponent, memory))
    below = _product(under, " ")
    if below == "1":
        return above
    return f"{above} / ({below})" if "1" not in under and under[1] else f"{above} / {below}"


def leading_latex(coefficient: float, sizes: Polynomial, exponent: Fraction, memory: str) -> str:
    r"""A leading term as LaTeX.

    Parameters
    ----------
    coefficient, sizes, exponent, memory
        As for `leading_text`.

    Examples
    --------
    >>> cube = Polynomial(("N",), {(3,): Fraction(1, 6)})
    >>> print(leading_latex(2**0.5, cube, Fraction(-1, 2), "M"))
    \frac{\sqrt{2}\,N^{3}}{6\,\sqrt{M}}
    """
    number, root, polynomial = _factors(coefficient, sizes)
    words = polynomial_latex(polynomial)
    words = rf"\left({words}\right)" if len(polynomial.terms) > 1 else words
    above = _product((str(number.numerator), _number_latex(root), words), r"\,")
    below = _product((str(number.denominator), power_latex(-exponent, memory)), r"\,")
    return above if below == "1" else rf"\frac{{{above}}}{{{below}}}"


def _product(parts: tuple[str, ...], sign: str) -> str:
    """Factors with a sign between them, without those that are 1 or empty."""
    return sign.join(part for part in parts if part not in ("", "1")) or "1"


def polynomial_latex(polynomial: Polynomial) -> str:
    r"""A polynomial as LaTeX, the terms of the highest degree first.

    Examples
    --------
    >>> print(polynomial_latex(Polynomial(("N",), {(3,): Fraction(1, 6), (1,): Fraction(-2)})))
    \frac{N^{3}}{6} - 2\,N
    """
    terms = sorted(
        polynomial.terms.items(), key=lambda term: (-sum(term[0]), *(-p for p in term[0]))
    )
    signs = [" - " if number < 0 else " + " for _, number in terms]
    parts = [_term(polynomial.variables, powers, abs(number)) for powers, number in terms]
    written = "".join(sign + part for sign, part in zip(signs, parts, strict=True))
    return ("-" if written.startswith(" - ") else "") + written[3:] if written else "0"


def latex_fraction(number: Fraction) -> str:
    """A fraction as LaTeX."""
    if number.denominator == 1:
        return str(number.numerator)
    return rf"\frac{{{number.numerator}}}{{{number.denominator}}}"


def _term(variables: tuple[str, ...], powers: Powers, number: Fraction) -> str:
    """A positive term as LaTeX."""
    names = [
        _name(name) + (f"^{{{power}}}" if power != 1 else "")
        for name, power in zip(variables, powers, strict=True)
        if power
    ]
    factor = [str(number.numerator)] if number.numerator != 1 or not names else []
    above = r"\,".join([*factor, *names])
    return above if number.denominator == 1 else rf"\frac{{{above}}}{{{number.denominator}}}"


def _name(name: str) -> str:
    r"""The name of a size as LaTeX: a letter as it is, words upright."""
    return name if len(name) == 1 else rf"\mathrm{{{name}}}".replace("_", r"\_")


def _factors(coefficient: float, sizes: Polynomial) -> tuple[Fraction, Root | float, Polynomial]:
    """A fraction, a root without square factors, and a polynomial of whole numbers.

    Their product is that of the coefficient and the polynomial.
    """
    numbers = sizes.terms.values()
    content = Fraction(gcd(*(x.numerator for x in numbers)), lcm(*(x.denominator for x in numbers)))
    polynomial = Polynomial(
        sizes.variables, {powers: x / content for powers, x in sizes.terms.items()}
    )
    root = root_of(coefficient)
    if root is None:
        return content, coefficient, polynomial
    if root.degree == 1:
        return content * root.radicand, Root(Fraction(1), 1), polynomial
    if root.degree == 2:
        out, left = _square(root.radicand)
        return content * out, Root(left, 2), polynomial
    return content, root, polynomial


def _square(number: Fraction) -> tuple[Fraction, Fraction]:
    """A and b with number = a^2 b, where the parts of b have no square factor."""
    top, above = _square_part(number.numerator)
    bottom, below = _square_part(number.denominator)
    return Fraction(top, bottom), Fraction(above, below)


def _square_part(number: int) -> tuple[int, int]:
    """A and b with number = a^2 b, a as large as possible."""
    side = next(a for a in range(isqrt(number), 0, -1) if number % (a * a) == 0)
    return side, number // (side * side)


def _number_text(factor: Root | float) -> str:
    return factor.text if isinstance(factor, Root) else f"{factor:.6g}"


def _number_latex(factor: Root | float) -> str:
    return factor.latex if isinstance(factor, Root) else f"{factor:.6g}"


def power_text(power: Fraction, memory: str) -> str:
    """A power of the memory as text, empty for none."""
    if power == 0:
        return ""
    known = {Fraction(1): memory, Fraction(1, 2): f"sqrt({memory.strip('()')})"}
    return known.get(power, f"{memory}^({power})" if power.denominator > 1 else f"{memory}^{power}")


def power_latex(power: Fraction, memory: str) -> str:
    """A power of the memory as LaTeX, empty for none."""
    if power == 0:
        return ""
    known = {Fraction(1): memory, Fraction(1, 2): rf"\sqrt{{{memory.strip('()')}}}"}
    return known.get(power, f"{memory}^{{{power}}}")
