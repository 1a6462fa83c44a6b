"""Adjoint chains: the reversal of a chain with the least forward steps and compulsory I/O."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from dags import CDAG
from dags.arrays import lock
from dags.families.adjoint import forward_steps
from pebble import Move, Rules, Schedule
from schedulers.families.plays import Play

REVERSAL = 3  # words of an adjoint and its operands
COMPULSORY = 3  # two inputs, one output
MOST_STEPS = 1 << 22  # forward steps of a schedule that is laid out


def plays(dag: CDAG, memory: int, rules: Rules) -> Iterator[Play]:
    """Yield the reversal with all snapshots that there is room for, where values are recomputed.

    Parameters
    ----------
    dag, memory, rules
        The game.
    """
    steps, limit = (int(dag.params[name]) for name in ("steps", "snapshots"))
    snapshots = min(memory - REVERSAL, limit or memory)
    if not rules.recompute or rules.partial or snapshots < 1:
        return
    if forward_steps(steps, snapshots) <= MOST_STEPS:
        yield Play(COMPULSORY, partial(_blocks, steps, snapshots))


def _blocks(steps: int, snapshots: int) -> Iterator[Schedule]:
    """Yield the schedule in one block."""
    moves = list(reversal(steps, snapshots))
    yield Schedule([move for move, _ in moves], lock(np.array([v for _, v in moves], np.int32)))


def split(steps: int, snapshots: int) -> int:
    """Return after how many steps the next snapshot is taken, so that the total is the least.

    The total of k is k + P(steps - k, snapshots - 1) + P(k, snapshots), P the least forward steps.
    P is convex in the steps, each of which costs t + 1 more where t is that of the closed form, and
    t never falls; so the total falls and then rises, and is halved.

    Parameters
    ----------
    steps
        At least two.
    snapshots
        At least two, with that of the state at hand.
    """

    def total(k: int) -> int:
        return k + forward_steps(steps - k, snapshots - 1) + forward_steps(k, snapshots)

    low, high = 1, steps - 1
    while low < high:
        middle = (low + high) // 2
        if total(middle) <= total(middle + 1):
            high = middle
        else:
            low = middle + 1
    return low


def reversal(steps: int, snapshots: int) -> Iterator[tuple[Move, int]]:
    """Yield the moves that reverse a chain with the least forward steps.

    Parameters
    ----------
    steps, snapshots
        Of the chain, and the states that are kept from one adjoint to the next, the first one
        included. Three words more are taken.
    """
    n = steps
    yield Move.LOAD, 0
    waiting = [(0, n, snapshots)]  # parts to reverse, from a state that is a snapshot; last first
    while waiting:
        first, last, room = waiting.pop()
        if last - first > 1 and room > 1:
            k = split(last - first, room)
            yield from _advance(first, first + k)
            waiting += [(first, first + k, room), (first + k, last, room - 1)]
            continue
        for step in range(last - 1, first - 1, -1):
            yield from _advance(first, step)
            yield from _reverse(n, step)
    yield Move.STORE, 3 * n
    yield Move.DELETE, 3 * n


def _state(step: int) -> int:
    """The vertex of the state before a step."""
    return step + 1 if step else 0


def _advance(first: int, last: int) -> Iterator[tuple[Move, int]]:
    """Yield the moves from a state, which stays, to another one."""
    for step in range(first + 1, last + 1):
        yield Move.COMPUTE, _state(step)
        if step > first + 1:
            yield Move.DELETE, _state(step - 1)


def _reverse(n: int, step: int) -> Iterator[tuple[Move, int]]:
    """Yield the moves of the adjoint of a step, whose state goes."""
    tape, new = n + 1 + step, 3 * n - step
    old = 1 if step == n - 1 else new - 1
    yield Move.COMPUTE, tape
    yield Move.DELETE, _state(step)
    if step == n - 1:
        yield Move.LOAD, old
    yield Move.COMPUTE, new
    yield Move.DELETE, tape
    yield Move.DELETE, old
