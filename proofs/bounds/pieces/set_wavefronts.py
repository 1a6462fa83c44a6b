"""The flows that show what waits while the first of a set of vertices is computed."""

from functools import cached_property
from typing import Any

import numpy as np

from dags.arrays import Int64Array
from pebble import Rules
from proofs.bounds.pieces.cuts.vertex_network import VertexNetwork
from proofs.certificates.pieces.piece import BoolArray, Piece
from proofs.certificates.pieces.set_wavefronts import common_ancestors, followers
from proofs.certificates.pieces.wavefronts import (
    MAX_FLOW,
    capacities,
    taken_words,
    through_and_supply,
)

PRICES = (2, 1)
MOST_CASES = 64
FAR = 2**62


class SetWavefronts:
    """A piece with room for one flow.

    A front *scores*, at a price theta, its least cut plus theta times the words that its first
    vertex takes away: the excess that it proves with M words is its score less theta M.
    """

    def __init__(self, piece: Piece, rules: Rules) -> None:
        self.piece = piece
        self._rules = rules
        self._network = VertexNetwork(piece)
        self._priced: dict[int, tuple[Int64Array, Int64Array]] = {}

    @property
    def fit(self) -> bool:
        """True if sums of flows stay within what a checker accepts."""
        largest = 2 * int(self.piece.words.sum())
        return largest <= MAX_FLOW // (self.piece.pred_indices.size + 1)

    @cached_property
    def prices(self) -> tuple[int, ...]:
        """The prices that can prove something: 1 only where some alive value may count once."""
        read = np.diff(self.piece.successors[0]) > 0
        return PRICES if (self.piece.price[read] == 1).any() else PRICES[:1]

    def score(self, front: Int64Array, price: int, least: int) -> tuple[int, dict[str, Any]]:
        """Return the score of `front` and the certificate's data; 0 if it is `least` at most.

        Parameters
        ----------
        front
            (f,) computed vertices, rising.
        price
            1 or 2, as `proofs.certificates.pieces.wavefronts` says.
        least
            The score that must be exceeded.
        """
        below, first = followers(self.piece, front)
        together = [np.flatnonzero(first)]
        ways = [together]
        if len(self.prices) > 1 and price > 1:  # flow may begin behind what counts little
            apart = self._of_equal_operands(together[0])
            ways += [apart] if 1 < len(apart) <= MOST_CASES else []
        best: tuple[int, dict[str, Any]] = (0, {})
        for way in ways:
            score, cases = FAR, []
            for members in way:
                value, case = self._case(members, below, price, max(least, best[0]))
                score = min(score, value)
                cases.append(case)
                if score <= max(least, best[0]):
                    break
            else:
                best = score, {"front": front, "price": price, "cases": cases}
        return best

    def _of_price(self, price: int) -> tuple[Int64Array, Int64Array]:
        """Return (p,) the capacities at a price, and (p,) the most that vertices take away."""
        if price not in self._priced:
            taken = taken_words(self.piece, self._rules, price, np.zeros(self.piece.size, np.int64))
            self._priced[price] = capacities(self.piece, price), taken
        return self._priced[price]

    def _of_equal_operands(self, vertices: Int64Array) -> list[Int64Array]:
        """Return `vertices` in groups of those with the same operands."""
        indptr, indices = self.piece.pred_indptr, self.piece.pred_indices
        groups: dict[bytes, list[int]] = {}
        for v in vertices.tolist():
            groups.setdefault(indices[indptr[v] : indptr[v + 1]].tobytes(), []).append(v)
        return [np.array(group) for group in groups.values()]

    def _case(
        self, members: Int64Array, below: BoolArray, price: int, least: int
    ) -> tuple[int, dict[str, Any]]:
        """Return the score of the case that one of `members` is first, and its certificate.

        Where the score is no more than `least`, only a number that is no more, and nothing.
        """
        common = common_ancestors(self.piece, members)
        capacity, most = self._of_price(price)
        value = self._network.greatest_value(common, below, capacity)
        if (above := value + int(most[members].min())) <= least:
            return above, {}
        flow = self._network.flow(value)
        data = flow.data()
        through, _ = through_and_supply(self.piece, *data.values())
        taken = taken_words(self.piece, self._rules, price, through)
        return flow.value + int(taken[members].min()), {"first": members, **data}
