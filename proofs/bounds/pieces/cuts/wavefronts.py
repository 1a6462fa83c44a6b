"""Wavefronts: values that wait while a vertex is computed, or the first of a set."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from dags.arrays import Int32Array, Int64Array
from pebble import Rules
from proofs.bounds.pieces.cuts._kernels import wavefronts as _kernels
from proofs.bounds.pieces.cuts.vertex_network import VertexNetwork, in_rounds
from proofs.certificates.pieces.piece import BoolArray, Piece
from proofs.certificates.pieces.wavefronts import (
    MAX_FLOW,
    capacities,
    common_ancestors,
    followers,
    taken_words,
    through_and_supply,
)

PRICES = (2, 1)
LARGE = 1 << 20  # arcs
MOST_CASES = 64
FAR = 2**62


class Wavefronts:
    """The vertices of a piece with their capacities, and room for one flow.

    A vertex x, or a front of which one is computed first, *scores*, at a price theta, its least cut
    plus theta times the words that the computation takes away: the excess that it proves with M
    words is its score less theta M. Scores do not depend on the memory.
    """

    def __init__(self, piece: Piece, rules: Rules) -> None:
        self.piece = piece
        self._rules = rules
        self._network = VertexNetwork(piece)
        self._priced: dict[int, tuple[Int64Array, Int64Array, Int64Array]] = {}

    @property
    def fit(self) -> bool:
        """True if sums of flows stay within the limits of a checker."""
        largest = 2 * int(self.piece.words.sum())
        return largest <= MAX_FLOW // (self.piece.pred_indices.size + 1)

    @cached_property
    def prices(self) -> tuple[int, ...]:
        """The prices that can prove something: 1 only where some alive value may count once."""
        read = np.diff(self.piece.successors[0]) > 0
        return PRICES if (self.piece.price[read] == 1).any() else PRICES[:1]

    def _of_price(self, price: int) -> tuple[Int64Array, Int64Array, Int64Array]:
        """(n,) the capacities at a price, the (arcs,) room without a flow, (n,) the bonus.

        The bonus is the score of a vertex besides its cut, whose flow fills its operands.
        """
        if price not in self._priced:
            capacity = capacities(self.piece, price)
            bonus = taken_words(self.piece, self._rules, price, capacity)
            self._priced[price] = capacity, self._network.empty_room(capacity), bonus
        return self._priced[price]

    def widest(self, price: int, candidates: Int32Array, minimum: int) -> tuple[int, int]:
        """(vertex, score) of the best of `candidates`, or (-1, least) if none is better.

        Parameters
        ----------
        price
            1 or 2, as `proofs.certificates.pieces.wavefronts` says.
        candidates
            (c,) vertices, in the order in which they are tried.
        minimum
            The score that must be exceeded.
        """
        network, (capacity, empty, bonus) = self._network, self._of_price(price)
        vertex, score = _kernels.widest(
            network.graph,
            network.arcs,
            empty,
            capacity,
            bonus,
            candidates,
            minimum,
            network.side,
            network.room,
            network.work,
        )
        network.charge()
        return int(vertex), int(score)

    @property
    def is_large(self) -> bool:
        """True if a flow may take so long that the budget is looked at between its rounds."""
        return self._network.room.size > LARGE

    def wider(
        self, price: int, vertex: int, minimum: int, late: Callable[[], bool]
    ) -> tuple[int, dict[str, Any]] | None:
        """The score of one vertex and its certificate, None if it is no more than `minimum`.

        Parameters
        ----------
        price, least
            As for `widest`.
        vertex
            Of which.
        late
            Asked between the rounds of the flow whether to give up.
        """
        network, (capacity, empty, bonus) = self._network, self._of_price(price)
        extra = int(bonus[vertex])
        _kernels.mark_sides(network.graph, vertex, network.side)
        if (
            int(_kernels.least_trivial_cut(network.graph, capacity, network.side)) + extra
            <= minimum
        ):
            return None
        value = network.send(empty, in_rounds(late))
        if value is None or value + extra <= minimum:
            return None
        return value + extra, {"vertex": vertex, "price": price, **network.flow().data()}

    def certificate(self, vertex: int, price: int) -> dict[str, Any]:
        """The data of the certificate: a greatest flow from ancestors to descendants."""
        _kernels.mark_sides(self._network.graph, vertex, self._network.side)
        self._network.send(self._of_price(price)[1])
        return {"vertex": vertex, "price": price, **self._network.flow().data()}

    def score(self, front: Int64Array, price: int, minimum: int) -> tuple[int, dict[str, Any]]:
        """The score of `front` and the certificate's data; 0 if it is `minimum` at most.

        Parameters
        ----------
        front
            (f,) computed vertices, rising.
        price, least
            As for `widest`.
        """
        below, first = followers(self.piece, front)
        together = [np.flatnonzero(first)]
        ways = [together]
        if len(self.prices) > 1 and price > 1:  # flow may begin behind what counts little
            separate = self._of_equal_operands(together[0])
            ways += [separate] if 1 < len(separate) <= MOST_CASES else []
        best: tuple[int, dict[str, Any]] = (0, {})
        for way in ways:
            score, cases = FAR, []
            for members in way:
                value, case = self._case(members, below, price, max(minimum, best[0]))
                score = min(score, value)
                cases.append(case)
                if score <= max(minimum, best[0]):
                    break
            else:
                best = score, {"front": front, "price": price, "cases": cases}
        return best

    def _of_equal_operands(self, vertices: Int64Array) -> list[Int64Array]:
        """`vertices` in groups of those with the same operands."""
        indptr, indices = self.piece.pred_indptr, self.piece.pred_indices
        groups: dict[bytes, list[int]] = {}
        for v in vertices.tolist():
            groups.setdefault(indices[indptr[v] : indptr[v + 1]].tobytes(), []).append(v)
        return [np.array(group) for group in groups.values()]

    def _case(
        self, members: Int64Array, below: BoolArray, price: int, minimum: int
    ) -> tuple[int, dict[str, Any]]:
        """The score of the case that one of `members` is first, and its certificate.

        Where the score is no more than `minimum`, only a number that is no more, and nothing.
        """
        common = common_ancestors(self.piece, members)
        capacity = self._of_price(price)[0]
        nothing = np.zeros(self.piece.size, np.int64)
        upper = taken_words(self.piece, self._rules, price, nothing)  # operands idle
        value = self._network.greatest(common, below, capacity)
        if (above := value + int(upper[members].min())) <= minimum:
            return above, {}
        data = self._network.flow().data()
        through, _ = through_and_supply(self.piece, *data.values())
        used_words = taken_words(self.piece, self._rules, price, through)
        return value + int(used_words[members].min()), {"first": members, **data}
