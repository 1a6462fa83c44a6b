"""Chooses windows and exponents; it works in floating point, for it only chooses."""

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import numpy as np
import numpy.typing as npt

from proofs.certificates.loops.hbl import Shape

GRAIN = 120  # exponents are multiples of 1/GRAIN
STEPS = (40, 16, 8, 4, 2, 1)
ROUNDS = 3
FEW = 12  # windows: each number up to this one is tried with exponents of its own
NEARBY = 200  # window sizes and numbers of windows that are tried around the best
SAFE = 1e-9  # relative: what is this close above an integer may be that integer

Exponents = tuple[int, ...]  # of the partial arrays, in units of 1/GRAIN
Windows = tuple[tuple[int, int], ...]  # sizes and counts
FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.integer]


def best_windows(shape: Shape, updates: int, carry: int) -> tuple[Windows, dict[str, Fraction]]:
    """Return the windows that prove most, with their exponents.

    Parameters
    ----------
    shape
        What updates touch.
    updates
        How many there are.
    carry
        Words that each window but the first may find in fast memory.
    """
    search = _Search(shape, updates, carry)
    _, windows, exponents = max(search.candidates())
    return windows, search.named(exponents)


class _Search:
    """Looks for the windows of one family and one memory."""

    def __init__(self, shape: Shape, updates: int, carry: int) -> None:
        self.shape = shape
        self.updates = updates
        self.carry = carry
        self.whole = float(shape.whole_cost)
        self.roles = np.array([len(measure.projections) for measure in shape.partial], np.float64)
        self.price = np.array([float(m.cost) / m.factor for m in shape.partial])
        kept = ["".join(measure.projections) for measure in shape.partial]
        self.keeps = np.array([[roles.count(i) for roles in kept] for i in shape.extents])
        self.ranges = np.log(np.array(list(shape.extents.values()), np.float64))

    def named(self, exponents: Exponents) -> dict[str, Fraction]:
        """Return the exponents by array."""
        pairs = zip(self.shape.partial, exponents, strict=True)
        return {measure.name: Fraction(units, GRAIN) for measure, units in pairs}

    def law(self, exponents: Exponents) -> tuple[float, float]:
        """Return (log c, 1 / sigma): A updates touch c A^(1 / sigma) words of partial arrays."""
        powers = np.array(exponents) / GRAIN
        slack = np.maximum(0.0, 1.0 - self.keeps @ powers)
        powers = powers * self.roles
        sigma = float(powers.sum())
        if sigma == 0:
            return -math.inf, 0.0
        some = powers > 0
        weights = powers[some] @ np.log(self.price[some] / powers[some])
        inner = math.log(self.shape.copies) - self.ranges @ slack + weights
        return math.log(sigma) + float(inner) / sigma, 1 / sigma

    def touched(self, sizes: FloatArray, exponents: Exponents) -> FloatArray:
        """Return the words, rounded up with care, that windows of these sizes touch."""
        constant, power = self.law(exponents)
        words = np.exp(constant + power * np.log(sizes))
        total: FloatArray = np.floor(self.whole * sizes) + np.ceil(words * (1 - SAFE))
        return total

    def values(self, exponents: IntArray, size: float) -> FloatArray:
        """Return (k,) the logarithm of the words that `size` updates touch, for (k, a) exponents.

        As by `law`, for many exponents at once.
        """
        powers = exponents / GRAIN
        slack = np.maximum(0.0, 1.0 - powers @ self.keeps.T)
        powers = powers * self.roles
        sigma = np.maximum(powers.sum(axis=1), 1e-300)
        each = self.price / np.where(powers > 0, powers, self.price)
        weights = (powers * np.log(each)).sum(axis=1)
        inner = math.log(self.shape.copies) - slack @ self.ranges + weights
        values: FloatArray = np.log(sigma) + (inner + math.log(size)) / sigma
        return np.where(powers.sum(axis=1) > 0, values, -np.inf)

    def exponents_for(self, size: float, begin: Exponents) -> Exponents:
        """Return exponents that make the words which `size` updates touch large."""
        moves = np.array([move for move in product((-1, 0, 1), repeat=len(begin)) if any(move)])
        best = np.array(begin)
        worth = float(self.values(best[None], size)[0])
        for step in STEPS:
            improved = True
            while improved:
                tried = np.clip(best + step * moves, 0, GRAIN)
                values = self.values(tried, size)
                place = int(values.argmax())
                improved = float(values[place]) > worth + SAFE
                if improved:
                    best, worth = tried[place], float(values[place])
        return tuple(best.tolist())

    def size_for(self, exponents: Exponents) -> float:
        """Return the window size that proves most per update, as a real number.

        Of c A^p - carry over A the derivative vanishes where c A^p = carry / (1 - p).
        """
        constant, power = self.law(exponents)
        if power >= 1 or power == 0 or self.carry <= 0:
            return float(self.updates) if power >= 1 or power == 0 else 1.0
        exponent = (math.log(self.carry / (1 - power)) - constant) / power
        return min(max(math.exp(min(exponent, 60.0)), 1.0), float(self.updates))

    def candidates(self) -> Iterator[tuple[float, Windows, Exponents]]:
        """Yield the words that windows prove, the windows and their exponents."""
        if not self.shape.partial:
            yield self._worth(((self.updates, 1),), ())
            return
        exponents, size = self._best_law()
        for _ in range(ROUNDS):
            exponents = self.exponents_for(size, exponents)
            size = self.size_for(exponents)
        for windows in splits_near(self.updates, size):
            yield self._worth(windows, exponents)
        for few in range(1, min(FEW, self.updates) + 1):
            exponents = self.exponents_for(self.updates / few, exponents)
            yield self._worth(_of_number(self.updates, few), exponents)

    def _best_law(self) -> tuple[Exponents, float]:
        """Return the exponents and the real window size that prove most per update."""
        exponents: Exponents = (GRAIN // 2,) * len(self.shape.partial)
        best = (-math.inf, exponents, 1.0)
        for start in range(self.updates.bit_length()):
            exponents = self.exponents_for(2.0**start, exponents)
            size = self.size_for(exponents)
            constant, power = self.law(exponents)
            gain = (math.exp(constant + power * math.log(size)) - self.carry) / size
            best = max(best, (gain, exponents, size))
        return best[1:]

    def _worth(self, windows: Windows, exponents: Exponents) -> tuple[float, Windows, Exponents]:
        sizes, counts = np.array(windows, np.float64).T
        words = float(self.touched(sizes, exponents) @ counts)
        return words - self.carry * (counts.sum() - 1), windows, exponents


def splits_near(updates: int, size: float) -> Iterator[Windows]:
    """Yield ways to cut `updates` into windows of about `size`, which is from 1 to `updates`."""
    for best, split in ((round(size), _of_size), (round(updates / size), _of_number)):
        for near in range(max(1, best - NEARBY), min(updates, best + NEARBY) + 1):
            yield split(updates, near)


def _of_size(updates: int, size: int) -> Windows:
    """Return windows of `size` updates, the last with what is left."""
    count, left = divmod(updates, size)
    return ((size, count), (left, 1)) if left else ((size, count),)


def _of_number(updates: int, number: int) -> Windows:
    """Return `number` windows of sizes that differ by at most one."""
    size, more = divmod(updates, number)
    windows = ((size + 1, more), (size, number - more))
    return windows if more else windows[1:]
