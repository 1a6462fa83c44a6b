"""Checks sums over pieces: compulsory words and the least excess of disjoint pieces.

`piece` has the theorem. Each piece comes with a proof of its own, which says how much it exceeds
at least; `PIECE_CHECKERS` lists the kinds.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from dags import CDAG
from dags.arrays import Int64Array
from pebble import Rules
from proofs.certificates.certificate import CertificateError
from proofs.certificates.compulsory import compulsory_words
from proofs.certificates.fields import only, shown, text, vertices
from proofs.certificates.pieces import (
    balances,
    exhaustive,
    forests,
    reloads,
    set_wavefronts,
    wavefronts,
)
from proofs.certificates.pieces.piece import Cutter, Piece
from proofs.gone import farewell

PieceChecker = Callable[[Piece, int, Rules, Mapping[str, Any]], int]
PIECE_CHECKERS: dict[str, PieceChecker] = {
    "balances": balances.proven,
    "exact": exhaustive.proven,
    "forest": forests.excess,
    "front": set_wavefronts.proven,
    "reloads": reloads.proven,
    "wavefront": wavefronts.proven,
}
ALWAYS = ("exact", "reloads")  # hold also where values may be computed again


def piece_checkers() -> dict[str, PieceChecker]:
    """Return the checkers for the pieces of one certificate, whose searches share their states."""
    return {**PIECE_CHECKERS, "exact": exhaustive.Searches().proven}


def proven(dag: CDAG, memory: int, rules: Rules, data: Mapping[str, Any]) -> int:
    """Return the words that the certificate proves.

    Parameters
    ----------
    dag, memory, rules
        The game.
    data
        Has one field, "parts": a list with, for each piece, its "vertices" ("all", or a rising
        list), the kind of its "proof", and what that needs as "data".
    """
    only(data, ("parts",))
    if not isinstance(data["parts"], list):
        raise CertificateError("parts", "is no list")
    cutter, checkers = Cutter(dag), piece_checkers()
    taken = np.zeros(dag.n, np.bool_)
    total = compulsory_words(dag)
    for number, part in enumerate(data["parts"]):
        try:
            total += _excess(cutter, checkers, taken, memory, rules, part)
        except CertificateError as error:
            raise CertificateError(f"parts {number}, {error.field}", error.message) from None
    return total


def unknown_proof(kind: str, known: Iterable[str]) -> str:
    """Return why a part with a proof of `kind` is refused, which is none of the `known`."""
    return farewell(kind) or f"is {shown(kind)}, not one of {', '.join(known)}"


def chosen_vertices(part: Mapping[str, Any], n: int) -> Int64Array:
    """Return the vertices of a part, rising: all `n` where it says "all"."""
    if isinstance(part["vertices"], str) and part["vertices"] == "all":
        return np.arange(n)
    return vertices(part, "vertices", n)


def _excess(
    cutter: Cutter,
    checkers: Mapping[str, PieceChecker],
    taken: np.ndarray[Any, np.dtype[np.bool_]],
    memory: int,
    rules: Rules,
    part: Any,
) -> int:
    """Return the excess that one part proves, and mark its vertices as taken."""
    if not isinstance(part, dict):
        raise CertificateError("part", "is no object")
    only(part, ("vertices", "proof", "data"))
    chosen = chosen_vertices(part, cutter.dag.n)
    if taken[chosen].any():
        raise CertificateError("vertices", "overlap with those of a part before")
    taken[chosen] = True
    kind = text(part, "proof")
    if kind not in PIECE_CHECKERS:
        raise CertificateError("proof", unknown_proof(kind, PIECE_CHECKERS))
    if rules.recompute and kind not in ALWAYS:
        raise CertificateError(
            "proof", f"{shown(kind)} holds only where each value is computed once"
        )
    if not isinstance(part["data"], Mapping):
        raise CertificateError("data", "is no object")
    return checkers[kind](cutter.cut(chosen), memory, rules, part["data"])
