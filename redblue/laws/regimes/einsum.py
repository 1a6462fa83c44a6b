"""The powers of memory in the words of an einsum whose sums may be taken in any order."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from proofs.laws.exponents import Exponents, InvalidReferencesError, hbl
from proofs.laws.leading_terms import leading_text, power_text
from proofs.laws.polynomials import Polynomial, Powers
from redblue.laws.regimes.below import Below


@dataclass(frozen=True)
class AnyOrder:
    """The words of an einsum whose sums may be taken in any order, by Hoelder-Brascamp-Lieb.

    Parameters
    ----------
    text
        The einsum string.
    references
        The indices of each operand, and of the result.
    exponents
        Those of least sum.
    """

    text: str
    references: tuple[str, ...]
    exponents: Exponents

    @property
    def _arrays(self) -> Polynomial:
        """The words of all operands and of the result, which are compulsory."""
        arrays: dict[Powers, Fraction] = {}
        for reference in self.references:
            powers: Powers = tuple(int(index in reference) for index in self._indices)
            arrays[powers] = arrays.get(powers, Fraction(0)) + 1
        return Polynomial(self._indices, arrays)

    @property
    def _indices(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys("".join(self.references)))

    @property
    def term(self) -> tuple[str, str] | None:
        """The words, and up to which memory they are above compulsory ones; None if nowhere."""
        points = Polynomial(self._indices, {(1,) * len(self._indices): Fraction(1)})
        power, factor = self.exponents.total - 1, self.exponents.coefficient
        if not power:
            return None
        below = Below(factor, points, power, self._arrays)
        return leading_text(factor, points, -power, "M"), f"M < about {below.text}"

    def to_dict(self) -> dict[str, Any]:
        """The parts of the object of `--json`."""
        exponents, term = self.exponents, self.term
        values = zip(self.references, map(str, exponents.values), strict=True)
        return {
            "einsum": self.text,
            "exponents": dict(values),
            "sum": str(exponents.total),
            "coefficient": exponents.coefficient,
            "tile": {index: str(side) for index, side in (exponents.tile or {}).items()},
            "any_order": None if term is None else dict(zip(("words", "where"), term, strict=True)),
        }

    def sentences(self) -> Iterator[str]:
        """Yield the words, the exponents and the tiles, a line each."""
        pairs = zip(self.references, self.exponents.values, strict=True)
        if (term := self.term) is not None:
            yield (
                "With sums in any order, for large ranges: at least "
                f"{term[0]} words while {term[1]}."
            )
        read = ", ".join(f"{value} ({kept})" for kept, value in pairs)
        yield f"Exponents with sums in any order: {read}."
        sides = ", ".join(
            f"{index}: {power_text(side, 'M')}"
            for index, side in (self.exponents.tile or {}).items()
            if side
        )
        if sides:
            yield f"Tiles that attain that power: {sides}; all else 1."


def in_any_order(text: str) -> AnyOrder | None:
    """The words of an einsum string, sums in any order; None where an index stands twice."""
    references = tuple(text.replace("->", ",").strip(",").split(","))
    try:
        return AnyOrder(text, references, hbl(references))
    except InvalidReferencesError:
        return None
