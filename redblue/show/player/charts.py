"""Small charts of a play over time, as paths of SVG."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

HEIGHT = 100


@dataclass(frozen=True)
class Chart:
    """Words over the steps of a play, as a step curve in a box of `steps` by `HEIGHT`.

    Parameters
    ----------
    name
        The chart.
    line, area
        Paths of the stairs and of the area below them.
    limit
        Height of a line that is never crossed; None without one.
    top
        The words that the upper edge of the box stands for.
    """

    name: str
    line: str
    area: str
    limit: float | None
    top: int


def chart(name: str, values: Sequence[int], *, limit: int | None = None) -> Chart:
    """Return the chart of `values`, one a step; `limit` is a number of words to mark."""
    top = max(*values, limit or 0, 1)
    last = max(len(values) - 1, 1)

    def height(words: int) -> float:
        return round(HEIGHT * (1 - words / top), 2)

    line = f"M0 {height(values[0]):g}"
    for step, (before, after) in enumerate(pairwise(values), start=1):
        if after != before:
            line += f"H{step}V{height(after):g}"
    line += f"H{last}"
    mark = None if limit is None else height(limit)
    return Chart(name, line, f"{line}V{HEIGHT}H0Z", mark, top)
