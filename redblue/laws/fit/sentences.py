"""Sentences on a law that was found: the law itself, and what the literature says."""

from proofs.laws import Law
from redblue.laws.fit.choice import Fit
from redblue.laws.fit.verdict import against


def law_sentence(found: Fit) -> str:
    """Return the law with its interval, or a sentence that none was found."""
    told = found.law
    if told is None:
        return f"Not enough range to tell: {found.reason}."
    if told.kind == "constant":
        return f"R = {told.coefficient:.3g}, constant: {found.reason}."
    low, high = found.interval or (0.0, 0.0)
    if told.kind == "logarithmic":
        slope = f"slope {found.slope:.4f} an octave, locally {low:.4f} to {high:.4f}"
        return f"R = {told.coefficient:.3g} log2 M ({slope}): {found.reason}."
    return (
        f"R = {told.coefficient:.3g} M^{told.exponent:.3f} "
        f"(local exponents {low:.3f} to {high:.3f}): {found.reason}."
    )


def verdict_sentence(found: Fit, published: Law | None) -> str:
    """Return the sentence that compares the fit with the literature."""
    name = "" if published is None else published.name
    verdict = against(found, published)
    if verdict == "undecided" and found.law is not None:
        return f"The published law is {name}; the exponents read here fit others as well."
    return {
        "agrees": f"Agrees with the published law, {name}.",
        "differs": f"Differs from the published law, {name}, which is for large sizes.",
        "undecided": f"The published law is {name}, for large sizes.",
        "unpublished": "No law is published for this DAG.",
    }[verdict]
