"""Bounds and proofs of earlier releases that are gone, each with what proves as much."""

# Methods, by the names that they had in `proofs.BOUNDS`.
GONE_BOUNDS = {
    "closed-forms": "segments, dominators, projections, affine and dirac",
    "spectral": "decomposition and segments",
}
# Kinds of certificates, and of the proofs of their parts.
GONE_PROOFS = {
    "closed-form": "the bounds segments, dominators, projections, affine and dirac",
    "computed-windows": "the bounds reload-windows and exact-pieces",
    "ideals": "balances, which the bound ideals finds,",
    "spectral": "the bounds decomposition and segments",
}
LAST_RELEASE = "the second release"  # that wrote them


def farewell(kind: str) -> str | None:
    """Return why a proof of `kind` is refused, None where that kind is none of an earlier release.

    Examples
    --------
    >>> farewell("spectral")
    "is 'spectral', which the second release wrote last: the bounds decomposition and segments \
prove as much"
    """
    if kind not in GONE_PROOFS:
        return None
    return f"is {kind!r}, which {LAST_RELEASE} wrote last: {GONE_PROOFS[kind]} prove as much"
