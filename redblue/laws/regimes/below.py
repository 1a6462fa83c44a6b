"""The memory up to which a term of a law is above another one."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, inf, lcm

from proofs.laws.leading_terms import leading_text, power_text
from proofs.laws.polynomials import Polynomial
from proofs.laws.program_law import ProgramLaw

MOST_DENOMINATOR = 1000
NEAR = 1e-9


@dataclass(frozen=True)
class Below:
    """The memory up to which c times one polynomial over M^p is above another one.

    Parameters
    ----------
    coefficient, above, power
        Of the term: c, the polynomial, and p.
    under
        The other polynomial. Of both, only leading terms count.
    """

    coefficient: float
    above: Polynomial
    power: Fraction
    under: Polynomial

    def at(self, sizes: Mapping[str, int]) -> float:
        """The words of memory at some sizes."""
        under = float(self.under.leading(sizes))
        if under <= 0:
            return inf
        ratio = self.coefficient * float(self.above.leading(sizes)) / under
        return float(max(ratio, 0.0) ** (1 / float(self.power)))

    @property
    def text(self) -> str:
        """The formula on one line."""
        above, under = self.above.leading, self.under.leading
        outer = 1 / self.power
        if len(above.terms) == len(under.terms) == 1:
            return self._monomial(above, under, outer)
        above, under, content = _reduced(above, under)
        top = leading_text(self.coefficient / float(content), above, Fraction(0), "M")
        low = f"({under})" if len(under.terms) > 1 else f"{under}"
        ratio = top if low == "1" else f"{top} / {low}"
        return ratio if outer == 1 else power_text(outer, f"({ratio})")

    def _monomial(self, above: Polynomial, under: Polynomial, outer: Fraction) -> str:
        """The formula where each side has one term."""
        ((high, factor),) = above.terms.items()
        ((low, upper_powers),) = under.terms.items()
        value = (self.coefficient * float(factor / upper_powers)) ** float(outer)
        number = Fraction(value).limit_denominator(MOST_DENOMINATOR)
        exact = abs(float(number) - value) <= NEAR * value
        powers = [(a - b) * outer for a, b in zip(high, low, strict=True)]
        names = [*zip(above.variables, powers, strict=True)]
        top = [power_text(x, name) for name, x in names if x > 0]
        bottom = [power_text(-x, name) for name, x in names if x < 0]
        if not exact:
            top.insert(0, f"{value:.3g}")
        elif number.numerator != 1 or not top:
            top.insert(0, str(number.numerator))
        if exact and number.denominator != 1:
            bottom.insert(0, str(number.denominator))
        divided = f"({' '.join(bottom)})" if len(bottom) > 1 else "".join(bottom)
        return " ".join(top) + (f" / {divided}" if bottom else "")


def above_compulsory(law: ProgramLaw) -> Below:
    """The memory up to which a term is above the compulsory words."""
    if law.room is not None:
        return Below(1.0, law.updates.minus(law.compulsory), Fraction(1), law.room)
    under = law.compulsory.minus(law.gain)
    return Below(law.coefficient, law.updates, -law.exponent, under)


def _reduced(above: Polynomial, under: Polynomial) -> tuple[Polynomial, Polynomial, Fraction]:
    """Two polynomials without the sizes that divide all terms of both.

    The second one has whole coefficients without a common factor; that factor comes third.
    """
    numbers = under.terms.values()
    content = Fraction(gcd(*(x.numerator for x in numbers)), lcm(*(x.denominator for x in numbers)))
    powers = [*above.terms, *under.terms]
    common = [min(column) for column in zip(*powers, strict=True)]

    def divided(polynomial: Polynomial, divisor: Fraction) -> Polynomial:
        return Polynomial(
            polynomial.variables,
            {
                tuple(a - b for a, b in zip(powers, common, strict=True)): x / divisor
                for powers, x in polynomial.terms.items()
            },
        )

    return divided(above, Fraction(1)), divided(under, content), content
