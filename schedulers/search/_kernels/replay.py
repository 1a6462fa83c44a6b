"""Kernels that count what an order moves, and count again only what a change can alter.

Legend. A DAG of n vertices and m edges, N of them computed. An *edge* is a place in the
predecessor CSR: the reading of ``indices[e]`` by ``reader[e]``. ``order`` (N,) says who is
computed at each step, ``pos`` (n,) at which step each vertex is. The readings of a value form a
list in the order of play: ``first`` (n,), ``after`` (m,) and ``before`` (m,) hold edges, or -1.

Fast memory during a play is described by ``pending`` (n,): the edge at which a red value will be
read next, -1 for what is not red; ``owed`` (n,) is 1 where leaving costs a store. Two bit sets
over steps, ``clean`` and ``dirty``, hold the next uses of what is red beside the current operands:
the highest bits are the candidates to evict, of which `dirty_leaves` chooses one; of values read
next at the same step and equally dirty, the one that stands first in the row of their reader. So a
choice depends on the state and on the places of the candidates alone.

What a play was is kept per step: ``paid`` (N,) words moved, ``trace`` (N + 1,) a hash of the
state before it, checkpoints of the state every `spacing` steps; and per edge ``gone`` (m,), the
step at which the value left fast memory before it was loaded for this reading, -1 if it did not;
``spared`` (2, N) the lowest and the highest step whose value was a candidate in vain.

Why a change of the order in steps [a, b] needs no more than it gets: it moves next uses within
[a, b] only. A choice before a that compared none of them comes out as before. One that did
either evicted a value read next in [a, b], which is then loaded there and has a time in `gone`,
or spared one, which `spared` says. After b, equal states go on equally.
"""

from typing import NamedTuple

import numpy as np

from dags._numba import highest_bit, kernel
from schedulers._kernels.candidates import clear_bit, dirty_leaves
from schedulers._kernels.moves import COMPUTE, DELETE, LOAD, STORE, WRITTEN, write

ONE = np.uint64(1)


class Game(NamedTuple):
    """Constants of a game: the DAG, sizes, and keys of the hash."""

    indptr: np.ndarray  # (n+1,) int64
    indices: np.ndarray  # (m,) int32
    reader: np.ndarray  # (m,) int32
    words: np.ndarray  # (n,) int64
    settled: np.ndarray  # (n,) uint8: inputs and outputs
    keys: np.ndarray  # (2, n) uint64


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


TIMES = 64  # choices before a change that are looked at one by one


@kernel
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


@kernel
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


@kernel
def restore(game, play, room, t):
    """Set fast memory to a checkpoint; return (words kept, furthest clean, furthest dirty)."""
    slot = t // play.spacing[0]
    side = play.side[slot]
    kept = np.int64(0)
    far_clean = far_dirty = -1
    for x in range(play.held[side, slot]):
        code = play.kept[side, slot, x]
        owed = code & 1
        e = code >> 1
        u = game.indices[e]
        low = play.before[e]
        while low >= 0 and play.pos[game.reader[low]] >= t:  # the change put another one first
            e = low
            low = play.before[e]
        at = play.pos[game.reader[e]]
        room.pending[u] = e
        room.owed[u] = owed
        kept += game.words[u]
        if owed:
            room.dirty[at >> 6] |= ONE << np.uint64(at & 63)
            far_dirty = max(far_dirty, at)
        else:
            room.clean[at >> 6] |= ONE << np.uint64(at & 63)
            far_clean = max(far_clean, at)
    return kept, far_clean, far_dirty


@kernel
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
                    play.kept[side, slot, filled] = 2 * e + room.owed[u]
                    filled += 1
    play.held[side, slot] = filled


@kernel
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


@kernel
def decisions_before(game, play, room, a, b):
    """Fill `times` with the steps before a whose choices a change in steps [a, b] can alter.

    Return (the first of them, or a; how many; whether these are all).
    """
    indptr, order, gone, spared, times = game.indptr, play.order, play.gone, play.spared, room.times
    count = 0
    complete = True
    first = a
    for t in range(a):
        if spared[0, t] <= b and spared[1, t] >= a:
            first = min(first, t)
            if count == TIMES:
                complete = False
                break
            times[count] = t
            count += 1
    for t in range(a, b + 1):
        v = order[t]
        for e in range(indptr[v], indptr[v + 1]):
            g = gone[e]
            if g >= 0 and g < a:
                first = min(first, g)
                if count == TIMES:
                    complete = False
                    continue
                x = count
                while x > 0 and times[x - 1] > g:
                    times[x] = times[x - 1]
                    x -= 1
                times[x] = g
                count += 1
    return first, count, complete


@kernel
def furthest_use(bits, place, t):
    """Return the highest step of a set at or below `place`, not below t's word, or -1."""
    if place < 0:
        return place
    word = place >> 6
    low = t >> 6
    found = bits[word] & (~np.uint64(0) >> np.uint64(63 - (place & 63)))
    while found == 0 and word > low:
        word -= 1
        found = bits[word]
    return (word << 6) + highest_bit(found) if found != 0 else -1


@kernel
def cheapest_operand(indices, words, owed, begin, end, room, price):
    """Return the reading of the operand of `room` words or more that costs least to give up."""
    under = -1
    least = 0.0
    for e in range(begin, end):
        u = indices[e]
        loss = words[u] * (price if owed[u] else 1.0)
        if words[u] >= room and (under < 0 or loss < least):
            under = e
            least = loss
    return under


@kernel
def evaluate(game, play, room, a, b, memory, price, slides):
    """Return (rise of the words moved, entries logged, ranges) after a change in steps [a, b].

    Plays again only from the first decision that the change can alter to where the states of
    both plays coincide; everything if a is -1. Nothing of the record is overwritten but `gone`,
    whose old entries are logged.

    One long body: its parts share twenty arrays, and a call for each of them, or fields that are
    read in the loop, have the references to all counted.
    """
    indptr, indices, reader, words = game.indptr, game.indices, game.reader, game.words
    settled, keys = game.settled, game.keys
    order, pos, first, after = play.order, play.pos, play.first, play.after
    before, gone = play.before, play.gone
    paid, trace = play.paid, play.trace
    pending, owed, clean, dirty = room.pending, room.owed, room.clean, room.dirty
    new_paid, new_trace, new_spared = room.new_paid, room.new_trace, room.new_spared
    log_edge, log_old, ranges, times = room.log_edge, room.log_old, room.ranges, room.times
    steps = order.size
    spacing = play.spacing[0]
    whole = a < 0
    count = 0
    complete = True
    target = np.int64(0)
    if whole:
        a, b = 0, steps - 1
    else:
        target, count, complete = decisions_before(game, play, room, a, b)
    upcoming = 0
    t = target // spacing * spacing
    kept, far_clean, far_dirty = restore(game, play, room, t)
    state = trace[t]
    logged = 0
    parts = 0
    rise = np.int64(0)
    ranges[0, 0] = t
    while t < steps:
        if not whole and state == trace[t]:
            if t > b:
                break
            if complete and t <= a:
                while upcoming < count and times[upcoming] < t:
                    upcoming += 1
                target = times[upcoming] if upcoming < count else a
                if target // spacing * spacing > t:
                    clear_state(game, play, room, t)
                    ranges[parts, 1] = t
                    parts += 1
                    t = target // spacing * spacing
                    ranges[parts, 0] = t
                    kept, far_clean, far_dirty = restore(game, play, room, t)
                    state = trace[t]
        new_trace[t] = state
        if t % spacing == 0:
            save_checkpoint(game, play, room, t, spacing)
        v = order[t]
        begin, end = indptr[v], indptr[v + 1]
        present = np.int64(0)
        place = np.int64(0)
        cost = np.int64(0)
        spared_low, spared_high = steps, -1
        for e in range(begin, end):
            u = indices[e]
            size = words[u]
            present += size
            if slides and after[e] < 0:
                place = max(place, size)
            if pending[u] == e:
                kept -= size
                if gone[e] >= 0:
                    log_edge[logged] = e
                    log_old[logged] = gone[e]
                    logged += 1
                    gone[e] = -1
            else:
                if before[e] < 0 and gone[e] >= 0 and pos[u] < 0:  # the first reading of an input
                    log_edge[logged] = e
                    log_old[logged] = gone[e]
                    logged += 1
                    gone[e] = -1
                cost += size
                owed[u] = 0
                state ^= keys[0, u]
        clear_bit(clean, t)
        clear_bit(dirty, t)
        need = max(present, present - place + words[v])
        while kept + need > memory and kept > 0:
            far_clean = furthest_use(clean, far_clean, t)
            far_dirty = furthest_use(dirty, far_dirty, t)
            store = dirty_leaves(far_clean, far_dirty, t, price)
            if far_dirty > far_clean >= 0:
                loser = far_clean if store else far_dirty
                spared_low = min(spared_low, loser)
                spared_high = max(spared_high, loser)
            use = far_dirty if store else far_clean
            w = order[use]
            victim = -1
            more = False
            for e in range(indptr[w], indptr[w + 1]):
                u = indices[e]
                if pending[u] == e and owed[u] == store:
                    if victim >= 0:
                        more = True
                        break
                    victim = e
            u = indices[victim]
            pending[u] = -1
            kept -= words[u]
            if gone[victim] != t:
                log_edge[logged] = victim
                log_old[logged] = gone[victim]
                logged += 1
                gone[victim] = t
            state ^= keys[owed[u], u]
            if store:
                cost += words[u]
                if not more:
                    clear_bit(dirty, use)
            elif not more:
                clear_bit(clean, use)
        under = -1
        if need > memory:  # with nothing kept: the result slides onto an operand read again
            room_for_it = present + words[v] - memory
            under = cheapest_operand(indices, words, owed, begin, end, room_for_it, price)
            cost += words[indices[under]] * owed[indices[under]]
        for e in range(begin, end):
            u = indices[e]
            further = after[e]
            pending[u] = further
            if e == under:
                state ^= keys[owed[u], u]
                pending[u] = -1
                if gone[further] != t:
                    log_edge[logged] = further
                    log_old[logged] = gone[further]
                    logged += 1
                    gone[further] = t
                continue
            if further < 0:
                state ^= keys[owed[u], u]
                continue
            kept += words[u]
            use = pos[reader[further]]
            if owed[u]:
                dirty[use >> 6] |= ONE << np.uint64(use & 63)
                far_dirty = max(far_dirty, use)
            else:
                clean[use >> 6] |= ONE << np.uint64(use & 63)
                far_clean = max(far_clean, use)
        further = first[v]
        if further >= 0:
            pending[v] = further
            kept += words[v]
            use = pos[reader[further]]
            if settled[v]:
                owed[v] = 0
                clean[use >> 6] |= ONE << np.uint64(use & 63)
                far_clean = max(far_clean, use)
            else:
                owed[v] = 1
                dirty[use >> 6] |= ONE << np.uint64(use & 63)
                far_dirty = max(far_dirty, use)
            state ^= keys[owed[v], v]
        rise += cost - paid[t]
        new_paid[t] = cost
        new_spared[0, t] = spared_low
        new_spared[1, t] = spared_high
        t += 1
    ranges[parts, 1] = t
    clear_state(game, play, room, t)
    return rise, logged, parts + 1


@kernel
def keep(play, room, parts):
    """Make what `evaluate` played the record."""
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


@kernel
def forget(play, room, logged):
    """Undo what `evaluate` wrote."""
    for x in range(logged - 1, -1, -1):
        play.gone[room.log_edge[x]] = room.log_old[x]


@kernel
def emit(game, play, output, slides, op, vertex):
    """Fill the moves of the play on record; return how many.

    output (n,) uint8; op (k,) uint8 and vertex (k,) int32 with room for all.
    """
    indptr, indices = game.indptr, game.indices
    n, steps = indptr.size - 1, play.order.size
    red = np.zeros(n, np.bool_)
    blue = np.zeros(n, np.bool_)
    for v in range(n):
        blue[v] = indptr[v] == indptr[v + 1]
    leaving = np.full(steps, -1, np.int32)  # the edges with gone == t, a list for each t
    further = np.full(indices.size, -1, np.int32)
    for e in range(indices.size - 1, -1, -1):
        if play.gone[e] >= 0:
            further[e] = leaving[play.gone[e]]
            leaving[play.gone[e]] = e
    filled = np.int64(0)
    for t in range(steps):
        v = play.order[t]
        under = -1
        e = leaving[t]
        while e >= 0:
            u = indices[e]
            if play.before[e] >= 0 and game.reader[play.before[e]] == v:
                under = u
            else:
                if not blue[u]:
                    filled = write(op, vertex, filled, WRITTEN, STORE, u)
                    blue[u] = True
                filled = write(op, vertex, filled, WRITTEN, DELETE, u)
                red[u] = False
            e = further[e]
        for e in range(indptr[v], indptr[v + 1]):
            u = indices[e]
            if not red[u]:
                filled = write(op, vertex, filled, WRITTEN, LOAD, u)
                red[u] = True
        forced = under >= 0
        if slides and not forced:
            for e in range(indptr[v], indptr[v + 1]):
                u = indices[e]
                if play.after[e] < 0 and (under < 0 or game.words[u] > game.words[under]):
                    under = u
        if under >= 0 and not blue[under] and (forced or output[under]):
            filled = write(op, vertex, filled, WRITTEN, STORE, under)
            blue[under] = True
        filled = write(op, vertex, filled, WRITTEN, COMPUTE, v)
        red[v] = True
        if under >= 0:
            filled = write(op, vertex, filled, WRITTEN, DELETE, under)
            red[under] = False
        for e in range(indptr[v], indptr[v + 1] + 1):
            last = e == indptr[v + 1]
            u = v if last else indices[e]
            if not red[u] or (play.first[v] >= 0 if last else play.after[e] >= 0):
                continue
            if output[u] and not blue[u]:
                filled = write(op, vertex, filled, WRITTEN, STORE, u)
                blue[u] = True
            filled = write(op, vertex, filled, WRITTEN, DELETE, u)
            red[u] = False
    return filled
