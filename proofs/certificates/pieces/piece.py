"""Pieces of a DAG, and what bounds on them add up to (P1).

Of a value the compulsory traffic counts one load if it is an input that is read, one store if it is
an output; what a play moves of it beyond that is its **excess**. Of disjoint pieces, in which a
source that is no input of the whole is free,

    I/O of the whole >= compulsory words + sum over the pieces of their least excess.

The proof is P1 in docs/theory/pieces.md.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from dags import CDAG
from dags.arrays import Int32Array, Int64Array, lock
from dags.cdag.rows import successor_rows
from pebble import Rules
from proofs.certificates.pieces import _kernels
from proofs.core.records import read

BoolArray = npt.NDArray[np.bool_]
R = TypeVar("R")
Shown = tuple[int, Int64Array]
ALL: Int64Array = np.zeros(0, np.int64)  # of what values exceed by is used


@dataclass(frozen=True)
class Piece:
    """The DAG that a set of vertices spans, numbered from 0 in their order.

    Parameters
    ----------
    vertices
        (p,) the vertices' numbers in the whole DAG, rising.
    pred_indptr, pred_indices
        (p+1,) and (e,) predecessors within the piece.
    words
        (p,) sizes.
    is_input
        (p,) whether the vertex is an input of the whole DAG: it begins in slow memory.
    is_output
        (p,) whether it is an output of the whole DAG: it must end in slow memory.
    outside, replaceable
        (p,) words of the predecessors outside the piece, and of the largest of them.
    """

    vertices: Int64Array
    pred_indptr: Int64Array
    pred_indices: Int32Array
    words: Int64Array
    is_input: BoolArray
    is_output: BoolArray
    outside: Int64Array
    replaceable: Int64Array

    @property
    def size(self) -> int:
        """Number of vertices."""
        return self.vertices.size

    @cached_property
    def price(self) -> Int64Array:
        """(p,) times that a value counts at least if it leaves fast memory and comes back.

        2, a store and a load, if it is computed and no output; 1 if it is an input, which is
        in slow memory anyhow, or an output, whose store is compulsory.
        """
        return np.where(self.is_input | self.is_output, 1, 2)

    @property
    def plain_excess(self) -> int:
        """Upper bound on the excess of a play that keeps nothing, if the memory is not too small.

        It loads each operand for each step, and stores each result.
        """
        return int(self.words[self.pred_indices].sum()) + int(self.words.sum())

    @cached_property
    def successors(self) -> tuple[Int64Array, Int32Array]:
        """(p+1,) and (e,) successors within the piece, rising in each row."""
        return successor_rows(self.pred_indptr, self.pred_indices)


class Cutter:
    """Cuts pieces out of a DAG, each in time that its own size takes."""

    def __init__(self, dag: CDAG) -> None:
        self.dag = dag
        self._local = np.full(dag.n, -1, np.int64)
        self._sizes = lock(np.array(dag.sizes, np.int64))
        self._is_input = np.zeros(dag.n, np.bool_)
        self._is_input[dag.inputs] = True
        self._is_output = np.zeros(dag.n, np.bool_)
        self._is_output[dag.outputs] = True

    def cut(self, vertices: npt.NDArray[np.integer]) -> Piece:
        """Return the piece that `vertices` span; they must rise."""
        chosen = vertices.astype(np.int64)
        dag = self.dag
        starts, ends = dag.pred_indptr[chosen], dag.pred_indptr[chosen + 1]
        indptr = np.zeros(chosen.size + 1, np.int64)
        indices = np.empty(int((ends - starts).sum()), np.int32)
        outside, replaceable = np.zeros((2, chosen.size), np.int64)
        rows = dag.pred_indptr, dag.pred_indices
        room = indptr, indices, outside, replaceable
        _kernels.cut_out(*rows, chosen, self._local, self._sizes, *room)
        return Piece(
            vertices=lock(chosen),
            pred_indptr=lock(indptr),
            pred_indices=lock(indices[: indptr[-1]].copy()),
            words=lock(dag.sizes[chosen]),
            is_input=lock(self._is_input[chosen]),
            is_output=lock(self._is_output[chosen]),
            outside=lock(outside),
            replaceable=lock(replaceable),
        )

    def whole(self) -> Piece:
        """Return the piece of all vertices."""
        return self.cut(np.arange(self.dag.n))


@dataclass(frozen=True)
class PieceLemma(Generic[R]):
    """A theorem on pieces, with the record in which certificates say how it is used.

    Parameters
    ----------
    record
        The dataclass of a proof's data.
    shows
        The excess that is proved, of the game on a piece and the record; and (p,) the words that go
        through each value for it, `ALL` where all that values exceed by is used.
    theorems
        Numbers in docs/theory.
    """

    record: type[R]
    shows: Callable[[Piece, int, Rules, R], Shown]
    theorems: tuple[str, ...]

    def shown(self, piece: Piece, memory: int, rules: Rules, data: Any) -> Shown:
        """Return what a proof's data shows."""
        return self.shows(piece, memory, rules, read(self.record, data))

    def proven(self, piece: Piece, memory: int, rules: Rules, data: Any) -> int:
        """Return the excess that a proof's data proves."""
        return self.shown(piece, memory, rules, data)[0]
