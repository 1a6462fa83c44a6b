"""Bounds on whole pieces, among the inequalities that share values."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dags.arrays import Int64Array
from pebble import Budget, Rules
from proofs.bounds.pieces.packing.accounts import Inequality
from proofs.certificates.pieces.piece import Cutter, Piece

Proof = tuple[int, str, dict[str, Any]]  # excess, kind of proof, its data


@dataclass(frozen=True)
class PieceBound:
    """A way to prove how much a piece exceeds the compulsory traffic.

    Parameters
    ----------
    prove
        Called with a piece, a memory, rules and a budget; returns a proof, or None.
    sizes
        Of the runs of a block that are tried besides the block.
    """

    prove: Callable[..., Proof | None]
    sizes: tuple[int, ...] = ()


def form(piece: Piece) -> bytes:
    """The same for pieces that are the same but for their place in the DAG."""
    arrays = (piece.pred_indptr, piece.pred_indices, piece.words, piece.is_input, piece.is_output)
    beside = piece.outside, piece.replaceable
    return b"".join(array.tobytes() for array in (*arrays, *beside))


def piece_inequalities(
    bounds: Sequence[PieceBound],
    cutter: Cutter,
    block: Piece,
    memory: int,
    rules: Rules,
    budget: Budget,
) -> Iterator[Inequality]:
    """Yield the results of `bounds` about a block and runs of it; equal runs are tried once.

    Parameters
    ----------
    bounds
        Ways to prove something about a piece.
    cutter, block
        Cuts the DAG, and the piece of it that is looked at.
    memory, rules
        The game.
    budget
        Of all of them.
    """
    known: dict[tuple[int, bytes], Proof | None] = {}
    for number, bound in enumerate(bounds):
        for run in _runs(block.size, bound.sizes):
            if budget.over:
                return
            is_all = run.size == block.size
            piece = block if is_all else cutter.cut(block.vertices[run])
            key = (number, form(piece))
            if key not in known:
                known[key] = bound.prove(piece, memory, rules, budget)
            proof = known[key]
            if proof is not None:
                yield _inequality(piece, run, proof)


def _runs(n: int, sizes: Sequence[int]) -> Iterator[Int64Array]:
    """Yield all of 0 to n - 1, and runs of it of the given sizes, each half over the next."""
    yield np.arange(n)
    for size in sizes:
        half = max(1, size // 2)
        for start in range(0, n - half if size < n else 0, half):
            yield np.arange(start, min(start + size, n))


def _inequality(piece: Piece, run: Int64Array, proof: Proof) -> Inequality:
    """The inequality that uses all of the values in `run`, places in the block."""
    excess, kind, data = proof
    return Inequality(run, piece.price * piece.words, excess, lambda: (run, kind, data))
