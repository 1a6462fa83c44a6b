"""The definition of a recovered law: played and proved words follow it, and no other law does."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from redblue.sandwich.candidates import Candidate, rivals
from redblue.sandwich.corridor import DECADE, Corridor, Floats, Locals, local_exponents

Status = Literal["recovered", "consistent", "undecided", "differs"]

DECADES = 2.0  # of memory that a law must hold over
TOLERANCE = 0.05  # by which a local exponent may miss that of the law
RATIO = 8.0  # that words moved over words proved may not exceed
TREND = 1.1  # factor by which that ratio may change with each decade
MARGIN = 0.02  # by which the best rival must miss by more than the law does


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
        Exponent by which the best rival must miss by more than the law does.
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
    rival, rival_miss
        The best other law, and its largest distance from both sides in one and the same decade;
        None and 0 without a decade.
    status
        "recovered": all demands are met; "consistent": the law fits, and demands are left;
        "undecided": fewer than a decade, or no law of the family fits; "differs": another one does.
    lacking
        Demands that are not met, each a few words with numbers.
    """

    law: Candidate
    corridor: Corridor
    exponents: Locals
    miss: float
    rival: Candidate | None
    rival_miss: float
    status: Status
    lacking: tuple[str, ...]

    @property
    def margin(self) -> float:
        """Exponent by which the best rival misses by more than the law does."""
        return self.rival_miss - self.miss if self.rival is not None else 0.0

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

    Notes
    -----
    The best rival may miss the played words in one decade and the proved words in another: it
    counts as excluded only by a decade in which it misses both, so that wherever the least I/O lies
    between them, its course is not the rival's.
    """
    found = local_exponents(corridor)
    if not found.starts.size:
        said = f"they span {corridor.decades:.1f} decades of memory, of {demands.decades:g}"
        return Finding(law, corridor, found, np.inf, None, 0.0, "undecided", (said,))
    own = max(float(miss.max()) for miss in _misses(found, law))
    missed = {each: _miss_of_rival(found, each) for each in rivals(law)}
    rival = min(missed, key=lambda each: missed[each])
    lacking = tuple(_lacking(corridor, own, missed[rival], rival, demands))
    status = _status(own, missed[rival], lacking, demands)
    return Finding(law, corridor, found, own, rival, missed[rival], status, lacking)


def _misses(found: Locals, law: Candidate) -> tuple[Floats, Floats]:
    """Return (w,) distances of both sides' exponents from those of a law."""
    wanted = np.array([law.growth(start, DECADE * start) for start in found.starts.tolist()])
    upper, lower = (np.abs(side - wanted) for side in found.sides)
    return upper, lower


def _miss_of_rival(found: Locals, law: Candidate) -> float:
    """Return the largest distance of a law from both sides in one decade."""
    return float(np.minimum(*_misses(found, law)).max())


def _lacking(
    corridor: Corridor, own: float, rival_miss: float, rival: Candidate, demands: Demands
) -> list[str]:
    """Return the demands that are not met."""
    trend, ratio = corridor.trend, float(corridor.ratios.max())
    margin = rival_miss - own
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
            margin >= demands.margin,
            f"{rival.name} misses by {rival_miss:.3f}, {margin:+.3f} more than the law, of at "
            f"least {demands.margin:g}",
        ),
    )
    return [text for met, text in checks if not met]


def _status(own: float, rival_miss: float, lacking: tuple[str, ...], demands: Demands) -> Status:
    """Return the verdict."""
    if not lacking:
        return "recovered"
    if own <= min(rival_miss, 2 * demands.tolerance):
        return "consistent"
    return "differs" if rival_miss <= demands.tolerance and own > 2 * rival_miss else "undecided"
