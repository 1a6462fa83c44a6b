"""The referee of the game on a hierarchy: its definition, in plain Python with sets.

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
from itertools import pairwise

from dags import CDAG
from pebble.errors import IllegalMoveError, Violation
from pebble.levels.count import LevelCount
from pebble.levels.schedule import LevelSchedule
from pebble.rules import ONE_SHOT, Rules
from pebble.schedule import Move


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
    last = len(memories) + 1
    preds = [set(dag.pred_indices[a:b].tolist()) for a, b in pairwise(dag.pred_indptr.tolist())]
    words = [1] * dag.n if dag.words is None else dag.words.tolist()
    held: list[set[int]] = [set() for _ in range(last + 1)]  # the values at each level, from 1 on
    held[last] = {v for v, row in enumerate(preds) if not row}
    room = [0, *memories]
    peaks, loads, stores = ([0] * (last + 1) for _ in range(3))
    done: list[int] = []

    def full(v: int, level: int) -> tuple[Violation, str] | None:
        occupied = sum(words[u] for u in held[level])
        if level == last or occupied + words[v] <= room[level]:
            return None
        detail = f"{occupied} + {words[v]} words do not fit into {room[level]} of level {level}"
        return Violation.MEMORY_FULL, detail

    def broken(move: Move, v: int, level: int) -> tuple[Violation, str] | None:
        if not 0 <= v < dag.n:
            return Violation.NO_SUCH_VERTEX, ""
        if level >= last or (move is Move.COMPUTE and level > 1):
            return Violation.NO_SUCH_LEVEL, f"level {level}"
        if move is Move.DELETE:
            return None if v in held[level] else (Violation.NOT_AT_LEVEL, f"level {level}")
        if move is Move.COMPUTE:
            if not preds[v]:
                return Violation.IS_INPUT, ""
            if v in held[1]:
                return Violation.ALREADY_AT_LEVEL, "level 1"
            if v in done and not rules.recompute:
                return Violation.ALREADY_COMPUTED, ""
            if preds[v] - held[1]:
                return Violation.MISSING_PREDECESSOR, f"vertex {min(preds[v] - held[1])}"
            return full(v, 1)
        source, target = (level + 1, level) if move is Move.LOAD else (level, level + 1)
        if v not in held[source]:
            return Violation.NOT_AT_LEVEL, f"level {source}"
        return (
            (Violation.ALREADY_AT_LEVEL, f"level {target}")
            if v in held[target]
            else full(v, target)
        )

    for step, (move, v, level) in enumerate(schedule):
        rule = broken(move, v, level)
        if rule is not None:
            raise IllegalMoveError(step, move.name, v, *rule)
        if move is Move.DELETE:
            held[level].remove(v)
            continue
        target = level + (move is Move.STORE)
        held[target].add(v)
        peaks[target] = max(peaks[target], sum(words[u] for u in held[target]))
        if move is Move.COMPUTE:
            done.append(v)
        else:
            (loads if move is Move.LOAD else stores)[level] += words[v]

    missing = sorted(set(dag.outputs.tolist()) - held[last])
    if missing:
        raise IllegalMoveError(len(schedule), "END", missing[0], Violation.OUTPUT_NOT_STORED)
    return LevelCount(
        rules=rules,
        loads=tuple(loads[1:last]),
        stores=tuple(stores[1:last]),
        peaks=tuple(peaks[1:last]),
        computes=len(done),
        recomputes=len(done) - len(set(done)),
    )
