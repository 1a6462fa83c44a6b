"""Kernels that say what steps of all orders take, by charges on the values that are away."""

from typing import NamedTuple

import numpy as np

from dags._numba import lean_inner_kernel, lean_kernel
from pebble.small._kernels.bits import NONE, ONE, lowest_bit

GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # spreads sets over a hash table, by their highest bits


class Board(NamedTuple):
    """A game of c steps and r values; sets are uint64.

    operands (c,) sets of values; room (c,) int64: words beside the operands of each step; readers
    (r,) sets of steps; maker (r,) int64, -1 for a source; words (r,) int64; first (r,) int64: the
    row of each value in which none of its readers is done, the rows after it for more of them.
    """

    operands: np.ndarray
    room: np.ndarray
    readers: np.ndarray
    maker: np.ndarray
    words: np.ndarray
    first: np.ndarray


class Desk(NamedTuple):
    """Room for the values alive at one moment: (64,) int64 each, in the order of their charges."""

    value: np.ndarray
    row: np.ndarray
    charge: np.ndarray


@lean_inner_kernel
def row_of(board, v, done):
    """Return the row of value v once the steps `done` are, -1 if it is not alive."""
    read = board.readers[v] & done
    if not board.readers[v] & ~done:
        return np.int64(-1)
    if board.maker[v] < 0:
        if not read:
            return np.int64(-1)
    elif not done >> np.uint64(board.maker[v]) & ONE:
        return np.int64(-1)
    row = board.first[v]
    while read:
        read &= read - ONE
        row += 1
    return row


@lean_inner_kernel
def list_alive(board, done, charges, desk):
    """List the values alive, those with most charge for each word first; return how many."""
    count = 0
    for v in range(board.readers.size):
        row = row_of(board, v, done)
        if row < 0:
            continue
        charge = charges[row]
        i = count
        while (
            i > 0 and desk.charge[i - 1] * board.words[v] < charge * board.words[desk.value[i - 1]]
        ):
            desk.value[i] = desk.value[i - 1]
            desk.row[i] = desk.row[i - 1]
            desk.charge[i] = desk.charge[i - 1]
            i -= 1
        desk.value[i] = v
        desk.row[i] = row
        desk.charge[i] = charge
        count += 1
    return count


@lean_inner_kernel
def charged(board, desk, count, step):
    """Return what step `step` takes at least, of the values that are listed."""
    left = board.room[step]
    total = np.int64(0)
    for i in range(count):
        v = desk.value[i]
        if board.operands[step] >> np.uint64(v) & ONE:
            continue
        words = board.words[v]
        stays = min(words, left)
        left -= stays
        total += desk.charge[i] - -(-desk.charge[i] * stays // words)
    return total


@lean_kernel
def weigh_steps(board, done, starts, steps, charges, desk, gains):
    """Fill gains (e,) int64 with what each step takes at least that may come next.

    done (s,) uint64 are sets of steps, after the i-th of which come steps[starts[i]:starts[i + 1]];
    charges (rows,) int64 are those of this time.
    """
    for i in range(done.size):
        count = list_alive(board, done[i], charges, desk)
        for e in range(starts[i], starts[i + 1]):
            gains[e] = charged(board, desk, count, np.int64(steps[e]))


@lean_kernel
def blame_rows(board, done, starts, steps, charges, desk, share, blame):
    """Add to blame (rows,) float64 how often the charge of each row counts.

    share (e,) float64: how often each step is taken; other parameters as for `weigh_steps`.
    """
    for i in range(done.size):
        count = list_alive(board, done[i], charges, desk)
        for e in range(starts[i], starts[i + 1]):
            if share[e] < 1e-9:
                continue
            left = board.room[steps[e]]
            for j in range(count):
                v = desk.value[j]
                if board.operands[steps[e]] >> np.uint64(v) & ONE == NONE:
                    stays = min(board.words[v], left)
                    left -= stays
                    blame[desk.row[j]] += share[e] * (board.words[v] - stays) / board.words[v]


@lean_kernel
def ready_steps(before, done, full, sets, steps, starts):
    """Fill sets and steps (e,) with what comes after each of done (s,), starts (s + 1,) int64.

    Return how many there are, -1 if there is no room for all. before (c,) are the steps that come
    before each step, full is the set of all.
    """
    count = 0
    for i in range(done.size):
        starts[i] = count
        left = full & ~done[i]
        while left:
            step = lowest_bit(left)
            left &= left - ONE
            if before[step] & ~done[i]:
                continue
            if count == sets.size:
                return -1
            sets[count] = done[i] | ONE << np.uint64(step)
            steps[count] = step
            count += 1
    starts[done.size] = count
    return count


@lean_kernel
def tell_apart(sets, table, different, place):
    """Fill different (e,) with the sets (e,) uint64 that differ, as met; return how many.

    place (e,) int32 gets the place there of each set. table (2^b,) int32 is all -1, and more than e
    entries: a hash table of these places.
    """
    shift = np.uint64(64)
    size = table.size
    while size > 1:
        size >>= 1
        shift -= ONE
    count = 0
    for i in range(sets.size):
        at = np.int64(sets[i] * GOLDEN >> shift)
        while table[at] >= 0 and different[table[at]] != sets[i]:
            at = (at + 1) & (table.size - 1)
        if table[at] < 0:
            table[at] = count
            different[count] = sets[i]
            count += 1
        place[i] = table[at]
    return count


@lean_kernel
def mark_alive(board, done, able):
    """Mark in able (rows,) bool the rows of values that are alive after some of done (s,)."""
    for i in range(done.size):
        for v in range(board.readers.size):
            row = row_of(board, v, done[i])
            if row >= 0:
                able[row] = True
