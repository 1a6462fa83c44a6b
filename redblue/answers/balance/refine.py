"""A curve played again between two sizes, to find where a machine begins to be balanced."""

from collections.abc import Callable, Sequence
from math import sqrt

from redblue.answers.envelope import with_best
from redblue.answers.hardware import ProcessingElement, balancing_memory
from redblue.answers.references import Reference
from redblue.answers.results import BEST, IOCurve

ROUNDS = 8  # a step of an octave is a third of a percent wide then


def refined(
    curve: IOCurve,
    play: Callable[[Sequence[int]], IOCurve],
    work: int,
    element: ProcessingElement,
) -> IOCurve:
    """`curve` with more sizes just below the smallest one that balances `element`.

    Parameters
    ----------
    curve
        The curve so far.
    play
        Plays the same DAG by the same methods at other sizes.
    work
        Operations of the computation.
    element
        The machine, in words of the computation.
    """
    for _ in range(ROUNDS):
        points = curve.envelope("upper")
        at = balancing_memory(element, work, [m for m, _ in points], [io for _, io in points])
        below = max((m for m, _ in points if at is not None and m < at), default=None)
        if at is None or below is None or at == below + 1:
            break
        middle = min(max(round(sqrt(below * at)), below + 1), at - 1)
        curve = merged(curve, play([middle]))
    return curve


def merged(one: IOCurve, other: IOCurve) -> IOCurve:
    """The rows of both, two curves of one DAG under one set of rules."""
    rows = [row for row in (*one.rows, *other.rows) if row.method != BEST]
    sizes = sorted({*one.memories, *other.memories})
    points: dict[str, dict[int, int]] = {}
    for known in (*one.references, *other.references):
        points.setdefault(known.name, {}).update(known.points)
    said = tuple(Reference(name, tuple(sorted(own.items()))) for name, own in points.items())
    return IOCurve(one.dag, one.rules, with_best(rows, sizes), references=said)
