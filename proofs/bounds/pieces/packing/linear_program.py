"""The linear program that weighs inequalities."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from dags.arrays import Int64Array
from pebble import Budget
from proofs.bounds.pieces.packing.accounts import Inequality
from proofs.bounds.pieces.packing.first_order import Point, nearly_best, within_budget
from proofs.bounds.quick_programs import Solution, solved_quickly

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

# An inequality that proves no more than this beyond the prices of its values is left out.
SLIGHT = 1e-6
# One turn adds at most `ENOUGH` inequalities for each vertex, and `FEW` besides.
ENOUGH, FEW = 1.0, 32
# The program keeps at most so many inequalities for each row, and so many for its last solution.
KEEP, LAST = 3, 1
# With so many inequalities the program is solved nearly, but for the last time.
MANY = 500
# How near: relative gaps of primal and dual, the first ones while turns improve much.
GAPS = 3e-3, 5e-4

FloatArray = npt.NDArray[np.float64]


def usage(inequalities: Sequence[Inequality], n: int) -> "csr_matrix":
    """The (n, inequalities) matrix of the use of each value by each, in words."""
    from scipy.sparse import csr_matrix  # not before it is needed: it takes long to import

    counts = [inequality.vertices.size for inequality in inequalities]
    rows = np.concatenate([inequality.vertices for inequality in inequalities])
    words = np.concatenate([inequality.words for inequality in inequalities])
    columns = np.repeat(np.arange(len(counts)), counts)
    return csr_matrix((words.astype(np.float64), (rows, columns)), shape=(n, len(counts)))


class Lot:
    """Inequalities that are weighed together, again and again.

    Parameters
    ----------
    entries
        The inequalities.
    rows
        How many rows they may use.
    """

    def __init__(self, entries: Sequence[Inequality], rows: int) -> None:
        self._entries = entries
        self._uses = usage(entries, rows).T if entries else None
        self._least = _least(entries)

    def gains(self, worth: FloatArray) -> FloatArray:
        """The gain of each over the worth of its use, for the (rows,) worths."""
        if self._uses is None:
            return self._least
        gains: FloatArray = self._least - self._uses @ worth
        return gains

    def worth_more(self, worth: FloatArray) -> list[Inequality]:
        """Return those that prove more than the worth of their use."""
        return [self._entries[i] for i in np.flatnonzero(self.gains(worth) > SLIGHT).tolist()]


def best_shares(
    inequalities: Sequence[Inequality],
    budget: Int64Array,
    dearest: float = np.inf,
    seconds: float = np.inf,
) -> tuple[float, FloatArray, FloatArray]:
    """The most that inequalities prove, their shares, and the worth of words then.

    Parameters
    ----------
    inequalities
        At least one.
    budget
        (n,) price times words: the limit of all shares together on each value.
    dearest
        The most that a word may be worth: more of a value can be bought at this price.
        Shares may then use too much, but worths are spread over many values instead of a few.
    seconds
        When to give up, with nothing.
    """
    from scipy.sparse import hstack, identity

    minima = _least(inequalities)
    uses = usage(inequalities, budget.size)
    costs = -minima
    if dearest < np.inf:
        uses = hstack((uses, -identity(budget.size)), format="csr")
        costs = np.concatenate((costs, np.full(budget.size, dearest)))
    solution = _solved(costs, uses, budget, seconds)
    if solution is None:  # late, or numerical trouble: nothing is proved
        return 0.0, np.zeros(minima.size), np.zeros(budget.size)
    shares, worth = solution.x, -solution.prices
    return -float(costs @ shares), np.maximum(shares[: minima.size], 0), np.maximum(worth, 0)


def _solved(
    costs: FloatArray, uses: "csr_matrix", budget: Int64Array, seconds: float
) -> Solution | None:
    """The least of `costs` within the budget, None where there is no solution in time.

    Parameters
    ----------
    costs, uses
        (k,) of the variables; (n, k) their use.
    budget
        (n,) the limits of all.
    seconds
        For it.
    """
    from scipy.optimize import linprog

    limits = budget.astype(np.float64)
    quick = solved_quickly(costs, uses, np.full(limits.size, -np.inf), limits)
    if quick is not None:
        return quick
    spare = Budget(None if seconds == np.inf else seconds)
    options = spare.iterations("pivot", uses.nnz)
    solution = linprog(costs, A_ub=uses, b_ub=limits, method="highs", options=options)
    spare.charge_iterations("pivot", uses.nnz, solution.nit)
    if solution.x is None or solution.status:
        return None
    return Solution(solution.x, solution.ineqlin.marginals)


@dataclass(frozen=True)
class Packed:
    """Inequalities with the shares that prove `words` together, before rounding."""

    words: float
    inequalities: tuple[Inequality, ...]
    shares: FloatArray


class ShareProgram:
    """The linear program over all inequalities so far, and its solution.

    Parameters
    ----------
    budget
        (rows,) the limits of inequalities together.
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
        self._near: Point | None = None  # the last solution, if it is only nearly the best
        self._gaps = list(GAPS)

    @property
    def packed(self) -> Packed:
        """The inequalities that have a share."""
        positive = np.flatnonzero(self._shares)
        known = tuple(self._known[i] for i in positive)
        return Packed(self.proved, known, self._shares[positive])

    @property
    def near(self) -> bool:
        """True if solutions are only nearly the best, but for the last one."""
        return self._near is not None

    def add(self, inequalities: Iterable[Inequality], limit: float | None = None) -> bool:
        """Take inequalities that improve on the solution; return whether there were any.

        Parameters
        ----------
        inequalities
            Inequalities.
        limit
            How many are taken at most; None for as many as one turn should.
        """
        limit = ENOUGH * self._values + FEW if limit is None else limit
        fresh: list[Inequality] = []
        for entry in inequalities:
            if self._gain(entry) > SLIGHT:
                fresh.append(entry)
            if len(fresh) > limit:
                break
        if fresh:
            self._keep(KEEP)
            self._known += fresh
            self.limit(self.dearest)
        return bool(fresh)

    def limit(self, dearest: float, seconds: float = np.inf) -> None:
        """Solve the program anew.

        Parameters
        ----------
        dearest
            The most that a word of a value may be worth; infinite for a solution that counts.
        seconds
            For such a solution: where they do not suffice, one that is nearly the best stands.
        """
        self.dearest = dearest
        if not self._known:
            return
        if dearest < np.inf and len(self._known) >= MANY:
            self._solve_nearly()
        elif dearest < np.inf or self._near is None:
            self._take(best_shares(self._known, self._budget, dearest))
        else:
            self._solve_at_last(self._near, seconds)

    def sharpen(self) -> bool:
        """Solve the program more closely from now on; return whether it can be done."""
        if not self.near or len(self._gaps) == 1:
            return False
        self._gaps = self._gaps[1:]
        self.limit(self.dearest)
        return True

    def _take(self, solution: tuple[float, FloatArray, FloatArray]) -> None:
        """Take a solution: its bound, the shares, and the worth of words."""
        self.proved, self._shares, self.worth = solution

    def _solve_nearly(self) -> None:
        """Solve the program nearly, beginning with the last solution."""
        rows, known = self._budget.size, self._known
        shares = np.zeros(len(known))
        shares[: self._shares.size] = self._shares
        bought = np.zeros(rows) if self._near is None else self._near.bought
        start = Point(shares, bought, self.worth)
        game = usage(known, rows), _least(known), self._budget, self.dearest
        near = nearly_best(*game, start, self._gaps[0])
        if near is None:
            self._take(best_shares(known, self._budget, self.dearest))
            return
        self._near = near
        self._take((float(self._budget @ near.worth), near.shares, near.worth))

    def _solve_at_last(self, near: Point, seconds: float) -> None:
        """Solve the program for those that are nearest to having a share, in so many seconds."""
        self._keep(LAST)
        solution = best_shares(self._known, self._budget, np.inf, seconds)
        shares = within_budget(usage(self._known, self._budget.size), self._shares, self._budget)
        proved = float(_least(self._known) @ shares)
        self._take(solution if solution[0] >= proved else (proved, shares, near.worth))

    def _keep(self, limit: float) -> None:
        """Keep so many inequalities for each row: the largest shares, and those nearest to one."""
        count = int(limit * self._budget.size)
        if len(self._known) > count:
            slack = -Lot(self._known, self._budget.size).gains(self.worth)
            kept = np.sort(np.lexsort((slack, -self._shares))[:count])
            self._known = [self._known[i] for i in kept]
            self._shares = self._shares[kept]

    def _gain(self, entry: Inequality) -> float:
        """The gain of an inequality over the worth of its values."""
        return float(entry.least - entry.words @ self.worth[entry.vertices])


def _least(inequalities: Sequence[Inequality]) -> FloatArray:
    """The bound of each inequality."""
    return np.array([entry.least for entry in inequalities], np.float64)


DENOMINATORS = (1, 2, 6, 12, 60, 5040, 10**6)
NEARLY = 1e-6  # a share so close below a whole number is meant to be that number


@dataclass(frozen=True)
class ExactShares:
    """Shares of inequalities, as integers over a denominator; `words` is their bound, too."""

    denominator: int
    words: int
    inequalities: tuple[Inequality, ...]
    numerators: tuple[int, ...]


def exact_shares(packed: Packed, budget: Int64Array) -> ExactShares:
    """The shares that were found, rounded so that they use no more than `budget` (n,).

    The smallest denominator is taken that loses next to nothing.
    """
    minima = np.array([entry.least for entry in packed.inequalities], np.int64)
    best = ExactShares(1, 0, (), ())
    for denominator in DENOMINATORS:
        numerators = _rounded(packed, denominator, budget)
        words = int(numerators @ minima)
        if words / denominator > best.words / best.denominator + NEARLY:
            counts = tuple(numerators.tolist())
            best = ExactShares(denominator, words, packed.inequalities, counts)
        if words / denominator > packed.words - NEARLY:
            break
    return best


def _rounded(packed: Packed, denominator: int, budget: Int64Array) -> Int64Array:
    """Numerators: rounded down, but those nearly whole to the whole number."""
    exact = packed.shares * denominator
    for numerators in (exact + NEARLY, exact * (1 - NEARLY), 0 * exact):
        rounded: Int64Array = np.floor(numerators).astype(np.int64)
        if _fits(packed.inequalities, rounded, denominator * budget):
            break
    return rounded


def _fits(inequalities: Sequence[Inequality], numerators: Int64Array, budget: Int64Array) -> bool:
    """Whether no value is used for more than all of it."""
    used = np.zeros(budget.size, np.int64)
    for numerator, entry in zip(numerators.tolist(), inequalities, strict=True):
        used[entry.vertices] += numerator * entry.words
    return bool((used <= budget).all())
