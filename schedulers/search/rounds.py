"""Beam searches one after the other, each guided by the best order so far."""

import time

from dags import CDAG
from dags.arrays import Int32Array
from pebble import ONE_SHOT, Rules, placing_memory
from schedulers.search.beam import WEIGHTS, beam_order
from schedulers.search.replay import new_replay

STATE, VERTEX = 4e-6, 4e-10  # seconds that a state takes, and each vertex of it: measured, roughly
FIRST_ROUND, LONGEST_ROUND = 0.6, 20.0  # seconds: what is planned, and what is never exceeded
MOST_STATES = 1 << 22  # vertices of all states of a layer
NARROWEST, WIDEST = 4, 256


def beam_rounds(
    dag: CDAG,
    memory: int,
    guide: Int32Array,
    *,
    rules: Rules = ONE_SHOT,
    time_limit: float | None = None,
) -> tuple[Int32Array, int]:
    """Return the best order found from `guide`, and the words that it moves.

    A round is a beam search with each of several weights of live words. With a time limit,
    rounds follow, each twice as wide as the one before, until it is over or they gain nothing
    any more; without one there is a single round. Nothing is tried that would take too long.

    Parameters
    ----------
    dag, memory, rules
        The game; every vertex must fit.
    guide
        (N,) an order that is good already.
    time_limit
        Seconds.

    Raises
    ------
    MemoryTooSmallError
        If some vertex cannot be computed with `memory` words.
    """
    end = None if time_limit is None else time.perf_counter() + time_limit
    replay = new_replay(dag, memory, rules=rules)
    best, io = guide, replay.start(guide)
    room = placing_memory(dag, memory, rules=rules)
    widest = _width(dag, LONGEST_ROUND if time_limit is None else time_limit)
    width = min(max(_width(dag, FIRST_ROUND), NARROWEST), widest, WIDEST)
    while width and dag.n * width <= MOST_STATES:
        before = io
        for weight in WEIGHTS:
            left = None if end is None else end - time.perf_counter()
            order = beam_order(dag, room, best, width=width, weight=weight, time_limit=left)
            if order is None:
                return best, io
            words = replay.start(order)
            if words < io:
                best, io = order, words
        if end is None or (io == before and width >= WIDEST):
            break
        width *= 2
    return best, io


def _width(dag: CDAG, seconds: float) -> int:
    """Return how wide the beams of a round can be if it is to take so long."""
    states = seconds / (STATE + VERTEX * dag.n)
    return int(states / (len(WEIGHTS) * max(dag.computed.size, 1)))
