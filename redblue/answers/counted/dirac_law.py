"""Words a site of the Dirac operator against memory: published, counted and proved."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from math import log
from typing import Any

import numpy as np

from dags import Computation
from pebble import ONE_SHOT, Rules
from redblue.answers.counted.curves import counted_curve
from redblue.answers.memories import grid
from redblue.answers.references import local_theorem, neighbour_words
from redblue.answers.results import IOCurve

ALWAYS = 120  # words a site that every application moves: Psi and U in, Phi out
SEEN = 0.5  # words a site beyond these that are enough to see how they fall
SIZES = 17


@dataclass(frozen=True)
class DiracLawPoint:
    """Words a site between a node and its own memory, with one size of fast memory.

    Parameters
    ----------
    memory
        Words of fast memory.
    s
        Of theorem 1: layers of k x k sites that it takes the memory for, 0 where it says nothing.
    published, counted, proved
        Words of the theorem, of the best plan, and of every play; None where nothing is known.
    """

    memory: int
    s: int
    published: float | None
    counted: float | None
    proved: float


@dataclass(frozen=True)
class DiracLaw:
    """The words a site of a Dirac operator against the memory.

    Parameters
    ----------
    points
        By rising memory.
    curve
        The same in words, those to and from neighbours among them.
    operations
        A site.
    exponents
        p of the words beyond 120 a site, which falls as M^-p: published, counted, proved; None
        where too few sizes show it.
    """

    points: tuple[DiracLawPoint, ...]
    curve: IOCurve
    operations: float
    exponents: dict[str, float | None]

    def to_dict(self) -> dict[str, Any]:
        """The object of `--json`."""
        points = [asdict(point) for point in self.points]
        law = {"name": "120 + 66/s", "published": "120 + 66/s", "exponents": self.exponents}
        return {**self.curve.to_dict(), "law": {**law, "points": points}}


def dirac_law(
    known: Computation, memories: Iterable[int] | None = None, *, rules: Rules = ONE_SHOT
) -> DiracLaw:
    """How the I/O of a Dirac operator falls with memory.

    Parameters
    ----------
    known
        A member of the family.
    memories
        Words of fast memory; by default a grid from the least to where all fits.
    rules
        The rules of the game.
    """
    k, n4 = known.params["k"], known.params["n4"]
    sites, least = k**3 * n4, known.min_memory(sliding=rules.sliding)
    sizes = grid(least, max(least, ALWAYS * sites), SIZES) if memories is None else memories
    curve = counted_curve(known, sizes, rules=rules)
    between = neighbour_words(known.params)
    counted, proved = dict(curve.envelope("upper")), dict(curve.envelope("lower"))
    points = []
    for memory in curve.memories:
        played, theorem = counted.get(memory), local_theorem(known.params, memory)
        points.append(
            DiracLawPoint(
                memory,
                min(memory // (96 * k**2 + 288 * k), k) if theorem else 0,
                float(theorem) / sites if theorem else None,
                None if played is None else (played - between) / sites,
                (proved[memory] - between) / sites,
            )
        )
    names = ("published", "counted", "proved")
    exponents = {name: _exponent(points, name) for name in names}
    return DiracLaw(tuple(points), curve, known.sizes.work / sites, exponents)


def _exponent(points: Iterable[DiracLawPoint], name: str) -> float | None:
    """How fast the words beyond 120 a site fall, by least squares of logarithms."""
    known = [(point.memory, getattr(point, name)) for point in points]
    seen = [(log(m), log(io - ALWAYS)) for m, io in known if io and io > ALWAYS + SEEN]
    if len({y for _, y in seen}) < 2:
        return None
    sizes, words = zip(*seen, strict=True)
    return -float(np.polyfit(sizes, words, 1)[0])
