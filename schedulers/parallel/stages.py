"""Plays in stages on a lattice of processors: neighbours pass on the values that a stage needs.

Each processor keeps its values, and those it has received, until nobody reads it any more there. A
stage has four phases: inputs are loaded where they are at home, values travel hop by hop to those
who read them in the stage, all processors compute theirs, and outputs are stored. Nothing is loaded
twice: fast memories must hold all live values.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dags import CDAG, InvalidSpecError
from dags.arrays import Int64Array
from pebble import IllegalMoveError, Links, Machine, MemoryTooSmallError, Move, Schedule, play_on

LOAD, STORE, COMPUTE, DELETE, RECEIVE = Move
LOADING, TRAVELLING, COMPUTING, STORING = range(4)


def previous_hop(links: Links, processor: Int64Array, root: Int64Array) -> Int64Array:
    """The neighbours one hop nearer to `root` on the ways from there to `processor`.

    The last dimension is undone first, around a wrapped side by the shorter way; where they are
    the same, a processor is its own.

    Parameters
    ----------
    links
        The lattice.
    processor, root
        (k,) numbers of processors.
    """
    place = np.stack(np.unravel_index(processor, links.shape))
    start = np.stack(np.unravel_index(root, links.shape))
    moved = np.zeros(processor.shape, bool)
    for axis in reversed(range(len(links.shape))):
        side = links.shape[axis]
        ahead = (start[axis] - place[axis]) % side
        back = side - ahead
        up = (start[axis] > place[axis]) if not links.wrapped else (ahead <= back)
        step = np.where(up, 1, -1) * ((start[axis] != place[axis]) & ~moved)
        moved |= step != 0
        place[axis] = (place[axis] + step) % side
    number: Int64Array = np.ravel_multi_index(tuple(place), links.shape).astype(np.int64)
    return number


def distance(links: Links, source: Int64Array, target: Int64Array) -> Int64Array:
    """(k,) the hops between processors.

    Parameters
    ----------
    links
        The lattice.
    one, other
        (k,) numbers of processors.
    """
    hops = np.zeros(source.shape, np.int64)
    source_place, target_place = (
        np.unravel_index(source, links.shape),
        np.unravel_index(target, links.shape),
    )
    for axis, side in enumerate(links.shape):
        difference = np.abs(source_place[axis] - target_place[axis])
        hops += np.minimum(difference, side - difference) if links.wrapped else difference
    return hops


@dataclass(frozen=True, eq=False)
class Placement:
    """The place and time at which each value of a DAG is computed.

    Parameters
    ----------
    owner
        (n,) the processor that computes each vertex, or where an input is at home.
    stage
        (n,) the stage in which it is computed, later than those of its operands or the same with
        operands of its own processor; of inputs it says nothing.
    sink
        (n,) the processor that stores each output; None where that is its owner.
    leaves
        (n,) the stage in which each output is stored, later than its own where another processor
        stores it; None for as soon as that.
    """

    owner: Int64Array
    stage: Int64Array
    sink: Int64Array | None = None
    leaves: Int64Array | None = None


@dataclass(frozen=True, eq=False)
class _Copies:
    """Values at processors: (c,) which, where, from which stage on, and the key of its last use."""

    value: Int64Array
    place: Int64Array
    first: Int64Array
    last: Int64Array


def staged(dag: CDAG, placement: Placement, machine: Machine) -> Schedule:
    """The play of a placement.

    Parameters
    ----------
    dag
        The computation.
    placement
        Where and when each value is computed.
    machine
        Processors on a lattice.

    Raises
    ------
    InvalidSpecError
        If the machine has no links.
    MemoryTooSmallError
        If a fast memory cannot hold its live values; it says how many there are.
    """
    if machine.links is None:
        raise InvalidSpecError("processors without links pass nothing on to neighbours")
    keys = _Keys(dag, placement)
    copies = _copies(dag, placement, machine.links, keys)
    schedule = _moves(dag, placement, machine, keys, copies)
    try:
        play_on(dag, schedule, machine)
    except IllegalMoveError as error:
        peak = max(play_on(dag, schedule, machine.with_memory(2**62)).peaks)
        name = dag.name(error.vertex)
        raise MemoryTooSmallError(machine.memory, peak, name, "nothing is loaded twice") from error
    return schedule


class _Keys:
    """Positions of moves in the play, as integers that can be compared."""

    def __init__(self, dag: CDAG, placement: Placement) -> None:
        self.ranks = dag.n + 2
        self.stage = placement.stage
        self.stored = placement.stage.copy()  # the stage in which an output is stored
        if placement.sink is not None:
            self.stored += placement.sink != placement.owner
        if placement.leaves is not None:
            self.stored = np.maximum(self.stored, placement.leaves)

    def key(self, stage: npt.ArrayLike, phase: int, rank: npt.ArrayLike, after: int) -> Int64Array:
        """The place of moves of a phase of a stage; those `after` a rank end values."""
        level = np.asarray(stage, np.int64) * 4 + phase
        position: Int64Array = (level * self.ranks + np.asarray(rank, np.int64) + 1) * 2 + after
        return position


def _copies(dag: CDAG, placement: Placement, links: Links, keys: _Keys) -> _Copies:
    """The holder of each value, from when, and until which move."""
    owner, stage = placement.owner, placement.stage
    reader = np.repeat(np.arange(dag.n), np.diff(dag.pred_indptr))
    value = [dag.pred_indices.astype(np.int64)]
    place, first = [owner[reader]], [stage[reader]]
    last = [keys.key(stage[reader], COMPUTING, reader, 1)]
    outputs = dag.outputs.astype(np.int64)
    sink = owner if placement.sink is None else placement.sink
    value.append(outputs)
    place.append(sink[outputs])
    first.append(keys.stored[outputs])
    last.append(keys.key(keys.stored[outputs], STORING, 0, 1))
    copies = _merged(dag.n, *(np.concatenate(column) for column in (value, place, first, last)))
    travelling = copies
    while True:  # one hop back from all that are away from home, until none are
        distant = travelling.place != owner[travelling.value]
        if not distant.any():
            return copies
        sent, needed = travelling.value[distant], travelling.first[distant]
        before = previous_hop(links, travelling.place[distant], owner[sent])
        travelling = _Copies(sent, before, needed, keys.key(needed, COMPUTING, -1, 1))
        pairs = zip(vars(copies).values(), vars(travelling).values(), strict=True)
        copies = _merged(dag.n, *(np.concatenate(pair) for pair in pairs))


def _merged(
    n: int, value: Int64Array, place: Int64Array, first: Int64Array, last: Int64Array
) -> _Copies:
    """Return one copy of a value at a processor, from the first stage on until the last use."""
    pair, group = np.unique(place * n + value, return_inverse=True)
    begins = np.full(pair.size, np.iinfo(np.int64).max)
    ends = np.zeros(pair.size, np.int64)
    np.minimum.at(begins, group, first)
    np.maximum.at(ends, group, last)
    return _Copies(pair % n, pair // n, begins, ends)


@dataclass(frozen=True, eq=False)
class _Moves:
    """Moves of one kind: (k,) vertices, processors, keys, and senders or None."""

    op: Move
    vertex: Int64Array
    processor: Int64Array
    key: Int64Array
    source: Int64Array | None = None


def _moves(
    dag: CDAG, placement: Placement, machine: Machine, keys: _Keys, copies: _Copies
) -> Schedule:
    """Return the schedule in which copies come and go."""
    owner, computed = placement.owner, dag.computed.astype(np.int64)
    outputs = dag.outputs.astype(np.int64)
    sink = owner if placement.sink is None else placement.sink
    computes = keys.key(keys.stage[computed], COMPUTING, computed, 0)
    stored = keys.key(keys.stored[outputs], STORING, 0, 0)
    parts = [
        *_arrivals(dag, owner, machine, keys, copies),
        _Moves(COMPUTE, computed, owner[computed], computes),
        _Moves(STORE, outputs, sink[outputs], stored),
        _Moves(DELETE, copies.value, copies.place, copies.last),
    ]
    nobody = [np.full(part.vertex.size, -1) for part in parts]
    sources = [
        nothing if part.source is None else part.source
        for part, nothing in zip(parts, nobody, strict=True)
    ]
    op = np.concatenate([np.full(part.vertex.size, part.op, np.uint8) for part in parts])
    key = np.concatenate([part.key for part in parts])
    order = np.lexsort((op == DELETE, key))
    return Schedule(
        op=op[order],
        vertex=np.concatenate([part.vertex for part in parts])[order],
        place=np.concatenate([part.processor for part in parts])[order],
        step=_steps(key[order], keys),
        source=np.concatenate(sources)[order],
        home=owner if len(machine.ends) > 1 else None,
    )


def _arrivals(
    dag: CDAG, owner: Int64Array, machine: Machine, keys: _Keys, copies: _Copies
) -> list[_Moves]:
    """The loads of inputs where they are at home, and the values that travel."""
    links = machine.links
    assert links is not None
    roots = owner[copies.value]
    loaded = (copies.place == roots) & ~dag.is_computed[copies.value]
    distant = copies.place != roots
    # an input is loaded in the first stage in which anybody has it
    arrival = np.full(dag.n, np.iinfo(np.int64).max)
    np.minimum.at(arrival, copies.value, copies.first)
    value = copies.value[loaded]
    hops = distance(links, roots[distant], copies.place[distant])
    return [
        _Moves(LOAD, value, copies.place[loaded], keys.key(arrival[value], LOADING, 0, 0)),
        _Moves(
            RECEIVE,
            copies.value[distant],
            copies.place[distant],
            keys.key(copies.first[distant], TRAVELLING, hops, 0),
            previous_hop(links, copies.place[distant], roots[distant]),
        ),
    ]


def _steps(key: Int64Array, keys: _Keys) -> Int64Array:
    """A step for each phase, and for each hop of those in which values travel."""
    phase = key // 2 // keys.ranks
    hop = np.where(phase % 4 == TRAVELLING, key // 2 % keys.ranks, 0)
    begins = np.zeros(key.size, np.int64)
    begins[1:] = (np.diff(phase) != 0) | (np.diff(hop) != 0)
    steps: Int64Array = np.cumsum(begins)
    return steps
