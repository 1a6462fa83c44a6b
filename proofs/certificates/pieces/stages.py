"""Stages of a value's time, between some readers of it.

Choose some readers of a value v, k of them. *Stage* i of v, from 0 to k, is the time in which i of
them have been computed: it ends when the next one of them is computed, that included; stage 0
begins with the play, stage k ends with it. Which of them is the next one depends on the play. In
words, and but for the compulsory store of an output and the compulsory first load of an input, let

    excess(v) = stores(v) + sum over its stages i of loads(v, i).

Take a moment, while x is computed, at which v is *away*: it has been in fast memory, it is not
there now, and some reader of v (x is none) is computed later. Let x be computed in stage i of v.
Then v is loaded in stage i, and not for the first time: it is in fast memory when the next of the
chosen readers is computed, and if i = k it is loaded again for that later reader. And if v is
computed, it has been stored. So v being away at x means

    loads(v, i) >= words(v),    and stores(v) >= words(v) unless v is an input or an output.

In which stage x is computed depends on the play, but chosen readers that are ancestors of x are
computed before it, and those that are x or descendants of x are not: with a of k of the former
and b of the latter, a <= i <= k - b. If x is the first of a set X to be computed, the same holds
with a readers that are ancestors of all of X, and b that are in X or descendants of some of it.

Readers each of which is an ancestor of the next one, a *chain*, have few stages that many moments
tell apart; all readers have more stages, and a moment may be in more of them.
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
