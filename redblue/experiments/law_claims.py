"""Claims about laws, judged by the numbers of a study."""

from collections.abc import Iterable
from math import inf, log

from proofs.laws import Law
from redblue.experiments.result import Claim, Verdict, judged
from redblue.experiments.studies import Study, grown_memories

KUNG = "H. T. Kung, 1986"
CLOSE = 0.06  # exponents that finite DAGs cannot tell apart


def span(study: Study) -> str:
    """Return the sizes of memory at which the law was read, as text."""
    told = study.found.points
    return f"{told.memories.size} sizes from {told.memories[0]:,.0f} to {told.memories[-1]:,.0f}"


def power_claim(study: Study, exponent: float, name: str, source: str) -> Claim:
    """Return the claim that operations per word grow as a power of the memory.

    Parameters
    ----------
    study
        What was played.
    exponent
        The power that the source states.
    name
        The computation, as a sentence begins with it.
    source
        Where it is stated.
    """
    law = study.found.law
    told = law is not None and law.kind == "power"
    return Claim(
        f"{name}: operations per word grow as {Law('power', exponent).name}",
        source,
        f"exponent {exponent:.3f}",
        _exponent_text(study) if told else study.found.reason,
        power_verdict(study, exponent),
        f"{study.spec}, {span(study)} words; within {CLOSE}; {_bias_text(study)}",
    )


def power_verdict(study: Study, exponent: float) -> Verdict:
    """Return the verdict on the fitted exponent; undecided where no law was found."""
    law = study.found.law
    if law is None:
        return "undecided"
    return judged(law.kind == "power" and abs(law.exponent - exponent) <= CLOSE)


def _exponent_text(study: Study) -> str:
    found = study.found
    if found.law is None or found.interval is None:
        return found.reason
    low, high = found.interval
    return f"exponent {found.law.exponent:.3f} ({low:.3f} to {high:.3f})"


def _bias_text(study: Study) -> str:
    """Return the text on bias: small tiles raise the growth, the size of the DAG lowers it."""
    growths = study.found.growths
    if not growths:
        return "the interval covers noise and bias"
    counted = " and ".join(f"{growth.counted:.2f}" for growth in growths)
    law = growths[0].by_law
    return f"four times the memory makes {counted} times R at the ends, {law:.2f} by the law"


def rebalance_claim(study: Study, exponent: float, name: str, source: str) -> Claim:
    """Return the claim that alpha times the arithmetic needs alpha^(1/exponent) times the memory.

    It is read from the curve itself, for the largest power of two that it reaches. That is done
    twice, with errors that go opposite ways, as for exponents.
    """
    alpha, factors = 2.0, list(grown_memories(study.found, 2.0))
    while len(factors) == len(larger := list(grown_memories(study.found, 2 * alpha))) == 2:
        alpha, factors = 2 * alpha, larger
    wanted = alpha ** (1 / exponent)
    return Claim(
        f"{name}: {alpha:g} times the arithmetic needs {wanted:.0f} times the memory",
        source,
        f"{wanted:.0f} times",
        " to ".join(f"{factor:.1f}" for factor in sorted(factors)) + " times"
        if factors
        else "the curve is too short",
        _covered(factors, alpha, exponent),
        f"{study.spec}, from M = {study.found.points.memories[0]:,.0f} words on, where tiles are: "
        f"R as counted and R corrected for the size; exponents within {CLOSE}",
    )


def _covered(factors: Iterable[float], alpha: float, exponent: float) -> Verdict:
    """Return the verdict that the exponents by growth `factors` enclose `exponent`, nearly."""
    readings = [log(alpha) / log(factor) for factor in factors]
    if not readings:
        return "undecided"
    return judged(min(readings) - CLOSE <= exponent <= max(readings) + CLOSE)


def logarithm_claim(study: Study, name: str, source: str) -> Claim:
    """Return the claim that operations per word grow as the logarithm of the memory."""
    found = study.found
    told = found.law is not None
    return Claim(
        f"{name}: operations per word grow as log M",
        source,
        "a logarithm, no power",
        model_text(study) if told else found.reason,
        judged(found.law.kind == "logarithmic") if found.law else "undecided",
        f"{study.spec}, {span(study)} words; by the residuals of log R",
    )


def model_text(study: Study) -> str:
    """Return the errors of both growing laws on a curve, as text."""
    models = study.found.models
    return (
        f"a logarithm is off by {models['logarithmic'].rms:.2%}, "
        f"the best power by {models['power'].rms:.2%}"
    )


def squared_claim(
    name: str, source: str, small: tuple[int, int], large: tuple[int, int], alpha: int, note: str
) -> Claim:
    """Return the claim that alpha times the arithmetic needs the memory to the power of alpha.

    Parameters
    ----------
    name, source
        The computation, and who states it.
    small, large
        Words of tiles and words moved, at a memory and at its power.
    alpha
        The power.
    note
        What was played.
    """
    (tile, io), (power, less) = small, large
    return Claim(
        f"{name}: {alpha} times the arithmetic needs M^{alpha} words",
        source,
        f"R(M^{alpha}) / R(M) = {alpha}",
        f"{io / less:.4f}",
        judged(abs(io / less - alpha) <= 0.1 * alpha),
        f"{note}: {io:,} words with tiles of {tile}, {less:,} with {power}; within a tenth",
    )


def gap_claim(study: Study, name: str, source: str, most: float, bounded_to: float = inf) -> Claim:
    """Return the claim that no other schedule does better in order of magnitude.

    It agrees if the best schedule moves at most `most` times what is proved, at every memory that
    tells of the law and is not above `bounded_to`.
    """
    told = study.found.points.memories
    last = min(told[-1], bounded_to)
    gaps = [gap for memory, gap in study.gaps.items() if told[0] <= memory <= last]
    return Claim(
        f"{name}: no schedule does better in order of magnitude",
        source,
        "a constant factor",
        f"played {min(gaps):.2f} to {max(gaps):.2f} times the proved words",
        judged(max(gaps) <= most),
        f"{study.spec}, {told[0]:,.0f} to {last:,.0f} words; at most {most:g} times at each",
    )


def constant_claim(
    name: str, formula: str, source: str, ratio: float, note: str, attained: float = 1.15
) -> Claim:
    """Return the claim that a leading term is what is moved.

    Parameters
    ----------
    name, formula, source
        The computation, the term and who states it.
    ratio
        Words played, in that term, extrapolated to large problems.
    note
        How it was measured.
    attained
        The largest ratio at which the term counts as reached. Above it nothing is decided, for a
        better schedule or more memory may reach it; below 1 the term would be no lower bound.
    """
    verdict: Verdict = "confirmed" if ratio <= attained else "undecided"
    return Claim(
        f"{name}: {formula} words lead",
        source,
        "1 times that term",
        f"{ratio:.3f} times",
        verdict if ratio >= 0.97 else "refuted",
        f"{note}; confirmed from 0.97 to {attained:g}, undecided above",
    )
