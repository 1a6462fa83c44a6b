"""The network whose minimum cuts are the least wavefronts of a piece."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from dags.arrays import Int32Array, Int64Array
from pebble import Rules
from proofs.bounds.pieces.cuts import _kernels
from proofs.bounds.pieces.cuts.vertex_network import VertexNetwork
from proofs.certificates.pieces.piece import Piece
from proofs.certificates.pieces.wavefronts import MAX_FLOW, capacities, taken_words

PRICES = (2, 1)
LARGE = 1 << 20  # arcs


class Network:
    """The vertices of a piece with what they let through, and room for one flow.

    A vertex x *scores*, at a price theta, its least cut plus theta times the words that its
    computation takes away: the excess that it proves with M words is its score less theta M.
    Scores do not depend on the memory.
    """

    def __init__(self, piece: Piece, rules: Rules) -> None:
        self.piece = piece
        self._rules = rules
        self._network = VertexNetwork(piece)
        self._of_price: dict[int, tuple[Int64Array, Int64Array, Int64Array]] = {}

    @property
    def fits(self) -> bool:
        """True if sums of flows stay within what a checker accepts."""
        largest = 2 * int(self.piece.words.sum())
        return largest <= MAX_FLOW // (self.piece.pred_indices.size + 1)

    @cached_property
    def prices(self) -> tuple[int, ...]:
        """The prices that can prove something: 1 only where some alive value may count once."""
        read = np.diff(self.piece.successors[0]) > 0
        return PRICES if (self.piece.price[read] == 1).any() else PRICES[:1]

    def capacity(self, price: int) -> Int64Array:
        """Return (n,) what an alive value counts at `price`."""
        return capacities(self.piece, price)

    def _priced(self, price: int) -> tuple[Int64Array, Int64Array, Int64Array]:
        """Return (n,) the capacities at a price, the (arcs,) room without a flow, (n,) the bonus.

        The bonus is what a vertex scores besides its cut, whose flow fills its operands.
        """
        if price not in self._of_price:
            capacity = self.capacity(price)
            bonus = taken_words(self.piece, self._rules, price, capacity)
            self._of_price[price] = capacity, self._network.empty_room(capacity), bonus
        return self._of_price[price]

    def widest(self, price: int, candidates: Int32Array, least: int) -> tuple[int, int]:
        """Return (vertex, score) of the best of `candidates`, or (-1, least) if none is better.

        Parameters
        ----------
        price
            1 or 2, as `proofs.certificates.pieces.wavefronts` says.
        candidates
            (c,) vertices, in the order in which they are tried.
        least
            The score that must be exceeded.
        """
        network, (capacity, empty, bonus) = self._network, self._priced(price)
        vertex, score = _kernels.widest(
            network.graph,
            network.arcs,
            empty,
            capacity,
            bonus,
            candidates,
            least,
            network.side,
            network.room,
            network.work,
        )
        return int(vertex), int(score)

    @property
    def is_large(self) -> bool:
        """True if a flow may take so long that the clock is looked at between its rounds."""
        return self._network.room.size > LARGE

    def wider(
        self, price: int, vertex: int, least: int, late: Callable[[], bool]
    ) -> tuple[int, dict[str, Any]] | None:
        """Return the score of one vertex and its certificate, None if it is no more than `least`.

        Parameters
        ----------
        price, least
            As for `widest`.
        vertex
            Of which.
        late
            Asked between the rounds of the flow whether to give up.
        """
        network, (capacity, empty, bonus) = self._network, self._priced(price)
        extra = int(bonus[vertex])
        _kernels.mark_sides(network.graph, vertex, network.side)
        if int(_kernels.least_trivial_cut(network.graph, capacity, network.side)) + extra <= least:
            return None
        value = network.sent_by_rounds(empty, late)
        if value is None or value + extra <= least:
            return None
        return value + extra, {"vertex": vertex, "price": price, **network.flow(value).data()}

    def certificate(self, vertex: int, price: int) -> dict[str, Any]:
        """Return the data of the certificate: a greatest flow from ancestors to descendants."""
        _kernels.mark_sides(self._network.graph, vertex, self._network.side)
        flow = self._network.sent(self._priced(price)[1])
        return {"vertex": vertex, "price": price, **flow.data()}
