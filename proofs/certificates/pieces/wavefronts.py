"""Values that wait while a vertex is computed, shown by a flow (P3).

For a computed vertex x and a price theta, 1 or 2: a flow from the ancestors of x, past no other
vertex than what may be done before x, carries through(v) <= words(v) min(theta, price(v)). With K
the words that x leaves to values before it,

    sum of through(v) excess(v) / (price(v) words(v)) >= value - theta K + idle(x),

over all v but the operands of x; idle(x) is what these have words for beyond what goes through.

The proof is P3 in docs/theory/pieces.md.
"""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from dags.arrays import Int64Array
from pebble import Rules
from proofs.certificates.pieces import _kernels
from proofs.certificates.pieces.piece import BoolArray, Piece, PieceLemma
from proofs.core.certificate import CertificateError
from proofs.core.records import Natural, Within, rising

MAX_FLOW = 2**60  # words on all edges together, so that no sum overflows


@dataclass(frozen=True)
class Flow:
    """A flow along edges, rising places in rows of predecessors; and what runs back along some."""

    edges: Int64Array
    amounts: Int64Array
    closures: Int64Array
    returns: Int64Array


@dataclass(frozen=True)
class Wavefront(Flow):
    """A computed vertex x, the price theta, and a flow from its ancestors."""

    vertex: Natural
    price: Annotated[int, Within(1, 2)]

    @property
    def first(self) -> Int64Array:
        """(1,) the vertex."""
        return np.array([self.vertex])


def moment(piece: Piece, memory: int, rules: Rules, record: Wavefront) -> tuple[int, Int64Array]:
    """Return the excess that a wavefront proves, and (p,) what goes through each value for it."""
    x, price = record.vertex, record.price
    require_computed(piece, x)
    above, below = relatives(piece, x)
    value, through = flow_from(piece, record, above, below, price)
    taken = taken_words(piece, rules, price, through)[x]
    through[piece.pred_indices[piece.pred_indptr[x] : piece.pred_indptr[x + 1]]] = 0
    return max(0, value - price * memory + int(taken)), through


def require_computed(piece: Piece, x: int) -> None:
    """Raise CertificateError unless x is a vertex of a piece that is no input."""
    if x >= piece.size or piece.is_input[x]:
        raise CertificateError("vertex", f"{x} is not computed")


def relatives(piece: Piece, x: int) -> tuple[BoolArray, BoolArray]:
    """Return (p,) which are ancestors of x, and (p,) which are x or its descendants."""
    above, below = np.zeros((2, piece.size), np.bool_)
    _kernels.relatives(piece.pred_indptr, piece.pred_indices, x, above, below)
    return above, below


def capacities(piece: Piece, price: int) -> Int64Array:
    """Return (p,) what an alive value counts at most: words times the smaller price."""
    return piece.words * np.minimum(price, piece.price)


def extra_words(piece: Piece, rules: Rules) -> Int64Array:
    """Return (p,) M - K for each vertex: the words that are not left for values before it."""
    if not rules.sliding:
        return piece.words + piece.outside
    largest = piece.replaceable.copy()
    some = np.flatnonzero(np.diff(piece.pred_indptr))
    if some.size:
        starts = piece.pred_indptr[some]
        inside = np.maximum.reduceat(piece.words[piece.pred_indices], starts)
        largest[some] = np.maximum(largest[some], inside)
    extra: Int64Array = piece.outside + np.maximum(piece.words - largest, 0)
    return extra


def taken_words(piece: Piece, rules: Rules, price: int, through: Int64Array) -> Int64Array:
    """Return (p,) the price times M - K of each vertex, and what its operands leave idle.

    Parameters
    ----------
    piece, rules
        The game on a piece.
    price
        1 or 2.
    through
        (p,) what goes through each value.
    """
    taken: Int64Array = price * extra_words(piece, rules)
    if int(piece.words.sum()) <= MAX_FLOW // (piece.pred_indices.size + 1):  # so that sums fit
        idle = (price * piece.words - through)[piece.pred_indices]
        total = np.concatenate(([0], np.cumsum(idle)))
        taken += total[piece.pred_indptr[1:]] - total[piece.pred_indptr[:-1]]
    return taken


def flow_from(
    piece: Piece, flow: Flow, above: BoolArray, below: BoolArray, price: int
) -> tuple[int, Int64Array]:
    """Return how much flows from `above`, past no others but `below`; and (p,) through each value.

    Parameters
    ----------
    piece, flow
        The piece, and the flow.
    above, below
        (p,) where it may begin, and where it may end.
    price
        Of which no more than an alive value counts may flow through one.
    """
    through, supply = flow_of(piece, flow)
    if (through > capacities(piece, price)).any():
        raise CertificateError("amounts", "more flows through a value than it counts")
    if supply[~(above | below)].any():
        raise CertificateError("amounts", "flow begins or ends on the way")
    return sum(supply[above].tolist()), through


def flow_of(piece: Piece, flow: Flow) -> tuple[Int64Array, Int64Array]:
    """Return (p,) what goes through each value, and (p,) what the flow adds there."""
    require_flow(piece, "edges", flow.edges, "amounts", flow.amounts)
    require_flow(piece, "closures", flow.closures, "returns", flow.returns)
    return through_and_supply(piece, flow.edges, flow.amounts, flow.closures, flow.returns)


def through_and_supply(
    piece: Piece, edges: Int64Array, amounts: Int64Array, closures: Int64Array, returns: Int64Array
) -> tuple[Int64Array, Int64Array]:
    """Return (p,) what goes through each value, and (p,) what a flow on edges adds there.

    Parameters
    ----------
    piece
        The piece.
    edges, amounts
        Edges, and what flows along each.
    closures, returns
        Edges, and what runs back along each.
    """
    through, supply = np.zeros((2, piece.size), np.int64)
    flows = map(np.ascontiguousarray, (edges, amounts, closures, returns))
    _kernels.supplies(piece.pred_indptr, piece.pred_indices, *flows, through, supply)
    return through, supply


def require_flow(
    piece: Piece, where: str, edges: Int64Array, much: str, amounts: Int64Array
) -> None:
    """Raise CertificateError unless so little flows along different edges that sums fit.

    Parameters
    ----------
    piece
        The piece.
    where, edges, much, amounts
        The fields with the edges, rising, and with the amounts, and their names.
    """
    most = MAX_FLOW // (piece.pred_indices.size + 1)
    rising(where, edges, piece.pred_indices.size)
    if amounts.size != edges.size:
        raise CertificateError(much, f"has {amounts.size} entries for {edges.size} edges")
    if amounts.size and (amounts.min() < 1 or amounts.max() > most):
        raise CertificateError(much, f"are not all between 1 and {most}")


WAVEFRONT = PieceLemma(Wavefront, moment, ("P3",))
