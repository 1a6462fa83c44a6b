"""The engine: replays moves at hundreds of millions a second, checking every rule."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain

import numpy as np

from dags import CDAG
from dags.arrays import Int64Array, exact_sum, lock
from pebble._kernels.machines import PEAK, RECOMPUTES, SENT
from pebble.count import IOCount, MachineCount, MemoryCount
from pebble.errors import IllegalMoveError, Violation
from pebble.game import Game
from pebble.machine import Machine
from pebble.machine_tables import MachineTable, PlacedTable
from pebble.moves import Move
from pebble.rules import ONE_SHOT, Rules
from pebble.schedule import Schedule
from pebble.tables import Table, require_countable


def play(
    dag: CDAG,
    schedule: Schedule | Iterable[Schedule],
    memory: int,
    *,
    rules: Rules = ONE_SHOT,
) -> IOCount:
    """Return the cost of `schedule` with `memory` words of fast memory.

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
        If more than 2^62 words are moved: `pebble.tables`.
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
    """Return the cost of `schedule` on any machine, as the referee `judge_on` does.

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
        2^62 words are moved: `pebble.tables`.
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
        recomputes=int(table.state.totals[RECOMPUTES]),
    )


def _each(dag: CDAG, schedule: Schedule, table: MachineTable) -> tuple[MemoryCount, ...]:
    """Return the moves of each memory with an end."""
    rows = (Move.LOAD, Move.STORE, Move.RECEIVE, SENT, Move.COMPUTE)
    counted = [table.state.counters[row].tolist() for row in (*rows, PEAK)]
    work = _work(dag, schedule, table)
    places = zip(table.machine.rooms, *counted[:-1], work, counted[-1], strict=True)
    return tuple(MemoryCount(*row) for room, *row in places if room is not None)


def _work(dag: CDAG, schedule: Schedule, table: MachineTable) -> list[int | None]:
    """Return the operations that are made in each memory; None where the DAG does not say."""
    computes, unit = table.state.counters[Move.COMPUTE].tolist(), dag.uniform_work
    if dag.work is None or unit is not None:
        return [None if unit is None else unit * made for made in computes]
    made = np.flatnonzero(schedule.op == Move.COMPUTE)
    if table.game.partial:  # a value is completed by the last computation of it, if it is
        _, after = np.unique(schedule.vertex[made][::-1], return_index=True)
        made = made[made.size - 1 - after]
        made = made[table.state.left[schedule.vertex[made]] == 0]
    at, operations = schedule.places[made], dag.work[schedule.vertex[made]]
    sums: list[int | None] = [0] * len(computes)
    for place in np.unique(at).tolist():
        sums[place] = exact_sum(operations[at == place])
    return sums


def _links(table: MachineTable) -> dict[tuple[int, int], int]:
    """Return the words on each link that was used, by (sender, receiver)."""
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
    """Return occupancy and traffic after every move of `schedule`.

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
