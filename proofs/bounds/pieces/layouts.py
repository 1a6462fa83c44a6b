"""Ways to lay the vertices of a DAG out in slots, and the runs of slots that are worth most."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dags import CDAG
from dags.arrays import Int64Array, lock
from dags.cdag.construct import post_order
from pebble.small import BITS
from proofs.bounds.pieces import _kernels
from proofs.certificates.pieces.piece import Cutter, Piece

SLOTS = 250  # of an order, about
SMALL = 4  # vertices of a slot, at least
WIDEST = 192  # vertices of a run of slots of an order, at most

Runs = dict[tuple[int, int], list[Piece]]  # from one slot up to another: connected parts


@dataclass(frozen=True)
class Layout:
    """A way to lay out vertices.

    Parameters
    ----------
    slot
        (n,) the slot of each vertex.
    longest
        How many slots a run may have.
    """

    slot: Int64Array
    longest: int

    def runs(self) -> Iterator[tuple[int, int, Int64Array]]:
        """Yield the runs, from a slot up to another, with their vertices; the shortest first."""
        order = np.argsort(self.slot, kind="stable")
        begin = np.searchsorted(self.slot[order], np.arange(self.slot.max() + 2))
        slots = begin.size - 1
        for length in range(1, min(self.longest, slots) + 1):
            for a in range(slots - length + 1):
                yield a, a + length, np.sort(order[begin[a] : begin[a + length]])


def layouts(dag: CDAG) -> list[Layout]:
    """Layouts by levels, and by slots of a depth-first and of the natural order."""
    size = max(SMALL, dag.n // SLOTS)
    position = np.empty(dag.n, np.int64)
    position[post_order(dag)] = np.arange(dag.n)
    longest = max(1, WIDEST // size)
    return [
        Layout(dag.level.astype(np.int64), int(dag.level.max()) + 1),
        Layout(position // size, longest),
        Layout(np.arange(dag.n) // size, longest),
    ]


def connected(cutter: Cutter, vertices: Int64Array, memory: int) -> list[Piece]:
    """The connected parts of the piece that `vertices` span, without those that fit.

    Parameters
    ----------
    cutter
        Cuts the DAG.
    vertices
        (v,) rising.
    memory
        Words; a part of which all fits is left out.
    """
    entire = cutter.cut(vertices)
    label = np.empty(entire.size, np.int64)
    alike = np.zeros(entire.size, np.int32)
    count = _kernels.connected_parts(entire.pred_indptr, entire.pred_indices, lock(alike), label)
    words = np.bincount(label, weights=entire.words, minlength=count)
    widest = np.zeros(count, np.int64)
    np.maximum.at(widest, label, entire.outside)
    words += widest
    if count == 1:
        return [entire] if words[0] > memory else []
    order = np.argsort(label, kind="stable")
    ends = np.cumsum(np.bincount(label, minlength=count))
    large = np.flatnonzero(words > memory).tolist()
    return [cutter.cut(vertices[order[ends[i - 1] if i else 0 : ends[i]]]) for i in large]


def best_runs(runs: Runs, excess: Callable[[Piece], int]) -> list[Piece]:
    """The pieces of the runs, none overlapping, that exceed by most together."""
    slots = max((b for _, b in runs), default=0)
    worth = {run: sum(map(excess, pieces)) for run, pieces in runs.items()}
    best, last = [0], [0]  # words up to each slot, and where the last run up to it began
    ending: dict[int, list[int]] = {}
    for a, b in runs:
        ending.setdefault(b, []).append(a)
    for b in range(1, slots + 1):
        ways = [(best[a] + worth[a, b], a) for a in ending.get(b, []) if worth[a, b]]
        words, a = max([(best[b - 1], -1), *ways])
        best.append(words)
        last.append(a)
    chosen: list[Piece] = []
    while slots:
        a = last[slots]
        chosen += runs[a, slots] if a >= 0 else []
        slots = a if a >= 0 else slots - 1
    return [piece for piece in chosen if excess(piece)]


MOST_VERTICES = 2**13  # of a network
FEWEST_WIRES = 16
MOST_MEMORY = 11  # words: tiles of more than 16 wires are too short
LENGTHS = 4  # of runs of levels that are tried: the longest that can be searched, and shorter ones


class Tiles(NamedTuple):
    """The tiles of a run of levels.

    Attributes
    ----------
    first, last
        The run: from a level up to another.
    pieces
        All tiles, without those that fit into memory.
    """

    first: int
    last: int
    pieces: list[Piece]

    @property
    def one(self) -> Piece:
        """The tile in the middle, for many that are alike."""
        return self.pieces[len(self.pieces) // 2]


def wires(dag: CDAG) -> Int64Array | None:
    """(n,) the wire of each vertex by the input where it begins; None if there are none.

    A vertex goes on with the wire of its first operand of which no other vertex does.
    """
    depth = dag.inputs.size.bit_length() - 1
    if dag.n > MOST_VERTICES or dag.inputs.size != 1 << depth or 1 << depth < FEWEST_WIRES:
        return None
    wire = np.full(dag.n, -1, np.int64)
    wire[dag.inputs] = np.arange(dag.inputs.size)
    goes_on = np.zeros(dag.n, np.bool_)
    for v in dag.computed.tolist():
        for u in dag.pred_indices[dag.pred_indptr[v] : dag.pred_indptr[v + 1]].tolist():
            if not goes_on[u]:
                goes_on[u], wire[v] = True, wire[u]
                break
        else:
            return None
    return wire


def wire_tiles(dag: CDAG, cutter: Cutter, memory: int) -> Iterator[Tiles]:
    """Yield the tiles of each run of levels that can be searched, the longest runs first.

    Parameters
    ----------
    dag, cutter
        The DAG, and the cuts.
    memory
        Words; tiles have more wires, at most twice as many.
    """
    wire = wires(dag) if memory <= MOST_MEMORY else None
    if wire is None:
        return
    width, depth = memory.bit_length(), dag.inputs.size.bit_length() - 1
    if dag.level.max() <= depth:  # a butterfly: its connected parts are as good
        return
    blocks = [_without_bits(wire, low, width) for low in range(depth - width + 1)]
    longest, levels = BITS >> width, int(dag.level.max()) + 1
    heads = np.repeat(np.arange(dag.n), dag.indegree)
    for length in range(longest, max(longest - LENGTHS, 0), -1):
        for first in range(levels - length):
            inside = (dag.level >= first) & (dag.level <= first + length)
            edges = inside[heads] & inside[dag.pred_indices]
            block = max(blocks, key=lambda block_: _joined(block_, heads, dag.pred_indices, edges))
            tiles = _tiles(cutter, np.flatnonzero(inside), block, memory)
            if tiles:
                yield Tiles(first, first + length + 1, tiles)


def _without_bits(wire: Int64Array, low: int, width: int) -> Int64Array:
    """The wires' numbers without the bits from `low` on, `width` of them."""
    return (wire >> (low + width) << low) | (wire & ((1 << low) - 1))


def _joined(block: Int64Array, heads: Int64Array, tails: np.ndarray, edges: np.ndarray) -> int:
    """How many of some edges are within a block."""
    return int(np.count_nonzero(block[heads[edges]] == block[tails[edges]]))


def _tiles(cutter: Cutter, inside: Int64Array, block: Int64Array, memory: int) -> list[Piece]:
    """The connected parts of each block that do not fit."""
    order = inside[np.argsort(block[inside], kind="stable")]
    ends = np.flatnonzero(np.diff(block[order])) + 1
    return [
        piece for vertices in np.split(order, ends) for piece in connected(cutter, vertices, memory)
    ]
