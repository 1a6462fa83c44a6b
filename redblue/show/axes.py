"""Ticks and outlines of figures, the same for Plotly and Matplotlib."""

from bisect import bisect_right
from collections.abc import Iterator
from math import ceil, floor, isfinite, log, log10

from redblue.show.model import Axis, Figure, Series

SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
TIMES = "\N{MULTIPLICATION SIGN}"
LEAST, LARGEST = 1e-3, 10**9  # ticks beyond are written as powers
MARGIN = 0.04  # of the range of a logarithmic axis, left free at both ends

Point = tuple[float, float]


def shown(series: Series, x: Axis, y: Axis) -> Iterator[tuple[float, float, str]]:
    """Yield (x, y, note) of the points that the axes can show: finite, positive on a logarithm."""
    notes = series.notes or ("",) * len(series.x)
    for across, up, note in zip(series.x, series.y, notes, strict=True):
        if _fits(across, x) and _fits(up, y):
            yield across, up, note


def _fits(value: float, axis: Axis) -> bool:
    """Whether an axis can show a value."""
    return isfinite(value) and (axis.base is None or value > 0)


def extents(figure: Figure) -> tuple[tuple[float, float], tuple[float, float]] | None:
    """The least and the largest x shown, and the same of y, or None without points."""
    points = [point for series in figure.series for point in shown(series, figure.x, figure.y)]
    if not points:
        return None
    x, y = [across for across, _, _ in points], [up for _, up, _ in points]
    return (min(x), max(x)), (min(y), max(y))


def log_range(low: float, high: float) -> tuple[float, float]:
    """The decimal logarithms of the ends of an axis that shows `low` to `high`."""
    first, last = log10(low), log10(high)
    margin = max(MARGIN * (last - first), 0.02)
    return first - margin, last + margin


def log_ticks(low: float, high: float, base: int, room: int = 9) -> list[float]:
    """The numbers to write at a logarithmic axis from `low` to `high`.

    Powers of the base, with those between them where they are few and the base is ten, or numbers
    at equal steps where there is none; `room` at most.

    Examples
    --------
    >>> log_ticks(3, 70, 2)
    [4.0, 8.0, 16.0, 32.0, 64.0]
    >>> log_ticks(15, 300, 10)
    [20.0, 50.0, 100.0, 200.0]
    """
    powers = _powers(low, high, base)
    if base == 10 and len(powers) <= room // 3:
        fine = (
            factor * 10.0**exponent
            for exponent in range(floor(log10(low)), ceil(log10(high)) + 1)
            for factor in (1, 2, 5)
        )
        powers = [value for value in fine if low <= value * (1 + 1e-9) and value <= high]
    if len(powers) < 3:
        powers = _even(low, high)
    return powers[:: ceil(len(powers) / room)]


def _powers(low: float, high: float, base: int) -> list[float]:
    """The powers of `base` from `low` to `high`."""
    first, last = ceil(log(low, base) - 1e-9), floor(log(high, base) + 1e-9)
    return [float(base) ** exponent for exponent in range(first, last + 1)]


def _even(low: float, high: float) -> list[float]:
    """Round numbers at equal steps from `low` to `high`; one if they are the same."""
    if high <= low * (1 + 1e-9):
        return [float(low)]
    rough = (high - low) / 5
    unit = 10.0 ** floor(log10(rough))
    step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= rough)
    return [k * step for k in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]


def gap_outline(figure: Figure) -> list[Point]:
    """The corners of the area between the two series of `figure.gap`, where both are."""
    if figure.gap is None:
        return []
    named = {series.label: series for series in figure.series}
    upper, lower = (_line(named[label], figure) for label in figure.gap)
    if not upper or not lower:
        return []
    first, last = max(upper[0][0], lower[0][0]), min(upper[-1][0], lower[-1][0])
    if first >= last:
        return []
    return [*_cut(upper, first, last, figure), *reversed(_cut(lower, first, last, figure))]


def _line(series: Series, figure: Figure) -> list[Point]:
    """The points of a series from left to right."""
    points = [(x, y) for x, y, _ in shown(series, figure.x, figure.y)]
    return sorted(points, key=lambda point: point[0])


def _cut(line: list[Point], first: float, last: float, figure: Figure) -> list[Point]:
    """The part of a line from `first` to `last`, with ends on the line."""
    inside = [point for point in line if first <= point[0] <= last]
    if not inside or inside[0][0] > first:
        inside.insert(0, (first, _height(line, first, figure)))
    if inside[-1][0] < last:
        inside.append((last, _height(line, last, figure)))
    return inside


def _height(line: list[Point], x: float, figure: Figure) -> float:
    """Return y of a line at x between two of its points, straight as the axes show it."""
    place = bisect_right([point[0] for point in line], x)
    (x0, y0), (x1, y1) = line[place - 1], line[place]
    share = (x - x0) / (x1 - x0) if figure.x.base is None else log(x / x0) / log(x1 / x0)
    if figure.y.base is None:
        return y0 + share * (y1 - y0)
    return float(y0 * (y1 / y0) ** share)


def tick_text(value: float, base: int = 10) -> str:
    """A number as an axis writes it: 4,096 in full, a very large or small one as a power.

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
    """A power with its exponent set high."""
    return f"{base}{str(exponent).translate(SUPERSCRIPTS)}"
