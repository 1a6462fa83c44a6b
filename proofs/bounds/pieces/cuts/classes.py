"""Classes of vertices that look alike."""

import numpy as np
import numpy.typing as npt

from dags.arrays import Int32Array
from proofs.bounds.pieces import _kernels
from proofs.certificates.pieces.piece import Piece

ROUNDS = 8


def colours(piece: Piece, rounds: int = ROUNDS) -> npt.NDArray[np.uint64]:
    """(p,) a colour for each vertex: a digest of its surroundings.

    Colour refinement: in each round a vertex's colour becomes a hash of it and of the sums of its
    predecessors' and of its successors' colours. Vertices that a symmetry of the piece maps onto
    each other have equal colours. The converse does not hold, so colours only say which to try
    first.

    Source
    ------
    G. Steele, D. Lea and C. Flood, Fast splittable pseudorandom number generators, OOPSLA 2014:
    the hash, so that sums of hashes differ where sums of numbers may not.
    """
    colour = (piece.words * 4 + piece.is_input * 2 + piece.is_output).astype(np.uint64)
    around = np.empty((3, piece.size), np.uint64)
    _kernels.refine(piece.pred_indptr, piece.pred_indices, colour, around, rounds)
    return colour


def first_of_each_class(piece: Piece) -> Int32Array:
    """The computed vertices with operands: one of each colour first, then all others."""
    able = np.flatnonzero((np.diff(piece.pred_indptr) > 0) & ~piece.is_input)
    _, first = np.unique(colours(piece)[able], return_index=True)
    remaining = np.ones(able.size, np.bool_)
    remaining[first] = False
    return np.concatenate((able[np.sort(first)], able[remaining])).astype(np.int32)
