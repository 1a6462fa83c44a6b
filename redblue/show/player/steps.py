"""A play, step by step, as the player shows it."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dags import CDAG, RedBlueError
from pebble import IOCount, Move, Rules, Schedule, judge, trace

MOST_VERTICES = 400
MOST_EDGES = 2000
MOST_MOVES = 5000


class TooLargeToShowError(RedBlueError, ValueError):
    """A DAG or a schedule that is too large to be followed step by step."""


class Step(NamedTuple):
    """A move, and under sliding rules the operand whose place a computed value takes.

    Under those of partial computation it has the operand that is aggregated instead.
    """

    move: Move
    vertex: int
    replaced: int | None = None
    operand: int | None = None


@dataclass(frozen=True)
class Play:
    """A play that the referee has accepted.

    Parameters
    ----------
    count
        The referee's count.
    steps
        (k,) the events; a COMPUTE that slides and the DELETE behind it are one step.
    loads, stores, occupancy
        (k+1,) words loaded and stored so far, and words in fast memory, before the first step
        and after each.
    """

    count: IOCount
    steps: tuple[Step, ...]
    loads: tuple[int, ...]
    stores: tuple[int, ...]
    occupancy: tuple[int, ...]


def require_small(dag: CDAG, schedule: Schedule | None = None) -> None:
    """Raise TooLargeToShowError if `dag` or `schedule` is too large to be followed."""
    if dag.n > MOST_VERTICES or dag.m > MOST_EDGES:
        raise TooLargeToShowError(
            f"the player shows up to {MOST_VERTICES} vertices and {MOST_EDGES} edges; "
            f"this DAG has {dag.n} and {dag.m}"
        )
    if schedule is not None and len(schedule) > MOST_MOVES:
        raise TooLargeToShowError(
            f"the player shows up to {MOST_MOVES} moves; this schedule has {len(schedule)}"
        )


def play_of(dag: CDAG, schedule: Schedule, memory: int, *, rules: Rules) -> Play:
    """`schedule` step by step.

    Raises
    ------
    IllegalMoveError
        If the referee does not accept it.
    TooLargeToShowError
        If it has more moves than anybody would follow.
    """
    require_small(dag, schedule)
    count = judge(dag, schedule, memory, rules=rules)
    over_time = trace(dag, schedule, memory, rules=rules)
    slides = over_time.occupancy > memory  # until the operand leaves, one move later
    steps: list[Step] = []
    moves, operands = list(schedule), schedule.operands.tolist()
    for place in np.flatnonzero(~slides).tolist():
        move, vertex = moves[place]
        if place and slides[place - 1]:
            steps.append(Step(Move.COMPUTE, moves[place - 1][1], vertex))
        else:
            operand = operands[place]
            steps.append(Step(move, vertex, operand=None if operand < 0 else operand))
    columns = (over_time.loads, over_time.stores, over_time.occupancy)
    loads, stores, occupancy = ((0, *column[~slides].tolist()) for column in columns)
    return Play(count, tuple(steps), loads, stores, occupancy)
