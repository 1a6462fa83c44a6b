"""The law of a member that is not laid out, read from its counted plays and closed forms."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from math import inf, log
from typing import NamedTuple

import numpy as np

from dags import Computation
from pebble import ONE_SHOT, Rules
from redblue.answers.counted.curves import counted_curve
from redblue.answers.counted.nests import EACH
from redblue.answers.memories import grid
from redblue.answers.results import BEST, IOCurve
from redblue.laws.fit.choice import Fit, fit
from redblue.laws.fit.points import Points, largest_of, overhead_of, telling

NEARLY = 1.01  # times compulsory words: what is proved is about these
ANYWHERE = "-everywhere"  # of windows that begin anywhere: for laws they are windows like others
FIRST, LAST = 100, 10**8  # words: the range of sizes where none are asked for


class Sides(NamedTuple):
    """The exponents of the ratio R against the memory, of both sides.

    Attributes
    ----------
    first, last
        Ends of the range, in words.
    played, proved
        Slope of log R against log M by least squares, of counted plays and of closed forms, less
        the words that are moved once.
    gap, gap_last
        Played words over proved ones, the largest and that at the end of the range.
    """

    first: int
    last: int
    played: float
    proved: float
    gap: float
    gap_last: float


class Regime(NamedTuple):
    """A range of memory in which one thing proves what has to be moved.

    Attributes
    ----------
    first, last
        Its ends, in words of those that were asked for.
    by
        What proves most there: a method, or "compulsory".
    exponent
        Of the memory in the proved words, by least squares; None for a single size.
    gap
        The largest ratio of played to proved words; None where no play is known.
    """

    first: int
    last: int
    by: str
    exponent: float | None
    gap: float | None


def regimes(curve: IOCurve, compulsory: int) -> list[Regime]:
    """What rules where: windows and others, and compulsory words where they are about all.

    Parameters
    ----------
    curve
        Both sides.
    compulsory
        Words that are moved with any memory.
    """
    upper, lower = (dict(curve.envelope(side)) for side in ("upper", "lower"))
    methods = {
        row.memory: row.method
        for row in curve.rows
        if row.kind == "lower" and row.method != BEST and row.io == lower.get(row.memory)
    }
    named = {
        size: "compulsory"
        if io <= NEARLY * compulsory
        else methods.get(size, "").removesuffix(ANYWHERE)
        for size, io in lower.items()
    }
    found = []
    for by, group in groupby(named, key=named.__getitem__):
        sizes = list(group)
        words = [lower[size] for size in sizes]
        gaps = [upper[size] / lower[size] for size in sizes if size in upper and lower[size]]
        slope = None
        if by == "compulsory":
            slope = 0.0
        elif len(sizes) > 1 and min(words):
            slope = float(np.polyfit([*map(log, sizes)], [*map(log, words)], 1)[0])
        found.append(Regime(sizes[0], sizes[-1], by, slope, max(gaps, default=None)))
    return found


class CountedLaw(NamedTuple):
    """A law, the curve that shows it, and its exponents from both sides; None without bounds."""

    found: Fit
    curve: IOCurve
    sides: Sides | None


def counted_law(
    known: Computation, memories: Iterable[int] | None = None, *, rules: Rules = ONE_SHOT
) -> CountedLaw:
    """The law that the counted plays of a member follow.

    Parameters
    ----------
    known
        The member.
    memories
        Words of fast memory; by default a size an octave from 100 to 10^8, as far as they tell.
    rules
        The rules of the game.
    """
    least = known.min_memory()
    sizes = grid(max(FIRST, least), max(FIRST, least, LAST)) if memories is None else memories
    chosen = [*sizes]
    seconds = EACH * len(chosen) if memories is None else None
    curve = counted_curve(known, chosen, rules=rules, seconds=seconds)
    points = counted_points(known, curve, "upper")
    told = telling(points)
    return CountedLaw(fit(points), curve, _sides(known, curve, told.memories.astype(int).tolist()))


def counted_points(known: Computation, curve: IOCurve, kind: str) -> Points:
    """The points of a side of a member's curve, as `fit.points_of` does of a DAG.

    Parameters
    ----------
    known
        The member.
    curve
        Its curve.
    kind
        "upper" or "lower".
    """
    points = curve.envelope("upper" if kind == "upper" else "lower")
    sizes = known.sizes
    return Points(
        np.array([memory for memory, _ in points], float),
        np.array([float(io) for _, io in points]),
        sizes.work,
        compulsory=known.compulsory,
        once=float(sizes.outputs),
        least=known.min_memory(sliding=curve.rules.sliding),
        words=float(sizes.vertices),
        overhead=overhead_of(known, curve.rules),
        largest=largest_of(known),
    )


def _sides(known: Computation, curve: IOCurve, sizes: Sequence[int]) -> Sides | None:
    """The exponents of both sides over some of the sizes."""
    upper, lower = dict(curve.envelope("upper")), dict(curve.envelope("lower"))
    both = [(size, upper[size], lower[size]) for size in sizes if size in lower]
    once = known.sizes.outputs
    if len(both) < 2 or min(low for _, _, low in both) <= once:
        return None
    x = [log(size) for size, _, _ in both]
    played, proved = (
        -float(np.polyfit(x, [log(row[side] - once) for row in both], 1)[0]) for side in (1, 2)
    )
    gaps = [high / low if low else inf for _, high, low in both]
    return Sides(both[0][0], both[-1][0], played, proved, max(gaps), gaps[-1])
