"""The linear program that weighs inequalities."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from dags.arrays import Int64Array
from proofs.bounds.pieces.packing.inequality import Inequality

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

# An inequality that proves no more than this beyond the prices of its values is left out.
SLIGHT = 1e-6
# One turn adds at most `ENOUGH` inequalities for each vertex, and `FEW` besides.
ENOUGH, FEW = 0.2, 32
# The program keeps at most so many inequalities for each vertex.
KEEP = 3

FloatArray = npt.NDArray[np.float64]


def usage(inequalities: Sequence[Inequality], n: int) -> "csr_matrix":
    """Return the (n, inequalities) matrix of what each uses of each value, in words."""
    from scipy.sparse import csr_matrix  # not before it is needed: it takes long to import

    counts = [inequality.vertices.size for inequality in inequalities]
    rows = np.concatenate([inequality.vertices for inequality in inequalities])
    words = np.concatenate([inequality.words for inequality in inequalities])
    columns = np.repeat(np.arange(len(counts)), counts)
    return csr_matrix((words.astype(np.float64), (rows, columns)), shape=(n, len(counts)))


def best_shares(
    inequalities: Sequence[Inequality], budget: Int64Array, dearest: float = np.inf
) -> tuple[float, FloatArray, FloatArray]:
    """Return what inequalities prove at most, in which shares, and what words are worth then.

    Parameters
    ----------
    inequalities
        At least one.
    budget
        (n,) price times words: what all shares together may use of each value.
    dearest
        The most that a word may be worth: more of a value can be bought at this price.
        Shares may then use too much, but worths are spread over many values instead of a few.
    """
    from scipy.optimize import linprog
    from scipy.sparse import hstack, identity

    least = np.array([entry.least for entry in inequalities], np.float64)
    uses = usage(inequalities, budget.size)
    costs = -least
    if dearest < np.inf:
        uses = hstack((uses, -identity(budget.size)), format="csr")
        costs = np.concatenate((costs, np.full(budget.size, dearest)))
    solution = linprog(costs, A_ub=uses, b_ub=budget, method="highs")
    if solution.x is None:  # numerical trouble: whatever is proved without it stands
        return 0.0, np.zeros(least.size), np.zeros(budget.size)
    shares, worth = solution.x[: least.size], -solution.ineqlin.marginals
    return -float(solution.fun), np.maximum(shares, 0), np.maximum(worth, 0)


@dataclass(frozen=True)
class Packed:
    """Inequalities with the shares that prove `words` together, before rounding."""

    words: float
    inequalities: tuple[Inequality, ...]
    shares: FloatArray


class Program:
    """The linear program over all inequalities so far, and its solution.

    Parameters
    ----------
    budget
        (rows,) what inequalities may use together.
    values
        How many values the rows are of; None for one row each.
    """

    def __init__(self, budget: Int64Array, values: int | None = None) -> None:
        self._budget = budget
        self._values = budget.size if values is None else values
        self._known: list[Inequality] = []
        self._shares = np.zeros(0)
        self.worth = np.zeros(budget.size)
        self.proved = 0.0
        self.dearest = np.inf

    @property
    def packed(self) -> Packed:
        """The inequalities that have a share."""
        some = np.flatnonzero(self._shares)
        known = tuple(self._known[i] for i in some)
        return Packed(self.proved, known, self._shares[some])

    def add(self, found: Iterable[Inequality], most: float | None = None) -> bool:
        """Take what improves on the solution, enough of it; return whether there was any.

        Parameters
        ----------
        found
            Inequalities.
        most
            How many are taken at most; None for as many as one turn should.
        """
        most = ENOUGH * self._values + FEW if most is None else most
        fresh: list[Inequality] = []
        for entry in found:
            if self._gain(entry) > SLIGHT:
                fresh.append(entry)
            if len(fresh) > most:
                break
        if fresh:
            self._forget()
            self._known += fresh
            self.limit(self.dearest)
        return bool(fresh)

    def limit(self, dearest: float) -> None:
        """Solve the program anew, no word of a value being worth more than `dearest`."""
        self.dearest = dearest
        if self._known:
            self.proved, self._shares, self.worth = best_shares(self._known, self._budget, dearest)

    def _forget(self) -> None:
        """Keep the inequalities with a share, and those that were nearest to having one."""
        most = KEEP * self._budget.size
        if len(self._known) > most:
            slack = np.array([-self._gain(entry) for entry in self._known])
            slack[self._shares > 0] = -np.inf
            kept = np.sort(np.argsort(slack, kind="stable")[:most])
            self._known = [self._known[i] for i in kept]

    def _gain(self, entry: Inequality) -> float:
        """Return what an inequality proves more than the values that it uses are worth."""
        return float(entry.least - entry.words @ self.worth[entry.vertices])
