"""Roots of rising functions of a positive number."""

from collections.abc import Callable

from scipy.optimize import brentq

from redblue.answers.hardware.validation import InvalidMachineError

SMALLEST, LARGEST = 1e-100, 1e100


def rising_root(function: Callable[[float], float], start: float = 1.0) -> float:
    """The point where `function` rises through 0, of two such points the one near `start`.

    The bracket begins at `start` and goes down or up by factors of 2.

    Raises
    ------
    InvalidMachineError
        If it does not rise through 0, or its values are not finite.
    """
    low = high = start
    try:
        while function(low) > 0:
            low /= 2
            _require_within(low)
        while function(high) <= 0:
            high *= 2
            _require_within(high)
        return float(brentq(function, low, high, xtol=1e-14 * low, rtol=1e-14))
    except (OverflowError, ZeroDivisionError):
        raise InvalidMachineError("numbers so large or so small leave no solution") from None


def _require_within(value: float) -> None:
    if not SMALLEST < value < LARGEST:
        raise InvalidMachineError("no machine of any size solves the equations of the model")
