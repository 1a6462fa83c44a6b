"""Pieces of a DAG, stages of values, and the sum of bounds on both (P1, P2).

Of a value the compulsory traffic counts one load if it is an input that is read, one store if it is
an output; the words a play moves of it beyond that are its **excess**. Of disjoint pieces, in which
a source that is no input of the whole is free,

    I/O of the whole >= compulsory words + sum over the pieces of their least excess.

The proof is P1 in docs/theory/pieces.md.

**Stages between readers (P2).** Stage i of v, from 0 to k, is the time in which i of k chosen
readers have been computed; in words excess(v) = stores(v) + sum over stages i of loads(v, i). Where
v is away while x is computed in stage i, loads(v, i) >= words(v), and stores(v) >= words(v) unless
v is an input or an output. Of the chosen readers, a are ancestors of x, and b are x or descendants:
a <= i <= k - b.

The proof is P2 in docs/theory/pieces.md.
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
from proofs.core.records import CertificateError, read

BoolArray = npt.NDArray[np.bool_]
R = TypeVar("R")
Shown = tuple[int, Int64Array]
ALL: Int64Array = np.zeros(0, np.int64)  # of what values exceed by is used
MOST_VERTICES = 4096  # of a DAG in which some readers are chosen
_Sets = npt.NDArray[np.uint64]


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
        """The piece that `vertices` span; they must rise."""
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
        """The piece of all vertices."""
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
        """The bound of a proof's data."""
        return self.shows(piece, memory, rules, read(self.record, data))

    def proven(self, piece: Piece, memory: int, rules: Rules, data: Any) -> int:
        """The excess that a proof's data proves."""
        return self.shown(piece, memory, rules, data)[0]


class Stages:
    """The stages of all values of a DAG, numbered value by value.

    Parameters
    ----------
    dag
        At most `MOST_VERTICES` vertices, if readers are chosen.
    owners, readers
        (k,) values, none smaller than the one before, and a reader of each: the rows of one value
        are its chosen readers, rising. A value without any has one stage.

    Raises
    ------
    CertificateError
        If the DAG is too large, or some rows are no different readers of their values.
    """

    def __init__(self, dag: CDAG, owners: Int64Array, readers: Int64Array) -> None:
        if owners.size and dag.n > MOST_VERTICES:
            raise CertificateError("dag", f"has {dag.n} vertices, more than {MOST_VERTICES}")
        self._dag, self._n, self.owners = dag, dag.n, owners
        if owners.size or readers.size:
            _require_readers(dag, owners, readers)
        self.readers = readers
        self._starts: Int64Array = np.zeros(dag.n + 1, np.int64)
        np.cumsum(np.bincount(owners, minlength=dag.n), out=self._starts[1:])
        self.first = lock(self._starts[:-1] + np.arange(dag.n))  # (n,) stage 0 of each value
        self.last = lock(self._starts[1:] + np.arange(dag.n))
        self.count = dag.n + readers.size

    @cached_property
    def _kin(self) -> tuple[_Sets, _Sets]:
        """(n, words) each computed vertex with its ancestors, and with its descendants."""
        above, below = np.zeros((2, self._n, -(-self._n // 64)), np.uint64)
        _kernels.closures(self._dag.pred_indptr, self._dag.pred_indices, above, below)
        return above, below

    @cached_property
    def values(self) -> Int64Array:
        """(count,) whose stage each one is."""
        return np.repeat(np.arange(self._n), self.last - self.first + 1)

    def of_readers(self, amounts: Int64Array) -> Int64Array:
        """(n,) the sum of (n,) `amounts` of the values of which each is a chosen reader."""
        total = np.zeros(self._n, np.int64)
        np.add.at(total, self.readers, amounts[self.owners])
        return total

    def span(
        self, front: Int64Array, values: Int64Array | slice = slice(None)
    ) -> tuple[Int64Array, Int64Array]:
        """The first and the last stage of some values when the first of `front` is due.

        Parameters
        ----------
        front
            (f,) computed vertices, at least one: the moment is that of whichever comes first.
        values
            Which values; all unless some are named.
        """
        if not self.readers.size:
            return self.first[values], self.last[values]
        above, below = self._kin
        before = np.bitwise_and.reduce(above[front], axis=0)
        after = np.bitwise_or.reduce(below[front], axis=0)
        before &= ~after  # a vertex alone is no ancestor of its own
        rows = np.stack((before, after)).view(np.uint8)
        bits = np.unpackbits(rows, axis=1, count=self._n, bitorder="little")[:, self.readers]
        total = np.zeros((2, self.readers.size + 1), np.int64)
        np.cumsum(bits, axis=1, out=total[:, 1:])
        within = total[:, self._starts[1:]] - total[:, self._starts[:-1]]
        return (self.first + within[0])[values], (self.last - within[1])[values]

    def ancestors(self, x: int) -> npt.NDArray[np.bool_]:
        """(n,) who is x or a computed ancestor of it."""
        row = self._kin[0][x].view(np.uint8)
        return np.unpackbits(row, count=self._n, bitorder="little").astype(np.bool_)


def _require_readers(dag: CDAG, owners: Int64Array, readers: Int64Array) -> None:
    """Raise CertificateError unless the rows are different readers of values, in order."""
    if owners.size != readers.size:
        raise CertificateError("readers", f"are {readers.size} for {owners.size} owners")
    for name, array in (("owners", owners), ("readers", readers)):
        if array.size and (array.min() < 0 or array.max() >= dag.n):
            raise CertificateError(name, f"are not from 0 to {dag.n - 1}")
    if (owners[1:] < owners[:-1]).any():
        raise CertificateError("owners", "do not rise")
    heads = np.repeat(np.arange(dag.n), dag.indegree)
    edges = np.unique(dag.pred_indices * np.int64(dag.n) + heads)
    if not np.isin(owners * dag.n + readers, edges).all():
        raise CertificateError("readers", "do not all read their values")
    if not ((readers[1:] > readers[:-1]) | (owners[1:] != owners[:-1])).all():
        raise CertificateError("readers", "do not all follow those before them")


def ranges(first: Int64Array, last: Int64Array) -> Int64Array:
    """The numbers from each of `first` up to the same of `last`, that included."""
    sizes = last - first + 1
    ends = np.cumsum(sizes)
    total = int(ends[-1]) if ends.size else 0
    places: Int64Array = np.arange(total) + np.repeat(first - (ends - sizes), sizes)
    return places
