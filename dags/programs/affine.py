"""Affine forms: integer combinations of loop variables and sizes."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Affine:
    """An integer combination of names, plus a constant.

    Parameters
    ----------
    terms
        Pairs of a name and its coefficient, which is not 0; names rise.
    constant
        The constant.
    """

    terms: tuple[tuple[str, int], ...] = ()
    constant: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """The names with a coefficient, rising."""
        return tuple(name for name, _ in self.terms)

    def __add__(self, addend: "Affine") -> "Affine":
        total = dict(self.terms)
        for name, factor in addend.terms:
            total[name] = total.get(name, 0) + factor
        return combination(total, self.constant + addend.constant)

    def __sub__(self, subtrahend: "Affine") -> "Affine":
        return self + subtrahend.times(-1)

    def times(self, factor: int) -> "Affine":
        """The form, multiplied by an integer."""
        return combination(
            {name: factor * coefficient for name, coefficient in self.terms}, factor * self.constant
        )

    def plus(self, constant: int) -> "Affine":
        """The form with `constant` added."""
        return Affine(self.terms, self.constant + constant)

    def replaced(self, forms: Mapping[str, "Affine"]) -> "Affine":
        """The form with some names replaced by other forms."""
        total = Affine((), self.constant)
        for name, factor in self.terms:
            total += forms.get(name, variable(name)).times(factor)
        return total

    def value(self, values: Mapping[str, int]) -> int:
        """The form for values of its names."""
        return self.constant + sum(factor * values[name] for name, factor in self.terms)

    def __str__(self) -> str:
        parts = [_term(name, factor) for name, factor in self.terms]
        if self.constant or not parts:
            parts.append(f"{self.constant:+d}")
        return "".join(parts).removeprefix("+")


def variable(name: str) -> Affine:
    """The form that is one name."""
    return Affine(((name, 1),))


def number(value: int) -> Affine:
    """The form that is a constant."""
    return Affine((), value)


def combination(factors: Mapping[str, int], constant: int) -> Affine:
    """The form with these coefficients, zeros left out."""
    return Affine(tuple(sorted((k, v) for k, v in factors.items() if v)), constant)


def _term(name: str, factor: int) -> str:
    sign = "-" if factor < 0 else "+"
    return f"{sign}{name}" if abs(factor) == 1 else f"{sign}{abs(factor)}*{name}"
