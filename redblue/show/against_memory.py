"""Figures of words against memory, as data."""

from collections.abc import Iterable
from itertools import pairwise

from redblue.show.model import Axis, Figure, Role, Series

Points = Iterable[tuple[int, float]]
FLOOR = "best bound"


def memory_figure(
    name: str,
    lines: Iterable[tuple[str, Points, Role]],
    words: str = "I/O: loads + stores (words)",
) -> Figure:
    """A figure of words against memory; nothing can be below the last bound.

    Parameters
    ----------
    name
        The name of its files.
    lines
        The label, the points (memory, words) and the role of each series.
    words
        The label of the axis upwards.
    """
    series = []
    for label, points, role in lines:
        pairs = [(float(memory), float(io)) for memory, io in points]
        x, y = zip(*pairs, strict=True) if pairs else ((), ())
        series.append(Series(label, x, y, role))
    floors = [entry.label for entry in series if entry.role == "lower"]
    across, up = Axis("fast memory M (words)", 2), Axis(words, 10)
    return Figure(name, "", across, up, tuple(series), floor=floors[-1] if floors else "")


def in_steps(points: Points) -> list[tuple[int, float]]:
    """Points with the corners between them of a line that falls in steps."""
    known = list(points)
    corners = [(right, words) for (_, words), (right, _) in pairwise(known)]
    pairs = zip(known, [*corners, *known[-1:]], strict=True)
    return list(dict.fromkeys(point for pair in pairs for point in pair))
