"""The engine: replays moves at hundreds of millions a second on tables, checking every rule."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt

from dags import CDAG
from dags.arrays import Int32Array, Int64Array, exact_sum, lock
from pebble._kernels import machines as k
from pebble._kernels.replay import MOVES, PEAK, RECOMPUTES, WORDS
from pebble.count import IOCount, MachineCount, MemoryCount, Steps
from pebble.engine.tables import Table, require_countable
from pebble.errors import IllegalMoveError, Violation
from pebble.game import Game
from pebble.machine import Fault, Machine
from pebble.moves import Move
from pebble.rules import ONE_SHOT, Rules, slides
from pebble.schedule import Schedule

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
        filled = (NO_COLUMN if column is None else column for column in columns)
        rule, index, detail = k.replay(
            self.game, k.Moves(block.op, block.vertex, *filled), self.state._replace(steps=steps)
        )
        if rule != k.LEGAL:
            vertex, place = int(block.vertex[index]), int(block.places[index])
            move = Move(int(block.op[index]))
            fault = self._fault(rule, move, vertex, int(detail))
            processor = -1 if block.step is None else place
            raise IllegalMoveError(self.played + index, move.name, vertex, *fault, processor)
        self.played += len(block)
        return _single_steps(self.dag, block) if block.step is None else Steps.of(steps)

    def _fault(self, rule: int, move: Move, vertex: int, detail: int) -> Fault:
        """A rule that a move breaks, as the machine calls it, with a detail."""
        machine = self.machine
        if rule == k.NO_SUCH_MEMORY:
            return machine.no_such(detail)
        if rule == k.PRESENT:
            return machine.present(detail)
        if rule == k.ABSENT:
            return machine.absent(detail, received=move is Move.RECEIVE)
        if rule == k.MEMORY_FULL:
            return machine.full(
                detail, int(self.state.counters[k.USED, detail]), int(self.dag.sizes[vertex])
            )
        if rule == k.MIXED_STEP:
            return Violation.MIXED_STEP, Move(detail).name
        broken = Violation(rule)
        return broken, f"vertex {detail}" if broken in AT_A_VERTEX else ""

    def at_the_end(self, vertices: Int32Array) -> BoolArray:
        """Which of some values are complete, and in a memory without end."""
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
        """Which of some vertices are complete, and in slow memory."""
        return self.table.at_the_end(vertices)

    def total_work(self, computes: int) -> int | None:
        """The operations of all computations that have been completed."""
        if self.dag.work is None or not self.rules.partial:
            return super().total_work(computes)
        finished = self.dag.is_computed & (self.table.state.left == 0)
        return int(self.dag.work[finished].sum())


def _game(game: Game) -> k.Game:
    """The game as the kernel reads it."""
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
        slides=slides(dag, rules),
        partial=rules.partial,
    )


def _single_steps(dag: CDAG, block: Schedule) -> Steps:
    """The steps of moves that are made one by one."""
    words = dag.sizes[block.vertex]
    words[block.op == Move.COMPUTE] = 1
    words[block.op == Move.DELETE] = 0
    return Steps(lock(block.op.astype(np.int32)), lock(words), words)


def play(
    dag: CDAG,
    schedule: Schedule | Iterable[Schedule],
    memory: int,
    *,
    rules: Rules = ONE_SHOT,
) -> IOCount:
    """The cost of `schedule` with `memory` words of fast memory.

    Parameters
    ----------
    dag
        The computation.
    schedule
        Its moves; or an iterable of blocks of moves, so that a play of billions of moves need
        not be in memory at once. A block must not end between a slide and its DELETE.
    memory
        Words of fast memory.
    rules
        The rules of the game.

    Raises
    ------
    IllegalMoveError
        At the first move that the rules forbid: the same as `pebble.referee.judge`.
    InvalidScheduleError
        If more than 2^62 words are moved: `pebble.engine.tables`.
    """
    blocks = iter((schedule,) if isinstance(schedule, Schedule) else schedule)
    first = next(blocks, Schedule([], []))
    plain = first.is_plain and not rules.partial
    table = (Table if plain else PlacedTable)(Game.of(dag, memory, rules))
    for block in chain((first,), blocks):
        table.play(block)
    return table.finish()


def play_on(
    dag: CDAG, schedule: Schedule, machine: Machine, *, rules: Rules = ONE_SHOT
) -> MachineCount:
    """The cost of `schedule` on any machine, as the referee `judge_on` does.

    Parameters
    ----------
    dag
        The computation.
    schedule
        Its moves, each at a memory, and perhaps in steps.
    machine
        The machine that it is played on.
    rules
        The rules of the game.

    Raises
    ------
    IllegalMoveError
        At the first move that the rules forbid.
    InvalidScheduleError
        If slow memories are apart and the schedule places no inputs, or elsewhere; or if more than
        2^62 words are moved: `pebble.engine.tables`.
    """
    homes = schedule.homes_of_inputs(dag, machine.ends)
    table = MachineTable(Game(dag, machine, rules), homes)
    steps = table.play(schedule)
    require_countable(dag, schedule.op, schedule.vertex)
    missing = dag.outputs[~table.at_the_end(dag.outputs)]
    if missing.size:
        rule = Violation.OUTPUT_NOT_STORED
        raise IllegalMoveError(len(schedule), "END", int(missing[0]), rule)
    return MachineCount(
        rules=rules,
        each=_each(dag, schedule, table),
        links=_links(table),
        steps=steps,
        recomputes=int(table.state.totals[k.RECOMPUTES]),
    )


def _each(dag: CDAG, schedule: Schedule, table: MachineTable) -> tuple[MemoryCount, ...]:
    """The moves of each memory with an end."""
    rows = (Move.LOAD, Move.STORE, Move.RECEIVE, k.SENT, Move.COMPUTE)
    counted = [table.state.counters[row].tolist() for row in (*rows, k.PEAK)]
    work = _work(dag, schedule, table)
    places = zip(table.machine.rooms, *counted[:-1], work, counted[-1], strict=True)
    return tuple(MemoryCount(*row) for room, *row in places if room is not None)


def _work(dag: CDAG, schedule: Schedule, table: MachineTable) -> list[int | None]:
    """The operations that are made in each memory; None where the DAG does not say."""
    computes, unit = table.state.counters[Move.COMPUTE].tolist(), dag.uniform_work
    if dag.work is None or unit is not None:
        return [None if unit is None else unit * count for count in computes]
    moves = np.flatnonzero(schedule.op == Move.COMPUTE)
    if table.game.partial:  # a value is completed by the last computation of it, if it is
        _, after = np.unique(schedule.vertex[moves][::-1], return_index=True)
        moves = moves[moves.size - 1 - after]
        moves = moves[table.state.left[schedule.vertex[moves]] == 0]
    memories, operations = schedule.places[moves], dag.work[schedule.vertex[moves]]
    sums: list[int | None] = [0] * len(computes)
    for place in np.unique(memories).tolist():
        sums[place] = exact_sum(operations[memories == place])
    return sums


def _links(table: MachineTable) -> dict[tuple[int, int], int]:
    """The words on each link that was used, by (sender, receiver)."""
    ends, sources = table.game.link_ends, table.game.link_sources
    receivers = np.repeat(np.arange(ends.size - 1), np.diff(ends))
    pairs = zip(sources.tolist(), receivers.tolist(), table.state.links.tolist(), strict=True)
    return dict(sorted(((a, b), words) for a, b, words in pairs if words))


@dataclass(frozen=True)
class Trace:
    """A play over time.

    Parameters
    ----------
    occupancy
        (k,) words in fast memory after each move. A COMPUTE that slides shows its value and
        the operand it replaces together; the DELETE after it completes the slide.
    loads, stores
        (k,) words loaded and stored up to and with each move.
    """

    occupancy: Int64Array
    loads: Int64Array
    stores: Int64Array

    @property
    def io(self) -> Int64Array:
        """(k,) words moved both ways up to and with each move."""
        return self.loads + self.stores


def trace(dag: CDAG, schedule: Schedule, memory: int, *, rules: Rules = ONE_SHOT) -> Trace:
    """Occupancy and traffic after every move of `schedule`.

    Parameters
    ----------
    dag
        The computation.
    schedule
        Its moves.
    memory
        Words of fast memory.
    rules
        The rules of the game.

    Raises
    ------
    IllegalMoveError
        As `play`, which checks the schedule first.
    """
    play(dag, schedule, memory, rules=rules)
    size = dag.sizes[schedule.vertex]
    gain = np.array([1, 0, 1, -1])[schedule.op] * size
    if rules.partial:  # a value gets its place when its first operand is aggregated
        computes = np.flatnonzero(schedule.op == Move.COMPUTE)
        _, first = np.unique(schedule.vertex[computes], return_index=True)
        gain[np.delete(computes, first)] = 0
    return Trace(
        occupancy=lock(np.cumsum(gain)),
        loads=lock(np.cumsum(np.where(schedule.op == Move.LOAD, size, 0))),
        stores=lock(np.cumsum(np.where(schedule.op == Move.STORE, size, 0))),
    )
