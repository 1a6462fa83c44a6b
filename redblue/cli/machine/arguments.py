"""Readers of the options of machine models."""

from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from proofs.laws import Law


def law_named(text: str) -> "Law":
    """The law that `text` names as a law's own name does: "M^(1/2)", "log M", "constant".

    Raises
    ------
    InvalidLawError
        If it names none.
    """
    from proofs.laws import CONSTANT, LOGARITHM, InvalidLawError, Law

    short = text.casefold().replace(" ", "").replace("(", "").replace(")", "")
    simple = {"constant": CONSTANT, "logm": LOGARITHM, "m": Law("power", 1.0)}
    if short in simple:
        return simple[short]
    try:
        return Law("power", float(Fraction(short.removeprefix("m^"))))
    except (ValueError, ZeroDivisionError):
        raise InvalidLawError(f'{text!r} is no law like "M^1/2", "log M" or "constant"') from None


def finite(value: float) -> float | None:
    """`value` for JSON, which has no infinity: None then."""
    return value if abs(value) < float("inf") else None
