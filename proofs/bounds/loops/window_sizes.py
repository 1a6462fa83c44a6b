"""Chooses windows and exponents; it works in floating point, for it only chooses."""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from proofs.lemmas.loops.hbl import Measure, Shape
from proofs.lemmas.loops.updates import compact_words

GRAIN = 120  # exponents are multiples of 1/GRAIN
STEPS = (40, 16, 8, 4, 2, 1)
ROUNDS = 3
FEW = 12  # windows: each number up to this one is tried with exponents of its own
PAIR = 2  # symmetric indices, of which rows are pairs
NEARBY = 200  # window sizes and numbers of windows that are tried around the best
TINY = 1e-300  # in the place of 0 where a logarithm is taken that is multiplied by 0
LONGER = tuple(1.05**power for power in range(-4, 40))  # windows, beside those of one-shot plays
SAFE = 1e-9  # relative: what is this close above an integer may be that integer

Exponents = tuple[int, ...]  # of the partial arrays, in units of 1/GRAIN
Windows = tuple[tuple[int, int], ...]  # sizes and counts
FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
Near = tuple[IntArray, FloatArray, FloatArray]  # (rows, partial arrays) exponents, and their laws


def best_windows(shape: Shape, updates: int, carry: int) -> tuple[Windows, dict[str, Fraction]]:
    """The windows that prove most, with their exponents.

    Parameters
    ----------
    shape
        The arrays that updates touch.
    updates
        How many there are.
    carry
        Words that each window but the first may find in fast memory.
    """
    search = _WindowSearch(shape, updates, carry)
    _, windows, exponents = max(search.candidates())
    return windows, search.named(exponents)


def longer_windows(
    shape: Shape, updates: int, carry: int, windows: Windows, exponents: dict[str, Fraction]
) -> Windows:
    """The windows that prove most of partial computation, near those of one-shot plays.

    Parameters
    ----------
    shape, updates, carry
        As for `best_windows`.
    windows, exponents
        Its result.
    """
    number = sum(count for _, count in windows)
    tried = {max(1, round(number / longer)) for longer in LONGER} | {1}

    def proved(split: Windows) -> int:
        touched = sum(count * compact_words(shape, size, exponents) for size, count in split)
        return touched - carry * (sum(count for _, count in split) - 1)

    return max((_of_number(updates, number) for number in sorted(tried)), key=proved)


def window_entries(
    shape: Shape, updates: int, carry: int, *, partial: bool = False
) -> list[dict[str, Any]]:
    """The windows that prove most, as certificates have them.

    Parameters
    ----------
    shape, updates, carry
        As for `best_windows`.
    partial
        Whether they are for partial computation.
    """
    windows, exponents = best_windows(shape, updates, carry)
    if partial:
        windows = longer_windows(shape, updates, carry, windows, exponents)
    powers = {name: str(value) for name, value in exponents.items()}
    return [{"size": size, "count": count, "exponents": powers} for size, count in windows]


def tight_exponents(
    shape: Shape, updates: int, sizes: Sequence[int]
) -> list[tuple[float, dict[str, Fraction]]]:
    """The words that sets of each of some sizes touch, about, and the exponents that say so.

    Parameters
    ----------
    shape, updates
        As for `best_windows`.
    sizes
        Of the sets, rising.
    """
    search, powers, laws = _WindowSearch(shape, updates, 0), (GRAIN // 2,) * len(shape.partial), []
    for size in sizes:
        powers = search.exponents_for(size, powers)
        words = float(search.touched(np.array([size], np.float64), powers)[0])
        laws.append((words, search.named(powers)))
    return laws


class _Laws:
    """The words that windows touch, by the exponents of the partial arrays of one family.

    Exponents near some are kept: windows of all sizes, and all memories, ask for the same.
    """

    def __init__(self, shape: Shape) -> None:
        roles = np.array([len(measure.projections) for measure in shape.partial], np.float64)
        log_price = np.log([float(m.cost) / m.factor for m in shape.partial])
        self.log_copies = math.log(shape.copies)
        kept = ["".join(measure.projections) for measure in shape.partial]
        self.keeps = np.array([[roles.count(i) for roles in kept] for i in shape.extents])
        self.ranges = np.log(np.array(list(shape.extents.values()), np.float64))
        # Of each exponent of each partial array, in units of 1/GRAIN.
        self.arrays = np.arange(roles.size)
        self.powers = np.arange(GRAIN + 1)[:, None] / GRAIN * roles
        positive = np.maximum(self.powers, TINY)  # a power of 0 weighs nothing
        self.weights = self.powers * (log_price - np.log(positive))
        self._near: dict[tuple[Exponents, int, int], Near] = {}
        self._law: dict[Exponents, tuple[float, float]] = {}

    def of(self, exponents: IntArray) -> tuple[FloatArray, FloatArray]:
        """(log c, 1 / sigma) for each row: A updates touch c A^(1 / sigma) words.

        exponents: (rows, partial arrays). Where all of a row are 0, c is 0.
        """
        slack = np.maximum(0.0, 1.0 - (exponents / GRAIN) @ self.keeps.T)
        places = exponents.T, self.arrays[:, None]  # sums of few rows are quicker than of columns
        sigma = self.powers[places].sum(axis=0)
        weights = self.weights[places].sum(axis=0)
        inner = self.log_copies - slack @ self.ranges + weights
        is_zero = sigma == 0
        sums = np.where(is_zero, 1.0, sigma)
        constants = np.where(is_zero, -np.inf, np.log(sums) + inner / sums)
        return constants, np.where(is_zero, 0.0, 1 / sums)

    def law(self, exponents: Exponents) -> tuple[float, float]:
        """(log c, 1 / sigma) of one row: A updates touch c A^(1 / sigma) words."""
        law = self._law.get(exponents)
        if law is None:
            constants, powers = self.of(np.array([exponents], np.int64))
            law = self._law[exponents] = float(constants[0]), float(powers[0])
        return law

    def near(self, exponents: Exponents, step: int, moves: IntArray) -> Near:
        """The exponents that are some moves of `step` away, and their laws."""
        key = exponents, step, len(moves)
        neighbours = self._near.get(key)
        if neighbours is None:
            tried = np.minimum(np.maximum(np.array(exponents) + step * moves, 0), GRAIN)
            neighbours = self._near[key] = (tried, *self.of(tried))
        return neighbours


@lru_cache(maxsize=8)
def _laws_of(
    extents: tuple[tuple[str, int], ...], measures: tuple[Measure, ...], symmetric: str
) -> _Laws:
    return _Laws(Shape(dict(extents), measures, symmetric))


class _WindowSearch:
    """Looks for the windows of one family and one memory."""

    def __init__(self, shape: Shape, updates: int, carry: int) -> None:
        self.shape = shape
        self.updates = updates
        self.carry = carry
        self.whole = float(shape.whole_cost)
        self.laws = _laws_of(tuple(shape.extents.items()), shape.measures, shape.symmetric)
        self.moves = _moves((1, 0, -1), len(shape.partial))

    def named(self, exponents: Exponents) -> dict[str, Fraction]:
        """The exponents by array."""
        pairs = zip(self.shape.partial, exponents, strict=True)
        return {measure.name: Fraction(units, GRAIN) for measure, units in pairs}

    def law(self, exponents: Exponents) -> tuple[float, float]:
        """(log c, 1 / sigma): A updates touch c A^(1 / sigma) words of partial arrays."""
        return self.laws.law(exponents)

    def touched(self, sizes: FloatArray, exponents: Exponents) -> FloatArray:
        """The words, rounded up with care, that windows of these sizes touch."""
        constant, power = self.law(exponents)
        words = np.exp(constant + power * np.log(sizes))
        total: FloatArray = np.floor(self.whole * sizes) + np.ceil(words * (1 - SAFE))
        return total

    def exponents_for(self, size: float, begin: Exponents) -> Exponents:
        """Exponents that make the words which `size` updates touch large."""
        best = begin
        constant, power = self.law(best)
        logarithm = math.log(size)
        worth = constant + power * logarithm
        for step in STEPS:
            improved = True
            while improved:
                tried, constants, powers = self.laws.near(best, step, self.moves)
                values = constants + powers * logarithm
                new = int(values.argmax())
                improved = bool(values[new] > worth + SAFE)
                if improved:
                    best, worth = tuple(tried[new].tolist()), float(values[new])
        return best

    def size_for(self, exponents: Exponents) -> float:
        """The window size that proves most per update, as a real number.

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
            yield self._best_of([((self.updates, 1),)], ())
            return
        yield from self._partial_candidates()
        if len(self.shape.symmetric) == PAIR:  # an index of columns takes two parts of one of rows
            self.moves = _moves((1, 0, -1, 2, -2), len(self.shape.partial))
            yield from self._partial_candidates()

    def _partial_candidates(self) -> Iterator[tuple[float, Windows, Exponents]]:
        """Yield windows and exponents that are found by the present moves."""
        exponents, size = self._best_law()
        for _ in range(ROUNDS):
            exponents = self.exponents_for(size, exponents)
            size = self.size_for(exponents)
        yield self._best_of([*splits_near(self.updates, size)], exponents)
        for count in range(1, min(FEW, self.updates) + 1):
            exponents = self.exponents_for(self.updates / count, exponents)
            yield self._best_of([_of_number(self.updates, count)], exponents)

    def _best_law(self) -> tuple[Exponents, float]:
        """The exponents and the real window size that prove most per update."""
        exponents: Exponents = (GRAIN // 2,) * len(self.shape.partial)
        best = (-math.inf, exponents, 1.0)
        for start in range(self.updates.bit_length()):
            exponents = self.exponents_for(2.0**start, exponents)
            size = self.size_for(exponents)
            constant, power = self.law(exponents)
            gain = (math.exp(constant + power * math.log(size)) - self.carry) / size
            best = max(best, (gain, exponents, size))
        return best[1:]

    def _best_of(
        self, ways: Sequence[Windows], exponents: Exponents
    ) -> tuple[float, Windows, Exponents]:
        """The words that the best of some ways to cut proves, the way, the exponents."""
        padded = [(*windows, (1, 0))[:2] for windows in ways]
        sizes, counts = np.array(padded, np.float64).transpose(2, 0, 1)
        words = (self.touched(sizes, exponents) * counts).sum(axis=1)
        words -= self.carry * (counts.sum(axis=1) - 1)
        best = words.max()
        return float(best), max(ways[i] for i in np.flatnonzero(words == best).tolist()), exponents


def _moves(parts: tuple[int, ...], count: int) -> IntArray:
    """(moves, count) the changes of all exponents that are tried, in steps."""
    return np.array([move for move in product(parts, repeat=count) if any(move)])


def splits_near(updates: int, size: float) -> Iterator[Windows]:
    """Yield ways to cut `updates` into windows of about `size`, which is from 1 to `updates`."""
    for best, split in ((round(size), _of_size), (round(updates / size), _of_number)):
        for near in range(max(1, best - NEARBY), min(updates, best + NEARBY) + 1):
            yield split(updates, near)


def _of_size(updates: int, size: int) -> Windows:
    """Windows of `size` updates, the last with the rest."""
    count, left = divmod(updates, size)
    return ((size, count), (left, 1)) if left else ((size, count),)


def _of_number(updates: int, number: int) -> Windows:
    """`number` windows of sizes that differ by at most one."""
    size, larger = divmod(updates, number)
    windows = ((size + 1, larger), (size, number - larger))
    return windows if larger else windows[1:]
