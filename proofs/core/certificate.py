"""The type of a certificate, and the error of one that does not hold."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dags import RedBlueError


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
