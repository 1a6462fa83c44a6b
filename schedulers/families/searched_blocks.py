"""Plays of small blocks that search found: read from a file, searched for where it has none.

`searched_blocks.npz` has the blocks that networks ask for, up to 32 points, and those of Fourier
transforms with few words, up to 64; it is made by `benchmarks/make_searched_blocks.py`. The engine
plays whatever is read before it is used.
"""

from functools import cache
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array, lock
from pebble import Budget, Move, Schedule, compulsory_words, min_memory, play
from schedulers.search import generic_plays, improve

FILE = Path(__file__).with_name("searched_blocks.npz")
CHANGES, MOST_CHANGES = 300, 15_000  # of the order, for each vertex and in all

BlockKey: TypeAlias = tuple[int, tuple[int, ...], int]  # radix, digits of the levels, memory


class BlockPlay(NamedTuple):
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
def searched_play(piece: CDAG, memory: int) -> BlockPlay:
    """A good play of a piece, the same one every time: the search counts its changes.

    With less memory than the piece takes at least, it is played with that.
    """
    schedule = searched_schedule(piece, memory, changes=min(CHANGES * piece.n, MOST_CHANGES))
    return played(piece, schedule, memory)


def searched_schedule(piece: CDAG, memory: int, *, changes: int, seed: int = 0) -> Schedule:
    """The best play found of a piece.

    Parameters
    ----------
    piece
        A small DAG.
    memory
        Words of fast memory; at least the piece's smallest is taken.
    changes
        Changes of the order that the local search tries.
    seed
        Seed of the local search.
    """
    room = max(memory, min_memory(piece))
    lower = compulsory_words(piece)
    candidates = sorted(generic_plays(piece, room), key=lambda play: play.io)
    if candidates[0].io > lower:
        orders = [play.order for play in candidates]
        improved = improve(
            piece, room, orders, budget=Budget(seed=seed), iterations=changes, goal=lower
        )
        if improved is not None and improved.io < candidates[0].io:
            return improved.schedule
    return candidates[0].moves()


def stored_play(piece: CDAG, key: BlockKey) -> BlockPlay | None:
    """The play in the file of the block `piece`, None where the file has none."""
    schedule = stored_schedule(key)
    return None if schedule is None else played(piece, schedule, key[-1])


def stored_schedule(key: BlockKey) -> Schedule | None:
    """The moves that the file has for a block, None where it has none."""
    return stored().get(key)


def played(piece: CDAG, schedule: Schedule, memory: int) -> BlockPlay:
    """The order of `schedule`, and the words that the engine counts for it."""
    io = play(piece, schedule, max(memory, min_memory(piece))).io
    return BlockPlay(io, lock(schedule.vertex[schedule.op == Move.COMPUTE].astype(np.int32)))


@cache
def stored() -> dict[BlockKey, Schedule]:
    """All moves that the file has."""
    if not FILE.exists():
        return {}
    with np.load(FILE, allow_pickle=False) as file:
        columns = dict(file)
    digits = np.split(columns["digits"], np.cumsum(columns["depth"], dtype=np.int64))
    cuts = np.cumsum(columns["moves"], dtype=np.int64)
    ops, vertices = np.split(columns["op"], cuts), np.split(columns["vertex"], cuts)
    rows = zip(columns["radix"].tolist(), digits, columns["memory"].tolist(), strict=False)
    return {
        (radix, tuple(levels.tolist()), memory): Schedule(op, vertex.astype(np.int32))
        for (radix, levels, memory), op, vertex in zip(rows, ops, vertices, strict=False)
    }
