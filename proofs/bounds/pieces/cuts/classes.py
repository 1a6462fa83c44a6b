"""Classes of vertices that look alike."""

import numpy as np
import numpy.typing as npt

from dags.arrays import Int32Array
from proofs.certificates.pieces.piece import Piece

ROUNDS = 8


def colours(piece: Piece, rounds: int = ROUNDS) -> npt.NDArray[np.uint64]:
    """Return (p,) a colour for each vertex: what its surroundings look like from it.

    Colour refinement: in each round a vertex's colour becomes a hash of it and of the sums of
    its predecessors' and of its successors' colours. Vertices that a symmetry of the piece maps
    onto each other have equal colours. The converse does not hold, so colours only say what to
    try first.
    """
    heads = np.repeat(np.arange(piece.size), np.diff(piece.pred_indptr))
    colour = (piece.words * 4 + piece.is_input * 2 + piece.is_output).astype(np.uint64)
    for _ in range(rounds):
        mixed = _mixed(colour)
        before, after = np.zeros((2, piece.size), np.uint64)
        np.add.at(before, heads, mixed[piece.pred_indices])
        np.add.at(after, piece.pred_indices, mixed[heads])
        colour = mixed + 3 * _mixed(before) + 5 * _mixed(after)
    return colour


def _mixed(numbers: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Return a hash of each number, so that sums of hashes differ where sums of numbers may not.

    Source
    ------
    G. Steele, D. Lea and C. Flood, Fast splittable pseudorandom number generators, OOPSLA 2014.
    """
    z = (numbers + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def first_of_each_class(piece: Piece) -> Int32Array:
    """Return the computed vertices with operands: one of each colour first, then all others."""
    able = np.flatnonzero((np.diff(piece.pred_indptr) > 0) & ~piece.is_input)
    _, first = np.unique(colours(piece)[able], return_index=True)
    rest = np.ones(able.size, np.bool_)
    rest[first] = False
    return np.concatenate((able[np.sort(first)], able[rest])).astype(np.int32)
