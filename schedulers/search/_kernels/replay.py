"""Kernels that count the words of an order, and again only those that a change can alter.

Legend as in `records`.

Why a change of the order in steps [a, b] needs no more than it gets: it moves next uses within
[a, b] only. A choice before a that compared none of them comes out as before. One that did
either evicted a value read next in [a, b], which is then loaded there and has a time in `gone`,
or spared one, which `spared` says. After b, equal states go on equally.

Without looking ahead choices before a stay as they are. The play is as legal, takes less than half
the time to count, and may move more words than one whose choices know the change; `gone` is then
not kept for values that left before a. Playing all of the order again mends both.
"""

import numpy as np

from dags._numba import highest_bit, lean_inner_kernel, lean_kernel, lean_part
from schedulers.orders._kernels.accesses import clear_bit, dirty_leaves
from schedulers.search._kernels.records import ANY, TIMES, Now

ONE = np.uint64(1)
# Integers are all of one type where a part takes them: another type compiles another variant.
NEVER = np.int64(-1)


@lean_part
def hold(game, room, u, use, state):
    """Keep value u until step `use`; return the state."""
    far_clean, far_dirty = state.far_clean, state.far_dirty
    if room.owed[u]:
        room.dirty[use >> 6] |= ONE << np.uint64(use & 63)
        far_dirty = max(far_dirty, use)
    else:
        room.clean[use >> 6] |= ONE << np.uint64(use & 63)
        far_clean = max(far_clean, use)
    return Now(state.kept + game.words[u], far_clean, far_dirty, state.state, state.logged)


@lean_inner_kernel
def restore(game, play, room, t, logged):
    """Set fast memory to the checkpoint before step t; return the state."""
    slot = t // play.spacing[0]
    side = play.side[slot]
    state = Now(np.int64(0), np.int64(-1), np.int64(-1), play.trace[t], logged)
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
        state = hold(game, room, u, np.int64(play.pos[game.reader[e]]), state)
    return state


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


@lean_inner_kernel
def decisions_before(game, play, room, a, b):
    """Fill `times` with the steps before a whose choices a change in steps [a, b] can alter.

    Return (the first of them, or a; how many; whether these are all).
    """
    indptr, order, departure, spared, times = (
        game.indptr,
        play.order,
        play.gone,
        play.spared,
        room.times,
    )
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
            g = departure[e]
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


@lean_part
def furthest_use(bits, place, t):
    """Return the highest step of a set at or below `place`, not below t's word, or -1."""
    if place < 0:
        return place
    word = place >> 6
    low = t >> 6
    word_bits = bits[word] & (~np.uint64(0) >> np.uint64(63 - (place & 63)))
    while word_bits == 0 and word > low:
        word -= 1
        word_bits = bits[word]
    return (word << 6) + highest_bit(word_bits) if word_bits != 0 else -1


@lean_part
def cheapest_operand(game, room, begin, end, size, only, price):
    """Return the reading of the operand of `size` words or more that costs least to give up.

    Only those of `only` words, where that is not 0.
    """
    under = -1
    lowest = 0.0
    for e in range(begin, end):
        u = game.indices[e]
        loss = game.words[u] * (price if room.owed[u] else 1.0)
        fits = game.words[u] >= size and (only == 0 or game.words[u] == only)
        if fits and (under < 0 or loss < lowest):
            under = e
            lowest = loss
    return under


@lean_part
def leave(play, room, e, t, logged):
    """Set the step at which a value leaves before reading e, -1 for none; return entries logged."""
    if play.gone[e] != t:
        room.log_edge[logged] = e
        room.log_old[logged] = play.gone[e]
        play.gone[e] = t
        logged += 1
    return logged


@lean_part
def take_operands(game, play, room, begin, end, onto, only, now):
    """Take the operands of a row; return (state, words loaded, of all, of the largest that dies).

    Only operands that v may slide onto are said to die: none where `onto` is 0, and only those of
    `only` words where that is not 0.
    """
    kept, state, logged = now.kept, now.state, now.logged
    cost = present = place = np.int64(0)
    for e in range(begin, end):
        u = game.indices[e]
        size = game.words[u]
        present += size
        if onto and play.after[e] < 0 and (only == 0 or size == only):
            place = max(place, size)
        if room.pending[u] == e:
            kept -= size
            logged = leave(play, room, e, NEVER, logged)
        else:
            if play.before[e] < 0 and play.pos[u] < 0:  # the first reading of an input
                logged = leave(play, room, e, NEVER, logged)
            cost += size
            room.owed[u] = 0
            state ^= game.keys[0, u]
    return Now(kept, now.far_clean, now.far_dirty, state, logged), cost, present, place


@lean_part
def evict(game, play, room, t, dirty, now):
    """Evict the furthest clean or dirty value; return (state, words stored)."""
    use = now.far_dirty if dirty else now.far_clean
    w = play.order[use]
    victim = np.int64(-1)
    is_full = False
    for e in range(game.indptr[w], game.indptr[w + 1]):
        u = game.indices[e]
        if room.pending[u] == e and room.owed[u] == dirty:
            if victim >= 0:
                is_full = True
                break
            victim = e
    u = game.indices[victim]
    room.pending[u] = -1
    logged = leave(play, room, victim, t, now.logged)
    state = now.state ^ game.keys[room.owed[u], u]
    if not is_full:
        clear_bit(room.dirty if dirty else room.clean, use)
    kept = now.kept - game.words[u]
    cost = game.words[u] if dirty else np.int64(0)
    return Now(kept, now.far_clean, now.far_dirty, state, logged), cost


@lean_part
def put_back(game, play, room, t, begin, end, under, now):
    """Put back the operands that are read again, but the reading `under`; return the state."""
    for e in range(begin, end):
        u = game.indices[e]
        further = play.after[e]
        if e == under or further < 0:
            state = now.state ^ game.keys[room.owed[u], u]
            logged = now.logged
            if e == under:
                logged = leave(play, room, np.int64(further), t, logged)
            room.pending[u] = -1
            now = Now(now.kept, now.far_clean, now.far_dirty, state, logged)
        else:
            room.pending[u] = further
            now = hold(game, room, u, np.int64(play.pos[game.reader[further]]), now)
    return now


@lean_part
def put_result(game, play, room, v, now):
    """Keep the result of a step if it is read; return the state."""
    further = play.first[v]
    if further < 0:
        return now
    room.pending[v] = further
    room.owed[v] = 1 - game.settled[v]
    state = now.state ^ game.keys[room.owed[v], v]
    now = Now(now.kept, now.far_clean, now.far_dirty, state, now.logged)
    return hold(game, room, v, np.int64(play.pos[game.reader[further]]), now)


@lean_part
def play_step(game, play, room, t, memory, price, state):
    """Play step t; return (state, words moved)."""
    v = play.order[t]
    begin, end = game.indptr[v], game.indptr[v + 1]
    onto = game.slides[v] if game.slides.size > 1 else game.slides[0]
    only = np.int64(0) if onto == ANY else game.words[v]
    state, cost, present, place = take_operands(game, play, room, begin, end, onto, only, state)
    clear_bit(room.clean, t)
    clear_bit(room.dirty, t)
    need = max(present, present - place + game.words[v])
    low, high = play.order.size, np.int64(-1)
    while state.kept + need > memory and state.kept > 0:
        far_clean = furthest_use(room.clean, state.far_clean, t)
        far_dirty = furthest_use(room.dirty, state.far_dirty, t)
        dirty = dirty_leaves(far_clean, far_dirty, t, price)
        if far_dirty > far_clean >= 0:
            loser = far_clean if dirty else far_dirty
            low = min(low, loser)
            high = max(high, loser)
        state = Now(state.kept, far_clean, far_dirty, state.state, state.logged)
        state, stored = evict(game, play, room, t, dirty, state)
        cost += stored
    under = -1
    if need > memory:  # with nothing kept: the result slides onto an operand read again
        size = present + game.words[v] - memory
        under = cheapest_operand(game, room, begin, end, size, only, price)
        cost += game.words[game.indices[under]] * room.owed[game.indices[under]]
    state = put_back(game, play, room, t, begin, end, under, state)
    room.new_spared[0, t] = low
    room.new_spared[1, t] = high
    return put_result(game, play, room, v, state), cost


@lean_kernel
def evaluate(game, play, room, a, b, memory, price, ahead):
    """Return (rise of the words moved, entries logged, ranges) after a change in steps [a, b].

    Plays again only from the first decision that the change can alter, with `ahead`, or else from
    a, to where the states of both plays coincide; everything if a is -1. Nothing of the record is
    overwritten but `gone`, whose old entries are logged.
    """
    steps, spacing, ranges = play.order.size, play.spacing[0], room.ranges
    is_complete = a < 0
    count = 0
    complete = True
    target = a
    if is_complete:
        a, b, target = 0, steps - 1, np.int64(0)
    elif ahead:
        target, count, complete = decisions_before(game, play, room, a, b)
    upcoming = parts = 0
    rise = np.int64(0)
    t = target // spacing * spacing
    state = restore(game, play, room, t, np.int64(0))
    ranges[0, 0] = t
    while t < steps:
        if not is_complete and state.state == play.trace[t]:
            if t > b:
                break
            if complete and t <= a:
                while upcoming < count and room.times[upcoming] < t:
                    upcoming += 1
                target = room.times[upcoming] if upcoming < count else a
                if target // spacing * spacing > t:
                    clear_state(game, play, room, t)
                    ranges[parts, 1] = t
                    parts += 1
                    t = target // spacing * spacing
                    ranges[parts, 0] = t
                    state = restore(game, play, room, t, state.logged)
        room.new_trace[t] = state.state
        if t % spacing == 0:
            save_checkpoint(game, play, room, t, spacing)
        state, cost = play_step(game, play, room, t, memory, price, state)
        rise += cost - play.paid[t]
        room.new_paid[t] = cost
        t += 1
    ranges[parts, 1] = t
    clear_state(game, play, room, t)
    return rise, state.logged, parts + 1
