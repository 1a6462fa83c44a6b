"""The least memory for a cost: found from above by schedules, from below by bounds."""

from collections.abc import Callable
from dataclasses import dataclass
from math import log2

from dags import RedBlueError
from pebble import compulsory_words
from proofs import Bound
from redblue.answers.planning.evidence import Choice, Evidence, words
from redblue.answers.planning.ranges import narrowed


class NoMemoryIsEnoughError(RedBlueError, ValueError):
    """A cost that no memory brings about; the message has the least words of a play."""


@dataclass(frozen=True)
class Requirement:
    """The least memory for a cost: an interval, a schedule at its upper end, a bound below it.

    Parameters
    ----------
    cost
        Words that may be moved, with the price of work that is done again.
    at_least
        Words of memory; with less it is proved that more has to be moved.
    choice
        The least memory for which a schedule was found, and the schedule.
    bound
        The method that proves that less than `at_least` does not suffice; None where less cannot
        play at all.
    """

    cost: float
    at_least: int
    choice: Choice
    bound: Bound | None

    @property
    def known(self) -> bool:
        """True if schedule and bound meet."""
        return self.at_least == self.choice.memory

    def sentence(self, what: str) -> str:
        """The sentence on the memory that is needed."""
        below = (
            "no schedule is legal"
            if self.bound is None
            else f"more I/O is needed, by {self.bound.method}"
        )
        least = f"{self.at_least:,} words of memory (below that {below})"
        needed = least if self.known else f"between {least} and {self.choice.memory:,}"
        return f"To {what} you need {needed}: {self.choice}"


def least_memory(
    evidence: Evidence,
    cost: float,
    least: int,
    most: int,
    seconds: float,
    late: Callable[[], bool] = bool,
) -> Requirement:
    """The least memory with which a play costs at most so much.

    Parameters
    ----------
    evidence
        Schedules and bounds of the DAG.
    cost
        Words that may be moved, with the price of work that is done again.
    least, most
        The least memory that can play, and one with which only compulsory words are moved.
    seconds
        Seconds that searches may take where schedule and bound have not met.
    late
        Says whether to play and prove no more: the interval is wider then.

    Raises
    ------
    NoMemoryIsEnoughError
        If every play costs more.
    """
    compulsory, unit = compulsory_words(evidence.dag), evidence.unit
    if cost < compulsory:
        raise NoMemoryIsEnoughError(
            f"no memory is enough for {words(cost):,} words of I/O: every schedule moves "
            f"{compulsory:,}"
        )
    high = narrowed(lambda memory: evidence.choice(memory).cost <= cost, least, most, late, unit)[1]
    low = narrowed(lambda memory: evidence.bound(memory).io <= cost, least, high, late, unit)[0]
    if low < high and seconds and not late():
        _search(evidence, cost, low, high, seconds)
    return requirement_of(evidence, cost, least, most)


def requirement_of(evidence: Evidence, cost: float, least: int, most: int) -> Requirement:
    """The least memory for a cost by all that is known of any.

    Parameters
    ----------
    evidence
        Schedules and bounds of the DAG.
    cost
        Words that may be moved, with the price of work that is done again.
    least, most
        The least memory that can play, and one that is enough.
    """
    choice, bound = evidence.cheapest(cost) or evidence.choice(most), evidence.dearest(cost)
    if bound is None or bound.memory < least:
        return Requirement(cost, least, choice, None)
    return Requirement(cost, bound.memory + evidence.unit, choice, bound)


def _search(evidence: Evidence, cost: float, low: int, high: int, seconds: float) -> None:
    """Search at sizes between which the least memory is."""
    unit = evidence.unit
    each = seconds / (2 * log2((high - low) // unit + 1) + 1)

    def enough(memory: int) -> bool:
        evidence.search(memory, each)
        return evidence.choice(memory).cost <= cost

    def enough_for_all_we_know(memory: int) -> bool:
        evidence.search(memory, each)
        return evidence.bound(memory).io <= cost

    high = narrowed(enough, low, high, unit=unit)[1]
    narrowed(enough_for_all_we_know, low, high, unit=unit)
