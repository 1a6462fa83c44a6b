"""The referee: the definition of the game, in plain Python with sets.

It shares no code with the engine, which must agree with it move for move.
"""

from itertools import pairwise

from dags import CDAG
from pebble.count import ChannelCount, IOCount
from pebble.errors import IllegalMoveError, Violation
from pebble.partial.referee import judge_partial
from pebble.rules import ONE_SHOT, Rules
from pebble.schedule import NO_OPERAND, Move, Schedule


def judge(dag: CDAG, schedule: Schedule, memory: int, *, rules: Rules = ONE_SHOT) -> IOCount:
    """Return what `schedule` costs with `memory` words of fast memory.

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
        At the first move that the rules forbid.
    """
    if rules.partial:
        return judge_partial(dag, schedule, memory)
    preds = [set(dag.pred_indices[a:b].tolist()) for a, b in _rows(dag)]
    words = [1] * dag.n if dag.words is None else dag.words.tolist()
    inputs = set(dag.inputs.tolist())
    red: set[int] = set()
    blue = set(inputs)
    done: set[int] = set()
    moved: dict[Move, list[int]] = {move: [] for move in Move}
    occupied = peak = recomputes = 0
    moves = list(schedule)

    for step, ((move, v), operand) in enumerate(zip(moves, schedule.operands, strict=True)):
        broken: Violation | None = None
        detail = ""
        if not 0 <= v < dag.n:
            broken = Violation.NO_SUCH_VERTEX
        elif operand != NO_OPERAND:
            broken = Violation.NO_SUCH_MOVE
        elif move is Move.LOAD:
            if v in red:
                broken = Violation.ALREADY_RED
            elif v not in blue:
                broken = Violation.NOT_BLUE
            elif occupied + words[v] > memory:
                broken = Violation.MEMORY_FULL
            else:
                red.add(v)
                occupied += words[v]
        elif move is Move.STORE:
            if v not in red:
                broken = Violation.NOT_RED
            elif v in blue:
                broken = Violation.ALREADY_BLUE
            else:
                blue.add(v)
        elif move is Move.DELETE:
            if v not in red:
                broken = Violation.NOT_RED
            else:
                red.remove(v)
                occupied -= words[v]
        elif v in inputs:
            broken = Violation.IS_INPUT
        elif v in red:
            broken = Violation.ALREADY_RED
        elif v in done and not rules.recompute:
            broken = Violation.ALREADY_COMPUTED
        elif not preds[v] <= red:
            broken = Violation.MISSING_PREDECESSOR
            detail = f"vertex {min(preds[v] - red)}"
        else:
            slid = 0
            if rules.sliding and occupied + words[v] > memory and step + 1 < len(moves):
                following, u = moves[step + 1]
                if following is Move.DELETE and u in preds[v]:
                    slid = words[u]
            if occupied + words[v] - slid > memory:
                broken = Violation.MEMORY_FULL
            else:
                recomputes += v in done
                red.add(v)
                done.add(v)
                occupied += words[v]
                peak = max(peak, occupied - slid)
        if broken is not None:
            if broken is Violation.MEMORY_FULL:
                detail = f"{occupied} + {words[v]} words do not fit into {memory}"
            raise IllegalMoveError(step, move.name, v, broken, detail)
        moved[move].append(v)
        if move is Move.LOAD:
            peak = max(peak, occupied)

    missing = sorted(set(dag.outputs.tolist()) - blue)
    if missing:
        raise IllegalMoveError(len(moves), "END", missing[0], Violation.OUTPUT_NOT_STORED)
    return IOCount(
        rules=rules,
        loads=sum(words[v] for v in moved[Move.LOAD]),
        stores=sum(words[v] for v in moved[Move.STORE]),
        load_moves=len(moved[Move.LOAD]),
        store_moves=len(moved[Move.STORE]),
        computes=len(moved[Move.COMPUTE]),
        recomputes=recomputes,
        peak=peak,
        work=None if dag.work is None else sum(int(dag.work[v]) for v in moved[Move.COMPUTE]),
        channels=_by_channel(dag, words, moved),
    )


def _rows(dag: CDAG) -> list[tuple[int, int]]:
    bounds = dag.pred_indptr.tolist()
    return list(pairwise(bounds))


def _by_channel(
    dag: CDAG, words: list[int], moved: dict[Move, list[int]]
) -> dict[int, ChannelCount]:
    if dag.channel is None:
        return {}
    tag = dag.channel.tolist()
    return {
        channel: ChannelCount(
            loads=sum(words[v] for v in moved[Move.LOAD] if tag[v] == channel),
            stores=sum(words[v] for v in moved[Move.STORE] if tag[v] == channel),
        )
        for channel in sorted(set(tag))
    }
