"""A sequence of computations, some of them repeated, and the play of it.

Legend. ``seq`` (C,) int32: the vertex of each computation, of which the first `length` count. At a
computation all operands are red, or they are loaded; a vertex that is red is not computed, and its
operands are not read. A *use* is a computation t at which a value is read or made next, as 2 t or 2
t + 1, and FAR for none: ``ahead`` (n,) has that of each value during the play, ``made`` (C,) and
``read`` (C * widest,) those that follow each computation, of its result and of its operands. Room
is made by values of no further use first, then by those used next after longest; a value that must
be stored to leave counts as half as far.

The cost of a play is `scale` for each word that it moves, and for each computation its price.
"""

from typing import NamedTuple

import numpy as np

from dags._numba import lean_inner_kernel, lean_kernel, lean_part

FAR = 1 << 40
NO_LIMIT = 1 << 62
LOAD, STORE, COMPUTE, DELETE = 0, 1, 2, 3
NOT_A_PLAY = -1


class Rules(NamedTuple):
    """Constants of a game."""

    indptr: np.ndarray  # (n+1,) int64
    indices: np.ndarray  # (m,) int32
    words: np.ndarray  # (n,) int64
    is_input: np.ndarray  # (n,) uint8
    is_output: np.ndarray  # (n,) uint8
    widest: np.ndarray  # (1,) int64: the most operands of a vertex
    compulsory: np.ndarray  # (1,) int64: words of inputs that are read, and of outputs
    scale: np.ndarray  # (1,) int64: the cost of a word
    price: np.ndarray  # (n,) int64: the cost of a computation


class Desk(NamedTuple):
    """Room for a play."""

    ahead: np.ndarray  # (n,) int64
    made: np.ndarray  # (C,) int64
    read: np.ndarray  # (C * widest,) int64
    reds: np.ndarray  # (n,) int32: the red values, `held` of them
    place: np.ndarray  # (n,) int32: of each value among them, -1 for what is not red
    blue: np.ndarray  # (n,) uint8: 2 for an input that has been loaded
    pinned: np.ndarray  # (n,) int32: the last computation that reads each value
    loads: np.ndarray  # (2, C * widest) int32: computations that load, and what
    count: np.ndarray  # (6,) int64: values held, words held, loads, moves, words owed, memory
    op: np.ndarray  # (k,) uint8: moves, if they are recorded
    vertex: np.ndarray  # (k,) int32


HELD, WORDS, LOADED, MOVES, OWED, MEMORY = 0, 1, 2, 3, 4, 5


@lean_inner_kernel
def look_ahead(game, desk, seq, length):
    """Fill in the use after each use, and the first of each value."""
    wide = game.widest[0]
    for v in range(desk.ahead.size):
        desk.ahead[v] = FAR
    for t in range(length - 1, -1, -1):
        v = seq[t]
        desk.made[t] = desk.ahead[v]
        desk.ahead[v] = 2 * t + 1
        for e in range(game.indptr[v], game.indptr[v + 1]):
            u = game.indices[e]
            desk.read[t * wide + e - game.indptr[v]] = desk.ahead[u]
            desk.ahead[u] = 2 * t


@lean_part
def record(desk, op, v):
    """Write down a move, where there is room for moves."""
    if desk.op.size > 0:
        position = desk.count[MOVES]
        desk.op[position] = op
        desk.vertex[position] = v
        desk.count[MOVES] = position + 1


@lean_part
def add(game, desk, v):
    """Make v red."""
    desk.reds[desk.count[HELD]] = v
    desk.place[v] = desk.count[HELD]
    desk.count[HELD] += 1
    desk.count[WORDS] += game.words[v]


@lean_part
def drop(game, desk, v):
    """Take the red pebble from v."""
    position = desk.place[v]
    last = desk.count[HELD] - 1
    desk.reds[position] = desk.reds[last]
    desk.place[desk.reds[position]] = position
    desk.place[v] = -1
    desk.count[HELD] = last
    desk.count[WORDS] -= game.words[v]
    record(desk, DELETE, v)


@lean_inner_kernel
def make_room(game, desk, t, excess):
    """Let values leave at computation t until so many words are free; return the words stored.

    -1 if too few can leave.
    """
    paid = 0
    while excess > 0:
        best, chosen = np.int64(-1), -1
        for x in range(desk.count[HELD]):
            u = desk.reds[x]
            if desk.pinned[u] == t:
                continue
            use = desk.ahead[u]
            far = FAR
            if use != FAR and use & 1 == 0:
                far = (use // 2 - t) * (2 if desk.blue[u] else 1)
            if far > best:
                best, chosen = far, u
        if chosen < 0:
            return NOT_A_PLAY
        if best < FAR and desk.blue[chosen] == 0:
            desk.blue[chosen] = 1
            paid += game.words[chosen]
            record(desk, STORE, chosen)
        excess -= game.words[chosen]
        drop(game, desk, chosen)
    return paid


@lean_inner_kernel
def fetch(game, desk, t, v):
    """Bring the operands of v into fast memory for computation t; return the words moved.

    -1 if an operand is nowhere.
    """
    excess = desk.count[WORDS] + game.words[v]
    for e in range(game.indptr[v], game.indptr[v + 1]):
        u = game.indices[e]
        desk.pinned[u] = t
        if desk.place[u] < 0:
            if desk.blue[u] == 0:
                return NOT_A_PLAY
            excess += game.words[u]
    paid = make_room(game, desk, t, excess - desk.count[MEMORY])
    if paid < 0:
        return NOT_A_PLAY
    for e in range(game.indptr[v], game.indptr[v + 1]):
        u = game.indices[e]
        if desk.place[u] < 0:
            paid += game.words[u]
            if game.is_input[u] and desk.blue[u] == 1:
                desk.blue[u] = 2
                desk.count[OWED] -= game.words[u]
            add(game, desk, u)
            record(desk, LOAD, u)
            position = desk.count[LOADED]
            desk.loads[0, position], desk.loads[1, position] = t, u
            desk.count[LOADED] = position + 1
    return paid


@lean_kernel
def played(game, desk, seq, length, memory, limit):
    """Return the cost of the play of a sequence, -1 if it is none or that exceeds `limit`.

    The moves are recorded where `desk` has room for them. It ends as soon as the cost and that of
    the first loads and stores that are to come exceed the limit.
    """
    wide, scale = game.widest[0], game.scale[0]
    look_ahead(game, desk, seq, length)
    for v in range(desk.place.size):
        desk.place[v] = desk.pinned[v] = -1
        desk.blue[v] = game.is_input[v]
    for x in range(4):
        desk.count[x] = 0
    desk.count[OWED], desk.count[MEMORY] = game.compulsory[0], memory
    total = 0
    for t in range(length):
        v = seq[t]
        recomputed = desk.place[v] >= 0
        if not recomputed:
            paid = fetch(game, desk, t, v)
            if paid < 0:
                return NOT_A_PLAY
            total += scale * paid + game.price[v]
            add(game, desk, v)
            record(desk, COMPUTE, v)
        desk.ahead[v] = desk.made[t]
        if game.is_output[v] and desk.blue[v] == 0:
            desk.blue[v] = 1
            desk.count[OWED] -= game.words[v]
            total += scale * game.words[v]
            record(desk, STORE, v)
        if total + scale * desk.count[OWED] > limit:
            return NOT_A_PLAY
        for e in range(game.indptr[v], game.indptr[v + 1]):
            u = game.indices[e]
            desk.ahead[u] = desk.read[t * wide + e - game.indptr[v]]
            if desk.place[u] >= 0 and desk.ahead[u] == FAR:
                drop(game, desk, u)
        if desk.ahead[v] == FAR:
            drop(game, desk, v)
    return total
