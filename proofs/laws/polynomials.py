"""Polynomials in sizes, with rational coefficients, through values at whole numbers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, cast

Powers = tuple[int | Fraction, ...]  # fractions where roots of sizes are taken


@dataclass(frozen=True)
class Polynomial:
    """A polynomial in some variables.

    Parameters
    ----------
    variables
        Their names.
    terms
        Coefficients, by the power of each variable; none is 0.
    """

    variables: tuple[str, ...]
    terms: Mapping[Powers, Fraction]

    def __call__(self, values: Mapping[str, int]) -> Fraction:
        """The value where the variables have some values; a float if roots are taken."""
        total: Any = sum(
            (
                factor * prod(values[name] ** power for name, power in self._pairs(powers))
                for powers, factor in self.terms.items()
            ),
            Fraction(0),
        )
        return cast("Fraction", total)

    def minus(self, subtrahend: "Polynomial") -> "Polynomial":
        """The polynomial less another one in the same variables."""
        places = self.terms.keys() | subtrahend.terms.keys()
        zero = Fraction(0)
        terms = {
            place: self.terms.get(place, zero) - subtrahend.terms.get(place, zero)
            for place in places
        }
        return Polynomial(self.variables, {powers: x for powers, x in terms.items() if x})

    @property
    def degree(self) -> int | Fraction:
        """The largest sum of powers."""
        return max((sum(powers) for powers in self.terms), default=0)

    @property
    def leading(self) -> "Polynomial":
        """The terms of the largest degree."""
        kept = {powers: x for powers, x in self.terms.items() if sum(powers) == self.degree}
        return Polynomial(self.variables, kept)

    @property
    def at_equal_sizes(self) -> Fraction:
        """The factor of n^degree where all variables are n."""
        return sum(self.leading.terms.values(), Fraction(0))

    def _pairs(self, powers: Powers) -> list[tuple[str, int | Fraction]]:
        return list(zip(self.variables, powers, strict=True))

    def __str__(self) -> str:
        ordered = sorted(
            self.terms.items(), key=lambda term: (-sum(term[0]), *(-p for p in term[0]))
        )
        written = "".join(self._written(powers, factor) for powers, factor in ordered)
        return (
            written.removeprefix(" + ").replace(" - ", "-", 1)
            if written[:3] == " - "
            else (written.removeprefix(" + ") or "0")
        )

    def _written(self, powers: Powers, factor: Fraction) -> str:
        """A term, such as " + 2 N^3/3"."""
        names = " ".join(
            name if power == 1 else f"{name}^{power}" if power % 1 == 0 else f"{name}^({power})"
            for name, power in self._pairs(powers)
            if power
        )
        number = str(abs(factor.numerator)) if abs(factor.numerator) != 1 or not names else ""
        below = f"/{factor.denominator}" if factor.denominator != 1 else ""
        sign = " - " if factor < 0 else " + "
        return sign + " ".join(filter(None, (number, names))) + below


def interpolated(
    values: Callable[[Mapping[str, int]], int],
    variables: tuple[str, ...],
    degrees: Sequence[int],
    minima: Mapping[str, int],
) -> Polynomial:
    """The polynomial through values at (degree + 1) places of each variable.

    Parameters
    ----------
    values
        The value where the variables have some values.
    variables, degrees
        Names, and the largest power of each.
    minima
        The first place of each variable; the others follow it.
    """
    places = [
        range(minima[name], minima[name] + d + 1)
        for name, d in zip(variables, degrees, strict=True)
    ]
    table = {
        point: Fraction(values(dict(zip(variables, point, strict=True))))
        for point in product(*places)
    }
    for axis, line in enumerate(places):
        inverse = _powers_of(line)
        table = {
            (*point[:axis], power, *point[axis + 1 :]): sum(
                (
                    inverse[power][number] * table[(*point[:axis], place, *point[axis + 1 :])]
                    for number, place in enumerate(line)
                ),
                Fraction(0),
            )
            for point in table
            if point[axis] == line[0]
            for power in range(len(line))
        }
    return Polynomial(variables, {powers: x for powers, x in table.items() if x})


def _powers_of(places: range) -> list[list[Fraction]]:
    """Return, for each power, the weight that the value at each place has in its coefficient."""
    columns = []
    for place in places:
        basis = [Fraction(1)]  # of the polynomial that is 1 here and 0 at the other places
        for other_place in places:
            if other_place != place:
                shifted = [Fraction(0), *basis]
                basis = [
                    (a - other_place * b) / (place - other_place)
                    for a, b in zip(shifted, [*basis, Fraction(0)], strict=True)
                ]
        columns.append(basis)
    return [list(row) for row in zip(*columns, strict=True)]
