"""The game on a hierarchy, as the referee judges it: its machine is a chain of memories.

Levels 1 to L - 1 have so many words each, level L has room for everything. Inputs begin at level L,
outputs end there. The moves, of which each of the first two costs the words of its value at the
boundary that it crosses:

    LOAD v, l: v, at level l + 1, gets a copy at level l.
    STORE v, l: v, at level l, gets a copy at level l + 1.
    COMPUTE v, 1: v gets a place at level 1, where all of its operands are.
    DELETE v, l: the copy of v at level l goes; at level L nothing is deleted.

Copies at several levels are allowed, not asked for. With one boundary it is the red-blue game.

Source
------
J. E. Savage, Extending the Hong-Kung model to memory hierarchies, COCOON 1995; Models of
computation, section 11.2: the standard memory-hierarchy game, rules R1 to R6, here with inputs that
are there at the beginning, results that are placed, and one computation of each value.
"""

from collections.abc import Sequence

from dags import CDAG
from pebble.levels.count import LevelCount
from pebble.levels.schedule import LevelSchedule
from pebble.machine import Action, Machine
from pebble.referee import judge_moves
from pebble.rules import ONE_SHOT, Rules


def judge_levels(
    dag: CDAG, schedule: LevelSchedule, memories: Sequence[int], *, rules: Rules = ONE_SHOT
) -> LevelCount:
    """Return what `schedule` costs on a hierarchy.

    Parameters
    ----------
    dag
        The computation.
    schedule
        Its moves.
    memories
        (L - 1,) words of each level but the last.
    rules
        One-shot, or with values that may be computed again.

    Raises
    ------
    IllegalMoveError
        At the first move that the rules forbid.
    """
    last, rows = len(memories), enumerate(schedule)
    moves = [Action(move.name, v, level - 1, step, level) for step, (move, v, level) in rows]
    repeats = Rules(recompute=rules.recompute)
    played = judge_moves(dag, Machine.levels(memories), moves, rules=repeats)
    words = played.traffic(dag)
    return LevelCount(
        rules=rules,
        loads=tuple(words[at + 1, at] for at in range(last)),
        stores=tuple(words[at, at + 1] for at in range(last)),
        peaks=tuple(played.peaks[:last]),
        computes=len(played.computed),
        recomputes=played.recomputes,
    )
