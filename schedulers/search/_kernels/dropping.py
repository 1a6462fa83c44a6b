"""A sequence of computations in which values leave fast memory and are computed when needed.

Legend. ``goal`` (C,) int32: vertices in the order in which they are computed first, ``turn`` (n,)
the place of each in it. A computation under way waits on a stack for operands that are computed
again before it. ``use`` (n,) is the turn of the next reader, FAR for none: that of a value which is
needed to compute another one again is that one's. ``lost`` (n,) is the cost, in words, to have a
value again that leaves now: its computation with all that this takes; at least, to load it, and
before that to store it. The value that costs least for its size and for the time until it is used
leaves first.
"""

from typing import NamedTuple

import numpy as np

from dags._numba import lean_inner_kernel, lean_kernel, lean_part

FAR = 1 << 40
DEAR = 1e300
NO_ROOM = -1
LENGTH, HELD = 0, 1


class Floor(NamedTuple):
    """Room for the making of a sequence."""

    goal: np.ndarray  # (C,) int32
    turn: np.ndarray  # (n,) int64
    red: np.ndarray  # (n,) uint8
    blue: np.ndarray  # (n,) uint8
    waits: np.ndarray  # (n,) int32: how many computations under way read each value
    use: np.ndarray  # (n,) int64
    lost: np.ndarray  # (n,) float64
    toll: np.ndarray  # (n,) float64: words that a computation counts as
    stack: np.ndarray  # (n,) int32
    seq: np.ndarray  # (k,) int32: the sequence
    count: np.ndarray  # (2,) int64: its length, words held


@lean_inner_kernel
def weigh(game, floor, time):
    """Fill in when values are used next, and the cost if they left."""
    use, lost = floor.use, floor.lost
    for v in range(use.size):
        use[v] = FAR
    for w in range(use.size - 1, -1, -1):
        use_time = floor.turn[w]
        if use_time < time:
            use_time = FAR if floor.red[w] or floor.blue[w] else use[w]
        for e in range(game.indptr[w], game.indptr[w + 1]):
            u = game.indices[e]
            use[u] = min(use[u], use_time)
    for v in range(use.size):
        recomputing = DEAR
        if not game.is_input[v]:
            recomputing = floor.toll[v]
            for e in range(game.indptr[v], game.indptr[v + 1]):
                u = game.indices[e]
                if not floor.red[u]:
                    recomputing = min(recomputing + lost[u], DEAR)
        moved = float(game.words[v]) * (1.0 if floor.blue[v] else 2.0)
        lost[v] = min(recomputing, moved)


@lean_inner_kernel
def leave(game, floor, v):
    """Take v from fast memory, and store it where that is cheaper than to compute it again."""
    floor.red[v] = 0
    floor.count[HELD] -= game.words[v]
    if floor.waits[v] > 0 or floor.lost[v] >= 2.0 * game.words[v]:
        floor.blue[v] = 1


@lean_inner_kernel
def make_room(game, floor, v, time, memory):
    """Let values leave until v and its operands fit; return 0, or -1 where they never do."""
    need = game.words[v]
    for e in range(game.indptr[v], game.indptr[v + 1]):
        u = game.indices[e]
        if not floor.red[u]:
            need += game.words[u]
    if floor.count[HELD] + need <= memory:
        return 0
    weigh(game, floor, time)
    for e in range(game.indptr[v], game.indptr[v + 1]):
        floor.use[game.indices[e]] = -1  # it stays
    while floor.count[HELD] + need > memory:
        chosen, lowest = -1, np.inf
        for u in range(floor.red.size):
            if not floor.red[u] or floor.use[u] < 0:
                continue
            score = 0.0
            if floor.waits[u] > 0:
                score = DEAR
            elif floor.use[u] < FAR:
                score = floor.lost[u] / (game.words[u] * (floor.use[u] - time + 1.0))
            if score < lowest:
                chosen, lowest = u, score
        if chosen < 0:
            return NO_ROOM
        leave(game, floor, chosen)
    return 0


@lean_part
def missing(game, floor, v):
    """Return the operand of v to compute before it, the dearest one; -1 for none."""
    dearest, largest = -1, -1.0
    for e in range(game.indptr[v], game.indptr[v + 1]):
        u = game.indices[e]
        if floor.red[u] or game.is_input[u] or (floor.blue[u] and floor.lost[u] >= game.words[u]):
            continue
        if floor.lost[u] > largest:
            dearest, largest = u, floor.lost[u]
    return dearest


@lean_part
def hold(game, floor, v, change):
    """Note that a computation of v begins or ends to wait."""
    for e in range(game.indptr[v], game.indptr[v + 1]):
        floor.waits[game.indices[e]] += change


@lean_inner_kernel
def compute(game, floor, v):
    """Compute v, whose operands are loaded where they are not red."""
    for e in range(game.indptr[v], game.indptr[v + 1]):
        u = game.indices[e]
        if not floor.red[u]:
            floor.red[u] = 1
            floor.count[HELD] += game.words[u]
    floor.red[v] = 1
    floor.count[HELD] += game.words[v]
    if game.is_output[v]:
        floor.blue[v] = 1
    floor.seq[floor.count[LENGTH]] = v
    floor.count[LENGTH] += 1


@lean_kernel
def drop_and_compute(game, floor, memory):
    """Write a sequence in `floor.seq`; return its length, -1 where it has no room for that."""
    for v in range(floor.red.size):
        floor.red[v] = floor.waits[v] = 0
        floor.blue[v] = game.is_input[v]
    floor.count[LENGTH] = floor.count[HELD] = 0
    for step in range(floor.goal.size):
        weigh(game, floor, step)
        floor.stack[0] = floor.goal[step]
        depth = 1
        hold(game, floor, floor.stack[0], 1)
        while depth > 0:
            v = floor.stack[depth - 1]
            u = missing(game, floor, v)
            if u >= 0:
                floor.stack[depth] = u
                depth += 1
                hold(game, floor, u, 1)
                continue
            if floor.count[LENGTH] == floor.seq.size:
                return NO_ROOM
            if make_room(game, floor, v, step, memory) < 0:
                return NO_ROOM
            compute(game, floor, v)
            hold(game, floor, v, -1)
            depth -= 1
    return floor.count[LENGTH]
