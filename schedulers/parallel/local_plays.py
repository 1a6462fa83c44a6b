"""Assignments of values to processors, and schedules of them: own plays, which are merged.

A processor's part is a game of its own: the values that it computes, from inputs and from values
of other processors, which it loads like inputs; those that others read are outputs to it. It is
played by the best of the store-aware evictions. A value that others read is stored as soon as it is
computed, so that plays never wait for each other in a circle where all orders are parts of one
topological order of the whole.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dags import CDAG, RedBlueError
from dags.arrays import Int32Array, Int64Array, lock
from pebble import Machine, Move, Schedule, require_memory
from schedulers.eviction import EVICTIONS, schedule
from schedulers.orders.access_order import accesses
from schedulers.parallel._kernels import merging

POLICIES = tuple(EVICTIONS[name] for name in ("belady-clean", "belady-cost"))


@dataclass(frozen=True, eq=False)
class Assignment:
    """The processor that computes each value, and the order in which it does.

    Parameters
    ----------
    name
        Name in results: "blocks 4x4x1".
    owner
        (n,) the processor that computes each vertex; of inputs it says nothing.
    order
        (N,) the computed vertices; each processor computes its own in this order.
    """

    name: str
    owner: Int32Array
    order: Int32Array


Assignments = Callable[[CDAG, int, int], Iterator[Assignment]]


def numbered(name: str, owner: object, order: object) -> Assignment:
    """An assignment of arrays of any integers, locked.

    Parameters
    ----------
    name, owner, order
        Its fields.
    """
    columns = (np.ascontiguousarray(column, dtype=np.int32) for column in (owner, order))
    return Assignment(name, *(lock(column) for column in columns))


class CircularWaitError(RedBlueError):
    """Processors that wait for each other's values: their orders are of no common order."""


@dataclass(frozen=True, eq=False)
class ProcessorGame:
    """The game of one processor.

    Parameters
    ----------
    dag
        Its values and their operands, numbered from 0 as in the whole.
    vertex
        (v,) the vertex of the whole that each of them is.
    order
        (N,) its computed values, in the order in which it computes them.
    """

    dag: CDAG
    vertex: Int32Array
    order: Int32Array


def played(dag: CDAG, assignment: Assignment, machine: Machine) -> Schedule:
    """The schedule of an assignment, on processors that share slow memory.

    Each value is computed once and placed, which is legal under all rules.

    Parameters
    ----------
    dag
        The computation.
    assignment
        Which processor computes each value, and in which order.
    machine
        Processors and their memory; links are not used.

    Raises
    ------
    MemoryTooSmallError
        If some vertex cannot be computed with so little memory.
    CircularWaitError
        If processors wait for each other.
    """
    require_memory(dag, machine.memory)
    exported = exported_values(dag, assignment.owner)
    busy = set(np.unique(assignment.owner[dag.computed]).tolist())
    plays = [
        own_play(part_of(dag, assignment, q, exported), exported, machine.memory)
        if q in busy
        else Schedule([], [])
        for q in range(machine.processors)
    ]
    return merged(dag, plays, machine)


def exported_values(dag: CDAG, owner: Int32Array) -> npt.NDArray[np.bool_]:
    """Return (n,) whether a value is computed by one processor and read by another."""
    reader = np.repeat(owner, np.diff(dag.pred_indptr))
    crossing = owner[dag.pred_indices] != reader
    exported = np.zeros(dag.n, bool)
    exported[dag.pred_indices[crossing]] = True
    exported[dag.inputs] = False
    return exported


def part_of(
    dag: CDAG, assignment: Assignment, processor: int, exported: npt.NDArray[np.bool_]
) -> ProcessorGame:
    """The game of one processor.

    Parameters
    ----------
    dag
        The computation.
    assignment
        Which processor computes each value.
    processor
        The number of the processor.
    exported
        (n,) whether other processors read a value.
    """
    computed = assignment.order[assignment.owner[assignment.order] == processor]
    present = np.zeros(dag.n, bool)
    present[computed] = True
    rising = np.flatnonzero(present)
    lengths = dag.pred_indptr[rising + 1] - dag.pred_indptr[rising]
    operands = dag.pred_indices[places_in_rows(dag.pred_indptr[rising], lengths)]
    present[operands] = True
    vertex = np.flatnonzero(present).astype(np.int32)
    number = np.empty(dag.n, np.int32)  # read only where a vertex is present
    number[vertex] = np.arange(vertex.size, dtype=np.int32)
    ends = np.zeros(vertex.size + 1, np.int64)
    ends[number[rising] + 1] = lengths
    named = exported.copy()
    named[dag.outputs] = True
    part = CDAG(
        np.cumsum(ends),
        number[operands],
        words=None if dag.words is None else dag.words[vertex],
        outputs=number[rising[named[rising]]],
    )
    order = number[computed]
    return ProcessorGame(part, lock(vertex), lock(order))


def places_in_rows(begins: Int64Array, lengths: Int64Array) -> Int64Array:
    """The places of all entries of rows that begin at `begins`, row after row."""
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if ends.size else 0
    places: Int64Array = np.arange(total) + np.repeat(begins - (ends - lengths), lengths)
    return places


def own_play(part: ProcessorGame, exported: npt.NDArray[np.bool_], memory: int) -> Schedule:
    """The play of one processor, in vertices of the whole.

    Parameters
    ----------
    part
        Its game.
    exported
        (n,) whether other processors read a value.
    memory
        Words of its fast memory.
    """
    touched = accesses(part.dag, part.order)
    policy = min(POLICIES, key=lambda policy_tried: policy_tried(touched, memory).io)
    moves = schedule(touched, memory, policy)
    vertex = part.vertex[moves.vertex]
    return stored_at_once(Schedule(moves.op, vertex), exported)


def stored_at_once(moves: Schedule, exported: npt.NDArray[np.bool_]) -> Schedule:
    """The same play, with exported values stored as soon as they are computed."""
    place = 2 * np.arange(len(moves), dtype=np.int64)
    computed = np.flatnonzero(moves.op == Move.COMPUTE)
    computed_at = np.full(exported.size, -1, np.int64)
    computed_at[moves.vertex[computed]] = place[computed]
    early = (moves.op == Move.STORE) & exported[moves.vertex]
    place[early] = computed_at[moves.vertex[early]] + 1
    order = np.argsort(place, kind="stable")
    return Schedule(lock(moves.op[order]), lock(moves.vertex[order]))


def merged(dag: CDAG, plays: list[Schedule], machine: Machine) -> Schedule:
    """The schedule in which each processor makes its own moves, loads perhaps early.

    Parameters
    ----------
    dag
        The computation.
    plays
        The moves of each processor.
    machine
        Processors and their memory.

    Raises
    ------
    CircularWaitError
        If processors wait for each other.
    """
    begins = np.concatenate(([0], np.cumsum([len(play_) for play_ in plays])))
    op = np.concatenate([schedule.op for schedule in plays])
    vertex = np.concatenate([schedule.vertex for schedule in plays])
    processor = np.repeat(np.arange(len(plays), dtype=np.int32), np.diff(begins))
    slow = np.zeros(dag.n, np.uint8)
    slow[dag.inputs] = merging.STORED
    order, step = np.empty(op.size, np.int32), np.empty(op.size, np.int32)
    moved = merging.merge(
        lock(op), lock(vertex), dag.sizes, machine.memory, lock(begins), slow, order, step
    )
    if moved < op.size:
        raise CircularWaitError("processors wait for each other's values in a circle")
    place = lock(processor[order])
    return Schedule(lock(op[order]), lock(vertex[order]), place=place, step=lock(step))
