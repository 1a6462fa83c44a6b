"""The knee of a curve: where further memory begins to bring less."""

from collections.abc import Sequence
from math import log

FEWEST = 3  # points of a curve that can have a knee


def knee_of(points: Sequence[tuple[int, float]]) -> int | None:
    """The memory size at the knee of a falling curve; None if it has none.

    Both axes are logarithmic and scaled to their ranges: the knee is the point that lies furthest
    below the straight line from the first to the last.

    Parameters
    ----------
    points
        (memory, cost) by rising memory.

    Source
    ------
    V. Satopaa, J. Albrecht, D. Irwin and B. Raghavan, Finding a "Kneedle" in a Haystack, 2011.

    Examples
    --------
    >>> knee_of([(4, 1000), (8, 500), (16, 250), (32, 240), (64, 230)])
    16
    """
    known = [(memory, cost) for memory, cost in points if cost > 0]
    if len(known) < FEWEST or known[0][1] <= known[-1][1]:
        return None
    across = log(known[-1][0] / known[0][0])
    down = log(known[0][1] / known[-1][1])
    depths = {
        memory: 1 - log(memory / known[0][0]) / across - log(cost / known[-1][1]) / down
        for memory, cost in known
    }
    deepest = max(depths, key=lambda memory: depths[memory])
    return deepest if depths[deepest] > 0 else None
