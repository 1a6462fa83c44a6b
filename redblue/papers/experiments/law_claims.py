"""Claims about laws, judged by plays and proofs together."""

from collections.abc import Sequence
from math import inf

import numpy as np

from redblue.laws.sandwich import Status, exponent_range
from redblue.laws.sandwich.corridor import Floats
from redblue.laws.sandwich.definition import MARGIN, TOLERANCE
from redblue.papers.experiments.recoveries import Recovery
from redblue.papers.experiments.studies import Study
from redblue.show.model import Claim, Verdict, judged

KUNG = "H. T. Kung, 1986"
# Kung's laws in LaTeX: operations per word, and the memory that balances alpha times as many.
BALANCE = r"\frac{C_\text{comp}}{C_\text{io}} = \Theta"
POWER_FORMULA = BALANCE + r"(M^{1/%s}), \qquad M_\text{new} = \alpha^%s M_\text{old}"
LOGARITHM_FORMULA = BALANCE + r"(\log_2 M), \qquad M_\text{new} = M_\text{old}^{\alpha}"
ALPHA = 4.0  # growth of the arithmetic for which a claim on memory is read from a curve
NEAR = 0.15  # relative error of the memory that such a growth needs
VERDICTS: dict[Status, Verdict] = {
    "recovered": "recovered",
    "consistent": "consistent",
    "undecided": "undecided",
    "differs": "refuted",
}


def span(study: Study) -> str:
    """The sizes of memory at which the law was read, as text."""
    points = study.found.points
    return (
        f"{points.memories.size} sizes from {points.memories[0]:,.0f} to {points.memories[-1]:,.0f}"
    )


def law_claim(recovered: Recovery, source: str) -> Claim:
    """The claim that operations per word follow a law, by the definition of recovery."""
    finding, corridor = recovered.finding, recovered.finding.corridor
    grow = "are" if finding.law.name == "constant" else "grow as"
    lacking = f"; lacking: {'; '.join(finding.lacking)}" if finding.lacking else ""
    rival = finding.rival
    best = "" if rival is None else f"; best rival {rival.name}, {finding.margin:+.3f}"
    return Claim(
        f"{recovered.computation.name}: operations per word {grow} {finding.law.name}",
        source,
        f"{finding.law.name} on both sides over {recovered.computation.decades:g} decades of "
        f"memory",
        f"exponents {exponent_range(finding.exponents.upper)} played, "
        f"{exponent_range(finding.exponents.lower)} proved, {corridor.decades:.1f} decades"
        + (f", ratio at most {finding.largest_ratio:.2f}" if corridor.memories.size else ""),
        VERDICTS[finding.status],
        f"{recovered.spec}, {recovered.how}{best}{lacking}",
        tolerance=f"exponent {TOLERANCE:g}, rival {MARGIN:g}",
    )


def memory_claims(recoveries: Sequence[Recovery], source: str) -> tuple[Claim, ...]:
    """The claims that alpha times the arithmetic needs so much memory, of recovered laws."""
    return tuple(
        _memory_claim(recovered, source)
        for recovered in recoveries
        if recovered.finding.status == "recovered"
    )


def _memory_claim(recovered: Recovery, source: str) -> Claim:
    """The claim of one power, read from both sides where the corridor begins.

    Words of tiles are compared, between points by straight lines in logarithms.
    """
    wanted = ALPHA ** (1 / float(recovered.finding.law.exponent))
    factors = [
        _factor(recovered.finding.corridor.effective, words)
        for words in (recovered.finding.corridor.upper, recovered.finding.corridor.lower)
    ]
    near = all(abs(factor / wanted - 1) <= NEAR for factor in factors)
    return Claim(
        f"{recovered.computation.name}: {ALPHA:g} times the arithmetic needs {wanted:.0f} times "
        f"the "
        "memory", source, f"{wanted:.0f} times",
        f"{factors[0]:.1f} times as played, {factors[1]:.1f} as proved",
        judged(near) if np.isfinite(factors).all() else "undecided",
        f"{recovered.spec}, {recovered.how}, from M = "
        f"{recovered.finding.corridor.memories[0]:,.0f} on",
        tolerance=f"{NEAR:.0%}",
    )  # fmt: skip


def _factor(memories: Floats, words: Floats) -> float:
    """How many times the memory moves 1 / `ALPHA` of the words; infinity if none here."""
    falls = np.log(words[0] / words)
    if falls[-1] < np.log(ALPHA):
        return inf
    return float(np.exp(np.interp(np.log(ALPHA), falls, np.log(memories / memories[0]))))


def gap_claim(study: Study, name: str, source: str, limit: float) -> Claim:
    """The claim that no other schedule does better in order of magnitude.

    It is proved if the best schedule moves at most `limit` times the proved words, at every memory
    that tells of the law; a wider gap refutes nothing, and leaves it undecided.
    """
    memories = study.found.points.memories
    gaps = [gap for memory, gap in study.gaps.items() if memories[0] <= memory <= memories[-1]]
    verdict: Verdict = "proved" if max(gaps) <= limit else "undecided"
    return Claim(
        f"{name}: no schedule does better than a constant factor", source,
        f"at most {limit:g} times the proved words", f"{min(gaps):.2f} to {max(gaps):.2f} times",
        verdict,
        f"{study.spec}, {memories[0]:,.0f} to {memories[-1]:,.0f} words of memory, schedules "
        f"replayed",
        kind="proof", tolerance=f"up to {limit:g}; above, undecided",
    )  # fmt: skip


def squared_claim(
    name: str, source: str, small: tuple[int, int], large: tuple[int, int], alpha: int, note: str
) -> Claim:
    """The claim that alpha times the arithmetic needs the memory to the power of alpha.

    `small` and `large` are words of tiles and words moved, at a memory and at its power; `note`
    names the plays.
    """
    (tile, io), (power, smaller_power) = small, large
    return Claim(
        f"{name}: {alpha} times the arithmetic needs M^{alpha} words", source,
        f"R(M^{alpha}) / R(M) = {alpha}", f"{io / smaller_power:.4f}",
        judged(abs(io / smaller_power - alpha) <= 0.1 * alpha),
        f"{note}: {io:,} words with tiles of {tile}, {smaller_power:,} with {power}",
        tolerance="a tenth",
    )  # fmt: skip


def constant_claim(
    name: str, formula: str, source: str, ratio: float, note: str, attained: float = 1.15
) -> Claim:
    """The claim that a leading term is the words moved.

    `ratio` is that of the words played to the term, extrapolated to large problems; above
    `attained` nothing is decided, for a better schedule or more memory may reach it; below 1 the
    term would be no lower bound.
    """
    verdict: Verdict = "confirmed" if ratio <= attained else "undecided"
    return Claim(
        f"{name}: {formula} words lead", source, "1 times that term", f"{ratio:.3f} times",
        verdict if ratio >= 0.97 else "refuted", note,
        tolerance=f"0.97 to {attained:g}; above, undecided",
    )  # fmt: skip
