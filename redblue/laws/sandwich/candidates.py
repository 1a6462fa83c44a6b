"""Candidate laws: powers of the memory, its logarithm, and powers of that."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from proofs.laws import Law

Floats = npt.NDArray[np.float64]

EXPONENTS = tuple(map(Fraction, ("0", "1/5", "1/4", "1/3", "1/2", "2/3", "1")))
LOG_POWERS = tuple(Fraction(half, 2) for half in (1, 2, 3, 4, 5, 6, 8, 10, 12, 16))

UNIT = 4.0  # octaves by which the unit of the memory in a logarithm may be off


@dataclass(frozen=True)
class Candidate:
    """The law R = c M^exponent or c (log2 M)^power of operations per word, for any c.

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

    def growth(self, low: Floats, width: float, unit: float = 0.0) -> Floats:
        """Return the exponent of the power that grows as much over some octaves of memory.

        Parameters
        ----------
        low
            (w,) logarithms to base 2 of the memories to begin at.
        width
            Octaves.
        unit
            Octaves that are added to the logarithm of the memory: log2(M) + unit is the logarithm
            of M in units of 2^-unit words. No law says in which unit.
        """
        logarithm = low + unit
        rise: Floats = np.log2((logarithm + width) / logarithm) / width
        return float(self.exponent) + float(self.power) * rise

    def units(self, lowest: float) -> Floats:
        """Return the units that are tried, for memories from 2^lowest words on."""
        if not self.power:
            return np.zeros(1)
        return np.arange(-min(UNIT, lowest - 1), UNIT + 0.01, 0.25)


def candidate(law: Law) -> Candidate:
    """Return a law of the literature as a candidate."""
    if law.kind == "logarithmic":
        return Candidate(power=Fraction(1))
    return Candidate(Fraction(law.exponent).limit_denominator(1000))


def family() -> tuple[Candidate, ...]:
    """Return the laws that are held against each other; the plain logarithm among them."""
    powers = [Candidate(exponent) for exponent in EXPONENTS]
    return (*powers, *(Candidate(power=power) for power in LOG_POWERS))


def rivals(of: Candidate) -> tuple[Candidate, ...]:
    """Return the other laws of the family that `of` is held against."""
    return tuple(each for each in family() if each != of)
