"""The law that plays alone show to a reader who knows neither the family nor its tiles."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from redblue.laws.sandwich.candidates import Candidate, family
from redblue.laws.sandwich.corridor import Corridor, corridor_of, local_exponents
from redblue.laws.sandwich.definition import TOLERANCE, miss_of


class Seen(NamedTuple):
    """A reading of plays alone.

    Attributes
    ----------
    law
        The law of the family that is nearest; None where none is near, or there is no decade.
    low, high
        The range of the local exponents; 0 without a decade.
    corridor
        The plays, as both of its sides.
    """

    law: Candidate | None
    low: float
    high: float
    corridor: Corridor


def seen_law(points: Sequence[tuple[int, int]], tolerance: float = TOLERANCE) -> Seen:
    """Return the law that plays seem to follow.

    Parameters
    ----------
    points
        Pairs (memory, words moved), where any are.
    tolerance
        Largest distance of a local exponent from that of a law that is near.

    Examples
    --------
    >>> seen_law([(10 * 2**e, 10**9 // 2**e) for e in range(6)]).law.name
    'M'
    """
    corridor = corridor_of((memory, io, io) for memory, io in points if io > 0)
    found = local_exponents(corridor)
    if not found.starts.size:
        return Seen(None, 0.0, 0.0, corridor)
    misses = {each: miss_of(found, each) for each in family()}
    nearest = min(misses, key=lambda each: misses[each])
    low, high = float(np.min(found.upper)), float(np.max(found.upper))
    return Seen(nearest if misses[nearest] <= tolerance else None, low, high, corridor)
