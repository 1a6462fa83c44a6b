"""Sums over the windows of a play of the words that their updates touch, less what stays red."""

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from proofs.core.certificate import CertificateError
from proofs.core.fields import integer, only, shown, text
from proofs.lemmas.loops.hbl import Shape, least_words

MOST_COMMON = 5040  # the largest denominator of exponents that is worth exact arithmetic
MOST_EXPONENT = 4
FRACTION = re.compile(r"([0-9]{1,6})(?:/([0-9]{1,6}))?")
MOST_SIZES = 16  # of windows: two are enough for windows that are as equal as can be


Words = Callable[[Shape, int, Mapping[str, Fraction]], int]


def words_of_windows(
    shape: Shape, updates: int, held: int, data: Any, words: Words = least_words
) -> int:
    """Return the sum over windows of what they touch, less `held` words for each but the first.

    Parameters
    ----------
    shape, updates
        What updates touch, and how many there are.
    held
        Words that can be red just before an update is computed.
    data
        Windows: a list with the "size" in updates, the "count", and the "exponents" of the
        arrays as fractions in a string, "1/2".
    words
        Words that a window touches at least, of the shape, its size and the exponents.

    Raises
    ------
    CertificateError
        If they are no windows of all updates.
    """
    windows = _windows(shape, data)
    if sum(size * count for size, count, _ in windows) != updates:
        raise CertificateError("windows", f"do not hold the {updates} updates")
    touched = sum(count * words(shape, size, powers) for size, count, powers in windows)
    return touched - held * (sum(count for _, count, _ in windows) - 1)


def _windows(shape: Shape, windows: Any) -> list[tuple[int, int, dict[str, Fraction]]]:
    """Return the size, the count and the exponents of each entry of "windows"."""
    if not isinstance(windows, list) or not 1 <= len(windows) <= MOST_SIZES:
        raise CertificateError("windows", f"are not from 1 to {MOST_SIZES} sizes with counts")
    found = []
    for entry in windows:
        if not isinstance(entry, Mapping):
            raise CertificateError("windows", "are no list of objects")
        only(entry, ("size", "count", "exponents"))
        size, count = integer(entry, "size", least=1), integer(entry, "count", least=1)
        found.append((size, count, _exponents(shape, entry["exponents"])))
    return found


def _exponents(shape: Shape, exponents: Any) -> dict[str, Fraction]:
    """Return the exponent of each array of which several updates share an item."""
    if not isinstance(exponents, Mapping):
        raise CertificateError("exponents", "are no names with fractions")
    only(exponents, [measure.name for measure in shape.partial])
    return {name: fraction(exponents, name) for name in exponents}


def fraction(data: Mapping[str, Any], name: str) -> Fraction:
    """Return the fraction `name`, written as in "2/3": up to 4, of a denominator of 5040."""
    written = FRACTION.fullmatch(text(data, name))
    if written is None or not int(written[2] or 1):
        raise CertificateError(name, f"is {shown(data[name])}, no fraction")
    value = Fraction(int(written[1]), int(written[2] or 1))
    if not 0 <= value <= MOST_EXPONENT or MOST_COMMON % value.denominator:
        raise CertificateError(name, f"is {value}, not n/{MOST_COMMON} up to {MOST_EXPONENT}")
    return value
