"""Recovered laws: their definition by both sides, the law that plays alone show, and sentences."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import log2
from typing import Any, Literal, NamedTuple

import numpy as np

from proofs.laws import Law
from redblue.laws.sandwich.corridor import (
    DECADE,
    Corridor,
    Floats,
    Locals,
    corridor_of,
    local_exponents,
)

EXPONENTS = tuple(map(Fraction, ("0", "1/5", "1/4", "1/3", "1/2", "2/3", "1")))
LOG_POWERS = tuple(Fraction(half, 2) for half in (1, 2, 3, 4, 5, 6, 8, 10, 12, 16))

UNIT = 4.0  # octaves by which the unit of the memory in a logarithm may be off


@dataclass(frozen=True)
class Candidate:
    """The law R = c M^exponent or c (log2 M)^power of operations per word, for any c.

    Examples
    --------
    >>> Candidate(Fraction(1, 2)).name, Candidate(power=Fraction(1)).name
    ('M^(1/2)', 'log M')
    """

    exponent: Fraction = Fraction(0)
    power: Fraction = Fraction(0)

    @property
    def name(self) -> str:
        """The law in writing."""
        if self.power:
            return "log M" if self.power == 1 else f"(log M)^{self._written(self.power)}"
        if not self.exponent:
            return "constant"
        return "M" if self.exponent == 1 else f"M^{self._written(self.exponent)}"

    @staticmethod
    def _written(value: Fraction) -> str:
        return str(value) if value.denominator == 1 else f"({value})"

    def growth(self, low: Floats, width: float, unit: float = 0.0) -> Floats:
        """The exponent of the power that grows as much over some octaves of memory.

        Parameters
        ----------
        low
            (w,) logarithms to base 2 of the memories to begin at.
        width
            Octaves.
        unit
            Octaves that are added to the logarithm of the memory: log2(M) + unit is the logarithm
            of M in units of 2^-unit words. No law says in which unit.
        """
        logarithm = low + unit
        rise: Floats = np.log2((logarithm + width) / logarithm) / width
        return float(self.exponent) + float(self.power) * rise

    def units(self, lowest: float) -> Floats:
        """The units that are tried, for memories from 2^lowest words on."""
        if not self.power:
            return np.zeros(1)
        return np.arange(-min(UNIT, lowest - 1), UNIT + 0.01, 0.25)


def candidate(law: Law) -> Candidate:
    """A law of the literature as a candidate."""
    if law.kind == "logarithmic":
        return Candidate(power=Fraction(1))
    return Candidate(Fraction(law.exponent).limit_denominator(1000))


def family() -> tuple[Candidate, ...]:
    """The laws that are held against each other; the plain logarithm among them."""
    powers = [Candidate(exponent) for exponent in EXPONENTS]
    return (*powers, *(Candidate(power=power) for power in LOG_POWERS))


def rivals(of: Candidate) -> tuple[Candidate, ...]:
    """The other laws of the family that `of` is held against."""
    return tuple(candidate for candidate in family() if candidate != of)


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
    """The demands on the law of a family: three decades for products and transforms."""
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
    """The finding of `corridor` on a law.

    Parameters
    ----------
    corridor
        Words moved and words proved.
    law
        The law.
    demands
        The demands on a recovered law.
    """
    exponents = local_exponents(corridor)
    if not exponents.starts.size:
        span = f"they span a factor 10^{corridor.decades:.1f} of memory, of 10^{demands.decades:g}"
        return Finding(law, corridor, exponents, np.inf, None, 0.0, 0.0, "undecided", (span,))
    own_misses = _misses(exponents, law)
    missed = {rival_: _misses(exponents, rival_) for rival_ in rivals(law)}
    margins = {
        candidate: float((misses - own_misses).min()) for candidate, misses in missed.items()
    }
    rival = min(margins, key=lambda candidate: margins[candidate])
    best = Best(rival, float(missed[rival].min()), margins[rival])
    miss = float(own_misses.max())
    lacking = tuple(_lacking(corridor, miss, best, demands))
    status = _status(own_misses, missed, lacking, demands)
    if status == "differs" and corridor.decades < demands.decades - 1e-9:
        status = "undecided"
    return Finding(law, corridor, exponents, miss, rival, best.miss, best.margin, status, lacking)


class Best(NamedTuple):
    """The best rival: its smaller miss of the two sides, and its margin."""

    law: Candidate
    miss: float
    margin: float


def miss_of(exponents: Locals, law: Candidate) -> float:
    """The largest distance of a local exponent, on either side, from that of a law."""
    return float(_misses(exponents, law).max())


def _misses(exponents: Locals, law: Candidate) -> Floats:
    """(2,) the largest distances of both sides' exponents from those of a law.

    On each side a logarithm is in the unit that fits it best.
    """
    low, width = np.log2(exponents.starts), log2(DECADE)
    wanted = [law.growth(low, width, unit) for unit in law.units(float(low[0])).tolist()]
    return np.array(
        [
            min(float(np.abs(side - exponent).max()) for exponent in wanted)
            for side in exponents.sides
        ]
    )


def _lacking(corridor: Corridor, miss: float, best: Best, demands: Demands) -> list[str]:
    """The demands that are not met."""
    trend, ratio = corridor.trend, float(corridor.ratios.max())
    checks = (
        (
            corridor.decades >= demands.decades - 1e-9,
            f"they span a factor 10^{corridor.decades:.1f} of memory, of 10^{demands.decades:g}",
        ),
        (
            miss <= demands.tolerance,
            f"a local exponent misses by {miss:.3f}, of at most {demands.tolerance:g}",
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
    own_misses: Floats,
    missed: Mapping[Candidate, Floats],
    lacking: tuple[str, ...],
    demands: Demands,
) -> Status:
    """The verdict on a law that misses by `own_misses` (2,), its rivals by `missed`."""
    if not lacking:
        return "recovered"
    if own_misses[0] <= min(demands.tolerance, *(float(misses[0]) for misses in missed.values())):
        return "consistent"
    fits = [
        misses
        for misses in missed.values()
        if misses.max() <= demands.tolerance and (misses < own_misses).all()
    ]
    return "differs" if fits else "undecided"


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


def seen_law(points: Sequence[tuple[int, int]]) -> Seen:
    """The law that plays seem to follow.

    Parameters
    ----------
    points
        Pairs (memory, words moved), where any are.

    Examples
    --------
    >>> seen_law([(10 * 2**e, 10**9 // 2**e) for e in range(6)]).law.name
    'M'
    """
    corridor = corridor_of((memory, io, io) for memory, io in points if io > 0)
    exponents = local_exponents(corridor)
    if not exponents.starts.size:
        return Seen(None, 0.0, 0.0, corridor)
    misses = {candidate: miss_of(exponents, candidate) for candidate in family()}
    nearest = min(misses, key=lambda candidate: misses[candidate])
    low, high = float(np.min(exponents.upper)), float(np.max(exponents.upper))
    return Seen(nearest if misses[nearest] <= TOLERANCE else None, low, high, corridor)


def finding_sentences(finding: Finding) -> list[str]:
    """The evidence and the verdict, a line each."""
    return [line for line in (evidence_sentence(finding), verdict_sentence(finding)) if line]


def verdict_sentence(finding: Finding) -> str:
    """The verdict on a law, with the demands that fail."""
    name = finding.law.name
    if finding.status == "recovered":
        return f"{name} is recovered: schedules and lower bounds follow it, and no rival law."
    lacking = "; ".join(finding.lacking)
    sentences = {
        "consistent": f"{name} is consistent with schedules and lower bounds, but not recovered",
        "undecided": f"{name} is undecided between schedules and lower bounds",
        "differs": f"Schedules and lower bounds differ from {name}",
    }[finding.status]
    return f"{sentences}: {lacking}."


def evidence_sentence(finding: Finding) -> str:
    """The exponents of both sides, the ratio and the best rival."""
    corridor = finding.corridor
    if not finding.exponents.starts.size or finding.rival is None:
        return ""
    return (
        f"Over every decade from M = {corridor.memories[0]:,.0f} to {corridor.memories[-1]:,.0f}: "
        f"exponent {exponent_range(finding.exponents.upper)} of schedules, "
        f"{exponent_range(finding.exponents.lower)} of lower bounds, at most "
        f"{finding.miss:.3f} from the law; schedule over bound "
        f"{finding.corridor.ratios.min():.3g} to {finding.largest_ratio:.3g}, times "
        f"{corridor.trend:.3f} a decade; the best rival, "
        f"{finding.rival.name}, misses by {finding.rival_miss:.3f}."
    )


def exponent_range(exponents: Floats) -> str:
    """The range of exponents as text.

    Examples
    --------
    >>> import numpy as np
    >>> exponent_range(np.array([0.49, 0.503]))
    '0.490 to 0.503'
    """
    if not exponents.size:
        return "-"
    low, high = f"{exponents.min():.3f}", f"{exponents.max():.3f}"
    return low if low == high else f"{low} to {high}"


def finding_record(finding: Finding) -> dict[str, Any]:
    """A finding as plain JSON; ranges are null without a decade of memory."""
    exponents, corridor = finding.exponents, finding.corridor
    known = bool(exponents.starts.size)
    return {
        "law": finding.law.name,
        "status": finding.status,
        "memories": [int(memory) for memory in corridor.memories],
        "decades": corridor.decades,
        "exponents_played": [float(exponents.upper.min()), float(exponents.upper.max())]
        if known
        else None,
        "exponents_proved": [float(exponents.lower.min()), float(exponents.lower.max())]
        if known
        else None,
        "miss": finding.miss if known else None,
        "largest_ratio": finding.largest_ratio if corridor.memories.size else None,
        "trend": corridor.trend if corridor.memories.size else None,
        "rival": None if finding.rival is None else finding.rival.name,
        "rival_miss": None if finding.rival is None else finding.rival_miss,
        "margin": None if finding.rival is None else finding.margin,
        "lacking": list(finding.lacking),
    }
