"""Parts of a game in which values may be computed again: from one state to another."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from dags import CDAG
from pebble import Move, Rules
from schedulers.exact.cpsat.operands import rows_of


def bits(x: int) -> Iterator[int]:
    """Yield the members of a set, rising."""
    while x:
        yield (x & -x).bit_length() - 1
        x &= x - 1


def set_of(vertices: Iterable[int]) -> int:
    """Return a set of vertices as bits of a number."""
    members = 0
    for v in vertices:
        members |= 1 << v
    return members


@dataclass(frozen=True)
class Part:
    """A game, or a part of one: a state to begin with, and what must be so at the end.

    All sets of vertices are bits of a number.

    Parameters
    ----------
    operands
        Of each vertex that may be computed, operands before results; no others are computed.
    words
        Of each vertex of the DAG.
    memory, sliding
        The game's.
    red, blue
        What is in fast and in slow memory at the beginning.
    target
        What must be red at the end.
    stored
        What must be blue at the end.
    """

    operands: dict[int, tuple[int, ...]]
    words: list[int]
    memory: int
    sliding: bool
    red: int
    blue: int
    target: int
    stored: int

    @cached_property
    def readers(self) -> dict[int, list[int]]:
        """The vertices that may be computed from each value that is read."""
        readers: dict[int, list[int]] = {}
        for v, row in self.operands.items():
            for u in row:
                readers.setdefault(u, []).append(v)
        return readers

    @cached_property
    def values(self) -> list[int]:
        """Values that may be red when a vertex is computed: read, or wanted at the end."""
        return sorted({*self.readers, *bits(self.target)})

    @cached_property
    def needed(self) -> int:
        """Values that must be computed at least once: wanted, and nowhere yet."""
        return self._indispensable[0]

    @cached_property
    def fetched(self) -> int:
        """Values that must be loaded at least once: wanted, blue alone, and not computed."""
        return self._indispensable[1]

    @cached_property
    def _indispensable(self) -> tuple[int, int]:
        needed = fetched = 0
        wanted = [*bits(self.stored & ~self.blue), *bits(self.target)]
        while wanted:
            v = wanted.pop()
            if (self.red | needed | fetched) >> v & 1:
                continue
            if not self.blue >> v & 1:
                needed |= 1 << v
                wanted += self.operands.get(v, ())
            elif v not in self.operands:
                fetched |= 1 << v
        return needed, fetched

    @property
    def forced(self) -> int:
        """Compulsory I/O of the part, in words: what must be loaded, and stored, at least once."""
        return self.words_of(self.fetched) + self.words_of(self.stored & ~self.blue)

    def cost_of(self, moves: Iterable[tuple[Move, int]]) -> int:
        """Return the words that moves move."""
        return sum(self.words[v] for move, v in moves if move in (Move.LOAD, Move.STORE))

    def words_of(self, members: int) -> int:
        """Return the words of a set."""
        return sum(self.words[v] for v in bits(members))


def whole(dag: CDAG, memory: int, rules: Rules) -> Part:
    """Return the whole game."""
    rows = rows_of(dag)
    return Part(
        operands={v: tuple(rows[v]) for v in dag.computed.tolist()},
        words=dag.sizes.tolist(),
        memory=memory,
        sliding=rules.sliding,
        red=0,
        blue=set_of(dag.inputs.tolist()),
        target=0,
        stored=set_of(dag.outputs.tolist()),
    )
