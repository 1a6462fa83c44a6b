"""Numbers as the axes of figures write them."""

from math import floor, log, log10

SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
TIMES = "\N{MULTIPLICATION SIGN}"
LEAST, LARGEST = 1e-3, 10**9  # ticks beyond are written as powers


def tick_text(value: float, base: int = 10) -> str:
    """Return a number as an axis writes it: 4,096 in full, a very large or small one as a power.

    Examples
    --------
    >>> tick_text(4096.0), tick_text(0.25), tick_text(2.0**40, 2)
    ('4,096', '0.25', '2⁴⁰')
    """
    if LEAST <= value < LARGEST:
        return f"{value:,.0f}" if value >= 1000 else f"{value:.6g}"
    if base != 10 and float(base) ** round(log(value, base)) == value:
        return _power(base, round(log(value, base)))
    exponent = floor(log10(value) + 1e-9)  # of what rounding leaves just below a power
    factor = f"{value / 10.0**exponent:.3g}"
    return _power(10, exponent) if factor == "1" else f"{factor} {TIMES} {_power(10, exponent)}"


def _power(base: int, exponent: int) -> str:
    """Return a power with its exponent set high."""
    return f"{base}{str(exponent).translate(SUPERSCRIPTS)}"
