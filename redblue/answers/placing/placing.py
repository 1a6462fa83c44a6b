"""`place`: addresses for buffers with lifetimes, in memory of a size or in as little as can be."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import lcm
from pathlib import Path
from typing import Any, TypeAlias

from dags.arguments import checked
from dags.errors import ArgumentError, one_line, shown
from pebble import Budget
from pebble.budget import Clock
from pebble.placement import Buffer, IllegalPlacementError, judge_placement, live_load
from redblue.answers.memories import parse_memory
from redblue.answers.placing.buffer_files import buffers_csv, read_buffers
from redblue.show.model import Column, Table
from redblue.show.printed import Printed
from schedulers.placement import WORK, Placed, least_memory
from schedulers.placement import place as search

# A CSV file, or buffers, or their (lower, upper, size), perhaps with an alignment and a fixed
# address, perhaps by name.
Intervals: TypeAlias = Any

OVERVIEW = 20  # buffers that ``print`` shows


@dataclass(frozen=True, repr=False)
class Placing(Printed):
    """Buffers at addresses, or why there are none.

    Parameters
    ----------
    found
        What the search knows.
    """

    found: Placed

    def __repr__(self) -> str:
        count, height = len(self.found.buffers), self.found.height
        where = "" if height is None else f" in {height:,}"
        return f"<Placing of {count} buffers{where}: {self.status}>"

    @property
    def offsets(self) -> tuple[int, ...] | None:
        """The address of each buffer, in their order; None where no placement is known."""
        return self.found.offsets

    @property
    def height(self) -> int | None:
        """The end of the highest buffer."""
        return self.found.height

    @property
    def bound(self) -> int:
        """No smaller memory holds the buffers, which is proved."""
        return self.found.bound

    @property
    def status(self) -> str:
        """Return "optimal" where no memory is smaller; "placed", "impossible" or "not proved"."""
        return "optimal" if self.found.least else self.found.status

    def to_csv(self) -> str:
        """The buffers with their addresses, as MiniMalloc writes them."""
        return buffers_csv(self.found.buffers, self.found.offsets)

    def to_dict(self) -> dict[str, Any]:
        """The object of `--json`."""
        found = self.found
        return {
            "buffers": len(found.buffers),
            "capacity": found.capacity,
            "status": self.status,
            "height": found.height,
            "bound": found.bound,
            "bound_by": found.bound_by,
            "live_load": live_load(found.buffers),
            "work": found.work,
            "offsets": None if found.offsets is None else list(found.offsets),
        }

    def overview(self) -> tuple[Table]:
        """The first buffers, with their addresses."""
        found = self.found
        names = ("buffer", "lower", "upper", "size", "offset")
        addresses = found.offsets or (None,) * len(found.buffers)
        rows = tuple(
            (one_line(b.name, 40), b.lower, b.upper, b.size, at)
            for b, at in zip(found.buffers[:OVERVIEW], addresses, strict=False)
        )
        return (Table("placement", "", tuple(map(Column, names)), rows),)

    def shown(self) -> tuple[str]:
        """The answer in a sentence or two."""
        placement = self.found
        proof = f"no less than {placement.bound:,} is enough, by {_by(placement)}"
        if placement.height is None:
            if placement.status == "impossible":
                where = (
                    "any memory"
                    if placement.capacity is None
                    else f"memory of {placement.capacity:,}"
                )
                return (f"impossible: no placement of {_count(placement)} in {where}; {proof}",)
            return (f"not proved: the search found no placement of {_count(placement)}; {proof}",)
        verb = "ends" if len(placement.buffers) == 1 else "end"
        ends = f"{_count(placement)} {verb} at {placement.height:,}"
        room = "" if placement.capacity is None else f" of {placement.capacity:,}"
        if placement.least:
            return (f"optimal: {ends}{room}, and no less is enough, by {_by(placement)}",)
        return (f"placed: {ends}{room}; {proof}",)


def _count(found: Placed) -> str:
    count = len(found.buffers)
    return "1 buffer" if count == 1 else f"{count:,} buffers"


def _by(found: Placed) -> str:
    return "the live load" if found.bound_by == "live load" else "a complete search"


@checked
def place(
    intervals: Intervals,
    capacity: int | str | None = None,
    *,
    alignment: int = 1,
    work: int = WORK,
    time_limit: float | None = None,
) -> Placing:
    """Addresses for buffers with lifetimes, so that no two share memory while both live.

    The search is complete: it finds a placement, proves that there is none, or says that neither
    is proved with the work allowed. Work is counted, not timed, so that the same input gives the
    same answer on every machine. An independent referee has judged what is returned.

    Parameters
    ----------
    intervals
        A CSV file with the columns id, lower, upper, size, perhaps alignment and offset; or
        buffers; or their (lower, upper, size[, alignment[, offset]]), in a list or by name. A
        buffer takes ``size`` from moment ``lower`` on and leaves at ``upper``; an offset fixes its
        address.
    capacity
        The size of memory: a number, or a text like "1MiB"; None for the least that is enough.
    alignment
        Every offset is a multiple of this, besides the buffers' own alignments.
    work
        Steps of the search, some 500 million a second.
    time_limit
        Seconds, which can only cut the search.

    Raises
    ------
    InvalidBufferError
        If a buffer has no size or no lifetime, or 64 bits do not count all sizes.
    IllegalPlacementError
        If fixed addresses overlap.
    ArgumentError
        If a buffer is larger than the memory.

    Examples
    --------
    >>> place([(0, 3, 4), (3, 9, 4), (0, 9, 4), (9, 21, 4), (0, 21, 4)], 12).offsets
    (8, 8, 4, 4, 0)
    >>> place({"a": (0, 2, 3), "b": (1, 3, 4)}).height
    7
    """
    buffers = buffers_from(intervals)
    if alignment != 1:
        if alignment < 1:
            raise ArgumentError(f"alignment must be at least 1, not {alignment}")
        buffers = tuple(replace(b, alignment=lcm(b.alignment, alignment)) for b in buffers)
    size = parse_memory(capacity, 1) if isinstance(capacity, str) else capacity
    if size is not None:
        _require_room(buffers, size)
    fixed = [b for b in buffers if b.offset is not None]
    judge_placement(fixed, [b.offset for b in fixed if b.offset is not None], size)
    budget = Budget(clock=None if time_limit is None else Clock(time_limit))
    if size is None:
        return Placing(least_memory(buffers, work=work, budget=budget))
    return Placing(search(buffers, size, work=work, budget=budget))


def _require_room(buffers: Sequence[Buffer], size: int) -> None:
    """Raise ArgumentError if there is no memory, or less than one buffer takes."""
    if size < 1:
        raise ArgumentError(f"capacity must be at least 1, not {size}")
    largest = max(buffers, key=lambda b: b.size, default=None)
    if largest is not None and largest.size > size:
        raise ArgumentError(
            f"buffer {one_line(largest.name, 40)} of {largest.size:,} is larger than the memory "
            f"of {size:,}"
        )


def buffers_from(intervals: Intervals) -> tuple[Buffer, ...]:
    """The buffers that a file, records or numbers stand for.

    Raises
    ------
    ArgumentError
        If they are none.
    """
    if isinstance(intervals, str | Path):
        return read_buffers(Path(intervals))
    if isinstance(intervals, Mapping):
        return tuple(_buffer(str(name), row) for name, row in intervals.items())
    if not isinstance(intervals, Iterable):
        raise ArgumentError(f"intervals are a file or rows of numbers, not {shown(intervals)}")
    return tuple(
        row if isinstance(row, Buffer) else _buffer(str(place), row)
        for place, row in enumerate(intervals)
    )


def _buffer(name: str, row: Any) -> Buffer:
    """The buffer of some numbers."""
    if isinstance(row, Buffer):
        return row
    try:
        values = [None if value is None else int(value) for value in row]
        whole = all(
            value is None or value == given for value, given in zip(values, row, strict=True)
        )
    except (TypeError, ValueError, OverflowError):
        values, whole = [], False
    if not whole or not 3 <= len(values) <= 5 or None in values[:4]:
        raise ArgumentError(
            f"buffer {one_line(name, 40)} is (lower, upper, size[, alignment[, offset]]) in whole "
            f"numbers, not {shown(row)}"
        )
    return Buffer(name, *values)  # type: ignore[arg-type]  # None was looked for above


__all__ = ["IllegalPlacementError", "Intervals", "Placing", "buffers_from", "place"]
