"""Lower bounds: numbers of words that no legal play can do without.

- `BOUNDS` lists the methods, one file each; every `Bound` carries a `Certificate`; `best_bound`
  takes the largest.
- `certificates` has the checkers, which import no method; `check` is the verdict on a bound.
- `save_bound` and `load_bound` keep bounds in files.
"""

from dags import UnknownNameError
from proofs.base import Bound, BoundMethod, NotApplicableError
from proofs.best import best_bound, bounds_by
from proofs.certificates import Certificate, CertificateError
from proofs.check import check
from proofs.compulsory import compulsory
from proofs.files import load_bound, save_bound

BOUNDS: dict[str, BoundMethod] = {
    "compulsory": compulsory,
}


def bound_named(name: str) -> BoundMethod:
    """Return the method called `name`.

    Raises
    ------
    UnknownNameError
        If there is none.
    """
    if name not in BOUNDS:
        raise UnknownNameError("bound", name, BOUNDS)
    return BOUNDS[name]


__all__ = [
    "BOUNDS",
    "Bound",
    "BoundMethod",
    "Certificate",
    "CertificateError",
    "NotApplicableError",
    "best_bound",
    "bound_named",
    "bounds_by",
    "check",
    "compulsory",
    "load_bound",
    "save_bound",
]
