"""Flows between the vertices of a piece of a DAG."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dags.arrays import Int64Array
from dags.work import charge
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
    edges, amounts
        Rising places in the piece's predecessor rows, and the words that flow along these edges.
    closures, returns
        The same for edges along which words run back.
    """

    edges: Int64Array
    amounts: Int64Array
    closures: Int64Array
    returns: Int64Array

    def data(self) -> dict[str, Int64Array]:
        """The fields of a certificate that show the flow."""
        return dict(vars(self))


def at_once(network: "VertexNetwork") -> int:
    """Send all of a greatest flow, and return its words."""
    sent = int(greatest_flow(network.arcs, network.room, network.side, network.work))
    network.charge()
    return sent


def in_rounds(late: Callable[[], bool]) -> "Algorithm":
    """The algorithm that sends as much, but gives up if it is `late` after some round."""

    def send(network: "VertexNetwork") -> int | None:
        value = 0
        while (increase := flow_round(network.arcs, network.room, network.side, network.work)) >= 0:
            value += int(increase)
            network.charge()
            if late():
                return None
        return value

    return send


class VertexNetwork:
    """The network of a piece, with room for one flow: all flows in a piece are found on it.

    `send` takes the algorithm; `packing.moments` finds flows that are worth most at prices, on the
    same arcs but with room that is given back vertex by vertex.

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
        places = np.empty(nodes, np.int64), np.empty(nodes, np.int64)
        self.work = Work(level, *places, np.zeros(1, np.int64))

    def empty_room(self, capacity: Int64Array, *, back: bool = True) -> Int64Array:
        """(arcs,) the room without a flow.

        Parameters
        ----------
        capacity
            (p,) words that each value lets through.
        back
            Whether flow may run back along edges.
        """
        charge("network", self.room.size)
        room = np.empty(self.room.size, np.int64)
        limit = FAR if back else 0
        _kernels.fill_room(self.graph.indptr, self.arcs, capacity, limit, room)
        return room

    def charge(self) -> None:
        """Charge for the arcs that were looked at since the last time."""
        charge("arc", int(self.work.looked[0]))
        self.work.looked[0] = 0

    def send(self, empty: Int64Array, algorithm: "Algorithm" = at_once) -> int | None:
        """Send a flow between the sides that are marked, from the room without one.

        Return how many words it has, which `flow` can tell after it; None if it was given up.
        """
        self.room[:] = empty
        return algorithm(self)

    def greatest(
        self, sources: BoolArray, sinks: BoolArray, capacity: Int64Array, *, back: bool = True
    ) -> int:
        """How many words a greatest flow has, which `flow` can tell after it.

        Parameters
        ----------
        sources, sinks
            (p,) whether flow may begin, or end, at a vertex, before its value lets it through; a
            vertex that is both is a sink.
        capacity, back
            As for `empty_room`.
        """
        self.side[0::2] = np.where(sinks, SINK, np.where(sources, SOURCE, 0))
        self.room[:] = self.empty_room(capacity, back=back)
        return at_once(self)

    def flow(self) -> Flow:
        """The flow that was sent last."""
        charge("network", self.room.size)
        forth, returned = np.empty((2, self.graph.indices.size), np.int64)
        _kernels.read_flow(self.graph.indptr, self.arcs, self.room, forth, returned)
        edges, closures = np.flatnonzero(forth), np.flatnonzero(returned)
        return Flow(edges, forth[edges], closures, returned[closures])


Algorithm = Callable[[VertexNetwork], int | None]
