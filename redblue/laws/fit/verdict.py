"""A law that was found against the one that the literature states, and both in sentences."""

from typing import Literal

from proofs.laws import Law
from redblue.laws.fit.choice import Fit

Verdict = Literal["agrees", "differs", "undecided", "unpublished"]

SAME = 1e-9
CLOSE = 0.06  # finite DAGs do not separate exponents that differ by less
FAMILY = (1 / 5, 1 / 4, 1 / 3, 1 / 2, 2 / 3, 1.0)  # exponents that a reading must tell apart


def against(found: Fit, published: Law | None) -> Verdict:
    """Whether `found` agrees with the published law.

    A power agrees if its exponent is near to the published one and to no other of the family: a
    reading between two laws decides for none of them, nor does one whose local exponents reach as
    far as the published one without being near.
    """
    if published is None:
        return "unpublished"
    if found.law is None:
        return "undecided"
    if found.law.kind != published.kind or found.interval is None:
        return "differs"
    if found.law.kind != "power":
        return "agrees"
    reading, (low, high) = found.law.exponent, found.interval
    if abs(reading - published.exponent) > CLOSE:
        return "undecided" if low <= published.exponent <= high else "differs"
    other_exponents = (exponent for exponent in FAMILY if abs(exponent - published.exponent) > SAME)
    return (
        "undecided"
        if any(abs(reading - exponent) <= CLOSE for exponent in other_exponents)
        else "agrees"
    )


def verdict_sentence(fitted: Fit, published: Law | None) -> str:
    """The sentence that compares the fit with the literature."""
    name = "" if published is None else published.name
    verdict = against(fitted, published)
    if verdict == "undecided" and fitted.law is not None:
        return f"The published law is {name}; the exponents read here fit others as well."
    return {
        "agrees": f"Agrees with the published law, {name}.",
        "differs": f"Differs from the published law, {name}, which is for large sizes.",
        "undecided": f"The published law is {name}, for large sizes.",
        "unpublished": "No law is published for this DAG.",
    }[verdict]
