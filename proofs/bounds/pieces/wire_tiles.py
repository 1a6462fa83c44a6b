"""Tiles of networks: few wires through some levels that follow each other.

In a network (a butterfly, a sorting network) every vertex continues the wire of one of its
operands. The connected parts of a run of levels soon have more wires than a search can follow; a
tile has some of them, those whose numbers agree in all bits but a few that follow each other, for
as many levels as can be searched. Where a wire meets one that is not in the tile, it goes on, with
an operand outside.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from dags import CDAG
from dags.arrays import Int64Array
from pebble.small import BITS
from proofs.bounds.pieces.layouts import connected
from proofs.certificates.pieces.piece import Cutter, Piece

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
    """Return (n,) the wire of each vertex by the input where it begins; None if there are none.

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
        The DAG, and what cuts it.
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
            block = max(blocks, key=lambda each: _joined(each, heads, dag.pred_indices, edges))
            found = _tiles(cutter, np.flatnonzero(inside), block, memory)
            if found:
                yield Tiles(first, first + length + 1, found)


def _without_bits(wire: Int64Array, low: int, width: int) -> Int64Array:
    """Return the wires' numbers without the bits from `low` on, `width` of them."""
    return (wire >> (low + width) << low) | (wire & ((1 << low) - 1))


def _joined(block: Int64Array, heads: Int64Array, tails: np.ndarray, edges: np.ndarray) -> int:
    """Return how many of some edges are within a block."""
    return int(np.count_nonzero(block[heads[edges]] == block[tails[edges]]))


def _tiles(cutter: Cutter, inside: Int64Array, block: Int64Array, memory: int) -> list[Piece]:
    """Return the connected parts of each block that do not fit."""
    order = inside[np.argsort(block[inside], kind="stable")]
    ends = np.flatnonzero(np.diff(block[order])) + 1
    return [piece for some in np.split(order, ends) for piece in connected(cutter, some, memory)]
