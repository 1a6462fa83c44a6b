"""Checkpoints of the state of fast memory in a play, and the way back to them."""

import numpy as np

from dags._numba import highest_bit, lean_inner_kernel, lean_part
from schedulers.search._kernels.records import Now

ONE = np.uint64(1)


@lean_part
def hold(game, room, u, use, now):
    """Keep value u until step `use`; return the state."""
    far_clean, far_dirty = now.far_clean, now.far_dirty
    if room.owed[u]:
        room.dirty[use >> 6] |= ONE << np.uint64(use & 63)
        far_dirty = max(far_dirty, use)
    else:
        room.clean[use >> 6] |= ONE << np.uint64(use & 63)
        far_clean = max(far_clean, use)
    return Now(now.kept + game.words[u], far_clean, far_dirty, now.state, now.logged)


@lean_inner_kernel
def restore(game, play, room, t, logged):
    """Set fast memory to the checkpoint before step t; return the state."""
    slot = t // play.spacing[0]
    side = play.side[slot]
    now = Now(np.int64(0), np.int64(-1), np.int64(-1), play.trace[t], logged)
    for x in range(play.held[side, slot]):
        code = play.kept[side, slot, x]
        e = code >> 1
        u = game.indices[e]
        low = play.before[e]
        while low >= 0 and play.pos[game.reader[low]] >= t:  # the change put another one first
            e = low
            low = play.before[e]
        room.pending[u] = e
        room.owed[u] = code & 1
        now = hold(game, room, u, np.int64(play.pos[game.reader[e]]), now)
    return now


@lean_inner_kernel
def save_checkpoint(game, play, room, t, spacing):
    """Write the state before step t to the other side of its checkpoint."""
    slot = t // spacing
    side = 1 - play.side[slot]
    filled = 0
    for word in range(t >> 6, room.clean.size):
        bits = room.clean[word] | room.dirty[word]
        while bits != 0:
            bit = highest_bit(bits)
            bits ^= ONE << np.uint64(bit)
            v = play.order[(word << 6) + bit]
            for e in range(game.indptr[v], game.indptr[v + 1]):
                u = game.indices[e]
                if room.pending[u] == e:
                    play.kept[side, slot, filled] = np.int64(2 * e) + room.owed[u]
                    filled += 1
    play.held[side, slot] = filled


@lean_inner_kernel
def clear_state(game, play, room, t):
    """Forget the state before step t."""
    for word in range(t >> 6, room.clean.size):
        bits = room.clean[word] | room.dirty[word]
        while bits != 0:
            bit = highest_bit(bits)
            bits ^= ONE << np.uint64(bit)
            v = play.order[(word << 6) + bit]
            for e in range(game.indptr[v], game.indptr[v + 1]):
                if room.pending[game.indices[e]] == e:
                    room.pending[game.indices[e]] = -1
        room.clean[word] = 0
        room.dirty[word] = 0
