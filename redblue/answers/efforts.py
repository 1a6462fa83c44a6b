"""Effort of a curve: searches for schedules and bounds at the sizes where a gap is left."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import inf, log
from types import MappingProxyType

from dags import UnknownNameError
from redblue.answers.results import BEST, Row


@dataclass(frozen=True)
class Effort:
    """Work and states that searches may take beyond the plays and bounds that need no search.

    Parameters
    ----------
    seconds
        Seconds of work (`dags.work`) for all memory sizes of a curve together, roughly; 0 for no
        search but that of so few states that it takes no time.
    least, most
        Seconds for one memory size.
    largest
        Vertices and edges beyond which nothing is searched.
    iterations, states_bytes
        Changes of an order, and bytes of states, for a DAG that an exact search takes. Its results
        are the same every time; None to give it the seconds instead.
    """

    seconds: float = 0.0
    least: float = 0.0
    most: float = 0.0
    largest: int = 0
    iterations: int | None = None
    states_bytes: int | None = None

    def within(self, seconds: float | None) -> "Effort":
        """The effort that ends after so many seconds; None for no other end."""
        if seconds is None:
            return self
        least, most = min(seconds, self.least), min(seconds, self.most)
        return replace(self, seconds=min(seconds, self.seconds), least=least, most=most)


SMALL = 64  # values that are computed in a DAG that an exact search takes, at most
FEW_STATES_BYTES = 1 << 20  # of an exact search of less than a tenth of a second

EFFORTS: Mapping[str, Effort] = MappingProxyType(
    {
        "quick": Effort(largest=1 << 15, iterations=0, states_bytes=FEW_STATES_BYTES),
        "normal": Effort(16.0, 1.0, 8.0, 1 << 18, 20_000, 1 << 23),
        "high": Effort(600.0, 20.0, 120.0, 1 << 21),
    }
)
HARDER = {"quick": "normal", "normal": "high"}


def effort_named(name: str) -> Effort:
    """The effort called `name`, or of so many seconds of work where it is a number.

    Raises
    ------
    UnknownNameError
        If it is neither.

    Examples
    --------
    >>> effort_named("2.5").seconds
    2.5
    """
    if name in EFFORTS:
        return EFFORTS[name]
    with suppress(ValueError):
        if 0 < (seconds := float(name)) < inf:
            return Effort(seconds, 0.0, seconds, EFFORTS["high"].largest)
    raise UnknownNameError("effort", name, EFFORTS)


def effort_for(name: str | None, seconds: float | None) -> Effort:
    """The effort of one game that has a name, a limit of its time, or both.

    Parameters
    ----------
    name
        The effort; None for all of the time where there is a limit, and for "normal" elsewhere.
    seconds
        The limit; None for none.
    """
    if name is None and seconds is not None:
        return Effort(seconds, 0.0, seconds)
    return effort_named(name or "normal").within(seconds)


def most_seconds(effort: str | float) -> float:
    """The seconds of work of an effort at one size of memory; 0 for no search.

    Raises
    ------
    UnknownNameError
        If there is none of that name.

    Examples
    --------
    >>> most_seconds("normal"), most_seconds(2.5), most_seconds("0")
    (8.0, 2.5, 0.0)
    """
    with suppress(ValueError):
        if float(effort) == 0:
            return 0.0
    return effort_named(str(effort)).most


def seconds_of(gaps: Mapping[int, float], effort: Effort) -> dict[int, float]:
    """The seconds for each memory size, in proportion to the logarithm of its gap.

    Parameters
    ----------
    gaps
        Best schedule over best bound, more than 1, by memory size.
    effort
        The seconds there are.

    Examples
    --------
    >>> seconds_of({8: 2.0, 16: 2.0, 32: 2.0, 64: 2.0}, EFFORTS["normal"])
    {8: 4.0, 16: 4.0, 32: 4.0, 64: 4.0}
    """
    weights = {memory: log(gap) for memory, gap in gaps.items()}
    total = sum(weights.values())
    return {
        memory: min(max(effort.seconds * weight / total, effort.least), effort.most)
        for memory, weight in weights.items()
    }


def open_gaps(best: Sequence[Row]) -> dict[int, float]:
    """Best schedule over best bound at the sizes at which they have not met.

    Parameters
    ----------
    best
        Rows, with those of the best of each kind; others are left out.
    """
    best = [row for row in best if row.method == BEST]
    floor = {row.memory: row.io for row in best if row.kind == "lower"}
    found = {row.memory: (row.words, floor.get(row.memory)) for row in best if row.kind == "upper"}
    return {memory: io / low for memory, (io, low) in found.items() if io and low and io > low}
