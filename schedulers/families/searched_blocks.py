"""Kernels: small pieces of a DAG, played as well as search can."""

from functools import cache
from typing import NamedTuple

from dags import CDAG
from dags.arrays import Int32Array, lock
from pebble import Move, min_memory

CHANGES, MOST_CHANGES = 300, 15_000  # of the order, for each vertex and in all


class Kernel(NamedTuple):
    """A play of a piece of a DAG.

    Attributes
    ----------
    io
        Words that it moves, all its inputs and outputs among them.
    order
        Its computed vertices in the order of play.
    """

    io: int
    order: Int32Array


@cache
def kernel(piece: CDAG, memory: int) -> Kernel:
    """Return a good play of a piece, the same one every time: the search counts its changes.

    With less memory than the piece takes at least, it is played with that.
    """
    from schedulers.search import best  # here, for search knows structured schedules too

    room = max(memory, min_memory(piece))
    changes = min(CHANGES * piece.n, MOST_CHANGES)
    found = best(piece, room, time_limit=None, iterations=changes)
    assert found.schedule is not None
    assert found.io is not None
    order = found.schedule.vertex[found.schedule.op == Move.COMPUTE]
    return Kernel(found.io, lock(order.astype("int32")))
