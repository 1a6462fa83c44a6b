"""Certificates of lower bounds and their checkers, which know nothing of the methods.

Nothing here imports a bound. `CHECKERS` lists the kinds of certificate; each checker takes a DAG,
a memory, rules and the certificate's data, and returns the words that they prove. `piece` has the
theorem by which bounds on pieces of a DAG add up, `parts` its checker, and `shares` the one for
proofs that share values.
"""

from collections.abc import Callable, Mapping
from typing import Any

from dags import CDAG
from pebble import Rules
from proofs.certificates import compulsory, parts, shares
from proofs.certificates.certificate import Certificate, CertificateError
from proofs.certificates.families import closed_forms, dirac
from proofs.certificates.fields import shown
from proofs.certificates.loops import attention, projections
from proofs.certificates.pieces import forests
from proofs.certificates.windows import computed_windows, dominators, segments

Checker = Callable[[CDAG, int, Rules, Mapping[str, Any]], int]
CHECKERS: dict[str, Checker] = {
    "attention": attention.proven,
    "closed-form": closed_forms.proven,
    "compulsory": compulsory.proven,
    "computed-windows": computed_windows.proven,
    "dirac": dirac.proven,
    "forest": forests.proven,
    "parts": parts.proven,
    "projections": projections.proven,
    "segments": segments.proven,
    "shares": shares.proven,
    "windows": dominators.proven,
}


def proven_io(dag: CDAG, memory: int, rules: Rules, certificate: Certificate) -> int:
    """Return the words that `certificate` proves no legal play of `dag` can do without.

    Raises
    ------
    CertificateError
        If it proves nothing.
    """
    if certificate.kind not in CHECKERS:
        known = ", ".join(CHECKERS)
        raise CertificateError("kind", f"is {shown(certificate.kind)}, not one of {known}")
    return CHECKERS[certificate.kind](dag, memory, rules, certificate.data)


__all__ = ["CHECKERS", "Certificate", "CertificateError", "Checker", "proven_io"]
