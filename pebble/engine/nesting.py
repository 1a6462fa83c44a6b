"""A play of a hierarchy, made of two-level plays of one order whose memories are nested.

**Lemma.** Let plays of one order, one for each boundary, hold after every step at each boundary all
values that those below hold there, make room before they load, and delete dead values at once. Then
their moves, step by step, the evictions of the lowest boundary first and its loads last, are a play
of the hierarchy, which moves across each boundary the words that the play of that boundary moves.

*Proof.* A value that leaves level l for the first time since it was computed or came is stored, if
the level above has it not: it has a place reserved there, for the play of that boundary still holds
it; values that that play lets leave in the same step go on. Level l + 1 so holds at any time some
of the values that its play holds, and of these all that the level below does not hold: the level
below has stored it, or it came through. So a value that is loaded into level l is at level l + 1,
once the loads of the boundaries above have been made.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from dags.arrays import Int32Array
from pebble._kernels.machines import mark_present
from pebble.moves import Move
from pebble.schedule import Schedule

Op = npt.NDArray[np.uint8]
BoolArray = npt.NDArray[np.bool_]
EVICTIONS, LOADS, COMPUTES, DEATHS = range(4)  # of a step, in this order


def nested(plays: Sequence[Schedule]) -> Schedule:
    """The play of a hierarchy that moves at each boundary the words of a play for it.

    Parameters
    ----------
    plays
        For each boundary, the lowest first, a one-shot play with the memory below it; all compute
        in one order, and each holds all that those before it do.
    """
    keys, columns = [], []
    for boundary, play in enumerate(plays, start=1):
        op, step = play.op.astype(np.int64), np.cumsum(play.op == Move.COMPUTE)
        after = _follows(play)
        phase = np.where(op == Move.LOAD, LOADS, np.where(after, DEATHS, EVICTIONS))
        phase[op == Move.COMPUTE] = COMPUTES
        step -= after | (op == Move.COMPUTE)
        rank = np.where(phase == LOADS, len(plays) - boundary, boundary)
        kept = (op != Move.COMPUTE) | (boundary == 1)
        keys.append(np.stack((np.arange(op.size), rank, phase, step))[:, kept])
        columns.append(np.stack((op, play.vertex, np.full(op.size, boundary - 1)))[:, kept])
    order = np.lexsort(np.concatenate(keys, axis=1))
    op, vertex, place = np.concatenate(columns, axis=1)[:, order]
    return _without_absent(op.astype(np.uint8), vertex.astype(np.int32), place.astype(np.int32))


def _follows(play: Schedule) -> BoolArray:
    """(k,) which moves follow the computation before them: deaths, and the stores there."""
    last = np.zeros(int(play.vertex.max(initial=0)) + 1, np.int64)
    last[play.vertex] = np.arange(len(play))  # the last of several assignments counts
    dies = (play.op == Move.DELETE) & (last[play.vertex] == np.arange(len(play)))
    step, death = np.cumsum(play.op == Move.COMPUTE), np.full(last.size, -1, np.int64)
    death[play.vertex[dies]] = step[dies]
    return np.asarray(dies | ((play.op == Move.STORE) & (death[play.vertex] == step)))


def _without_absent(op: Op, vertex: Int32Array, place: Int32Array) -> Schedule:
    """The moves without the deletions of values that have never come to a level."""
    n, memories = int(vertex.max(initial=0)) + 1, int(place.max(initial=0)) + 2
    keep = np.ones(op.size, np.bool_)
    mark_present(op, vertex, place, np.zeros((memories, n), np.uint8), keep)
    return Schedule(op[keep], vertex[keep], place=place[keep])
