"""Placements of a window: what decisions imply, and what all that agree with them cost."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from dags import CDAG
from dags.arrays import Int64Array, lock
from proofs.certificates.certificate import CertificateError
from proofs.certificates.fields import shown
from proofs.certificates.windows.placements import _kernels
from proofs.certificates.windows.placements.network import PlacementNetwork

Case = npt.NDArray[np.uint64]  # (4, row): vertices before, not before, not after, after the window
Multipliers = tuple[int, int, int]  # gain, shift, rent; see `Placements.relaxed`
MOST_VERTICES = 400  # of a DAG
SCALE = 64  # of multipliers: they count such parts of a word
LIMIT = 2**60  # of what all arcs together can take


@dataclass(frozen=True)
class Window:
    """A window between two numbers of first computations, and what its loads cost.

    Parameters
    ----------
    first, last
        How many counted vertices have been computed when it begins, and when it ends.
    red
        Words that can be red when it begins.
    cost
        (n,) what a value costs that is loaded in it; one that is red when it begins costs nothing.
    """

    first: int
    last: int
    red: int
    cost: Int64Array

    @cached_property
    def unit(self) -> int:
        """The greatest common divisor of all costs, and so of their sums."""
        return int(np.gcd.reduce(self.cost))

    @cached_property
    def price(self) -> Int64Array:
        """(n,) the costs, times `SCALE`."""
        return lock(SCALE * self.cost)

    @cached_property
    def most(self) -> int:
        """The sum of all costs, times `SCALE`."""
        return SCALE * int(self.cost.sum())

    def rounded(self, value: int) -> int:
        """Return the least cost, 0 or more, that a bound times `SCALE` leaves."""
        return max(0, -(-value // (SCALE * self.unit)) * self.unit)


@dataclass(frozen=True)
class Relaxed:
    """A lower bound on the cost of all placements that agree with a case.

    Parameters
    ----------
    value
        The bound, times `SCALE`; not rounded.
    inside, before
        How many counted vertices are in the window, and before it, where the bound is attained.
    red
        Words that are red when it begins, there.
    """

    value: int
    inside: int
    before: int
    red: int


class Placements:
    """The windows of one DAG.

    Parameters
    ----------
    dag
        At most `MOST_VERTICES` vertices.
    counted
        Computed vertices, by whose first computations windows are cut, rising.
    """

    def __init__(self, dag: CDAG, counted: npt.NDArray[np.integer]) -> None:
        if dag.n > MOST_VERTICES:
            raise CertificateError("dag", f"has {dag.n} vertices, more than {MOST_VERTICES}")
        self.words = dag.sizes.astype(np.int64)
        self.total = counted.size
        self._computed = dag.computed.astype(np.int64)
        self._is_computed = dag.is_computed
        row = -(-dag.n // 64)
        self._is_counted = np.zeros(dag.n, np.bool_)
        self._is_counted[counted] = True
        self._counted = np.zeros(row, np.uint64)
        _kernels.collect(counted.astype(np.int64), self._counted)
        self._above, self._below = np.zeros((2, dag.n, row), np.uint64)
        _kernels.relatives(dag.pred_indptr, dag.pred_indices, self._above, self._below)
        self._every = int(self.words.sum())
        net = PlacementNetwork(dag)
        self.terms = _kernels.Terms(
            counted=self._counted,
            is_computed=self._is_computed,
            words=self.words,
            place=net.place,
            arcs=net.arcs,
            side=net.side,
            room=net.room,
            price=np.zeros(dag.n, np.int64),
            work=net.work,
        )

    def start(self, window: Window) -> Case:
        """Return what is known at first: nothing is before the first window, or after the last."""
        case = np.zeros((4, self._counted.size), np.uint64)
        if window.first == 0:
            _kernels.collect(self._computed, case[1])
        if window.last == self.total:
            _kernels.collect(self._computed, case[2])
        return case

    def placed(self, order: Int64Array, window: Window) -> Case:
        """Return the case of a play that computes all vertices once, in `order`."""
        turns = np.flatnonzero(self._is_counted[order])
        begin = turns[window.first] if window.first else 0
        end = turns[window.last] if window.last < self.total else order.size
        case = np.zeros((4, self._counted.size), np.uint64)
        for row, vertices in enumerate((order[:begin], order[begin:], order[:end], order[end:])):
            _kernels.collect(vertices, case[row])
        return case

    def settle(self, case: Case, window: Window) -> bool:
        """Add to `case` what follows from it; return False if no placement agrees with it.

        A vertex that is before a window has so many counted ancestors at most, one that is not
        has so many counted descendants at most; and likewise for its end.
        """
        rows = self._above, self._below, self._counted, self._computed
        return bool(_kernels.settle(*rows, window.first, window.last, case))

    def branch(self, case: Case, row: int, vertex: int) -> tuple[Case, Case]:
        """Return the two cases in which `vertex` is in the set `row` of `case`, or in the next.

        `row` is 0 or 2: before or not, not after or after.

        Parameters
        ----------
        case, row, vertex
            What is decided; 0 or 2 for a set of it; a computed vertex.
        """
        inside, outside = case.copy(), case.copy()
        inside[row] |= self._above[vertex]
        outside[row + 1] |= self._below[vertex]
        return inside, outside

    def choice(self, case: Case) -> tuple[int, int] | None:
        """Return (row, vertex) of the branch that decides most either way; None if all is."""
        rows = self._above, self._below, self._counted, self._computed
        row, vertex = _kernels.choice(*rows, case)
        return None if row < 0 else (int(row), int(vertex))

    def is_computed(self, vertex: int) -> bool:
        """Return whether there is such a vertex, and it is no input."""
        return 0 <= vertex < self.words.size and bool(self._is_computed[vertex])

    def relaxed(self, case: Case, window: Window, multipliers: Multipliers) -> Relaxed:
        """Return a bound on what the window costs in all placements that agree with `case`.

        Let the window begin with the values R red, of at most `red` words, let it load the values
        L, and let c(L) be their cost. For any rent >= 0,

            c(L) >= sum over v in R and L of min(c(v), rent words(v)) - rent red,

        and the sum is at least that over the dominating set D of `network`: call it c(D). In a
        placement as many vertices are inside and before as the window says. So for any gain >= 0,
        shift and rent >= 0

            c(L) >= c(D) - gain (inside - (last - first)) + shift (before - first) - rent red.

        The least cut is the least value of the right side, over more than placements.

        Parameters
        ----------
        case, window
            What is decided, of which window.
        multipliers
            gain, shift and rent.

        Raises
        ------
        CertificateError
            If a gain or a rent is negative, or numbers are too large to be added.
        """
        far = self._far(window, multipliers)
        found = _kernels.relax(self.terms, self.span(window), case, *multipliers, far)
        return Relaxed(*map(int, found))

    def span(self, window: Window) -> _kernels.Span:
        """Return a window as kernels read it.

        Raises
        ------
        CertificateError
            If its costs are too large to be added.
        """
        if window.most > LIMIT:
            raise CertificateError("multipliers", "of such costs are too large to be added")
        return _kernels.Span(window.first, window.last, self.total, window.red, window.price)

    def _far(self, window: Window, multipliers: Multipliers) -> int:
        """Return more than all arcs with limits can take."""
        gain, shift, rent = multipliers
        far = window.most + (2 * gain + abs(shift)) * self.total + 1
        if min(gain, rent) < 0 or max(far, rent * self._every) > LIMIT:  # `red` is no more
            raise CertificateError("multipliers", f"{shown(multipliers)} are out of range")
        return far
