"""Values that wait while the first of a set is computed, shown by flows (P4).

In place of the ancestors of one vertex are those of all that can come first, in each of several
cases; of these the least holds.

The proof is P4 in docs/theory/pieces.md.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from dags.arrays import Int64Array
from pebble import Rules
from proofs.certificates.pieces import _kernels
from proofs.certificates.pieces.piece import BoolArray, Piece
from proofs.certificates.pieces.wavefronts import capacities, flow_of, taken_words
from proofs.core.certificate import CertificateError
from proofs.core.fields import integer, only, vertices

FLOW = ("edges", "amounts", "closures", "returns")


def proven(piece: Piece, memory: int, rules: Rules, data: Mapping[str, Any]) -> int:
    """Return the excess that the certificate proves.

    Parameters
    ----------
    piece, memory, rules
        The game on a piece.
    data
        Has the "front" X (rising vertices), the "price" theta, and a list of "cases", each with
        the vertices that come "first" in it (rising), and a flow as in `wavefronts`.
    """
    return moment(piece, memory, rules, data)[0]


def moment(
    piece: Piece, memory: int, rules: Rules, data: Mapping[str, Any]
) -> tuple[int, Int64Array]:
    """Return what the certificate proves, and (p,) the words that go through each value for it."""
    only(data, ("front", "price", "cases"))
    front = vertices(data, "front", piece.size)
    if not front.size or piece.is_input[front].any():
        raise CertificateError("front", "is empty, or not all of it is computed")
    price = integer(data, "price", least=1)
    if price > 2:
        raise CertificateError("price", f"is {price}, not 1 or 2")
    below, first = followers(piece, front)
    if not isinstance(data["cases"], list) or not data["cases"]:
        raise CertificateError("cases", "are not listed")
    shown, through = list[int](), np.zeros(piece.size, np.int64)
    waiting = first.copy()
    for case in data["cases"]:
        if not isinstance(case, Mapping):
            raise CertificateError("cases", "are no objects")
        only(case, ("first", *FLOW))
        members = vertices(case, "first", piece.size)
        if not members.size or not first[members].all():
            raise CertificateError("first", "is empty, or not all of it can be first")
        value, carried = _value(piece, case, common_ancestors(piece, members), below, price)
        taken = taken_words(piece, rules, price, carried)
        shown.append(value - price * memory + int(taken[members].min()))
        through = np.maximum(through, carried)
        waiting[members] = False
    if waiting.any():
        raise CertificateError("cases", f"do not say what if {int(waiting.argmax())} is first")
    return max(0, min(shown)), through


def followers(piece: Piece, front: Int64Array) -> tuple[BoolArray, BoolArray]:
    """Return (p,) what is in `front` or a descendant of it, and (p,) which of it can be first."""
    below, first = np.zeros((2, piece.size), np.bool_)
    _kernels.followers(piece.pred_indptr, piece.pred_indices, front, below, first)
    return below, first


def common_ancestors(piece: Piece, members: Int64Array) -> BoolArray:
    """Return (p,) which vertices are ancestors of all `members`, which rise."""
    common = np.ones(piece.size, np.bool_)
    _kernels.common_ancestors(piece.pred_indptr, piece.pred_indices, members, common)
    return common


def _value(
    piece: Piece, case: Mapping[str, Any], common: BoolArray, below: BoolArray, price: int
) -> tuple[int, Int64Array]:
    """Return how much flow leaves the common ancestors, and (p,) what goes through each value."""
    through, supply = flow_of(piece, case)
    if (through > capacities(piece, price)).any():
        raise CertificateError("amounts", "more flows through a value than it counts")
    if supply[~(common | below)].any():
        raise CertificateError("amounts", "flow begins or ends on the way")
    return sum(supply[common].tolist()), through
