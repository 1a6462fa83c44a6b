"""Machines as graphs of memories."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from math import prod
from typing import Literal

from dags import InvalidSpecError
from dags.errors import shown
from pebble.errors import Violation

MOST_PROCESSORS = 1 << 16
Slow = Literal["shared", "own"]
SHAPES = {"line": False, "ring": True, "mesh": False, "torus": True}
Fault = tuple[Violation, str]


@dataclass(frozen=True)
class Links:
    """A lattice of processors in d dimensions, the last coordinate running fastest.

    Parameters
    ----------
    shape
        Processors along each dimension.
    wrapped
        Whether the last processor along a dimension is a neighbour of the first.
    """

    shape: tuple[int, ...]
    wrapped: bool = False

    def __post_init__(self) -> None:
        if not self.shape or min(self.shape) < 1:
            raise InvalidSpecError("links need at least one dimension, of at least one processor")

    @property
    def name(self) -> str:
        """The specification: "ring:8", "mesh:4x4"."""
        flat = len(self.shape) == 1
        kind = ("ring" if flat else "torus") if self.wrapped else ("line" if flat else "mesh")
        return f"{kind}:{'x'.join(map(str, self.shape))}"

    @property
    def processors(self) -> int:
        """Processors of the lattice."""
        return prod(self.shape)

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """The neighbours of each processor, rising; of two along a wrapped side of two, one."""
        places = list(product(*map(range, self.shape)))
        number = {place: q for q, place in enumerate(places)}
        adjacent: list[set[int]] = [set() for _ in places]
        for place, q in number.items():
            for axis, side in enumerate(self.shape):
                after = place[axis] + 1
                if after == side and not self.wrapped:
                    continue
                neighbour = number[(*place[:axis], after % side, *place[axis + 1 :])]
                if neighbour != q:
                    adjacent[q].add(neighbour)
                    adjacent[neighbour].add(q)
        return tuple(tuple(sorted(adjacent)) for adjacent in adjacent)

    @property
    def border(self) -> tuple[int, ...]:
        """The processors at an end of some dimension, rising."""
        places = enumerate(product(*map(range, self.shape)))
        ends = [{0, side - 1} for side in self.shape]
        return tuple(
            q for q, place in places if any(x in end for x, end in zip(place, ends, strict=True))
        )


def parse_links(text: str) -> Links:
    """The links that "line:8", "ring:8", "mesh:4x4" or "torus:2x2x2" names.

    Raises
    ------
    InvalidSpecError
        If it names none.
    """
    match = re.fullmatch(r"(\w+):([0-9]{1,6}(?:x[0-9]{1,6})*)", text)
    if match is None or match[1] not in SHAPES:
        raise InvalidSpecError(
            f"links are line:8, ring:8, mesh:4x4 or torus:2x2x2, not {shown(text)}"
        )
    shape = tuple(map(int, match[2].split("x")))
    if prod(shape) > MOST_PROCESSORS:
        raise InvalidSpecError(
            f"{prod(shape):,} processors are more than the {MOST_PROCESSORS:,} that are played"
        )
    if match[1] in ("line", "ring") and len(shape) > 1:
        raise InvalidSpecError(f"a {match[1]} has one dimension, not {len(shape)}")
    return Links(shape, SHAPES[match[1]])


@dataclass(frozen=True)
class Machine:
    """The memories of processors, the memories behind them, and which memory is behind which.

    Parameters
    ----------
    rooms
        Words of each memory; None where there is no end of them: nothing is deleted there, and
        outputs end there. Inputs begin in the first such memory, if a schedule does not say where.
    behind
        The memory from which each one loads and to which it stores; None for none.
    neighbours
        For each memory, those from which it receives; () for none at all.
    processors
        How many of the memories, the first ones, compute values.
    numbered
        Whether the memories are levels, which are numbered from 1 on.
    links
        The lattice that the processors stand in, if they do.
    """

    rooms: tuple[int | None, ...]
    behind: tuple[int | None, ...]
    neighbours: tuple[tuple[int, ...], ...] = field(default=(), repr=False)
    processors: int = 1
    numbered: bool = False
    links: Links | None = None

    @classmethod
    def fast(cls, memory: int) -> "Machine":
        """A fast memory of a given number of words, 0, and a slow one without end, 1."""
        return cls((memory, None), (1, None))

    @classmethod
    def levels(cls, memories: Sequence[int]) -> "Machine":
        """A chain of memories of a given number of words, with one without end behind them.

        It is the standard memory hierarchy, in which copies at several levels are allowed, and not
        asked for.

        Source
        ------
        J. E. Savage, Extending the Hong-Kung model to memory hierarchies, COCOON 1995; Models of
        computation, section 11.2: rules R1 to R6, here with inputs that are there at the
        beginning, results that are placed, and one computation of each value.
        """
        behind = range(1, len(memories) + 1)
        return cls((*memories, None), (*behind, None), numbered=True)

    @classmethod
    def parallel(
        cls,
        processors: int,
        memory: int,
        links: Links | None = None,
        slow: Slow = "shared",
        ports: Sequence[int] | None = None,
    ) -> "Machine":
        """Processors with a fast memory each, and slow memory behind them.

        Parameters
        ----------
        processors
            Number of them.
        memory
            Words of each fast memory.
        links
            The lattice in which neighbours receive of each other; None for no links.
        slow
            Whether slow memory is "shared" by all, or each processor has its "own".
        ports
            Processors that reach slow memory; None for all.

        Raises
        ------
        InvalidSpecError
            If there are too many processors, or others than those of the lattice.
        """
        if not 1 <= processors <= MOST_PROCESSORS:
            raise InvalidSpecError(
                f"there can be 1 to {MOST_PROCESSORS:,} processors, not {processors}"
            )
        if links is not None and links.processors != processors:
            raise InvalidSpecError(
                f"{links.name} has {links.processors} processors, not {processors}"
            )
        if slow not in ("shared", "own"):
            raise InvalidSpecError(f"slow memory is shared or own, not {shown(slow)}")
        if ports is not None and not set(ports) <= set(range(processors)):
            raise InvalidSpecError(f"ports must be in 0..{processors - 1}")
        is_own, reaching = slow == "own", set(range(processors) if ports is None else ports)
        ends = (None,) * (processors if is_own else 1)
        behind = (processors + q * is_own if q in reaching else None for q in range(processors))
        neighbours = () if links is None else links.neighbours
        rooms = (memory,) * processors + ends
        return cls(rooms, (*behind, *ends), neighbours, processors, links=links)

    @property
    def memory(self) -> int:
        """Words of the first memory."""
        assert self.rooms[0] is not None
        return self.rooms[0]

    @cached_property
    def ends(self) -> tuple[int, ...]:
        """Memories without end."""
        return tuple(place for place, room in enumerate(self.rooms) if room is None)

    def with_rooms(self, rooms: Sequence[int | None]) -> "Machine":
        """The same machine with so many words in each memory."""
        return replace(self, rooms=tuple(rooms))

    def with_memory(self, memory: int) -> "Machine":
        """The same machine with so many words in each memory that has an end."""
        return self.with_rooms([None if room is None else memory for room in self.rooms])

    def receives(self, place: int, source: int) -> bool:
        """Whether a memory receives from another."""
        return place < len(self.neighbours) and source in self.neighbours[place]

    def _told(self, of_level: Violation, rule: Violation, place: int) -> Fault:
        """A rule that is broken, as it is called on this machine."""
        return (of_level, f"level {place + 1}") if self.numbered else (rule, "")

    def no_such(self, place: int) -> Fault:
        """Return that no such move is made at a memory."""
        return self._told(Violation.NO_SUCH_LEVEL, Violation.NO_SUCH_PROCESSOR, place)

    def present(self, place: int) -> Fault:
        """Return that a value is in a memory already."""
        rule = Violation.ALREADY_BLUE if self.rooms[place] is None else Violation.ALREADY_RED
        return self._told(Violation.ALREADY_AT_LEVEL, rule, place)

    def absent(self, place: int, *, received: bool) -> Fault:
        """Return that a value is not in the memory from which it is taken."""
        rule = Violation.NOT_BLUE if self.rooms[place] is None else Violation.NOT_RED
        rule = Violation.NOT_AT_NEIGHBOUR if received else rule
        return self._told(Violation.NOT_AT_LEVEL, rule, place)

    def full(self, place: int, used: int, size: int) -> Fault:
        """Return that a memory has no room for a value.

        Parameters
        ----------
        place
            The memory.
        used, size
            Words that are in it, and words of the value.
        """
        suffix = f" of level {place + 1}" if self.numbered else ""
        detail = f"{used} + {size} words do not fit into {self.rooms[place]}{suffix}"
        return Violation.MEMORY_FULL, detail
