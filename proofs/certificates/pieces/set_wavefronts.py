"""Values that wait while the first of a set is computed, shown by flows (P4).

In place of the ancestors of one vertex are those of all that can come first, in each of several
cases; of these the least holds.

The proof is P4 in docs/theory/pieces.md.
"""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from dags.arrays import Int64Array
from pebble import Rules
from proofs.certificates.pieces import _kernels
from proofs.certificates.pieces.piece import BoolArray, Piece, PieceLemma
from proofs.certificates.pieces.wavefronts import Flow, flow_from, taken_words
from proofs.core.certificate import CertificateError
from proofs.core.records import Within, rising

MOST_CASES = 2**20


@dataclass(frozen=True)
class Case(Flow):
    """The vertices that come first in a case, rising, and a flow from their common ancestors."""

    first: Int64Array


@dataclass(frozen=True)
class Front:
    """The front X, rising vertices, the price theta, and cases of what comes first."""

    front: Int64Array
    price: Annotated[int, Within(1, 2)]
    cases: Annotated[tuple[Case, ...], Within(entries=MOST_CASES)]

    @property
    def first(self) -> Int64Array:
        """(f,) the front."""
        return self.front


def moment(piece: Piece, memory: int, rules: Rules, record: Front) -> tuple[int, Int64Array]:
    """Return the excess that a front proves, and (p,) what goes through each value for it."""
    price = record.price
    below, first = followers(piece, require_front(piece, record.front))
    shown, through = list[int](), np.zeros(piece.size, np.int64)
    waiting = first.copy()
    for case in record.cases:
        members = rising("first", case.first, piece.size)
        if not members.size or not first[members].all():
            raise CertificateError("first", "is empty, or not all of it can be first")
        common = common_ancestors(piece, members)
        value, carried = flow_from(piece, case, common, below, price)
        taken = taken_words(piece, rules, price, carried)
        shown.append(value - price * memory + int(taken[members].min()))
        through = np.maximum(through, carried)
        waiting[members] = False
    if waiting.any():
        raise CertificateError("cases", f"do not say what if {int(waiting.argmax())} is first")
    return max(0, min(shown)), through


def require_front(piece: Piece, front: Int64Array) -> Int64Array:
    """Return a front; refuse one that is empty, or not all of which is computed."""
    rising("front", front, piece.size)
    if not front.size or piece.is_input[front].any():
        raise CertificateError("front", "is empty, or not all of it is computed")
    return front


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


FRONT = PieceLemma(Front, moment, ("P4",))
