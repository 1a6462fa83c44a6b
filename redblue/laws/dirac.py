"""Words a site of the Dirac operator against memory: published, counted and proved."""

from collections.abc import Iterable, Iterator
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
from redblue.answers.sources import Memories
from redblue.answers.words import memories_of
from redblue.show.answer import Part
from redblue.show.printed import Printed
from redblue.show.rows import table

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


@dataclass(frozen=True, repr=False)
class DiracLaw(Printed):
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

    def __repr__(self) -> str:
        return f"<DiracLaw of {self.curve.title}, {len(self.points)} sizes of memory>"

    @property
    def itself(self) -> "DiracLaw":
        """The law, as `redblue.law` returns it."""
        return self

    @property
    def curves(self) -> tuple[IOCurve]:
        """The curve that shows the law."""
        return (self.curve,)

    def to_dict(self) -> dict[str, Any]:
        """The object of `--json`."""
        points = [asdict(point) for point in self.points]
        law = {"name": "120 + 66/s", "published": "120 + 66/s", "exponents": self.exponents}
        return {**self.curve.to_dict(), "law": {**law, "points": points}}

    def shown(self) -> Iterator[Part]:
        """Yield the words of theorem 1 beside counted plays and proved bounds, and sentences."""
        yield table(
            "dirac", f"{self.curve.title}: words a site to and from the node's own memory",
            self.points, "M <- memory", ("s", lambda point: str(point.s or "-")),
            ("theorem 1", lambda point: _words(point.published)),
            ("counted", lambda point: _words(point.counted)),
            ("proved", lambda point: _words(point.proved)), ("counted / proved", _ratio),
        )  # fmt: skip
        shown = {
            name: "not seen" if power is None else f"M^-{power:.3f}"
            for name, power in self.exponents.items()
        }
        yield (
            "Published (Bilardi et al., 2005, theorem 1): 120 + 66/s words a site, and 132 k^2, "
            "with M = 96 k^2 s + 288 k s for 1 <= s <= k; 120 with 96 k^3 + 432 k^2.\n"
            f"Beyond 120 words a site falls as {shown['published']} by the theorem, as "
            f"{shown['counted']} in schedules, and as {shown['proved']} in lower bounds: "
            "at least 36 (6/M)^(1/3) in the leading term, and 181/M^(1/3) in a lattice without "
            "end.\n"
            f"One application does {self.operations:,.0f} operations a site, "
            f"{self.operations / 120:.3g} a word at most, with any memory."
        )


def _words(words: float | None) -> str:
    return "-" if words is None else f"{words:,.2f}"


def _ratio(point: DiracLawPoint) -> str:
    return "-" if point.counted is None else f"{point.counted / point.proved:.3f}"


def dirac_law(
    known: Computation, memories: Memories | None = None, *, rules: Rules = ONE_SHOT
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
    sites, smallest = k**3 * n4, known.min_memory(sliding=rules.sliding)
    if memories is None:
        sizes: Iterable[int] = grid(smallest, max(smallest, ALWAYS * sites), SIZES)
    else:
        sizes = memories_of(memories, known.spec)
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
    pairs = [(point.memory, getattr(point, name)) for point in points]
    logarithms = [(log(m), log(io - ALWAYS)) for m, io in pairs if io and io > ALWAYS + SEEN]
    if len({y for _, y in logarithms}) < 2:
        return None
    sizes, words = zip(*logarithms, strict=True)
    return -float(np.polyfit(sizes, words, 1)[0])
