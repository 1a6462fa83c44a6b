"""A play of an order that is kept up to date while the order changes."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dags import CDAG
from dags.arrays import Int32Array, lock
from pebble import ONE_SHOT, Rules, Schedule, require_memory
from pebble.rules import slides
from schedulers.search._kernels.records import TIMES, Game, Play, Room, keep, link
from schedulers.search._kernels.replay import evaluate
from schedulers.search._kernels.replay_moves import emit

SPACING = 32  # steps between checkpoints
MOST_CHECKPOINTS = 1 << 26  # entries of all checkpoints together
EVERYTHING = -1  # the first step of a change that is the whole order
AHEAD = True  # whether choices know what comes after them
PRICE = 2.0  # of a value that must be stored to leave, where another costs 1


@dataclass(eq=False)
class Replay:
    """The record of playing a DAG in an order, and room to play changes of it.

    Parameters
    ----------
    dag
        The computation.
    memory
        Words of fast memory, enough for every step.
    io
        Words that the play on record moves.
    """

    dag: CDAG
    memory: int
    game: Game
    play: Play
    room: Room
    price: float = PRICE
    io: int = 0

    def start(self, order: npt.ArrayLike) -> int:
        """Play `order` from the beginning; return the words that it moves."""
        self.play.order[:] = order
        self.play.gone[:] = -1
        self.play.paid[:] = 0
        link(self.game, self.play)
        arrays = self.game, self.play, self.room
        moved, _, parts = evaluate(*arrays, EVERYTHING, 0, self.memory, self.price, AHEAD)
        keep(self.play, self.room, parts)
        self.io = moved + self.dag.words_of(self.dag.outputs)
        return self.io

    def order(self) -> Int32Array:
        """A copy of the order on record."""
        return lock(self.play.order.copy())

    def schedule(self) -> Schedule:
        """The moves of the play on record."""
        output = np.zeros(self.dag.n, np.uint8)
        output[self.dag.outputs] = 1
        limit = 4 * (self.dag.m + self.dag.n) + 2 * self.play.order.size
        op, vertex = np.empty(limit, np.uint8), np.empty(limit, np.int32)
        filled = emit(self.game, self.play, output, op, vertex)
        return Schedule(lock(op[:filled].copy()), lock(vertex[:filled].copy()))


def new_replay(dag: CDAG, memory: int, *, rules: Rules = ONE_SHOT) -> Replay:
    """Return a replay of `dag` with no order yet; call its `start`.

    Raises
    ------
    MemoryTooSmallError
        If some vertex cannot be computed with `memory` words: kernels take it that all can.
    """
    require_memory(dag, memory, rules=Rules(sliding=rules.sliding))
    steps = dag.computed.size
    entries = min(dag.n, memory // int(dag.sizes.min(initial=1))) + 1
    spacing = max(SPACING, -(-2 * steps * entries // MOST_CHECKPOINTS))
    play = _new_play(dag, steps, spacing, entries)
    return Replay(dag, memory, _new_game(dag, rules), play, _new_room(dag, steps))


def _new_game(dag: CDAG, rules: Rules) -> Game:
    settled = np.zeros(dag.n, np.uint8)
    settled[dag.inputs] = settled[dag.outputs] = 1
    reader = np.repeat(np.arange(dag.n, dtype=np.int32), dag.indegree)
    keys = np.random.default_rng(dag.n).integers(1, 2**63, (2, dag.n), np.uint64)
    words = lock(np.array(dag.sizes, np.int64))
    arrays = dag.pred_indptr, dag.pred_indices, lock(reader), words, lock(settled), lock(keys)
    return Game(*arrays, slides(dag, rules))


def _new_play(dag: CDAG, steps: int, spacing: int, entries: int) -> Play:
    slots = steps // spacing + 1
    return Play(
        order=np.empty(steps, np.int32),
        pos=np.empty(dag.n, np.int32),
        first=np.empty(dag.n, np.int32),
        after=np.empty(dag.m, np.int32),
        before=np.empty(dag.m, np.int32),
        gone=np.empty(dag.m, np.int32),
        paid=np.zeros(steps, np.int64),
        trace=np.zeros(steps + 1, np.uint64),
        spared=np.empty((2, steps), np.int32),
        kept=np.empty((2, slots, entries), np.int32),
        held=np.zeros((2, slots), np.int32),
        side=np.zeros(slots, np.uint8),
        spacing=np.array([spacing]),
    )


def _new_room(dag: CDAG, steps: int) -> Room:
    words = steps // 64 + 1
    return Room(
        pending=np.full(dag.n, -1, np.int32),
        owed=np.zeros(dag.n, np.uint8),
        clean=np.zeros(words, np.uint64),
        dirty=np.zeros(words, np.uint64),
        new_paid=np.empty(steps, np.int64),
        new_trace=np.empty(steps + 1, np.uint64),
        new_spared=np.empty((2, steps), np.int32),
        log_edge=np.empty(3 * dag.m + steps + 1, np.int32),
        log_old=np.empty(3 * dag.m + steps + 1, np.int32),
        ranges=np.empty((TIMES + 2, 2), np.int32),
        segment=np.empty(steps, np.int32),
        times=np.empty(TIMES, np.int32),
        mark=np.zeros(dag.n + 1, np.int64),
    )
