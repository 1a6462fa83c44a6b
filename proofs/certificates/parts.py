"""The kinds of proofs on pieces, and which vertices a part of a certificate is about.

`piece` has the theorem; each proof says how much its piece exceeds at least. `shares` and `staged`
add them up.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from dags.arrays import Int64Array
from pebble import Rules
from proofs.certificates.pieces import (
    balances,
    exhaustive,
    forests,
    reloads,
    set_wavefronts,
    wavefronts,
)
from proofs.certificates.pieces.piece import Piece
from proofs.core.fields import shown, vertices
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


def unknown_proof(kind: str, known: Iterable[str]) -> str:
    """Return why a part with a proof of `kind` is refused, which is none of the `known`."""
    return farewell(kind) or f"is {shown(kind)}, not one of {', '.join(dict.fromkeys(known))}"


def chosen_vertices(part: Mapping[str, Any], n: int) -> Int64Array:
    """Return the vertices of a part, rising: all `n` where it says "all"."""
    if isinstance(part["vertices"], str) and part["vertices"] == "all":
        return np.arange(n)
    return vertices(part, "vertices", n)
