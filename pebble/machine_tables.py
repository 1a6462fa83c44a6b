"""The state of a play on a machine between blocks of moves, as the engine keeps it."""

import numpy as np
import numpy.typing as npt

from dags import CDAG
from dags.arrays import Int32Array, exact_sum, lock
from pebble._kernels import machines as k
from pebble._kernels.replay import MOVES, PEAK, RECOMPUTES, WORDS
from pebble.count import Steps
from pebble.errors import IllegalMoveError, Violation
from pebble.game import Game
from pebble.machine import Fault
from pebble.moves import Move
from pebble.schedule import Schedule
from pebble.tables import Table

AT_A_VERTEX = (
    Violation.MISSING_PREDECESSOR,
    Violation.NOT_AN_OPERAND,
    Violation.ALREADY_AGGREGATED,
    Violation.ONLY_PARTLY_COMPUTED,
)
NO_COLUMN = lock(np.empty(0, np.int32))
NO_STEPS = np.empty((0, 3), np.int64)
BoolArray = npt.NDArray[np.bool_]


class MachineTable:
    """The state of a play on a machine between blocks of moves.

    Parameters
    ----------
    game
        The schedule.
    homes
        (i,) the memories in which the inputs begin.
    """

    def __init__(self, game: Game, homes: Int32Array) -> None:
        dag, places = game.dag, len(game.machine.rooms)
        self.dag, self.machine = dag, game.machine
        self.played = 0
        self.game = _game(game)
        self.state = k.State(
            held=np.zeros((places, dag.n), np.uint8),
            left=np.diff(dag.pred_indptr).astype(np.int64),
            added=np.zeros(dag.m if game.rules.partial else 0, np.uint8),
            counters=np.zeros((k.COUNTERS, places), np.int64),
            links=np.zeros(self.game.link_sources.size, np.int64),
            busy=np.zeros(places, np.int64),
            steps=NO_STEPS,
            totals=np.array([0, Move.DELETE], np.int64),
        )
        self.state.held[homes, dag.inputs] = k.RED
        np.add.at(self.state.counters[k.USED], homes, dag.sizes[dag.inputs])

    def play(self, block: Schedule) -> Steps:
        """Play the moves of `block`, and return its steps."""
        steps = NO_STEPS
        if block.step is not None:
            number = np.count_nonzero(np.diff(block.step)) + (len(block) > 0)
            steps = np.zeros((number, 3), np.int64)
        columns = (block.place, block.step, block.source, block.operand)
        given = (NO_COLUMN if column is None else column for column in columns)
        rule, index, where = k.replay(
            self.game, k.Moves(block.op, block.vertex, *given), self.state._replace(steps=steps)
        )
        if rule != k.LEGAL:
            vertex, at = int(block.vertex[index]), int(block.places[index])
            move = Move(int(block.op[index]))
            fault = self._fault(rule, move, vertex, int(where))
            who = -1 if block.step is None else at
            raise IllegalMoveError(self.played + index, move.name, vertex, *fault, who)
        self.played += len(block)
        return _single_steps(self.dag, block) if block.step is None else Steps.of(steps)

    def _fault(self, rule: int, move: Move, vertex: int, where: int) -> Fault:
        """Return a rule that a move breaks, as the machine calls it, with a detail."""
        machine = self.machine
        if rule == k.NO_SUCH_MEMORY:
            return machine.no_such(where)
        if rule == k.PRESENT:
            return machine.present(where)
        if rule == k.ABSENT:
            return machine.absent(where, received=move is Move.RECEIVE)
        if rule == k.MEMORY_FULL:
            return machine.full(
                where, int(self.state.counters[k.USED, where]), int(self.dag.sizes[vertex])
            )
        if rule == k.MIXED_STEP:
            return Violation.MIXED_STEP, Move(where).name
        told = Violation(rule)
        return told, f"vertex {where}" if told in AT_A_VERTEX else ""

    def at_the_end(self, vertices: Int32Array) -> BoolArray:
        """Return which of some values are complete, and in a memory without end."""
        kept = np.zeros(vertices.size, np.bool_)
        for place in self.machine.ends:
            kept |= self.state.held[place, vertices] != 0
        return np.asarray(kept & (self.state.left[vertices] == 0))


class PlacedTable(Table):
    """The state of a play with one fast memory, of moves or rules beyond those of `Table`."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.table = MachineTable(game, np.ones(game.dag.inputs.size, np.int32))

    def play(self, block: Schedule) -> None:
        """Play the moves of `block`."""
        before, state = self.moved, self.table.state
        self.table.play(block)
        self._count(block, before)
        for move in (Move.LOAD, Move.STORE):
            moved = block.vertex[block.op == move]
            self.counters[MOVES + move] += moved.size
            self.counters[WORDS + move] = state.counters[move, 0]
        if self.dag.work is not None and not self.rules.partial:
            self.work += exact_sum(self.dag.work[block.vertex[block.op == Move.COMPUTE]])
        self.counters[MOVES + Move.COMPUTE] = state.counters[Move.COMPUTE, 0]
        self.counters[RECOMPUTES] = state.totals[k.RECOMPUTES]
        self.counters[PEAK] = state.counters[k.PEAK, 0]

    def in_slow_memory(self, vertices: Int32Array) -> BoolArray:
        """Return which of some vertices are complete, and in slow memory."""
        return self.table.at_the_end(vertices)

    def total_work(self, computes: int) -> int | None:
        """Return the operations of all computations that have been completed."""
        if self.dag.work is None or not self.rules.partial:
            return super().total_work(computes)
        done = self.dag.is_computed & (self.table.state.left == 0)
        return int(self.dag.work[done].sum())


def _game(game: Game) -> k.Game:
    """Return the game as the kernel reads it."""
    dag, machine, rules = game.dag, game.machine, game.rules
    room = [k.NONE if room is None else room for room in machine.rooms]
    rows = (*machine.neighbours, *[()] * (len(room) - len(machine.neighbours)))
    sources = [source for row in rows for source in row]
    return k.Game(
        dag.pred_indptr,
        dag.pred_indices,
        dag.sizes,
        room=lock(np.array(room, np.int64)),
        behind=lock(np.array([k.NONE if q is None else q for q in machine.behind], np.int64)),
        link_ends=lock(np.cumsum([0, *map(len, rows)]).astype(np.int32)),
        link_sources=lock(np.array(sources, np.int32)),
        processors=machine.processors,
        numbered=machine.numbered,
        recompute=rules.recompute,
        sliding=rules.sliding,
        partial=rules.partial,
    )


def _single_steps(dag: CDAG, block: Schedule) -> Steps:
    """Return the steps of moves that are made one by one."""
    words = dag.sizes[block.vertex]
    words[block.op == Move.COMPUTE] = 1
    words[block.op == Move.DELETE] = 0
    return Steps(lock(block.op.astype(np.int32)), lock(words), words)
