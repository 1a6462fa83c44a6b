"""Sentences on a law that was held against played and proved words."""

from typing import Any

from redblue.laws.sandwich.corridor import Floats
from redblue.laws.sandwich.definition import Finding


def finding_sentences(finding: Finding) -> list[str]:
    """Return the evidence and the verdict, a line each."""
    return [line for line in (evidence_sentence(finding), verdict_sentence(finding)) if line]


def verdict_sentence(finding: Finding) -> str:
    """Return the verdict on a law, with what is lacking."""
    name = finding.law.name
    if finding.status == "recovered":
        return f"{name} is recovered: plays and proofs both follow it, and no rival does."
    lacking = "; ".join(finding.lacking)
    said = {
        "consistent": f"{name} is consistent with plays and proofs, and not recovered",
        "undecided": f"{name} is undecided between plays and proofs",
        "differs": f"Plays and proofs differ from {name}",
    }[finding.status]
    return f"{said}: {lacking}."


def evidence_sentence(finding: Finding) -> str:
    """Return the exponents of both sides, the ratio and the best rival."""
    corridor = finding.corridor
    if not finding.exponents.starts.size or finding.rival is None:
        return ""
    return (
        f"Over every decade from M = {corridor.memories[0]:,.0f} to {corridor.memories[-1]:,.0f}: "
        f"exponent {exponent_range(finding.exponents.upper)} played, "
        f"{exponent_range(finding.exponents.lower)} proved, at most {finding.miss:.3f} from the "
        f"law; played over proved {finding.corridor.ratios.min():.3g} to "
        f"{finding.largest_ratio:.3g}, times {corridor.trend:.3f} a decade; the best rival, "
        f"{finding.rival.name}, misses by {finding.rival_miss:.3f}."
    )


def exponent_range(exponents: Floats) -> str:
    """Return the range of exponents as text.

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
    """Return a finding as plain JSON; ranges are null without a decade of memory."""
    told, corridor = finding.exponents, finding.corridor
    known = bool(told.starts.size)
    return {
        "law": finding.law.name,
        "status": finding.status,
        "memories": [int(memory) for memory in corridor.memories],
        "decades": corridor.decades,
        "exponents_played": [float(told.upper.min()), float(told.upper.max())] if known else None,
        "exponents_proved": [float(told.lower.min()), float(told.lower.max())] if known else None,
        "miss": finding.miss if known else None,
        "largest_ratio": finding.largest_ratio if corridor.memories.size else None,
        "trend": corridor.trend if corridor.memories.size else None,
        "rival": None if finding.rival is None else finding.rival.name,
        "rival_miss": None if finding.rival is None else finding.rival_miss,
        "margin": None if finding.rival is None else finding.margin,
        "lacking": list(finding.lacking),
    }
