"""The engine of the game on a hierarchy: replays moves fast, checking every rule."""

from collections.abc import Sequence

import numpy as np

from dags import CDAG
from dags.arrays import lock
from pebble.countable import require_countable
from pebble.errors import IllegalMoveError, Violation
from pebble.levels._kernels import replay as k
from pebble.levels.count import LevelCount
from pebble.levels.schedule import LevelSchedule
from pebble.rules import ONE_SHOT, Rules, useful_memory
from pebble.schedule import Move


def play_levels(
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
        At the first move that the rules forbid: the same as `judge_levels`.
    InvalidScheduleError
        If more than 2^62 words are moved: `pebble.countable`.
    """
    last = len(memories) + 1
    held = np.zeros((last + 1, dag.n), np.uint8)
    held[last, dag.inputs] = 1
    counters = np.zeros((k.COUNTERS, last + 2), np.int64)
    room = lock(np.array([0, *(useful_memory(dag, words) for words in memories), 0], np.int64))
    moves = schedule.moves
    rule, step, where = k.replay(
        dag.pred_indptr,
        dag.pred_indices,
        dag.sizes,
        moves.op,
        moves.vertex,
        schedule.level,
        room,
        rules.recompute,
        held,
        counters,
    )
    if rule != k.LEGAL:
        raise _error(dag, schedule, Violation(rule), step, where, counters, memories)
    require_countable(dag, moves.op, moves.vertex)
    missing = dag.outputs[held[last, dag.outputs] == 0]
    if missing.size:
        rule = Violation.OUTPUT_NOT_STORED
        raise IllegalMoveError(len(schedule), "END", int(missing[0]), rule)
    rows = counters.tolist()
    return LevelCount(
        rules=rules,
        loads=tuple(rows[k.LOADS][1:last]),
        stores=tuple(rows[k.STORES][1:last]),
        peaks=tuple(rows[k.PEAK][1:last]),
        computes=rows[k.COMPUTES][0],
        recomputes=rows[k.COMPUTES][1],
    )


def _error(
    dag: CDAG,
    schedule: LevelSchedule,
    rule: Violation,
    step: int,
    where: int,
    counters: np.ndarray,
    memories: Sequence[int],
) -> IllegalMoveError:
    """Return the error of the move at a step."""
    move, vertex = Move(int(schedule.moves.op[step])), int(schedule.moves.vertex[step])
    text = ""
    if rule in (Violation.NO_SUCH_LEVEL, Violation.NOT_AT_LEVEL, Violation.ALREADY_AT_LEVEL):
        text = f"level {where}"
    elif rule is Violation.MISSING_PREDECESSOR:
        text = f"vertex {where}"
    elif rule is Violation.MEMORY_FULL:
        held, words = int(counters[k.OCCUPIED, where]), int(dag.sizes[vertex])
        room = memories[where - 1]
        text = f"{held} + {words} words do not fit into {room} of level {where}"
    return IllegalMoveError(step, move.name, vertex, rule, text)
