"""The definition of a recovered law: played and proved words follow it, and no other law does."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import log2
from typing import Literal, NamedTuple

import numpy as np

from redblue.laws.sandwich.candidates import Candidate, rivals
from redblue.laws.sandwich.corridor import DECADE, Corridor, Floats, Locals, local_exponents

Status = Literal["recovered", "consistent", "undecided", "differs"]

DECADES = 2.0  # of memory that a law must hold over
TOLERANCE = 0.05  # by which a local exponent may miss that of the law
RATIO = 8.0  # that words moved over words proved may not exceed
TREND = 1.1  # factor by which that ratio may change with each decade
MARGIN = 0.01  # by which the best rival must miss by more than the law does, on either side


@dataclass(frozen=True)
class Demands:
    """Demands on a law that is to count as recovered.

    Parameters
    ----------
    decades
        Decades of memory that it must hold over.
    ratio
        Largest ratio of words moved to words proved.
    tolerance
        Largest distance of a local exponent from that of the law, on either side.
    trend
        Largest factor, either way, by which the ratio changes with each decade.
    margin
        Exponent by which the best rival must miss by more than the law does, on either side.
    """

    decades: float = DECADES
    ratio: float = RATIO
    tolerance: float = TOLERANCE
    trend: float = TREND
    margin: float = MARGIN


STANDARD = Demands()
LONG = Demands(decades=3.0)
LONGER = ("matmul", "fft")  # families whose laws are asked for over more decades


def demands_of(family: str | None) -> Demands:
    """Return the demands on the law of a family: three decades for products and transforms."""
    return LONG if family in LONGER else STANDARD


@dataclass(frozen=True)
class Finding:
    """A law held against a corridor.

    Parameters
    ----------
    law
        The law that was asked about.
    corridor
        The words, over the memories that were looked at.
    exponents
        The local exponents of both sides.
    miss
        Largest distance of a local exponent, on either side, from that of the law; infinite
        without a decade.
    rival, rival_miss, margin
        The best other law, how far it misses on that side where it misses less, and by how much
        more than the law it misses on either side; None and 0 without a decade.
    status
        "recovered": all demands are met; "consistent": plays follow the law, and no other one
        better, but demands are left; "differs": over so many decades plays and proofs follow
        another law, each better than this one; "undecided" else.
    lacking
        Demands that are not met, each a few words with numbers.
    """

    law: Candidate
    corridor: Corridor
    exponents: Locals
    miss: float
    rival: Candidate | None
    rival_miss: float
    margin: float
    status: Status
    lacking: tuple[str, ...]

    @property
    def largest_ratio(self) -> float:
        """Largest ratio of words moved to words proved."""
        return float(self.corridor.ratios.max()) if self.corridor.memories.size else np.inf


def held_against(corridor: Corridor, law: Candidate, demands: Demands = STANDARD) -> Finding:
    """Return what `corridor` says about a law.

    Parameters
    ----------
    corridor
        Words moved and words proved.
    law
        The law.
    demands
        What it takes to be recovered.
    """
    found = local_exponents(corridor)
    if not found.starts.size:
        said = f"they span {corridor.decades:.1f} decades of memory, of {demands.decades:g}"
        return Finding(law, corridor, found, np.inf, None, 0.0, 0.0, "undecided", (said,))
    own = _misses(found, law)
    missed = {each: _misses(found, each) for each in rivals(law)}
    margins = {each: float((misses - own).min()) for each, misses in missed.items()}
    rival = min(margins, key=lambda each: margins[each])
    best = Best(rival, float(missed[rival].min()), margins[rival])
    miss = float(own.max())
    lacking = tuple(_lacking(corridor, miss, best, demands))
    status = _status(own, missed, lacking, demands)
    if status == "differs" and corridor.decades < demands.decades - 1e-9:
        status = "undecided"
    return Finding(law, corridor, found, miss, rival, best.miss, best.margin, status, lacking)


class Best(NamedTuple):
    """The best rival: its smaller miss of the two sides, and its margin."""

    law: Candidate
    miss: float
    margin: float


def miss_of(found: Locals, law: Candidate) -> float:
    """Return the largest distance of a local exponent, on either side, from that of a law."""
    return float(_misses(found, law).max())


def _misses(found: Locals, law: Candidate) -> Floats:
    """Return (2,) the largest distances of both sides' exponents from those of a law.

    On each side a logarithm is in the unit that fits it best.
    """
    low, width = np.log2(found.starts), log2(DECADE)
    wanted = [law.growth(low, width, unit) for unit in law.units(float(low[0])).tolist()]
    return np.array(
        [min(float(np.abs(side - each).max()) for each in wanted) for side in found.sides]
    )


def _lacking(corridor: Corridor, own: float, best: Best, demands: Demands) -> list[str]:
    """Return the demands that are not met."""
    trend, ratio = corridor.trend, float(corridor.ratios.max())
    checks = (
        (
            corridor.decades >= demands.decades - 1e-9,
            f"they span {corridor.decades:.1f} decades of memory, of {demands.decades:g}",
        ),
        (
            own <= demands.tolerance,
            f"a local exponent misses by {own:.3f}, of at most {demands.tolerance:g}",
        ),
        (ratio <= demands.ratio, f"the ratio reaches {ratio:.2f}, of at most {demands.ratio:g}"),
        (
            1 / demands.trend <= trend <= demands.trend,
            f"the ratio changes by {trend:.2f} a decade, of at most {demands.trend:g}",
        ),
        (
            best.margin >= demands.margin,
            f"{best.law.name} misses by {best.miss:.3f}, {best.margin:+.3f} more than the law, of "
            f"at least {demands.margin:g}",
        ),
    )
    return [text for met, text in checks if not met]


def _status(
    own: Floats, missed: Mapping[Candidate, Floats], lacking: tuple[str, ...], demands: Demands
) -> Status:
    """Return the verdict on a law that misses by `own` (2,), its rivals by `missed`."""
    if not lacking:
        return "recovered"
    if own[0] <= min(demands.tolerance, *(float(misses[0]) for misses in missed.values())):
        return "consistent"
    fits = [
        misses
        for misses in missed.values()
        if misses.max() <= demands.tolerance and (misses < own).all()
    ]
    return "differs" if fits else "undecided"
