"""The play that a run of emitted code is: its DAG and its moves, for the referee.

A traced run names each cell by its address: copies into a buffer, writes back, and reads and writes
of each statement. A copy into a buffer loads a value, one out of it stores it, a statement computes
a new one; a value leaves after its last use before it is loaded again. Literals are one value that
is loaded first and stays: a word and a load more.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from dags import CDAG
from dags.arrays import lock
from pebble import IOCount, Move, Schedule, judge, play

PROLOGUE: Final = """\
#define LOAD(x) (x)
#define STORE(x, v) ((void)((x) = (v)))
static void got(const void *to, const void *from) { printf("g %p %p\\n", to, from); }
static void same(const void *to, const void *from) { printf("s %p %p\\n", to, from); }
static void put(const void *to, const void *from) { printf("p %p %p\\n", to, from); }
static void did(int number, int count, const long *all) {
  printf("d %d", number);
  for (int i = 0; i < count; i++) printf(" %ld", all[i]);
  puts("");
}
"""
SMALL: Final = 100_000  # moves that the plain referee judges; the engine counts the same


@dataclass
class Traced:
    """The events of a run.

    Parameters
    ----------
    operands
        Of each value the values that it was computed from; None of one that was given.
    instances
        Of each computed value the statement and the values of its loops.
    moves
        Loads, stores and computations of values, in order.
    held
        The last value of each cell, by its address.
    """

    operands: list[tuple[int, ...] | None] = field(default_factory=list)
    instances: dict[int, tuple[int, ...]] = field(default_factory=dict)
    moves: list[tuple[Move, int]] = field(default_factory=list)
    held: dict[int, int] = field(default_factory=dict)
    cells: dict[int, int] = field(default_factory=dict)  # of values that were given, the address

    def value(self, address: int) -> int:
        """The value of a cell: a new one, if nothing was written there."""
        if address not in self.held:
            self.held[address] = self._new(None)
            self.cells[self.held[address]] = address
        return self.held[address]

    def _new(self, operands: tuple[int, ...] | None) -> int:
        self.operands.append(operands)
        return len(self.operands) - 1

    def take(self, lines: Iterable[str], depths: Mapping[int, int]) -> "Traced":
        """Take note of the events of a run; of each statement the loops around are known."""
        literal = self._new(None)
        self.moves.append((Move.LOAD, literal))
        for line in lines:
            kind, *words = line.split()
            if kind == "d":
                number, *fields = map(int, words)
                loops, (*reads, target) = fields[: depths[number]], fields[depths[number] :]
                operands = tuple(dict.fromkeys(map(self.value, reads))) or (literal,)
                self.held[target] = value = self._new(operands)
                self.instances[value] = (number, *loops)
                self.moves.append((Move.COMPUTE, value))
            else:
                to, source = (int(word, 16) for word in words)
                self.held[to] = mine = self.value(source)
                if kind != "s":  # copies in fast memory are no moves
                    self.moves.append((Move.LOAD if kind == "g" else Move.STORE, mine))
        return self

    def reads(self) -> dict[tuple[int, ...], set[tuple[int, ...]]]:
        """Which instances each instance reads; values that were given are left out."""
        return {
            instance: {
                self.instances[operand]
                for operand in self.operands[value] or ()
                if operand in self.instances
            }
            for value, instance in self.instances.items()
        }


def refereed(run: Traced, outputs: Iterable[int], memory: int) -> IOCount:
    """The referee's count of a run.

    Parameters
    ----------
    run
        Its trace.
    outputs
        Addresses of the cells that are its results.
    memory
        Words of its buffers and scalars; two more are for literals, and for a result beside its
        operands.
    """
    moves = run.moves
    ends = {run.held[output] for output in outputs if output in run.held}
    ends = {end for end in ends if run.operands[end] is not None}
    kept = _needed(run, ends, moves)
    dag = _dag(run, kept, ends)
    schedule = _schedule(moves, kept, dag)
    judging = judge if len(schedule) < SMALL else play
    return judging(dag, schedule, memory + 2)


def _needed(run: Traced, ends: set[int], moves: Sequence[tuple[Move, int]]) -> dict[int, int]:
    """Return new numbers of the values that matter: given, stored, or read by such."""
    need = ends | {value for move, value in moves if move == Move.STORE}
    for value in range(len(run.operands) - 1, -1, -1):
        if run.operands[value] is None:
            need.add(value)
        elif value in need:
            need.update(run.operands[value] or ())
    return {value: number for number, value in enumerate(sorted(need))}


def _dag(run: Traced, kept: Mapping[int, int], ends: set[int]) -> CDAG:
    rows = [sorted(kept[operand] for operand in run.operands[value] or ()) for value in kept]
    indptr = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    indices = np.array([operand for row in rows for operand in row], np.int32)
    outputs = np.array(sorted(kept[end] for end in ends), np.int32)
    return CDAG(indptr, indices, outputs=outputs)


def _schedule(moves: Sequence[tuple[Move, int]], kept: Mapping[int, int], dag: CDAG) -> Schedule:
    """The moves of values that matter; each value leaves after its last use of a stay."""
    moves_kept = [(move, kept[value]) for move, value in moves if value in kept]
    leaves: list[list[int]] = [[] for _ in moves_kept]
    used: set[int] = set()
    for position in range(len(moves_kept) - 1, -1, -1):
        move, vertex = moves_kept[position]
        uses = [vertex] if move == Move.STORE else []
        if move == Move.COMPUTE:
            uses = dag.pred_indices[dag.pred_indptr[vertex] : dag.pred_indptr[vertex + 1]].tolist()
        for use in uses:
            if use not in used:
                leaves[position].append(use)
                used.add(use)
        if move != Move.STORE:  # a stay begins
            if vertex not in used:
                leaves[position].append(vertex)
            used.discard(vertex)
    rows = [
        action
        for move, out in zip(moves_kept, leaves, strict=True)
        for action in (move, *((Move.DELETE, vertex) for vertex in out))
    ]
    op = np.array([move for move, _ in rows], np.uint8)
    return Schedule(lock(op), lock(np.array([vertex for _, vertex in rows], np.int32)))
