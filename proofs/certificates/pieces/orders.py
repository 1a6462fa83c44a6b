"""Moments of one order: of two computations, whatever it is, one is before the other (P6).

Each moment has a flow that begins and ends where it likes, and says of each vertex the words due if
it is done before; of two vertices, neither an ancestor of the other, the smaller of both counts.

The proof is P6 in docs/theory/pieces.md.
"""

from dataclasses import dataclass

import numpy as np

from dags.arrays import Int64Array
from pebble import Rules
from proofs.certificates.pieces.piece import Piece, Stages, ranges
from proofs.certificates.pieces.wavefronts import (
    MAX_FLOW,
    Flow,
    flow_of,
    relatives,
    require_computed,
    taken_words,
)
from proofs.core.records import CertificateError, Natural, rising

MOST_DUE = 2**23  # amounts of all moments together: what is due of each vertex in each of them


@dataclass(frozen=True)
class OfOrder(Flow):
    """A computed vertex x, the price theta, a flow, and the charges, by rising places.

    "stores" are charged to values that are "stored", "charges" to "stages", and values that are
    "tied" have "slopes".
    """

    vertex: Natural
    price: Natural
    stored: Int64Array
    stores: Int64Array
    stages: Int64Array
    charges: Int64Array
    tied: Int64Array
    slopes: Int64Array


class Orders:
    """Moments of one order, entered one by one, and the words due between them.

    Parameters
    ----------
    whole
        All of the DAG.
    stages
        The stages of its values.
    memory, rules
        The game, in which each value is computed once.
    """

    def __init__(self, whole: Piece, stages: Stages, memory: int, rules: Rules) -> None:
        self._whole, self._stages = whole, stages
        self._memory, self._rules = memory, rules
        self._due: dict[int, Int64Array] = {}

    def enter(self, record: OfOrder) -> tuple[int, Int64Array, Int64Array]:
        """The bound of a moment by itself, and the words that it charges, not judged here.

        They are (n,) of the stores of each value, and (stages,) of the loads in each stage.
        """
        piece, x, price = self._whole, record.vertex, record.price
        require_computed(piece, x)
        if x in self._due:
            raise CertificateError("vertex", f"{x} has a moment already")
        if (len(self._due) + 1) * piece.size > MOST_DUE:
            raise CertificateError("vertex", f"{x} has one moment more than can be added up")
        limit = int(piece.words.sum()) + self._memory
        if price * limit > MAX_FLOW // (piece.pred_indices.size + 1):
            raise CertificateError("price", f"is {price}, too large to be checked")
        through, supply = flow_of(piece, record)
        if (through > price * piece.words).any():
            raise CertificateError("amounts", "more flows through a value than it counts")
        used = int(taken_words(piece, self._rules, price, through)[x])
        through[piece.pred_indices[piece.pred_indptr[x] : piece.pred_indptr[x + 1]]] = 0
        stores = _spread("stored", record.stored, "stores", record.stores, piece.size)
        if (stores > through).any() or stores[piece.price != 2].any():
            raise CertificateError("stores", "are of no value that goes through and is stored")
        stages = "stages", record.stages, "charges", record.charges
        loads = _spread(*stages, self._stages.count)
        slopes = _spread("tied", record.tied, "slopes", record.slopes, piece.size, -MAX_FLOW)
        beyond = self._beyond(x, through - stores, loads, slopes)
        due = supply - self._stages.of_readers(slopes)
        above, below = relatives(piece, x)
        known = sum(due[above].tolist())
        due[above | below] = 0
        self._due[x] = due
        return known - price * self._memory + used - beyond, stores, loads

    def _beyond(self, x: int, remaining: Int64Array, loads: Int64Array, slopes: Int64Array) -> int:
        """The sum of beyond(v) over all values around x."""
        first, last = self._stages.span(np.array([x]))
        relevant = np.flatnonzero((remaining > 0) | (slopes != 0))
        if not relevant.size:
            return 0
        first, last = first[relevant], last[relevant]
        rows, lengths = ranges(first, last), last - first + 1
        value = np.repeat(relevant, lengths)
        missing = np.maximum(remaining[value] - loads[rows], 0)
        number = rows - self._stages.first[value]
        starts = np.cumsum(lengths) - lengths
        return sum(np.maximum.reduceat(missing - slopes[value] * number, starts).tolist())

    def held(self) -> int:
        """The words certain from pairs of vertices, and inputs, in all moments."""
        if not self._due:
            return 0
        moments = np.array(list(self._due))
        due = np.stack(list(self._due.values()))
        total = 0
        for number, row in enumerate(due):
            # Both halves of each pair with a later moment, then what is in no moment of its own.
            later = moments[number + 1 :]
            pairs = np.minimum(row[later], due[number + 1 :, moments[number]])
            row[moments] = 0
            total += sum(pairs[pairs != 0].tolist()) + sum(row[row < 0].tolist())
        return total


def _spread(
    place_field: str,
    places: Int64Array,
    amount_field: str,
    amounts: Int64Array,
    size: int,
    minimum: int = 0,
) -> Int64Array:
    """(size,) amounts in their places, which the field `place_field` has, 0 in others."""
    rising(place_field, places, size)
    limit = MAX_FLOW // (size + 1)
    if amounts.size != places.size:
        raise CertificateError(amount_field, f"has {amounts.size} entries for {places.size} places")
    if amounts.size and (amounts.min() < max(minimum, -limit) or amounts.max() > limit):
        raise CertificateError(
            amount_field, f"are not all between {max(minimum, -limit)} and {limit}"
        )
    spread = np.zeros(size, np.int64)
    spread[places] = amounts
    return spread
