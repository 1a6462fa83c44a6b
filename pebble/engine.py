"""The engine: replays moves at hundreds of millions a second, checking every rule."""

from collections.abc import Iterable

from dags import CDAG
from pebble.count import IOCount
from pebble.partial.tables import PartialTable
from pebble.rules import ONE_SHOT, Rules
from pebble.schedule import Schedule
from pebble.tables import Table


def play(
    dag: CDAG,
    schedule: Schedule | Iterable[Schedule],
    memory: int,
    *,
    rules: Rules = ONE_SHOT,
) -> IOCount:
    """Return what `schedule` costs with `memory` words of fast memory.

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
        If more than 2^62 words are moved: `pebble.countable`.
    """
    table = PartialTable(dag, memory) if rules.partial else Table(dag, memory, rules)
    for block in (schedule,) if isinstance(schedule, Schedule) else schedule:
        table.play(block)
    return table.finish()
