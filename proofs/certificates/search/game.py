"""The game on a small piece, as sets of bits."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dags.arrays import Int64Array
from pebble import Rules
from proofs.certificates.certificate import CertificateError
from proofs.certificates.pieces.piece import Piece

Masks = npt.NDArray[np.uint64]
BITS = 64


@dataclass(frozen=True)
class Game:
    """What a search needs to know of a piece.

    Steps are the vertices with operands in the piece, values those with readers in it; the two
    are numbered apart, rising, so that both fit into words of 64 bits. A vertex that is neither
    moves no word beyond the compulsory ones.

    Parameters
    ----------
    memory, sliding
        The words of fast memory, and whether a result may take the place of an operand.
    steps, values
        (c,) and (r,) their vertices in the piece.
    operands, before
        (c,) the values that a step reads, and the steps that must precede it.
    result
        (c,) the value that a step makes, -1 if nobody reads it.
    own
        (c,) words of what a step makes.
    readers
        (r,) the steps that read a value.
    sizes
        (r,) words of a value.
    price
        (r,) 1 or 2, as `piece` says.
    """

    memory: int
    sliding: bool
    steps: Int64Array
    values: Int64Array
    operands: Masks
    before: Masks
    result: Int64Array
    own: Int64Array
    readers: Masks
    sizes: Int64Array
    price: Int64Array

    @property
    def playable(self) -> bool:
        """Whether each step fits into the memory."""
        for operands, own in zip(self.operands.tolist(), self.own.tolist(), strict=True):
            words = [int(self.sizes[r]) for r in members(operands)]
            together = sum(words) + own - (max(words) if self.sliding else 0)
            if max(sum(words), together) > self.memory:
                return False
        return True


def game(piece: Piece, memory: int, rules: Rules) -> Game:
    """Return the game on `piece`.

    Raises
    ------
    CertificateError
        If it has more than 64 steps or more than 64 values.
    """
    succ_indptr, succ_indices = piece.successors
    steps = np.flatnonzero(np.diff(piece.pred_indptr))
    values = np.flatnonzero(np.diff(succ_indptr))
    if max(steps.size, values.size) > BITS:
        raise CertificateError("vertices", f"are more than {BITS}: too many to search")
    step_of = {int(v): i for i, v in enumerate(steps)}
    value_of = {int(v): i for i, v in enumerate(values)}
    preds = [piece.pred_indices[piece.pred_indptr[v] : piece.pred_indptr[v + 1]] for v in steps]
    succs = [succ_indices[succ_indptr[v] : succ_indptr[v + 1]] for v in values]
    return Game(
        memory=memory,
        sliding=rules.sliding,
        steps=steps,
        values=values,
        operands=_masks(preds, value_of),
        before=_masks(preds, step_of),
        result=np.array([value_of.get(int(v), -1) for v in steps], np.int64),
        own=piece.words[steps],
        readers=_masks(succs, step_of),
        sizes=piece.words[values],
        price=piece.price[values].astype(np.int64),
    )


def members(mask: int) -> list[int]:
    """Return the numbers of the bits that are set, rising."""
    return [i for i in range(mask.bit_length()) if mask >> i & 1]


def mask(numbers: Iterable[int]) -> int:
    """Return the set of `numbers` as bits."""
    return sum(1 << i for i in set(numbers))


def _masks(rows: list[npt.NDArray[np.int32]], place: dict[int, int]) -> Masks:
    """Return the set of each row's vertices that have a place."""
    return np.array([mask(place[v] for v in row.tolist() if v in place) for row in rows], np.uint64)
