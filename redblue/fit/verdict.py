"""A law that was found against the one that the literature states."""

from typing import Literal

from proofs.laws import Law
from redblue.fit.choice import Fit

Verdict = Literal["agrees", "differs", "undecided", "unpublished"]

CLOSE = 0.06  # finite DAGs do not separate exponents that differ by less


def against(found: Fit, published: Law | None) -> Verdict:
    """Return whether `found` agrees with the published law.

    A power agrees if the published exponent is in the interval, or near to it.
    """
    if published is None:
        return "unpublished"
    if found.law is None:
        return "undecided"
    if found.law.kind != published.kind or found.interval is None:
        return "differs"
    if found.law.kind != "power":
        return "agrees"
    low, high = found.interval
    near = low - CLOSE <= published.exponent <= high + CLOSE
    return "agrees" if near else "differs"
