"""Values that wait while a vertex, or the first of a set, is computed, and loads after it (P3).

For a computed vertex x and a price theta, 1 or 2: a flow from the ancestors of x, past no other
vertex than those that may be done before x, carries through(v) <= words(v) min(theta, price(v)).
With K the words that x leaves to values before it,

    sum of through(v) excess(v) / (price(v) words(v)) >= value - theta K + idle(x),

over all v but the operands of x; idle(x) are their words beyond the flow through them.

The proof is P3 in docs/theory/pieces.md.

**While the first of a set is computed (P4).** In place of the ancestors of one vertex are those of
all that can come first, in each of several cases; of these the least holds.

The proof is P4 in docs/theory/pieces.md.

**Loads after fronts, where values are computed again (P8).** Each front follows all of the one
before it. With C the words that flow to it from the inputs that were loaded before all of them, and
K the most that values have in fast memory when it begins, excess >= sum over the fronts of max(0, C
- K).

The proof is P8 in docs/theory/pieces.md.
"""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from dags.arrays import Int64Array
from pebble import Rules
from proofs.certificates.pieces import _kernels
from proofs.certificates.pieces.piece import ALL, BoolArray, Piece, PieceLemma, Shown
from proofs.core.records import CertificateError, Natural, Within, rising

MAX_FLOW = 2**60  # words on all edges together, so that no sum overflows
MOST_CASES = 2**20
MOST_WINDOWS = 2**20


@dataclass(frozen=True)
class Flow:
    """A flow along edges, rising places in rows of predecessors; and flows back along some."""

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
    """The excess that a wavefront proves, and (p,) the flow through each value for it."""
    x, price = record.vertex, record.price
    require_computed(piece, x)
    above, below = relatives(piece, x)
    value, through = flow_from(piece, record, above, below, price)
    used = taken_words(piece, rules, price, through)[x]
    through[piece.pred_indices[piece.pred_indptr[x] : piece.pred_indptr[x + 1]]] = 0
    return max(0, value - price * memory + int(used)), through


def require_computed(piece: Piece, x: int) -> None:
    """Raise CertificateError unless x is a vertex of a piece that is no input."""
    if x >= piece.size or piece.is_input[x]:
        raise CertificateError("vertex", f"{x} is not computed")


def relatives(piece: Piece, x: int) -> tuple[BoolArray, BoolArray]:
    """(p,) which are ancestors of x, and (p,) which are x or its descendants."""
    above, below = np.zeros((2, piece.size), np.bool_)
    _kernels.relatives(piece.pred_indptr, piece.pred_indices, x, above, below)
    return above, below


def capacities(piece: Piece, price: int) -> Int64Array:
    """(p,) the most that an alive value counts: words times the smaller price."""
    return piece.words * np.minimum(price, piece.price)


def extra_words(piece: Piece, rules: Rules) -> Int64Array:
    """(p,) M - K for each vertex: the words that are not left for values before it."""
    if not rules.sliding:
        return piece.words + piece.outside
    largest = piece.replaceable.copy()
    with_operands = np.flatnonzero(np.diff(piece.pred_indptr))
    if with_operands.size:
        starts = piece.pred_indptr[with_operands]
        inside = np.maximum.reduceat(piece.words[piece.pred_indices], starts)
        largest[with_operands] = np.maximum(largest[with_operands], inside)
    extra: Int64Array = piece.outside + np.maximum(piece.words - largest, 0)
    return extra


def taken_words(piece: Piece, rules: Rules, price: int, through: Int64Array) -> Int64Array:
    """(p,) the price times M - K of each vertex, and the words that its operands leave idle.

    Parameters
    ----------
    piece, rules
        The game on a piece.
    price
        1 or 2.
    through
        (p,) the flow through each value.
    """
    words: Int64Array = price * extra_words(piece, rules)
    if int(piece.words.sum()) <= MAX_FLOW // (piece.pred_indices.size + 1):  # so that sums fit
        idle = (price * piece.words - through)[piece.pred_indices]
        total = np.concatenate(([0], np.cumsum(idle)))
        words += total[piece.pred_indptr[1:]] - total[piece.pred_indptr[:-1]]
    return words


def flow_from(
    piece: Piece, flow: Flow, above: BoolArray, below: BoolArray, price: int
) -> tuple[int, Int64Array]:
    """How much flows from `above`, past no others but `below`; and (p,) through each value.

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
    """(p,) the flow through each value, and (p,) its growth there."""
    require_flow(piece, "edges", flow.edges, "amounts", flow.amounts)
    require_flow(piece, "closures", flow.closures, "returns", flow.returns)
    return through_and_supply(piece, flow.edges, flow.amounts, flow.closures, flow.returns)


def through_and_supply(
    piece: Piece, edges: Int64Array, amounts: Int64Array, closures: Int64Array, returns: Int64Array
) -> tuple[Int64Array, Int64Array]:
    """(p,) the flow through each value, and (p,) the growth there of one on edges.

    Parameters
    ----------
    piece
        The piece.
    edges, amounts
        Edges, and the flow along each.
    closures, returns
        Edges, and the flow back along each.
    """
    through, supply = np.zeros((2, piece.size), np.int64)
    flows = map(np.ascontiguousarray, (edges, amounts, closures, returns))
    _kernels.supplies(piece.pred_indptr, piece.pred_indices, *flows, through, supply)
    return through, supply


def require_flow(
    piece: Piece, edge_field: str, edges: Int64Array, amount_field: str, amounts: Int64Array
) -> None:
    """Raise CertificateError unless so little flows along different edges that sums fit.

    Parameters
    ----------
    piece
        The piece.
    where, edges, much, amounts
        The fields with the edges, rising, and with the amounts, and their names.
    """
    limit = MAX_FLOW // (piece.pred_indices.size + 1)
    rising(edge_field, edges, piece.pred_indices.size)
    if amounts.size != edges.size:
        raise CertificateError(amount_field, f"has {amounts.size} entries for {edges.size} edges")
    if amounts.size and (amounts.min() < 1 or amounts.max() > limit):
        raise CertificateError(amount_field, f"are not all between 1 and {limit}")


WAVEFRONT = PieceLemma(Wavefront, moment, ("P3",))


@dataclass(frozen=True)
class Case(Flow):
    """The vertices that come first in a case, rising, and a flow from their common ancestors."""

    first: Int64Array


@dataclass(frozen=True)
class Front:
    """The front X, rising vertices, the price theta, and cases of the first vertex."""

    front: Int64Array
    price: Annotated[int, Within(1, 2)]
    cases: Annotated[tuple[Case, ...], Within(entries=MOST_CASES)]

    @property
    def first(self) -> Int64Array:
        """(f,) the front."""
        return self.front


def front_moment(piece: Piece, memory: int, rules: Rules, record: Front) -> tuple[int, Int64Array]:
    """The excess that a front proves, and (p,) the flow through each value for it."""
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
        used = taken_words(piece, rules, price, carried)
        shown.append(value - price * memory + int(used[members].min()))
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
    """(p,) members and descendants of `front`, and (p,) those of it that can be first."""
    below, first = np.zeros((2, piece.size), np.bool_)
    _kernels.followers(piece.pred_indptr, piece.pred_indices, front, below, first)
    return below, first


def common_ancestors(piece: Piece, members: Int64Array) -> BoolArray:
    """(p,) which vertices are ancestors of all `members`, which rise."""
    common = np.ones(piece.size, np.bool_)
    _kernels.common_ancestors(piece.pred_indptr, piece.pred_indices, members, common)
    return common


FRONT = PieceLemma(Front, front_moment, ("P4",))


@dataclass(frozen=True)
class Window:
    """The front X of a window, rising vertices, and a flow into it along edges, rising places."""

    front: Int64Array
    edges: Int64Array
    amounts: Int64Array


@dataclass(frozen=True)
class Reloads:
    """Windows from front to front."""

    windows: Annotated[tuple[Window, ...], Within(entries=MOST_WINDOWS)]


def excess(piece: Piece, memory: int, rules: Rules, record: Reloads) -> Shown:
    """The excess that windows prove."""
    total = 0
    extra = extra_words(piece, rules)
    loaded, before = np.zeros(piece.size, np.bool_), np.zeros(0, np.int64)
    for number, window in enumerate(record.windows):
        below, first = followers(piece, require_front(piece, window.front))
        members = np.flatnonzero(first)
        common = common_ancestors(piece, members)
        if not common[before].all():
            raise CertificateError("front", f"{number} does not follow all of the one before")
        loaded = loaded if number else common & piece.is_input
        value = _value(piece, window, loaded, below)
        total += max(0, value - (memory - int(extra[members].min())))
        before = window.front
    return total, ALL


def _value(piece: Piece, window: Window, loaded: BoolArray, below: BoolArray) -> int:
    """How much flows from the inputs `loaded` to the front, past none of `below`."""
    nothing, reached = np.zeros(0, np.int64), np.zeros(piece.size, np.bool_)
    reached[window.front] = True
    require_flow(piece, "edges", window.edges, "amounts", window.amounts)
    through, supply = through_and_supply(piece, window.edges, window.amounts, nothing, nothing)
    if (through > np.where(below, 0, piece.words)).any():
        raise CertificateError("amounts", "more flows through a value than it has words")
    if supply[~(loaded | reached)].any():
        raise CertificateError("amounts", "flow begins or ends on the way")
    return sum(supply[loaded].tolist())


RELOADS = PieceLemma(Reloads, excess, ("P8",))
