"""A game on at most 64 steps and 64 values, as sets of bits."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
import numpy.typing as npt

from dags import CDAG, RedBlueError
from dags.arrays import Int32Array, Int64Array, lock
from pebble.rules import Rules

BITS = 64
MOST_MEMORY = 2**62  # words, more than there can be in a DAG
Masks = npt.NDArray[np.uint64]
BoolArray = npt.NDArray[np.bool_]


class TooLargeError(RedBlueError, ValueError):
    """More steps, values or words than a search of states can count."""


class SubDAG(Protocol):
    """Vertices of a DAG, numbered from 0 in topological order, with the edges between them.

    A source that is no input comes from nothing: it is computed free, once or, where the rules say
    so, again and again. A vertex with predecessors has to be computed.
    """

    @property
    def pred_indptr(self) -> Int64Array:
        """(p+1,) where the predecessors of each vertex begin in `pred_indices`."""

    @property
    def pred_indices(self) -> Int32Array:
        """(e,) predecessors within the part."""

    @property
    def words(self) -> Int64Array:
        """(p,) sizes."""

    @property
    def is_input(self) -> BoolArray:
        """(p,) whether a vertex begins in slow memory."""

    @property
    def is_output(self) -> BoolArray:
        """(p,) whether a vertex must end in slow memory."""

    @property
    def outside(self) -> Int64Array:
        """(p,) words of the predecessors outside the part, which take room beside the others."""

    @property
    def replaceable(self) -> Int64Array:
        """(p,) words of the largest of these."""


@dataclass(frozen=True)
class WholeDAG:
    """All vertices of a DAG, as a part of it; the fields are those of `SubDAG`."""

    pred_indptr: Int64Array
    pred_indices: Int32Array
    words: Int64Array
    is_input: BoolArray
    is_output: BoolArray

    @cached_property
    def outside(self) -> Int64Array:
        """(p,) zeros."""
        return lock(np.zeros(self.words.size, np.int64))

    @property
    def replaceable(self) -> Int64Array:
        """(p,) zeros."""
        return self.outside


@dataclass(frozen=True)
class SmallGame:
    """A game on sets of bits.

    Steps are the vertices with operands, values those with readers; the two are numbered apart,
    rising, so that a DAG of 80 vertices may fit where neither are more than 64. A vertex that is
    neither moves no word beyond the compulsory ones, which are those of the first load of each
    input that is read, and of the first store of each output. Words that a play moves beyond them
    are its excess.

    Parameters
    ----------
    rules, memory
        The game, and the words of fast memory.
    steps, values
        (c,) and (r,) their vertices.
    operands, before
        (c,) the values that a step reads, and the steps that make them.
    result
        (c,) the value that a step makes, -1 if nobody reads it.
    own
        (c,) words of a step's results.
    outside, replaceable
        (c,) words that a step takes beside its operands and results, for operands that are no
        values of the game; and those of the largest of them, which a result may slide onto.
    readers
        (r,) the steps that read a value.
    sizes
        (r,) words of a value.
    inputs, outputs
        Sets of the values that begin in slow memory, and of those that must end there.
    """

    rules: Rules
    memory: int
    steps: Int64Array
    values: Int64Array
    operands: Masks
    before: Masks
    result: Int64Array
    own: Int64Array
    outside: Int64Array
    replaceable: Int64Array
    readers: Masks
    sizes: Int64Array
    inputs: int
    outputs: int

    @property
    def costly(self) -> int:
        """Set of the values that take a store and a load if they leave and come back.

        An input is in slow memory anyhow, and the store of an output is compulsory.
        """
        return (1 << self.values.size) - 1 & ~self.inputs & ~self.outputs

    @cached_property
    def maker(self) -> Int64Array:
        """(r,) the step that makes a value, -1 if none does."""
        maker = np.full(self.values.size, -1, np.int64)
        maker[self.result[self.result >= 0]] = np.flatnonzero(self.result >= 0)
        return lock(maker)

    @property
    def playable(self) -> bool:
        """True if each step fits into the memory."""
        arrays = (self.operands, self.own, self.outside, self.replaceable)
        rows = zip(*(array.tolist() for array in arrays), strict=True)
        for operands, own_room, outside, replaceable in rows:
            words = [int(self.sizes[r]) for r in members(operands)]
            occupied = sum(words) + outside
            slid = max([replaceable, *words]) if self.rules.sliding else 0
            if max(occupied, occupied + own_room - slid) > self.memory:
                return False
        return True

    @cached_property
    def room_kinds(self) -> Int64Array:
        """(c,) a number of the room that each step takes."""
        rows = np.stack([self.own, self.outside, self.replaceable])
        _, kinds = np.unique(rows, axis=1, return_inverse=True)
        return lock(kinds.reshape(-1).astype(np.int64))


def whole_dag(dag: CDAG) -> WholeDAG:
    """All vertices of a DAG as a part of it."""
    is_input, is_output = np.zeros((2, dag.n), np.bool_)
    is_input[dag.inputs] = True
    is_output[dag.outputs] = True
    return WholeDAG(dag.pred_indptr, dag.pred_indices, dag.sizes, is_input, is_output)


def small_game(part: SubDAG, memory: int, rules: Rules) -> SmallGame:
    """The game on a part of a DAG.

    Parameters
    ----------
    part
        Its vertices and edges.
    memory, rules
        Words of fast memory, and the game.

    Raises
    ------
    TooLargeError
        If it has more than 64 steps, or more than 64 values.
    """
    readers = _readers(part)
    steps = np.flatnonzero(np.diff(part.pred_indptr))
    values = np.array([v for v, row in enumerate(readers) if row], np.int64)
    for kind, vertices in (("computed vertices", steps), ("values that are read", values)):
        if vertices.size > BITS:
            raise TooLargeError(f"exact search is for up to {BITS} {kind}, not {vertices.size}")
    step_of = {int(v): i for i, v in enumerate(steps)}
    value_of = {int(v): i for i, v in enumerate(values)}
    operands = [_predecessors(part, v) for v in steps.tolist()]
    return SmallGame(
        rules=rules,
        memory=min(memory, MOST_MEMORY),
        steps=lock(steps),
        values=lock(values),
        operands=_masks(operands, value_of),
        before=_masks(operands, step_of),
        result=lock(np.array([value_of.get(int(v), -1) for v in steps], np.int64)),
        own=lock(part.words[steps].astype(np.int64)),
        outside=lock(part.outside[steps].astype(np.int64)),
        replaceable=lock(part.replaceable[steps].astype(np.int64)),
        readers=_masks([readers[v] for v in values.tolist()], step_of),
        sizes=lock(part.words[values].astype(np.int64)),
        inputs=mask(np.flatnonzero(part.is_input[values]).tolist()),
        outputs=mask(np.flatnonzero(part.is_output[values]).tolist()),
    )


def members(mask: int) -> list[int]:
    """The members of a set of bits, rising."""
    numbers = []
    while mask:
        numbers.append((mask & -mask).bit_length() - 1)
        mask &= mask - 1
    return numbers


def mask(numbers: Iterable[int]) -> int:
    """The set of `numbers` as bits."""
    bits = 0
    for i in numbers:
        bits |= 1 << i
    return bits


def _predecessors(part: SubDAG, v: int) -> list[int]:
    row: list[int] = part.pred_indices[part.pred_indptr[v] : part.pred_indptr[v + 1]].tolist()
    return row


def _readers(part: SubDAG) -> list[list[int]]:
    """The vertices of the part that read each vertex."""
    readers: list[list[int]] = [[] for _ in range(part.words.size)]
    for v in range(part.words.size):
        for u in _predecessors(part, v):
            readers[u].append(v)
    return readers


def _masks(rows: list[list[int]], place: dict[int, int]) -> Masks:
    """The set of each row's vertices that have a place."""
    return lock(np.array([mask(place[v] for v in row if v in place) for row in rows], np.uint64))
