"""Changes of an order in which a part goes where operands or readers of it are in the way.

Steps in the way go with it: between the two, all that the part needs, or all that need it. A sum
moves with its terms where it alone reads them: a term that stays behind holds a word until the sum
is computed. Legend as in `records` and `annealing`.
"""

import numpy as np

from dags._numba import lean_inner_kernel
from schedulers.search._kernels.records import rotate

FARTHEST = 256  # steps before one that are searched for what only it reads


@lean_inner_kernel
def mark_operands(game, play, room, t, call):
    """Mark the operands of step t as members of closure number `call`."""
    v = play.order[t]
    for e in range(game.indptr[v], game.indptr[v + 1]):
        room.mark[game.indices[e]] = call


@lean_inner_kernel
def reads_marked(game, room, v, call):
    """Return whether v reads a member of closure number `call`."""
    for e in range(game.indptr[v], game.indptr[v + 1]):
        if room.mark[game.indices[e]] == call:
            return True
    return False


@lean_inner_kernel
def turn_back(turns, count):
    """Reverse the first `count` rotations."""
    for x in range(count // 2):
        for y in range(3):
            kept = turns[x, y]
            turns[x, y] = turns[count - 1 - x, y]
            turns[count - 1 - x, y] = kept


@lean_inner_kernel
def pull(game, play, room, turns, i, target):
    """Move step i to `target` or behind it, and before it the steps between that it needs.

    It goes less far where that takes more rotations than there is room for. Return how many.
    """
    room.mark[-1] += 1
    call = room.mark[-1]
    mark_operands(game, play, room, i, call)
    count, begin, end = 0, i, i + 1
    t = i - 1
    while t >= target:
        if room.mark[play.order[t]] == call:
            if t + 1 < begin:
                if count == turns.shape[0] - 1:
                    break
                turns[count, 1], turns[count, 2] = begin, end
                count += 1
                end = t + 1
            mark_operands(game, play, room, t, call)
            begin = t
        t -= 1
    base = t + 1
    if begin > base:
        turns[count, 1], turns[count, 2] = begin, end
        count += 1
    else:
        base = end
    turn_back(turns, count)
    for x in range(count):
        j, k = np.int64(turns[x, 1]), np.int64(turns[x, 2])
        turns[x, 0] = base
        rotate(game, play, room.segment, base, j, k)
        base += k - j
    return count


@lean_inner_kernel
def push(game, play, room, turns, i, target):
    """Move step i to before `target` or less far, and behind it those between that need it.

    It goes less far where that takes more rotations than there is room for. Return how many.
    """
    room.mark[-1] += 1
    call = room.mark[-1]
    room.mark[play.order[i]] = call
    return push_marked(game, play, room, turns, i, target, call)


@lean_inner_kernel
def push_marked(game, play, room, turns, i, target, call):
    """Move the marked ones of steps [i, target) behind the rest; return the number of rotations."""
    count, begin, end = 0, i, i + 1
    t = i + 1
    while t < target:
        v = play.order[t]
        if room.mark[v] == call or reads_marked(game, room, v, call):
            if t > end:
                if count == turns.shape[0] - 1:
                    break
                turns[count, 0], turns[count, 1] = begin, end
                count += 1
                begin = t
            room.mark[v] = call
            end = t + 1
        t += 1
    base = t
    if end < base:
        turns[count, 0], turns[count, 1] = begin, end
        count += 1
    else:
        base = begin
    turn_back(turns, count)
    for x in range(count):
        i, j = np.int64(turns[x, 0]), np.int64(turns[x, 1])
        turns[x, 2] = base
        rotate(game, play, room.segment, i, j, base)
        base -= j - i
    return count


@lean_inner_kernel
def read_once(game, play, u):
    """Return whether u is computed and read by one step only."""
    e = play.first[u]
    return play.pos[u] >= 0 and e >= 0 and play.after[e] < 0


@lean_inner_kernel
def only_reader(game, play, i):
    """Return the one step that reads the value of step i, or i where there is no such step."""
    v = play.order[i]
    if not read_once(game, play, v):
        return i
    return np.int64(play.pos[game.reader[play.first[v]]])


@lean_inner_kernel
def mark_own(game, play, room, i, call):
    """Mark step i, and before it steps that only members read, as members of closure number `call`.

    Return the first step of a member that was found.
    """
    room.mark[play.order[i]] = call
    low = t = i
    missing = 1
    while missing > 0 and t >= 0 and i - t < FARTHEST:
        v = play.order[t]
        if room.mark[v] == call:
            low = t
            missing -= 1
            for e in range(game.indptr[v], game.indptr[v + 1]):
                u = game.indices[e]
                if read_once(game, play, u):
                    room.mark[u] = call
                    missing += 1
        t -= 1
    return low


@lean_inner_kernel
def push_own(game, play, room, turns, i, target):
    """Move step i with its only operands to before `target`, and behind it those that need it.

    It goes less far where that takes more rotations than there is room for. Return how many.
    """
    room.mark[-1] += 1
    call = room.mark[-1]
    begin = mark_own(game, play, room, i, call)
    return push_marked(game, play, room, turns, begin, target, call)


@lean_inner_kernel
def meet(game, play, room, turns, i, e, up, far, own_side):
    """Bring step i and the reading of its operand before e, or its computation, side by side.

    The later one is pulled, or with `up` the earlier one pushed, over at most `far` steps; with
    `own_side` it is the one reader of that step which moves, with all that it alone reads. Return
    the number of rotations.
    """
    low = play.before[e]
    position = (
        np.int64(play.pos[game.reader[low]]) if low >= 0 else np.int64(play.pos[game.indices[e]])
    )
    if position < 0:
        return 0
    if not up:
        last = only_reader(game, play, i) if own_side else i
        return pull(game, play, room, turns, last, max(position + 1, last - far))
    if not own_side:
        return push(game, play, room, turns, position, min(i, position + 1 + far))
    position = only_reader(game, play, position)
    if position >= i:
        return 0
    return push_own(game, play, room, turns, position, min(i, position + 1 + far))
