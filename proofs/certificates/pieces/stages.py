"""Stages of a value's time, between some readers of it (P2).

Stage i of v, from 0 to k, is the time in which i of k chosen readers have been computed; in words
excess(v) = stores(v) + sum over stages i of loads(v, i). Where v is away while x is computed in
stage i, loads(v, i) >= words(v), and stores(v) >= words(v) unless v is an input or an output. Of
the chosen readers, a are ancestors of x, and b are x or descendants: a <= i <= k - b.

The proof is P2 in docs/theory/pieces.md.
"""

from functools import cached_property

import numpy as np
import numpy.typing as npt

from dags import CDAG
from dags.arrays import Int64Array, lock
from proofs.certificates.pieces import _kernels
from proofs.core.certificate import CertificateError

MOST_VERTICES = 4096  # of a DAG in which some readers are chosen

_Sets = npt.NDArray[np.uint64]


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
        """Return (n,) the sum of (n,) `amounts` of the values of which each is a chosen reader."""
        total = np.zeros(self._n, np.int64)
        np.add.at(total, self.readers, amounts[self.owners])
        return total

    def span(
        self, front: Int64Array, values: Int64Array | slice = slice(None)
    ) -> tuple[Int64Array, Int64Array]:
        """Return the first and the last stage of some values when the first of `front` is due.

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
        """Return (n,) who is x or a computed ancestor of it."""
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
    """Return the numbers from each of `first` up to the same of `last`, that included."""
    sizes = last - first + 1
    ends = np.cumsum(sizes)
    total = int(ends[-1]) if ends.size else 0
    places: Int64Array = np.arange(total) + np.repeat(first - (ends - sizes), sizes)
    return places
