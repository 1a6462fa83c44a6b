"""Sums of the boundaries of sets into which a play is cut; see `segments` and `dominators`."""

from collections.abc import Mapping
from typing import Any

from dags import CDAG
from pebble import Rules, compulsory_words
from proofs.certificates.windows.rolling import moves_beyond, windows_of
from proofs.core.certificate import CertificateError
from proofs.core.fields import integer, only, shown, text
from proofs.lemmas.generated import require_generated
from proofs.lemmas.isoperimetry import Alternatives, Boundary, Families


def proven_by(
    families: Families, dag: CDAG, saved: int, data: Mapping[str, Any], *, rolling: bool = False
) -> int:
    """Return the words that the certificate proves.

    Parameters
    ----------
    families, dag
        What is known, and of what.
    saved
        Moves that are saved at a cut at most.
    data
        Has the "family" and "params" that make the DAG, which "alternative" of that family is
        meant, and "cuts": for each of its pieces the "sizes" of the sets and how many "times" there
        is one of each size, or the "length" of windows that begin anywhere.
    rolling
        Whether windows may begin anywhere.
    """
    only(data, ("family", "params", "alternative", "cuts"))
    alternatives = known_boundaries(families, dag, text(data, "family"), data["params"])
    number, cuts = integer(data, "alternative", least=0), data["cuts"]
    if number >= len(alternatives):
        raise CertificateError("alternative", f"{number} is not below {len(alternatives)}")
    pieces = alternatives[number]
    if not isinstance(cuts, list) or len(cuts) != len(pieces):
        raise CertificateError("cuts", f"is no list for {len(pieces)} pieces")
    moves = sum(
        excess(piece, saved, cut, rolling=rolling) for piece, cut in zip(pieces, cuts, strict=True)
    )
    return compulsory_words(dag) + value_words(dag) * moves


def known_boundaries(families: Families, dag: CDAG, family: str, params: Any) -> Alternatives:
    """Return what is known of boundaries in `dag`, if `family` and `params` make it.

    Raises
    ------
    CertificateError
        If they do not, or nothing is known of the family.
    """
    if family not in families:
        raise CertificateError("family", f"is {shown(family)}, not one of {', '.join(families)}")
    if not isinstance(params, Mapping):
        raise CertificateError("params", "is no object")
    return families[family](**require_generated(dag, family, params))


def value_words(dag: CDAG) -> int:
    """Return the least size of a value, in words."""
    return int(dag.sizes.min())


def red_values(dag: CDAG, memory: int, rules: Rules) -> int:
    """Return how many values can be in fast memory just before one more is computed.

    Parameters
    ----------
    dag, memory, rules
        The game.
    """
    return rules.room_before(min(memory // value_words(dag), dag.n))


def excess(boundary: Boundary, saved: int, cuts: Any, *, rolling: bool = False) -> int:
    """Return the moves beyond the compulsory ones on all copies of a piece, 0 or more.

    Parameters
    ----------
    boundary
        The least boundaries of sets.
    saved
        Moves that are saved at each cut at most.
    cuts
        "sizes" of sets, and how many "times" each; or the "length" of `rolling` windows.
    rolling
        Whether windows may roll.
    """
    if not isinstance(cuts, Mapping):
        raise CertificateError("cuts", "is no object")
    windows = windows_of(cuts, boundary.vertices)
    if windows.length and not rolling:
        raise CertificateError("length", "is of windows that begin anywhere: not proved here")
    if windows.longest > boundary.reach:
        raise CertificateError("sizes", f"nothing is known of sets above {boundary.reach}")
    moves = moves_beyond(windows, boundary.least, boundary.vertices, saved, boundary.waived)
    return boundary.copies * moves
