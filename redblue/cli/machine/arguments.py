"""Options of the machine models, and readers of their texts."""

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from redblue.cli.options import names

if TYPE_CHECKING:
    from proofs.laws import Law

T = TypeVar("T", int, float)

LawName = Annotated[
    str | None,
    typer.Option(
        "--law", help='How operations per word grow with memory: "M^1/2", "log M", "constant".'
    ),
]


def numbers(text: str, kind: Callable[[str], T]) -> list[T]:
    """Return the numbers in a list with commas, each read by `kind`.

    Raises
    ------
    InvalidMachineError
        If there is none, or one cannot be read.
    """
    from redblue.hardware import InvalidMachineError

    try:
        found = [kind(name) for name in names(text)]
    except ValueError:
        found = []
    if not found:
        raise InvalidMachineError(f"expected numbers with commas between them, not {text!r}")
    return found


def law_named(text: str) -> "Law":
    """Return the law that `text` names as a law's own name does: "M^(1/2)", "log M", "constant".

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
    """Return `value` for JSON, which has no infinity: None then."""
    return value if abs(value) < float("inf") else None
