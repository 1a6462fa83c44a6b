"""Flows between the vertices of a piece of a DAG."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dags.arrays import Int64Array
from proofs.bounds.pieces.cuts._kernels import wavefronts as _kernels
from proofs.bounds.pieces.cuts._kernels.flows import (
    FAR,
    SINK,
    SOURCE,
    Network,
    Work,
    flow_round,
    greatest_flow,
)
from proofs.certificates.pieces.piece import BoolArray, Piece


@dataclass(frozen=True)
class Flow:
    """A flow along the edges of a piece.

    Parameters
    ----------
    value
        Words that flow in all.
    edges, amounts
        Rising places in the piece's predecessor rows, and the words that flow along these edges.
    closures, returns
        The same for edges along which words run back.
    """

    value: int
    edges: Int64Array
    amounts: Int64Array
    closures: Int64Array
    returns: Int64Array

    def data(self) -> dict[str, Int64Array]:
        """Return the fields of a certificate that show the flow."""
        return {
            "edges": self.edges,
            "amounts": self.amounts,
            "closures": self.closures,
            "returns": self.returns,
        }


class VertexNetwork:
    """The network of a piece, with room for one flow.

    `graph`, `arcs`, `room`, `side` and `work` are the arguments of the kernels.
    """

    def __init__(self, piece: Piece) -> None:
        self.graph = _kernels.Graph(piece.pred_indptr, piece.pred_indices, *piece.successors)
        nodes, arcs = 2 * piece.size, 2 * piece.size + 4 * piece.pred_indices.size
        self.arcs = Network(
            np.empty(nodes + 1, np.int64), np.empty(arcs, np.int32), np.empty(arcs, np.int32)
        )
        _kernels.connect_vertices(self.graph, self.arcs)
        self.room = np.zeros(arcs, np.int64)
        self.side = np.zeros(nodes, np.int8)
        level = np.empty(nodes, np.int32)
        self.work = Work(level, np.empty(nodes, np.int64), np.empty(nodes, np.int64))

    def empty_room(self, capacity: Int64Array, *, back: bool = True) -> Int64Array:
        """Return (arcs,) the room without a flow.

        Parameters
        ----------
        capacity
            (p,) words that each value lets through.
        back
            Whether flow may run back along edges.
        """
        room = np.empty(self.room.size, np.int64)
        limit = FAR if back else 0
        _kernels.fill_room(self.graph.indptr, self.arcs, capacity, limit, room)
        return room

    def greatest(
        self,
        sources: BoolArray,
        sinks: BoolArray,
        capacity: Int64Array,
        *,
        back: bool = True,
    ) -> Flow:
        """Return a greatest flow.

        Parameters
        ----------
        sources, sinks, capacity, back
            As for `greatest_value`.
        """
        return self.flow(self.greatest_value(sources, sinks, capacity, back=back))

    def greatest_value(
        self,
        sources: BoolArray,
        sinks: BoolArray,
        capacity: Int64Array,
        *,
        back: bool = True,
    ) -> int:
        """Return how many words a greatest flow has, which `flow` can tell after it.

        Parameters
        ----------
        sources, sinks
            (p,) whether flow may begin, or end, at a vertex, before its value lets it through; a
            vertex that is both is a sink.
        capacity, back
            As for `empty_room`.
        """
        self.side[0::2] = np.where(sinks, SINK, np.where(sources, SOURCE, 0))
        return self._send(self.empty_room(capacity, back=back))

    def sent(self, empty: Int64Array) -> Flow:
        """Return a greatest flow between the sides that are marked, from the room without one."""
        return self.flow(self._send(empty))

    def _send(self, empty: Int64Array) -> int:
        """Send a greatest flow between the sides that are marked; return its words."""
        self.room[:] = empty
        return int(greatest_flow(self.arcs, self.room, self.side, self.work))

    def sent_by_rounds(self, empty: Int64Array, late: Callable[[], bool]) -> int | None:
        """Return the flow that `sent` finds, None if it was `late` after one of the rounds."""
        self.room[:] = empty
        value = 0
        while (more := flow_round(self.arcs, self.room, self.side, self.work)) >= 0:
            value += int(more)
            if late():
                return None
        return value

    def flow(self, value: int) -> Flow:
        """Return the flow of so many words that was sent last."""
        forth, returned = np.empty((2, self.graph.indices.size), np.int64)
        _kernels.read_flow(self.graph.indptr, self.arcs, self.room, forth, returned)
        edges, closures = np.flatnonzero(forth), np.flatnonzero(returned)
        return Flow(value, edges, forth[edges], closures, returned[closures])
