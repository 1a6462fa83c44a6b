"""The game of several processors, as the referee judges it: each has a fast memory of its own.

With one processor it is the game of `pebble.judge`. Moves are made in steps. All moves of a step
but deletions are of one kind, made side by side by the processors, each of which makes its own one
after another: so nothing is loaded that is stored in the same step, and nothing is passed on that
arrives in it. A value is computed where all of its operands are; under one-shot rules once, by one
processor.
"""

from collections import Counter
from itertools import groupby

from dags import CDAG
from pebble.errors import IllegalMoveError
from pebble.machine import NOWHERE, Action, Played
from pebble.parallel.count import ParallelCount, ProcessorCount, Steps
from pebble.parallel.errors import IllegalParallelMoveError, require_whole
from pebble.parallel.machine import Machine
from pebble.parallel.moves import Made, ParallelMove, ParallelSchedule
from pebble.referee import judge_moves
from pebble.rules import ONE_SHOT, Rules


def judge_parallel(
    dag: CDAG, schedule: ParallelSchedule, machine: Machine, *, rules: Rules = ONE_SHOT
) -> ParallelCount:
    """Return what `schedule` costs on `machine`.

    Parameters
    ----------
    dag
        The computation.
    schedule
        Its moves.
    machine
        Processors, their memory and links.
    rules
        The rules of the game.

    Raises
    ------
    IllegalParallelMoveError
        At the first move that the rules forbid.
    InvalidScheduleError
        If the machine has slow memories apart and the schedule places no inputs, or elsewhere.
    InvalidRulesError
        If values are computed in parts.
    """
    require_whole(rules)
    p, begins = machine.processors, None
    if machine.slow == "own":
        homes = schedule.homes_of_inputs(dag, p).tolist()
        begins = {v: p + home for v, home in zip(dag.inputs.tolist(), homes, strict=True)}
    moves = [_action(made, machine) for made in schedule]
    try:
        played = judge_moves(dag, machine.memories, moves, rules=rules, begins=begins)
    except IllegalMoveError as error:
        processor = moves[error.step].at if error.step < len(moves) else -1
        told = error.step, error.move, error.vertex, error.rule, error.detail, processor
        raise IllegalParallelMoveError(*told) from None
    words = played.traffic(dag)
    return ParallelCount(
        rules=rules,
        processors=_processors(dag, machine, played, words),
        links={way: n for way, n in sorted(words.items()) if max(way) < p},
        steps=_steps(dag, schedule),
        recomputes=played.recomputes,
    )


def _action(made: Made, machine: Machine) -> Action:
    """Return a move on the graph of memories, which is made at the processor's fast memory."""
    q, other = made.processor, machine.slow_memory(made.processor)
    if made.move is ParallelMove.RECEIVE:
        other = made.source if made.source < machine.processors else NOWHERE
    return Action(made.move.name, made.vertex, q, made.step, other)


def _processors(
    dag: CDAG, machine: Machine, played: Played, words: Counter[tuple[int, int]]
) -> tuple[ProcessorCount, ...]:
    """Return what each processor did, by the words along each link between memories."""
    received, sent, computes, work = (Counter[int]() for _ in range(4))
    for (source, place), moved in words.items():
        if max(source, place) < machine.processors:
            received[place] += moved
            sent[source] += moved
    for v, q in played.computed:
        computes[q] += 1
        work[q] += 0 if dag.work is None else int(dag.work[v])
    return tuple(
        ProcessorCount(
            loads=words[machine.slow_memory(q), q],
            stores=words[q, machine.slow_memory(q)],
            received=received[q],
            sent=sent[q],
            computes=computes[q],
            work=None if dag.work is None else work[q],
            peak=played.peaks[q],
        )
        for q in range(machine.processors)
    )


def _steps(dag: CDAG, schedule: ParallelSchedule) -> Steps:
    """Return what is made in each step."""
    words, rows = dag.sizes.tolist(), []
    for _, together in groupby(schedule, lambda made: made.step):
        kind, busy = ParallelMove.DELETE, Counter[int]()
        for made in together:
            if made.move is not ParallelMove.DELETE:
                kind = made.move
                busy[made.processor] += 1 if kind is ParallelMove.COMPUTE else words[made.vertex]
        rows.append((int(kind), max(busy.values(), default=0), busy.total()))
    return Steps.of(rows)
