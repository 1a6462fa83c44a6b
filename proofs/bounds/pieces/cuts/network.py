"""The network whose minimum cuts are the least wavefronts of a piece."""

from functools import cached_property
from typing import Any

import numpy as np

from dags.arrays import Int32Array, Int64Array
from pebble import Rules
from proofs.bounds.pieces.cuts import _kernels
from proofs.certificates.pieces.piece import Piece
from proofs.certificates.pieces.wavefronts import MAX_FLOW, capacities, extra_words

PRICES = (2, 1)


class Network:
    """The vertices of a piece with what they let through, and room for one flow.

    A vertex x *scores*, at a price theta, its least cut plus theta times the words that its
    computation takes away: the excess that it proves with M words is its score less theta M.
    Scores do not depend on the memory.
    """

    def __init__(self, piece: Piece, rules: Rules) -> None:
        n, m = piece.size, piece.pred_indices.size
        self.piece = piece
        self._extra = extra_words(piece, rules)
        succ_edges = np.empty(m, np.int32)
        _kernels.place_edges(piece.pred_indptr, piece.pred_indices, piece.successors[0], succ_edges)
        self._graph = (piece.pred_indptr, piece.pred_indices, *piece.successors, succ_edges)
        self._side = np.empty(n, np.int8)
        self._flow = (np.zeros(n, np.int64), np.zeros(m, np.int64), np.zeros(m, np.int64))
        self._nodes = np.empty((5, 2 * n), np.int32)

    @property
    def fits(self) -> bool:
        """Whether sums of flows stay within what a checker accepts."""
        largest = 2 * int(self.piece.words.sum())
        return largest <= MAX_FLOW // (self.piece.pred_indices.size + 1)

    @cached_property
    def prices(self) -> tuple[int, ...]:
        """The prices that can prove something: 1 only where some alive value may count once."""
        read = np.diff(self._graph[2]) > 0
        return PRICES if (self.piece.price[read] == 1).any() else PRICES[:1]

    def capacity(self, price: int) -> Int64Array:
        """Return (n,) what an alive value counts at `price`."""
        return capacities(self.piece, price)

    def widest(self, price: int, candidates: Int32Array, least: int) -> tuple[int, int]:
        """Return (vertex, score) of the best of `candidates`, or (-1, least) if none is better."""
        vertex, score = _kernels.widest(
            *self._graph,
            self.capacity(price),
            price * self._extra,
            candidates,
            least,
            self._side,
            *self._flow,
            self._nodes,
        )
        return int(vertex), int(score)

    def certificate(self, vertex: int, price: int) -> dict[str, Any]:
        """Return the data of the certificate: a greatest flow from ancestors to descendants."""
        _kernels.mark_sides(*self._graph[:4], vertex, self._side)
        _kernels.greatest_flow(
            *self._graph, self.capacity(price), self._side, *self._flow, self._nodes
        )
        _, forth, back = self._flow
        edges, closures = np.flatnonzero(forth), np.flatnonzero(back)
        return {
            "vertex": vertex,
            "price": price,
            "edges": edges,
            "amounts": forth[edges],
            "closures": closures,
            "returns": back[closures],
        }
