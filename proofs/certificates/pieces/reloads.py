"""Loads after the first of fronts; they hold where values are computed again (P8).

Each front follows all of the one before it. With C the words that flow to it from the inputs that
were loaded before all of them, and K the most that values have in fast memory when it begins,
excess >= sum over the fronts of max(0, C - K).

The proof is P8 in docs/theory/pieces.md.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from pebble import Rules
from proofs.certificates.pieces.piece import BoolArray, Piece
from proofs.certificates.pieces.set_wavefronts import common_ancestors, followers
from proofs.certificates.pieces.wavefronts import edge_flow, extra_words, through_and_supply
from proofs.core.certificate import CertificateError
from proofs.core.fields import only, vertices


def proven(piece: Piece, memory: int, rules: Rules, data: Mapping[str, Any]) -> int:
    """Return the excess that the certificate proves.

    Parameters
    ----------
    piece, memory, rules
        The game on a piece.
    data
        Has a list of "windows", each with its "front" X (rising vertices) and a flow into it:
        "edges" (rising numbers of edges, places in the piece's predecessor rows) with
        "amounts".
    """
    only(data, ("windows",))
    if not isinstance(data["windows"], list) or not data["windows"]:
        raise CertificateError("windows", "are not listed")
    total = 0
    extra = extra_words(piece, rules)
    loaded, before = np.zeros(piece.size, np.bool_), np.zeros(0, np.int64)
    for number, window in enumerate(data["windows"]):
        if not isinstance(window, Mapping):
            raise CertificateError(f"window {number}", "is no object")
        only(window, ("front", "edges", "amounts"))
        front = vertices(window, "front", piece.size)
        if not front.size or piece.is_input[front].any():
            raise CertificateError("front", "is empty, or not all of it is computed")
        below, first = followers(piece, front)
        members = np.flatnonzero(first)
        common = common_ancestors(piece, members)
        if not common[before].all():
            raise CertificateError("front", f"{number} does not follow all of the one before")
        loaded = loaded if number else common & piece.is_input
        reached = np.zeros(piece.size, np.bool_)
        reached[front] = True
        value = _value(piece, window, loaded, below, reached)
        total += max(0, value - (memory - int(extra[members].min())))
        before = front
    return total


def _value(
    piece: Piece,
    window: Mapping[str, Any],
    loaded: BoolArray,
    below: BoolArray,
    reached: BoolArray,
) -> int:
    """Return how much flows from the inputs `loaded` to the front, past none of `below`."""
    nothing = np.zeros(0, np.int64)
    flow = edge_flow(piece, window, "edges", "amounts")
    through, supply = through_and_supply(piece, *flow, nothing, nothing)
    if (through > np.where(below, 0, piece.words)).any():
        raise CertificateError("amounts", "more flows through a value than it has words")
    if supply[~(loaded | reached)].any():
        raise CertificateError("amounts", "flow begins or ends on the way")
    return sum(supply[loaded].tolist())
