"""The engine of several processors: replays their moves fast, checking every rule."""

from typing import Any

import numpy as np

from dags import CDAG
from dags.arrays import exact_sum
from pebble.countable import require_countable
from pebble.errors import Violation
from pebble.parallel import _kernels
from pebble.parallel.count import ParallelCount, ProcessorCount, Steps
from pebble.parallel.errors import IllegalParallelMoveError, require_whole
from pebble.parallel.machine import Machine
from pebble.parallel.moves import ParallelMove, ParallelSchedule
from pebble.rules import ONE_SHOT, Rules, useful_memory

NOBODY = np.empty(0, np.int32)
NOBODY.setflags(write=False)


def play_parallel(
    dag: CDAG, schedule: ParallelSchedule, machine: Machine, *, rules: Rules = ONE_SHOT
) -> ParallelCount:
    """Return what `schedule` costs on `machine`, as the referee `judge_parallel` does.

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
        If the machine has slow memories apart and the schedule places no inputs, or elsewhere; or
        if more than 2^62 words are moved: `pebble.countable`.
    InvalidRulesError
        If values are computed in parts.
    """
    require_whole(rules)
    state = _state(dag, schedule, machine)
    rule, move, detail, recomputes = _kernels.replay(
        _game(dag, machine, rules), _moves(schedule), state
    )
    if rule != _kernels.LEGAL:
        raise _error(dag, schedule, machine, Violation(rule), move, detail)
    require_countable(dag, schedule.op, schedule.vertex)
    missing = dag.outputs[~state.blue[:, dag.outputs].any(axis=0)]
    if missing.size:
        rule = Violation.OUTPUT_NOT_STORED
        raise IllegalParallelMoveError(len(schedule), "END", int(missing[0]), rule)
    return ParallelCount(
        rules=rules,
        processors=_processors(dag, schedule, state.counters),
        links=_links(machine, state.links),
        steps=Steps.of(state.steps),
        recomputes=int(recomputes),
    )


def _game(dag: CDAG, machine: Machine, rules: Rules) -> _kernels.Game:
    ends, sources = machine.link_rows
    port = np.array([machine.has_port(q) for q in range(machine.processors)])
    return _kernels.Game(
        dag.pred_indptr,
        dag.pred_indices,
        dag.sizes,
        ends,
        sources,
        port,
        useful_memory(dag, machine.memory),
        rules.recompute,
        rules.sliding,
    )


def _moves(schedule: ParallelSchedule) -> _kernels.Moves:
    source = NOBODY if schedule.source is None else schedule.source
    return _kernels.Moves(schedule.op, schedule.vertex, schedule.processor, schedule.step, source)


def _state(dag: CDAG, schedule: ParallelSchedule, machine: Machine) -> _kernels.State:
    processors = machine.processors
    shared = machine.slow == "shared"
    blue = np.zeros((1 if shared else processors, dag.n), np.uint8)
    blue[0 if shared else schedule.homes_of_inputs(dag, processors), dag.inputs] = 1
    flags = np.zeros(dag.n, np.uint8)
    flags[dag.inputs] = _kernels.INPUT
    steps = np.count_nonzero(np.diff(schedule.step)) + (len(schedule) > 0)
    return _kernels.State(
        red=np.zeros((processors, dag.n), np.uint8),
        blue=blue,
        flags=flags,
        counters=np.zeros((processors, _kernels.COUNTERS), np.int64),
        busy=np.zeros(processors, np.int64),
        links=np.zeros(machine.link_rows[1].size, np.int64),
        steps=np.zeros((steps, 3), np.int64),
    )


def _processors(dag: CDAG, schedule: ParallelSchedule, counters: Any) -> tuple[ProcessorCount, ...]:
    """Return what each processor did."""
    work: list[int | None] = [None] * len(counters)
    if dag.work is not None:
        computed = schedule.op == ParallelMove.COMPUTE
        done, by = dag.work[schedule.vertex[computed]], schedule.processor[computed]
        work = [exact_sum(done[by == q]) for q in range(len(counters))]
    return tuple(
        ProcessorCount(
            loads=row[_kernels.LOAD],
            stores=row[_kernels.STORE],
            received=row[_kernels.RECEIVE],
            sent=row[_kernels.SENT],
            computes=row[_kernels.COMPUTE],
            work=operations,
            peak=row[_kernels.PEAK],
        )
        for row, operations in zip(counters.tolist(), work, strict=True)
    )


def _links(machine: Machine, words: Any) -> dict[tuple[int, int], int]:
    """Return the words on each link that was used, by (sender, receiver)."""
    ends, sources = machine.link_rows
    receivers = np.repeat(np.arange(machine.processors), np.diff(ends))
    pairs = zip(sources.tolist(), receivers.tolist(), words.tolist(), strict=True)
    return dict(sorted(((a, b), n) for a, b, n in pairs if n))


def _error(
    dag: CDAG,
    schedule: ParallelSchedule,
    machine: Machine,
    rule: Violation,
    move: int,
    detail: int,
) -> IllegalParallelMoveError:
    """Return the error of a move.

    Parameters
    ----------
    dag, schedule, machine
        What was played.
    rule, move, detail
        What the kernel says.
    """
    vertex = int(schedule.vertex[move])
    text = ""
    if rule is Violation.MISSING_PREDECESSOR:
        text = f"vertex {detail}"
    elif rule is Violation.MIXED_STEP:
        text = ParallelMove(detail).name
    elif rule is Violation.MEMORY_FULL:
        text = f"{detail} + {dag.sizes[vertex]} words do not fit into {machine.memory}"
    name = ParallelMove(int(schedule.op[move])).name
    return IllegalParallelMoveError(move, name, vertex, rule, text, int(schedule.processor[move]))
