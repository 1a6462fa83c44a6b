"""Machines of several processors: fast memories, the links between them, slow memory."""

import re
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from math import prod
from typing import Literal

import numpy as np

from dags import InvalidSpecError
from dags.arrays import Int32Array, lock
from dags.errors import shown
from pebble import machine as graphs

MOST_PROCESSORS = 1 << 16
Slow = Literal["shared", "own"]
SHAPES = {"line": False, "ring": True, "mesh": False, "torus": True}


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
        found: list[set[int]] = [set() for _ in places]
        for place, q in number.items():
            for axis, side in enumerate(self.shape):
                after = place[axis] + 1
                if after == side and not self.wrapped:
                    continue
                other = number[(*place[:axis], after % side, *place[axis + 1 :])]
                if other != q:
                    found[q].add(other)
                    found[other].add(q)
        return tuple(tuple(sorted(each)) for each in found)

    @property
    def border(self) -> tuple[int, ...]:
        """The processors at an end of some dimension, rising."""
        places = enumerate(product(*map(range, self.shape)))
        ends = [{0, side - 1} for side in self.shape]
        return tuple(
            q for q, place in places if any(x in end for x, end in zip(place, ends, strict=True))
        )


def parse_links(text: str) -> Links:
    """Return the links that "line:8", "ring:8", "mesh:4x4" or "torus:2x2x2" names.

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
    """Processors with a fast memory each.

    Parameters
    ----------
    processors
        Number of them.
    memory
        Words of fast memory of each.
    links
        The lattice that they stand in, whose neighbours send each other values; None where they
        meet in slow memory only.
    slow
        "shared": one slow memory, in which inputs begin. "own": each processor has its own, and
        a schedule says in which of them each input begins.
    ports
        Processors that reach slow memory; None for all of them.
    """

    processors: int
    memory: int
    links: Links | None = None
    slow: Slow = "shared"
    ports: tuple[int, ...] | None = field(default=None)

    def __post_init__(self) -> None:
        if not 1 <= self.processors <= MOST_PROCESSORS:
            raise InvalidSpecError(
                f"there can be 1 to {MOST_PROCESSORS:,} processors, not {self.processors}"
            )
        if self.links is not None and self.links.processors != self.processors:
            raise InvalidSpecError(
                f"{self.links.name} has {self.links.processors} processors, not {self.processors}"
            )
        if self.slow not in ("shared", "own"):
            raise InvalidSpecError(f"slow memory is shared or own, not {shown(self.slow)}")
        if self.ports is not None and not set(self.ports) <= set(range(self.processors)):
            raise InvalidSpecError(f"ports must be in 0..{self.processors - 1}")

    @cached_property
    def link_rows(self) -> tuple[Int32Array, Int32Array]:
        """The links (p+1,), (l,): those into processor q come from its row of processors."""
        rows = () if self.links is None else self.links.neighbours
        ends = np.cumsum([0, *map(len, rows)]) if rows else np.zeros(self.processors + 1)
        sources = [r for row in rows for r in row]
        return lock(ends.astype(np.int32)), lock(np.array(sources, np.int32))

    def has_port(self, processor: int) -> bool:
        """Return whether a processor reaches slow memory."""
        return self.ports is None or processor in self.ports

    @cached_property
    def memories(self) -> graphs.Machine:
        """The graph of its memories, of which the fast ones are numbered as the processors."""
        return graphs.Machine.processors(
            self.memory,
            self.links.neighbours if self.links else [()] * self.processors,
            apart=self.slow == "own",
            ports=range(self.processors) if self.ports is None else self.ports,
        )

    def slow_memory(self, processor: int) -> int:
        """Return the number of the slow memory of a processor in `memories`."""
        return self.processors + (processor if self.slow == "own" else 0)
