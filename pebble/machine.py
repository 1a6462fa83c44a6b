"""Machines as graphs of memories, the moves that are made on them, and what a play of them did."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from dags import CDAG
from pebble.schedule import NO_OPERAND

NOWHERE = -1


class Action(NamedTuple):
    """A move on a machine.

    Parameters
    ----------
    name
        "LOAD" and "RECEIVE" copy a value from another memory, "STORE" copies it to another,
        "COMPUTE" makes it, "DELETE" lets it go.
    vertex
        The value.
    at
        The memory at which the move is made.
    step
        Moves of a step are made side by side: in it, nothing moves on that came in it.
    other
        The other memory of a copy.
    operand
        The only operand that a computation in parts takes.
    """

    name: str
    vertex: int
    at: int
    step: int
    other: int = NOWHERE
    operand: int = NO_OPERAND

    @property
    def way(self) -> tuple[int, int]:
        """The memories from which and to which a copy goes."""
        return (self.at, self.other) if self.name == "STORE" else (self.other, self.at)


@dataclass(frozen=True)
class Machine:
    """Memories, and the links along which values are copied from one to another.

    Parameters
    ----------
    rooms
        Words of each memory; None where there is no end of them: nothing is deleted there.
    links
        Pairs of memories, from which and to which copies go.
    units
        Memories at which values are computed.
    ends
        Memories in which outputs may end; inputs begin in the first, where nothing else is said.
    numbered
        Whether the memories are levels, which are numbered from 1 on.
    """

    rooms: tuple[int | None, ...]
    links: frozenset[tuple[int, int]]
    units: Collection[int]
    ends: Sequence[int]
    numbered: bool = False

    @classmethod
    def fast(cls, memory: int) -> "Machine":
        """Return a fast memory of so many words, 0, and a slow one without end, 1."""
        return cls((memory, None), frozenset({(0, 1), (1, 0)}), (0,), (1,))

    @classmethod
    def levels(cls, memories: Sequence[int]) -> "Machine":
        """Return a chain of memories of so many words, with one without end behind them."""
        last = len(memories)
        links = {pair for at in range(last) for pair in ((at, at + 1), (at + 1, at))}
        return cls((*memories, None), frozenset(links), (0,), (last,), numbered=True)

    @classmethod
    def processors(
        cls,
        memory: int,
        neighbours: Sequence[Sequence[int]],
        *,
        apart: bool = False,
        ports: Collection[int],
    ) -> "Machine":
        """Return processors 0 to p - 1, each with a fast memory, and slow memory behind them.

        Parameters
        ----------
        memory
            Words of each fast memory.
        neighbours
            For each processor, those from which it receives.
        apart
            Whether processor q has a slow memory of its own, p + q; all share p otherwise.
        ports
            Processors that reach slow memory.
        """
        processors = len(neighbours)
        slow = range(processors, 2 * processors if apart else processors + 1)
        links = {(r, q) for q, row in enumerate(neighbours) for r in row}
        for q in ports:
            links |= {(q, slow[q * apart]), (slow[q * apart], q)}
        rooms = (memory,) * processors + (None,) * len(slow)
        return cls(rooms, frozenset(links), range(processors), slow)


class Played(NamedTuple):
    """Copies, computations and peaks of a legal play.

    Parameters
    ----------
    copies
        (vertex, from, to) of each copy, in order.
    computed
        (vertex, memory) of each computation, as it was completed.
    peaks
        Most words that each memory held at once.
    """

    copies: list[tuple[int, int, int]]
    computed: list[tuple[int, int]]
    peaks: list[int]

    @property
    def recomputes(self) -> int:
        """Computations of values that had been computed before."""
        return len(self.computed) - len({v for v, _ in self.computed})

    def traffic(self, dag: CDAG) -> Counter[tuple[int, int]]:
        """Return the words that were copied along each link."""
        words, moved = dag.sizes.tolist(), Counter[tuple[int, int]]()
        for v, source, place in self.copies:
            moved[source, place] += words[v]
        return moved
