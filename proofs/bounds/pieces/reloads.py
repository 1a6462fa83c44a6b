"""Moments after which much must be loaded again, also where values may be computed again."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from dags.arrays import Int64Array
from dags.cdag.rows import path_lengths
from dags.work import charge
from pebble import Budget, Rules
from proofs.bounds.pieces.cuts.vertex_network import Flow, VertexNetwork
from proofs.certificates.pieces.piece import BoolArray, Piece
from proofs.certificates.pieces.wavefronts import (
    MAX_FLOW,
    common_ancestors,
    extra_words,
    followers,
    relatives,
)

# So many moments on a longest way through a piece are tried as fronts.
MOMENTS = 24
# One of the first so many of them may come first in a sequence.
STARTS = 8
# Edges that take as long to look at as any set of them.
WORTH = 60

Window = dict[str, Any]


@dataclass(frozen=True)
class _Moment:
    """A vertex of the way: (p,) its ancestors, and (p,) itself and its descendants."""

    vertex: int
    above: BoolArray
    below: BoolArray


class Reloads:
    """A piece, and the verdicts of the checker of `certificates.reloads` on its moments."""

    def __init__(self, piece: Piece, memory: int, rules: Rules) -> None:
        self.piece, self.memory = piece, memory
        self._extra = extra_words(piece, rules)
        self._heads = np.repeat(np.arange(piece.size), np.diff(piece.pred_indptr))
        self._tails = piece.pred_indices.astype(np.int64)
        self._network = VertexNetwork(piece)
        limit = MAX_FLOW // (piece.pred_indices.size + 1)  # so that a checker can add it up
        self.fit = int(piece.words.sum()) <= limit and bool(piece.is_input.any())

    def best(
        self, fronts: list[Int64Array], late: Callable[[], bool] = bool
    ) -> tuple[int, list[Window]]:
        """The most that one of `fronts`, or a sequence along a longest way, proves."""
        if not self.fit:
            return 0, []
        best: tuple[int, list[Window]] = 0, []
        for sequence in [self._along_a_way(), *([front] for front in fronts)]:
            if sequence and not (best[0] and late()):
                best = max(best, self.proof(sequence), key=lambda proof: proof[0])
        return best

    def proof(self, sequence: list[Int64Array]) -> tuple[int, list[Window]]:
        """The bound by a sequence of fronts, with the windows of its certificate.

        Fronts that prove nothing are left out: the pasts of the others can only grow by that.
        """
        words, windows = self._words(sequence)
        kept = [
            front for front, words_of_front in zip(sequence, words, strict=True) if words_of_front
        ]
        if kept and len(kept) < len(sequence):
            return self.proof(kept)
        return sum(words), windows

    def _words(self, sequence: list[Int64Array]) -> tuple[list[int], list[Window]]:
        """The bound by each of a sequence of fronts, with the windows."""
        words: list[int] = []
        windows: list[Window] = []
        loaded: BoolArray | None = None
        for front in sequence:
            below, first = followers(self.piece, front)
            members = np.flatnonzero(first)
            if loaded is None:
                loaded = common_ancestors(self.piece, members) & self.piece.is_input
            flowing, flow = self._flow(loaded, front, below)
            words.append(max(0, flowing - (self.memory - int(self._extra[members].min()))))
            windows.append({"front": front, "edges": flow.edges, "amounts": flow.amounts})
        return words, windows

    def _flow(self, loaded: BoolArray, front: Int64Array, below: BoolArray) -> tuple[int, Flow]:
        """The greatest flow from `loaded` into `front`, past none of `below`."""
        reached = np.zeros(self.piece.size, np.bool_)
        reached[front] = True
        capacity = np.where(below, 0, self.piece.words)
        return self._network.greatest(loaded, reached, capacity, back=False), self._network.flow()

    def _along_a_way(self) -> list[Int64Array]:
        """The fronts of the best moments of a longest way through the piece.

        Each front is a vertex of the way with all that lies between it and the next one chosen. The
        flow into a front is taken to be the inputs that are read there.
        """
        way = [
            _Moment(x, *relatives(self.piece, x))
            for x in _some(longest_way(self.piece), MOMENTS).tolist()
        ]
        best: tuple[int, list[int]] = 0, []
        for start in range(min(STARTS, len(way))):
            loaded = way[start].above & self.piece.is_input
            best = max(best, self._chosen(way, start, loaded), key=lambda proof: proof[0])
        chosen = [way[i] for i in best[1]]
        fronts = [a.below & b.above for a, b in pairwise(chosen)]
        fronts += [moment.below for moment in chosen[-1:]]
        return [np.flatnonzero(front) for front in fronts]

    def _chosen(self, way: list[_Moment], start: int, loaded: BoolArray) -> tuple[int, list[int]]:
        """The moments from `start` on that seem to prove most, and how much."""
        edges = np.flatnonzero(loaded[self._tails])
        tails, heads = self._tails[edges], self._heads[edges]

        def worth(i: int, between: BoolArray) -> int:
            charge("piece", WORTH + edges.size)
            read = np.unique(tails[between[heads]])
            room = self.memory - int(self._extra[way[i].vertex])
            return max(0, int(self.piece.words[read].sum()) - room)

        length = len(way)
        best = [(worth(i, way[i].below), [i]) for i in range(length)]
        for i in reversed(range(start, length)):
            for j in range(i + 1, length):
                words = best[j][0] + worth(i, way[i].below & way[j].above)
                if words > best[i][0]:
                    best[i] = words, [i, *best[j][1]]
        return best[start]


def longest_way(piece: Piece) -> Int64Array:
    """The computed vertices of a longest way through a piece, rising."""
    height = path_lengths(piece.pred_indptr, piece.pred_indices)
    way = [int(height.argmax())]
    while height[way[-1]] > 0:
        row = piece.pred_indices[piece.pred_indptr[way[-1]] : piece.pred_indptr[way[-1] + 1]]
        way.append(int(row[height[row].argmax()]))
    return np.array(way[-2::-1], np.int64)


def _some(vertices: Int64Array, limit: int) -> Int64Array:
    """Return some of `vertices`, evenly spread, the first and the last among them."""
    if vertices.size <= limit:
        return vertices
    return vertices[np.linspace(0, vertices.size - 1, limit).astype(np.int64)]


def reload_excess(
    piece: Piece,
    memory: int,
    rules: Rules,
    fronts: list[Int64Array],
    budget: Budget,
) -> tuple[int, str, dict[str, Any]] | None:
    """The words loaded again in a piece, as a proof of it; None if nothing.

    Parameters
    ----------
    piece, memory, rules
        The game on a piece.
    fronts
        Sets of computed vertices that are tried, each rising.
    budget
        Of the search.
    """
    words, windows = Reloads(piece, memory, rules).best(fronts, lambda: budget.over)
    return (words, "reloads", {"windows": windows}) if words else None
