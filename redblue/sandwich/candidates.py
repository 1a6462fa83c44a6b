"""Candidate laws: powers of the memory, its logarithm, and powers of that."""

from dataclasses import dataclass
from fractions import Fraction
from math import log, log2

from proofs.laws import Law

EXPONENTS = tuple(map(Fraction, ("0", "1/5", "1/4", "1/3", "1/2", "2/3", "1")))
LOG_POWERS = tuple(Fraction(half, 2) for half in (1, 2, 3, 4, 5, 6, 8, 10, 12, 16))


@dataclass(frozen=True)
class Candidate:
    """The law R = c M^exponent (log2 M)^power of operations per word, for any c.

    Examples
    --------
    >>> Candidate(Fraction(1, 2)).name, Candidate(power=Fraction(1)).name
    ('M^(1/2)', 'log M')
    """

    exponent: Fraction = Fraction(0)
    power: Fraction = Fraction(0)

    @property
    def name(self) -> str:
        """The law in writing."""
        if self.power:
            return "log M" if self.power == 1 else f"(log M)^{self._written(self.power)}"
        if not self.exponent:
            return "constant"
        return "M" if self.exponent == 1 else f"M^{self._written(self.exponent)}"

    @staticmethod
    def _written(value: Fraction) -> str:
        return str(value) if value.denominator == 1 else f"({value})"

    def ratio(self, memory: float) -> float:
        """Return operations per word with c = 1."""
        return float(memory ** float(self.exponent) * log2(memory) ** float(self.power))

    def growth(self, low: float, high: float) -> float:
        """Return the exponent of the power that grows as much from memory `low` to `high`."""
        return log(self.ratio(high) / self.ratio(low)) / log(high / low)


def candidate(law: Law) -> Candidate:
    """Return a law of the literature as a candidate."""
    if law.kind == "logarithmic":
        return Candidate(power=Fraction(1))
    return Candidate(Fraction(law.exponent).limit_denominator(1000))


def rivals(of: Candidate) -> tuple[Candidate, ...]:
    """Return the other laws of the family that `of` is held against."""
    family = [Candidate(exponent) for exponent in EXPONENTS]
    family += [Candidate(power=power) for power in LOG_POWERS]
    return tuple(each for each in family if each != of)
