"""Charges for windows of many steps, whose sets are peeled instead of visited."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dags.arrays import Int64Array, lock
from dags.work import charge as charge_work
from pebble import Budget
from proofs.bounds.windows import _kernels
from proofs.certificates.windows.reuse import Savings, Sharing, most_peeled

DENOMINATOR = 5040
LENGTHS = (3, 4, 5, 6, 8, 10, 13, 17, 22, 28, 36, 48)  # steps of windows
# Worths of a pair, in words of its value, up to which room is sold: T / P of values with one
# reader (2), two, three, and of inputs and outputs (1).
WORTHS = (1.0, 4 / 3, 1.5, 2.0)
LARGEST = 3000  # steps of a DAG: what pairs of them span is kept
# Rounds in which charges settle, with shares by which they are lowered in the first of them, less
# from round to round, and raised again: to choose a worth, and then.
CHOOSING, REFINING = (5, 0.3), (10, 0.12)
LAST = 2  # rounds more in which they are not lowered
SOON, LEAST = 0.4, 0.5  # share of the time, and seconds, after which nothing found means nothing
# Charges are so much larger than they settled at, the more the fewer sets are looked at,
MARGINS = (0.6, 0.35, 0.2, 0.12, 0.07, 0.035, 0.01)
# so many of them at first, and so many times as many from turn to turn.
LOOKS, MORE = 20_000, 8
AT_ONCE = 16  # steps that sets are built from between two looks at the budget
SHORT = 1000  # sets that pay too little, and pay more before all are looked at again,
AGAIN = 6  # so many times
IDLE = 2  # lengths one after the other that could prove more, and did not

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Charged:
    """Charges that prove something: the savings that they pay for, the words, and the worth."""

    savings: Savings
    charge: Int64Array
    words: int
    worth: float
    peeled: bool = False


class Peeling:
    """A search for charges of one game."""

    def __init__(self, sharing: Sharing) -> None:
        self.sharing = sharing
        self._budget = Budget()  # of the last call
        self._best: Charged | None = None
        limit = most_peeled(sharing)
        self._looks = LOOKS if 1 < sharing.size <= LARGEST else LOOKS * limit
        self._shares = np.random.default_rng(0).uniform(0.7, 1.0, sharing.size)
        self._worths: tuple[float, ...] = WORTHS
        self._known: dict[int, Charged] = {}
        self._margins = dict.fromkeys(LENGTHS, 0)  # of MARGINS that were tried

    def best(self, budget: Budget) -> Charged | None:
        """The charges that prove most; None if none prove anything.

        All lengths are tried in turn, looking at few sets first. Another call goes on from there.
        """
        self._budget, limit = budget, most_peeled(self.sharing)
        soon = budget.at_most(max(LEAST, SOON * budget.left))
        while self._looks <= MORE * limit:
            idle = 0
            for length in LENGTHS:
                improved = self._better(length, self._best, min(self._looks, limit))
                self._best = best = improved or self._best
                if (soon if best is None else budget).over:
                    return best
                able = length in self._known if best is None else length > best.savings.length
                idle = 0 if improved is not None else idle + able
                if idle == IDLE:
                    break
            self._looks *= MORE
        return self._best

    def _better(self, length: int, best: Charged | None, looks: int) -> Charged | None:
        """Better charges for windows of a length, found with so many looks; or None."""
        words, better = best.words if best else 0, None
        settled = self._of_length(length, words)
        while settled is not None and self._margins[length] < len(MARGINS):
            margin = MARGINS[self._margins[length]]
            charge = np.ceil(settled.charge * (1 + margin)).astype(np.int64)
            if settled.savings.words(charge) > words:
                enough = self._raised(settled.savings, charge, looks)
                if enough is None:
                    break
                if settled.savings.words(enough) > words:
                    words = settled.savings.words(enough)
                    better = Charged(settled.savings, lock(enough), words, settled.worth, True)
            self._margins[length] += 1
        return better

    def _of_length(self, length: int, words: int) -> Charged | None:
        """The charges that settle best for windows of a length; None if hopeless."""
        if length not in self._known:
            able = []
            for worth in self._worths:
                savings = self._savings(length, worth)
                if savings.words(self._least(savings)) > words:
                    charge = self._settled(savings, np.full(self.sharing.size, np.inf), CHOOSING)
                    able.append(Charged(savings, charge, savings.words(charge), worth))
            if not able:
                return None
            able.sort(key=lambda charged: -charged.words)
            place = WORTHS.index(able[0].worth)
            self._worths = WORTHS[max(place - 1, 0) : place + 2]  # for longer windows
            charged = able[0]
            charge = self._settled(charged.savings, charged.charge.astype(np.float64), REFINING)
            self._known[length] = Charged(
                charged.savings, charge, charged.savings.words(charge), charged.worth
            )
        return self._known[length] if self._known[length].words > words else None

    def _savings(self, length: int, worth: float) -> Savings:
        """What pairs are worth in windows of a length."""
        steps = length if self.sharing.is_twin.any() else length - 1  # that a pair takes room for
        price = min(round(worth * DENOMINATOR / steps), DENOMINATOR)
        return Savings(self.sharing, length, DENOMINATOR, price)

    def _least(self, savings: Savings) -> Int64Array:
        """Return about the least charges that can do: as much as a tree of steps saves."""
        share = (savings.length - 1) / savings.length
        paired = savings.weight[self.sharing.pairs > 0]
        usual = int(np.median(paired)) if paired.size else 0
        return np.full(self.sharing.size, int(share * usual), np.int64)

    def _settled(
        self, savings: Savings, begin: FloatArray, rounds: tuple[int, float]
    ) -> Int64Array:
        """Charges that pay for all sets that are found to save much.

        Parameters
        ----------
        savings
            What pairs are worth.
        begin
            (N,) charges to begin with, infinite for some that are large enough.
        rounds
            How many, and the share by which charges are lowered in the first one.
        """
        steps, weight, length = self.sharing.steps, savings.weight, savings.length
        together = np.zeros((self.sharing.size,) * 2, np.bool_)
        _kernels.span_together(steps, length, together)
        charge = np.where(begin < np.inf, begin, float(weight.max()))
        count, lower = rounds
        for number in range(count + LAST):
            reduction = max(0.0, lower * (1 - number / count))
            _kernels.settle(steps, weight, charge, together, length, reduction, self._shares)
            charge_work("settled pair", int(np.count_nonzero(together)))
            if self._budget.over:
                break
        settled: Int64Array = np.ceil(charge).astype(np.int64)
        return settled

    def _raised(self, savings: Savings, charge: Int64Array, looks: int) -> Int64Array | None:
        """Charges raised until all sets pay enough; None if that takes too long."""
        for _ in range(AGAIN):
            short = self._short(savings, charge, looks)
            if short is None or not short.size:
                return None if short is None else charge
            charge = charge.copy()
            _kernels.raise_short(self.sharing.steps, savings.weight, short, charge)
        return None

    def _short(self, savings: Savings, charge: Int64Array, looks: int) -> Int64Array | None:
        """Sets that pay too little, all or many; None if that takes too long."""
        left, charge = looks, lock(charge)
        sets, count = [], 0
        for first in range(0, charge.size, AT_ONCE):
            short = np.full((SHORT, savings.length), -1, np.int64)
            last = min(first + AT_ONCE, charge.size)
            looked, filled = savings.peeled(charge, first, last, left, short)
            left -= looked
            count += filled
            sets.append(short[:filled])
            charge_work("peel", abs(looked))
            if looked < 0 or self._budget.over:
                return None
            if count >= SHORT:
                break
        return np.concatenate(sets)
