"""A play over time: occupancy and traffic after every move."""

from dataclasses import dataclass

import numpy as np

from dags import CDAG
from dags.arrays import Int64Array, lock
from pebble.engine import play
from pebble.moves import Move
from pebble.rules import ONE_SHOT, Rules
from pebble.schedule import Schedule


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
