"""Figures drawn with characters, for a terminal."""

from collections.abc import Iterator, Sequence
from itertools import cycle, pairwise
from math import ceil, log

from redblue.show.model import Figure

MARKERS = "ox+*#@%&"
FLOOR = "-"
CLAIM = "~"

Point = tuple[float, float]


def figure_text(figure: Figure, title: str, width: int = 66, height: int = 20) -> str:
    """The plays and the floor of a figure in lines of characters; "" without any points.

    Series are drawn in their order, later ones over earlier ones.

    Parameters
    ----------
    figure
        The figure; both of its axes are logarithmic.
    title
        A heading.
    width, height
        Characters of the drawing area, without axes and legend.
    """
    drawn = {curve.label: list(zip(curve.x, curve.y, strict=True)) for curve in figure.series}
    lines = {entry.label: drawn[entry.label] for entry in figure.series if entry.role == "upper"}
    markers = dict(zip(lines, cycle(MARKERS), strict=False))
    floor = drawn.get(figure.floor, [])
    claims = {entry.label: drawn[entry.label] for entry in figure.series if entry.role == "claim"}
    all_lines = (*lines.values(), *claims.values(), floor)
    points = [point for line in all_lines for point in line]
    if not points:
        return ""
    across = _Scale([memory for memory, _ in points], width)
    up = _Scale([io for _, io in points], height)
    canvas = [[" "] * width for _ in range(height)]
    below = ((FLOOR, floor), *((CLAIM, line) for line in claims.values()))
    for marker, line in (*below, *((markers[name], lines[name]) for name in lines)):
        for memory, io in _dense(line, across):
            canvas[height - 1 - up.place(io)][across.place(memory)] = marker
    labels = {height - 1 - up.place(io): f"{io:,.0f}" for io in up.ticks()}
    margin = max(map(len, labels.values()))
    return "\n".join(
        [
            f"{'':>{margin}}  {title}",
            *(f"{labels.get(y, ''):>{margin}} |{''.join(row)}" for y, row in enumerate(canvas)),
            f"{'':>{margin}} +{'-' * width}",
            f"{'':>{margin}}  {_tick_line(across)}",
            f"{figure.x.label:>{margin + 2 + width}}",
            *(f"  {marker} {name}" for name, marker in markers.items()),
            *([f"  {FLOOR} proved: no schedule goes below"] if floor else []),
            *(f"  {CLAIM} {name}, not proved" for name in claims),
        ]
    )


class _Scale:
    """A logarithmic scale of some values over a number of characters."""

    def __init__(self, values: list[float], size: int) -> None:
        self.low, self.high = min(values), max(values)
        self.size = size

    def place(self, value: float) -> int:
        """The character at which `value` stands."""
        if self.high == self.low:
            return 0
        share = log(value / self.low) / log(self.high / self.low)
        return min(max(round(share * (self.size - 1)), 0), self.size - 1)

    def value(self, place: float) -> float:
        """The value that stands at character `place`."""
        return float(self.low * (self.high / self.low) ** (place / max(self.size - 1, 1)))

    def ticks(self) -> list[float]:
        """Powers of two within the scale, not too many, and both ends; falling."""
        powers = [2**k for k in range(64) if self.low <= 2**k <= self.high]
        step = ceil(len(powers) / 8) if powers else 1
        return sorted({self.low, self.high, *powers[::step]}, reverse=True)


def _tick_line(across: _Scale) -> str:
    """The numbers below the horizontal axis, those that have room."""
    line = [" "] * across.size
    for memory in across.ticks():
        text = f"{memory:,.0f}"
        place = max(min(across.place(memory), across.size - len(text)), 0)
        if "".join(line[max(place - 1, 0) : place + len(text) + 1]).isspace():
            line[place : place + len(text)] = text
    return "".join(line).rstrip()


def _dense(line: Sequence[Point], across: _Scale) -> Iterator[Point]:
    """Yield `line` with a point for every character that it passes."""
    for (m0, io0), (m1, io1) in pairwise(line):
        first, last = across.place(m0), across.place(m1)
        for place in range(first, last):
            share = (place - first) / (last - first)
            yield across.value(place), io0 * (io1 / io0) ** share
    yield from line[-1:]
