"""An order and the record of its play, kept while the order changes.

Legend. A DAG of n vertices and m edges, N of them computed. An *edge* is a place in the
predecessor CSR: the reading of ``indices[e]`` by ``reader[e]``. ``order`` (N,) says who is
computed at each step, ``pos`` (n,) at which step each vertex is. The readings of a value form a
list in the order of play: ``first`` (n,), ``after`` (m,) and ``before`` (m,) hold edges, or -1.

Fast memory during a play is described by ``pending`` (n,): the edge at which a red value will be
read next, -1 for values that are not red; ``owed`` (n,) is 1 where leaving costs a store. Two bit
sets over steps, ``clean`` and ``dirty``, hold the next uses of red values beside the current
operands: the highest bits are the candidates to evict, of which `dirty_leaves` chooses one; of
values read next at the same step and equally dirty, the one that stands first in the row of their
reader. So a choice depends on the state and on the places of the candidates alone.

The last play is kept per step: ``paid`` (N,) words moved, ``trace`` (N + 1,) a hash of the state
before it, checkpoints of the state every `spacing` steps; and per edge ``gone`` (m,), the step at
which the value left fast memory before it was loaded for this reading, -1 if it did not; ``spared``
(2, N) the lowest and the highest step whose value was a candidate in vain.
"""

from typing import NamedTuple

import numpy as np

from dags._numba import lean_inner_kernel, lean_kernel

TIMES = 64  # choices before a change that are looked at one by one
ANY = 1  # operand, in `Game.slides`; 0: none, otherwise one of the result's size


class Game(NamedTuple):
    """Constants of a game: the DAG, sizes, and keys of the hash."""

    indptr: np.ndarray  # (n+1,) int64
    indices: np.ndarray  # (m,) int32
    reader: np.ndarray  # (m,) int32
    words: np.ndarray  # (n,) int64
    settled: np.ndarray  # (n,) uint8: inputs and outputs
    keys: np.ndarray  # (2, n) uint64
    slides: np.ndarray  # (n,) or (1,) uint8: onto which operands results slide


class Play(NamedTuple):
    """An order and the record of its play."""

    order: np.ndarray  # (N,) int32
    pos: np.ndarray  # (n,) int32, -1 for inputs
    first: np.ndarray  # (n,) int32
    after: np.ndarray  # (m,) int32
    before: np.ndarray  # (m,) int32
    gone: np.ndarray  # (m,) int32
    paid: np.ndarray  # (N,) int64
    trace: np.ndarray  # (N+1,) uint64
    spared: np.ndarray  # (2, N) int32
    kept: np.ndarray  # (2, slots, room) int32: checkpoints, two sides of each
    held: np.ndarray  # (2, slots) int32: entries in each
    side: np.ndarray  # (slots,) uint8: which side counts
    spacing: np.ndarray  # (1,) int64: steps between checkpoints


class Room(NamedTuple):
    """Arrays to work in; between evaluations `pending` is -1 and the bit sets are empty."""

    pending: np.ndarray  # (n,) int32
    owed: np.ndarray  # (n,) uint8
    clean: np.ndarray  # (N // 64 + 1,) uint64
    dirty: np.ndarray  # (N // 64 + 1,) uint64
    new_paid: np.ndarray  # (N,) int64
    new_trace: np.ndarray  # (N+1,) uint64
    new_spared: np.ndarray  # (2, N) int32
    log_edge: np.ndarray  # (3 m + N + 1,) int32: entries of `gone` that changed
    log_old: np.ndarray  # (3 m + N + 1,) int32
    ranges: np.ndarray  # (TIMES + 2, 2) int32: steps that were played again
    segment: np.ndarray  # (N,) int32
    times: np.ndarray  # (TIMES,) int32
    mark: np.ndarray  # (n + 1,) int64: the last closure that has each vertex; how many there were


class Now(NamedTuple):
    """State of fast memory before a step, beside its arrays."""

    kept: int  # words in fast memory
    far_clean: int  # steps at or above the highest of both sets
    far_dirty: int
    state: int  # uint64: the hash of the state
    logged: int  # entries of `gone` that changed so far


@lean_kernel
def link(game, play):
    """Fill the lists of readings and `pos` from `order`."""
    play.pos[:] = -1
    play.first[:] = -1
    play.after[:] = -1
    play.before[:] = -1
    for t in range(play.order.size):
        play.pos[play.order[t]] = t
    for t in range(play.order.size - 1, -1, -1):
        v = play.order[t]
        for e in range(game.indptr[v], game.indptr[v + 1]):
            u = game.indices[e]
            play.after[e] = play.first[u]
            if play.first[u] >= 0:
                play.before[play.first[u]] = e
            play.first[u] = e


@lean_inner_kernel
def rotate(game, play, segment, i, j, k):
    """Exchange the adjacent parts [i, j) and [j, k) of the order."""
    order, pos = play.order, play.pos
    first, after, before = play.first, play.after, play.before
    reader = game.reader
    left, right = j - i, k - j
    if left <= right:  # move the shorter part, and keep it aside
        for x in range(left):
            segment[x] = order[i + x]
        for x in range(right):
            v = order[j + x]
            order[i + x] = v
            pos[v] = i + x
        for x in range(left):
            order[k - left + x] = segment[x]
            pos[segment[x]] = k - left + x
        begin, stop, step = k - 1, k - left - 1, -1
    else:
        for x in range(right):
            segment[x] = order[j + x]
        for x in range(left - 1, -1, -1):
            v = order[i + x]
            order[i + right + x] = v
            pos[v] = i + right + x
        for x in range(right):
            order[i + x] = segment[x]
            pos[segment[x]] = i + x
        begin, stop, step = i, i + right, 1
    for t in range(begin, stop, step):
        v = order[t]
        for e in range(game.indptr[v], game.indptr[v + 1]):
            low, high = before[e], after[e]
            if left <= right:
                if high < 0 or pos[reader[high]] > t:
                    continue
            elif low < 0 or pos[reader[low]] < t:
                continue
            u = game.indices[e]
            if low >= 0:
                after[low] = high
            else:
                first[u] = high
            if high >= 0:
                before[high] = low
            if left <= right:
                while high >= 0 and pos[reader[high]] < t:
                    low = high
                    high = after[high]
            else:
                while low >= 0 and pos[reader[low]] > t:
                    high = low
                    low = before[low]
            before[e] = low
            after[e] = high
            if low >= 0:
                after[low] = e
            else:
                first[u] = e
            if high >= 0:
                before[high] = e


@lean_kernel
def keep(play, room, parts):
    """Make the play of `evaluate` the record."""
    spacing = play.spacing[0]
    for part in range(parts):
        begin, end = room.ranges[part, 0], room.ranges[part, 1]
        for t in range(begin, end):
            play.paid[t] = room.new_paid[t]
            play.trace[t] = room.new_trace[t]
            play.spared[0, t] = room.new_spared[0, t]
            play.spared[1, t] = room.new_spared[1, t]
        for t in range(begin, end, spacing):
            play.side[t // spacing] = 1 - play.side[t // spacing]


@lean_inner_kernel
def forget(play, room, logged):
    """Undo the writes of `evaluate`."""
    for x in range(logged - 1, -1, -1):
        play.gone[room.log_edge[x]] = room.log_old[x]
