"""The best split of a chip's area between memory and arithmetic, for any computation.

min over m of max(w / F, I(m) / b) with a_M m + a_F F <= A: arithmetic does F operations a cycle on
the area that memory leaves, and the pins move b words a cycle of the I(m) that memory asks for.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scipy.optimize import bisect

from proofs.laws import Law
from redblue.answers.hardware.validation import InvalidMachineError, require_positive

Exchange = Callable[[float], float]


@dataclass(frozen=True)
class AreaBudget:
    """The area and the bandwidth of a chip, in any unit of area and of memory used throughout.

    Parameters
    ----------
    area
        A, without the unusable part.
    word_area
        a_M, area of a word of memory.
    unit_area
        a_F, area of a functional unit, which does one operation a cycle.
    bandwidth
        b, words a cycle to and from outside.

    Raises
    ------
    InvalidMachineError
        If a number is not positive.
    """

    area: float
    word_area: float
    unit_area: float
    bandwidth: float

    def __post_init__(self) -> None:
        require_positive(**vars(self))

    def units(self, memory: float) -> float:
        """F, functional units beside `memory` words; less than 0 if those do not fit."""
        return (self.area - self.word_area * memory) / self.unit_area

    def words(self, units: float) -> float:
        """Return m, words of memory beside `units` functional units."""
        return (self.area - self.unit_area * units) / self.word_area


@dataclass(frozen=True)
class Split:
    """A split of the area.

    Parameters
    ----------
    memory
        m, words.
    units
        F, operations a cycle.
    compute_cycles, transfer_cycles
        w / F and I(m) / b.
    unit_share
        Share of the area in functional units.
    """

    memory: float
    units: float
    compute_cycles: float
    transfer_cycles: float
    unit_share: float

    @property
    def cycles(self) -> float:
        """The longer of the two: all overlaps."""
        return max(self.compute_cycles, self.transfer_cycles)


def split_at(budget: AreaBudget, work: float, memory: float, io: float) -> Split:
    """The split with `memory` words, with which `work` operations move `io` words.

    Parameters
    ----------
    budget
        Area and bandwidth of the chip.
    work
        Operations of the computation.
    memory
        Words on the chip.
    io
        Words that cross its pins with so much memory.

    Raises
    ------
    InvalidMachineError
        If they leave no area for arithmetic.
    """
    require_positive(work=work, memory=memory)
    units = budget.units(memory)
    if units <= 0:
        raise InvalidMachineError(
            f"{memory:g} words take {memory * budget.word_area:g} of an area of {budget.area:g}"
        )
    return _split(budget, work, memory, units, io)


def _split(budget: AreaBudget, work: float, memory: float, units: float, io: float) -> Split:
    share = units * budget.unit_area / budget.area
    return Split(memory, units, work / units, io / budget.bandwidth, share)


def best_split(budget: AreaBudget, work: float, exchange: Exchange, *, least: float = 1) -> Split:
    """The split with the fewest cycles, for an I(m) that does not rise with m.

    Then w / F rises and I / b does not, and the best split is where they cross, (4); or, where I
    jumps across, on the better side of the jump. Bisection finds either. Where more memory moves
    no fewer words, several splits are equally good: this one has no units that the pins do not
    feed.

    Parameters
    ----------
    budget
        The chip.
    work
        w, operations.
    exchange
        I(m), words that cross the pins with m words of memory; steps are fine.
    least
        The least memory with which the computation is possible, words.

    Raises
    ------
    InvalidMachineError
        If `least` words leave no area for arithmetic.

    Source
    ------
    Bilardi et al., HiPC 2005, equations (2) to (6).

    Examples
    --------
    >>> chip = AreaBudget(area=100.0, word_area=1.0, unit_area=10.0, bandwidth=1.0)
    >>> split = best_split(chip, work=1e6, exchange=lambda memory: 1e6 / memory**0.5)
    >>> round(split.memory, 6), round(split.units, 6), round(split.unit_share, 6)
    (38.196601, 6.18034, 0.618034)
    """
    first = split_at(budget, work, least, exchange(least))
    if first.compute_cycles >= first.transfer_cycles:
        return first

    def split(memory: float, units: float) -> Split:
        return _split(budget, work, memory, units, exchange(memory))

    def excess(memory: float, units: float) -> float:
        """F (w / F - I / b) b, which rises with the memory."""
        return work * budget.bandwidth - exchange(memory) * units

    half = max(least, budget.area / budget.word_area / 2)
    if excess(half, budget.units(half)) > 0:
        near = _around(lambda memory: excess(memory, budget.units(memory)), least, half)
        splits = [split(memory, budget.units(memory)) for memory in near]
    else:  # memory takes most: the few units are found themselves, not as what is left
        near = _around(lambda units: excess(budget.words(units), units), 0.0, budget.units(half))
        splits = [split(budget.words(units), units) for units in near]
    return min(splits, key=lambda split: split.cycles)


def _around(function: Exchange, low: float, high: float) -> list[float]:
    """Numbers on both sides of where `function` changes its sign, or jumps across 0."""
    smallest = 1e-15 * (low or 1e-15 * high)
    cross = float(bisect(function, low, high, xtol=smallest, rtol=1e-14, maxiter=4000))
    sides = (cross * (1 - 1e-13), cross, cross * (1 + 1e-13))
    return [side for side in sides if low <= side <= high and side > 0]


def best_measured_split(
    budget: AreaBudget, work: float, memories: Sequence[float], io: Sequence[float]
) -> Split:
    """The split with the fewest cycles, of a measured table of I(m).

    Parameters
    ----------
    budget, work
        As for `best_split`.
    memories, io
        Words of memory, and the words that were moved with each.

    Raises
    ------
    InvalidMachineError
        If none of the memories leaves area for arithmetic.

    Examples
    --------
    >>> chip = AreaBudget(area=100.0, word_area=1.0, unit_area=10.0, bandwidth=1.0)
    >>> best_measured_split(chip, 300, [10, 30, 90], [90, 40, 10]).memory
    30
    """
    table = list(zip(memories, io, strict=True))
    fitting = [(memory, words) for memory, words in table if budget.units(memory) > 0]
    if not fitting:
        raise InvalidMachineError(
            f"none of {len(table)} memories leaves arithmetic any of an area of {budget.area:g}"
        )
    splits = (split_at(budget, work, memory, words) for memory, words in fitting)
    return min(splits, key=lambda split: (split.cycles, split.memory))


def law_split(budget: AreaBudget, law: Law, *, least: float = 1) -> Split:
    """The best split for a computation that does `law.ratio(m)` operations a word.

    The pins feed F = b ratio(m) units (4), whatever the work: the cycles are those of one
    operation.

    Parameters
    ----------
    budget
        The chip, with the memory and the bandwidth in words.
    law
        Its coefficient counts: take a fitted one.
    least
        The least memory, words; at least 2 for a logarithmic law, whose ratio is 0 at 1.

    Examples
    --------
    >>> chip = AreaBudget(area=100.0, word_area=1.0, unit_area=10.0, bandwidth=1.0)
    >>> split = law_split(chip, Law("power", 1 / 2))
    >>> round(split.units, 6), round(split.memory ** (1 / 2), 6)
    (6.18034, 6.18034)
    """
    floor = max(least, 2) if law.kind == "logarithmic" else least
    return best_split(budget, 1.0, lambda memory: 1 / law.ratio(memory), least=floor)
