"""Chips whose area is split between memory and arithmetic, as options tell them."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from redblue.papers.models import Die


@dataclass(frozen=True)
class Dies:
    """Chips of several sides.

    Parameters
    ----------
    sides
        Sides of dies in lambda, l.
    word_bits
        Bits of a word, L_w.
    bit_area
        Area of a bit of memory, in lambda^2, alpha_m.
    unit_area
        Area of a functional unit, in lambda^2, alpha_F.
    pins
        Bits a cycle across a lambda of the perimeter, beta.
    usable
        Share for memory and functional units, eta.
    """

    sides: tuple[float, ...] = (25000, 50000, 100000, 200000, 400000, 800000, 1600000)
    word_bits: float = 64
    bit_area: float = 50
    unit_area: float = 1e8
    pins: float = 1 / 3000
    usable: float = 1

    def __iter__(self) -> "Iterator[Die]":
        """Yield the chips."""
        from redblue.papers.models import Die

        fixed = (self.word_bits, self.bit_area, self.unit_area, self.pins, self.usable)
        return (Die(side, *fixed) for side in self.sides)
