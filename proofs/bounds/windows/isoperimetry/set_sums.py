"""Bounds from isoperimetric inequalities, whichever sides they count."""

import time
from math import inf
from typing import Any

from dags import CDAG
from pebble import Rules
from proofs.base import NotApplicableError
from proofs.bounds.windows.isoperimetry.set_sizes import best_cuts
from proofs.certificates import Certificate, CertificateError
from proofs.certificates.compulsory import compulsory_words
from proofs.certificates.windows.isoperimetry import Alternatives, Families
from proofs.certificates.windows.isoperimetry.set_sums import (
    known_boundaries,
    red_values,
    value_words,
)


def isoperimetric_bound(
    kind: str,
    families: Families,
    sides: int,
    dag: CDAG,
    memory: int,
    rules: Rules,
    time_limit: float | None,
) -> tuple[int, Certificate]:
    """Return the most words that can be proved, and the certificate.

    Parameters
    ----------
    kind
        The kind of certificate.
    families
        What is known.
    sides
        Moves that a value that is red at a cut can save.
    dag, memory, rules, time_limit
        As for every bound.

    Raises
    ------
    NotApplicableError
        If nothing is known of the DAG.
    """
    if dag.family not in families:
        raise NotApplicableError(f"no isoperimetric inequality is known for {dag!r}")
    try:
        known = known_boundaries(families, dag, dag.family, dag.params)
    except CertificateError as error:
        raise NotApplicableError(f"{dag!r} is not as it was generated: {error}") from None
    end = inf if time_limit is None else time.monotonic() + time_limit
    moves, choice = _best_alternative(known, sides * red_values(dag, memory, rules), end)
    if not moves:
        return compulsory_words(dag), Certificate("compulsory", {})
    params = {k: list(v) if isinstance(v, tuple) else v for k, v in dag.params.items()}
    certificate = Certificate(kind, {"family": dag.family, "params": params, **choice})
    return compulsory_words(dag) + value_words(dag) * moves, certificate


def _best_alternative(known: Alternatives, saved: int, end: float) -> tuple[int, dict[str, Any]]:
    """Return the most moves beyond the compulsory ones, and the alternative and cuts for them."""
    best: tuple[int, dict[str, Any]] = (0, {})
    for number, pieces in enumerate(known):
        found = [best_cuts(piece, saved, end) for piece in pieces]
        moves = sum(each for each, _ in found)
        if moves > best[0]:
            best = moves, {"alternative": number, "cuts": [cuts for _, cuts in found]}
    return best
