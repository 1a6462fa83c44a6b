"""The scheduler that tiles a loop nest."""

from dags import CDAG, RedBlueError
from pebble import ONE_SHOT, Rules, Schedule, placing_memory, require_memory
from schedulers.eviction.moves import joined
from schedulers.families.plays import plays_in_order
from schedulers.nests.coordinates import coordinates
from schedulers.nests.shapes import TilingSearch
from schedulers.nests.tilings import tiled_order

PLAYED = 3  # tilings of which plays are counted under the rules in force


class NoProgramError(RedBlueError, ValueError):
    """A DAG that comes from no program has no loops to tile."""


def tiled_schedule(
    dag: CDAG,
    memory: int,
    *,
    rules: Rules = ONE_SHOT,
    seed: int = 0,
    time_limit: float | None = None,
) -> Schedule:
    """Return a schedule that computes the points of a loop nest in tiles.

    Shapes, order and slant of the tiles are searched for. Whatever they are, the order respects
    the dependences of the DAG: a vertex waits for the last tile of its operands.

    Parameters
    ----------
    dag, memory, rules
        The game; the DAG is that of a program.
    seed
        Decides which tilings are tried.
    time_limit
        Seconds for trying; None for as many tilings as the size of the DAG allows.

    Raises
    ------
    NoProgramError
        If the DAG comes from no program.
    MemoryTooSmallError
        If some vertex cannot be computed with `memory` words.
    """
    require_memory(dag, memory, rules=rules)
    if dag.origin is None:
        raise NoProgramError("tiles need the loops of a program, and this DAG comes from none")
    where = coordinates(dag.origin)
    room = placing_memory(dag, memory, rules=rules)
    search = TilingSearch(dag, where, room, seed=seed, time_limit=time_limit)
    plays = [
        play
        for tiling in search.best(PLAYED)
        for play in plays_in_order(dag, tiled_order(dag, where, tiling), memory, rules)
    ]
    return joined(min(plays, key=lambda play: play.io).blocks())
