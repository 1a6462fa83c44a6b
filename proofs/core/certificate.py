"""The type of a certificate, the error of one that does not hold, and kinds that are gone."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dags import RedBlueError

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


class CertificateError(RedBlueError, ValueError):
    """A certificate that does not prove what it claims.

    Parameters
    ----------
    field
        Where it fails: "io", "parts 3, flow", ...
    message
        What is wrong there.
    """

    def __init__(self, field: str, message: str) -> None:
        self.field = field
        self.message = message
        super().__init__(f"{field}: {message}")

    def __reduce__(self) -> tuple[type["CertificateError"], tuple[str, str]]:
        return CertificateError, (self.field, self.message)


@dataclass(frozen=True)
class Certificate:
    """A proof of a lower bound, for a checker that knows nothing of the method that found it.

    Parameters
    ----------
    kind
        The checker that reads it, one of `CHECKERS`.
    data
        What that checker needs: integers, strings, lists and integer arrays, by name.
    """

    kind: str
    data: Mapping[str, Any]
