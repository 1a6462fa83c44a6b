"""Kernels of simulated annealing on orders. Legend as in `records`.

A move of the search is a list of rotations (i, j, k): the adjacent parts [i, j) and [j, k) of
the order change places. ``turns`` (TURNS, 3) int32 receives them, ``stack`` (TURNS,) int32 is
room to work in. The generator of random numbers is a uint64.
"""

import numpy as np

from dags._kernels import copy_over
from dags._numba import lean_inner_kernel, lean_kernel
from schedulers.search._kernels.closures import meet
from schedulers.search._kernels.records import forget, keep, rotate
from schedulers.search._kernels.replay import evaluate

TURNS = 16
LONGEST = 16  # steps of a block that moves
KINDS = 34  # of changes
MEET, OWN = 16, 22  # the first that takes along what is in the way, and also what only it reads


@lean_inner_kernel
def below(state, bound):
    """Return the next state of the generator and a number in 0..bound-1 (xorshift)."""
    state ^= state << np.uint64(13)
    state ^= state >> np.uint64(7)
    state ^= state << np.uint64(17)
    return state, np.int64((state >> np.uint64(11)) % np.uint64(bound))


@lean_inner_kernel
def earliest(game, play, i, j):
    """Return the first step at which the part [i, j) may begin."""
    low = 0
    for t in range(i, j):
        v = play.order[t]
        for e in range(game.indptr[v], game.indptr[v + 1]):
            position = play.pos[game.indices[e]]
            if position < i and position >= low:
                low = position + 1
    return low


@lean_inner_kernel
def latest(game, play, i, j):
    """Return the step before which the part [i, j) must end."""
    high = play.order.size
    for t in range(i, j):
        e = play.first[play.order[t]]
        while e >= 0:
            position = play.pos[game.reader[e]]
            if position >= j:
                high = min(high, position)
                break
            e = play.after[e]
    return high


@lean_inner_kernel
def gather(game, play, room, turns, stack, v, rng):
    """Pull operands of v, and some of theirs, to just before their first reader."""
    count = 0
    depth = 1
    stack[0] = v
    while depth > 0 and count < TURNS:
        depth -= 1
        w = stack[depth]
        for e in range(game.indptr[w], game.indptr[w + 1]):
            u = game.indices[e]
            i = np.int64(play.pos[u])
            if i < 0 or count == TURNS:
                continue
            high = latest(game, play, i, i + 1)
            if high > i + 1:
                turns[count, 0], turns[count, 1], turns[count, 2] = i, i + 1, high
                rotate(game, play, room.segment, i, i + 1, high)
                count += 1
                rng, deeper = below(rng, np.int64(2))
                if deeper == 1 and depth < TURNS:
                    stack[depth] = u
                    depth += 1
    return rng, count


@lean_inner_kernel
def loaded_operand(game, play, v, rng):
    """Return (generator, the reading of an operand of v): of one that is loaded, if there is."""
    begin, end = game.indptr[v], game.indptr[v + 1]
    rng, x = below(rng, end - begin)
    for e in range(begin + x, end):
        if play.gone[e] >= 0:
            return rng, e
    for e in range(begin, begin + x):
        if play.gone[e] >= 0:
            return rng, e
    return rng, begin + x


@lean_inner_kernel
def propose(game, play, room, turns, stack, rng):
    """Change the order by a random move; return (generator, rotations).

    A vertex or a block goes to just after its last operand or just before its first reader (the
    pull move), beside another reading of an operand, or anywhere between; sometimes no farther
    than a distance drawn on all scales. Or the operands of a vertex are gathered before it; or two
    readings of a value are brought together, with all that stands between them and must go along,
    and often with the one vertex that needs the result of the reader, and all of its own operands.
    """
    steps = play.order.size
    rng, kind = below(rng, np.int64(KINDS))
    rng, i = below(rng, steps)
    if play.paid[i] == 0:  # where words are moved there is more to gain: draw once more
        rng, i = below(rng, steps)
    v = play.order[i]
    if kind == 0:
        return gather(game, play, room, turns, stack, v, rng)
    rng, scale = below(rng, np.int64(24))
    far = 1 << (scale + 2)
    rng, up = below(rng, np.int64(2))
    if kind >= MEET:
        rng, e = loaded_operand(game, play, v, rng)
        return rng, meet(game, play, room, turns, i, e, up, far, kind >= OWN)
    j = i + 1
    if kind < 5:
        rng, length = below(rng, LONGEST)
        j = min(steps, j + length)
    low = earliest(game, play, i, j)
    high = latest(game, play, i, j)
    target = high if up else low
    if kind == 3 or kind == 4 or kind == 5 or kind == 6:
        rng, x = below(rng, high - low + 1)
        target = low + x
    elif kind >= 7 and kind < 10:
        rng, x = below(rng, game.indptr[v + 1] - game.indptr[v])
        e = game.indptr[v] + x
        if up and play.after[e] >= 0:
            target = play.pos[game.reader[play.after[e]]]
        elif not up and play.before[e] >= 0:
            target = play.pos[game.reader[play.before[e]]] + 1
    target = max(low, min(high, target), i - far)
    target = min(target, j + far)
    if target < i:
        turns[0, 0], turns[0, 1], turns[0, 2] = target, i, j
    elif target > j:
        turns[0, 0], turns[0, 1], turns[0, 2] = i, j, target
    else:
        return rng, 0
    rotate(
        game,
        play,
        room.segment,
        np.int64(turns[0, 0]),
        np.int64(turns[0, 1]),
        np.int64(turns[0, 2]),
    )
    return rng, 1


@lean_kernel
def anneal(
    game,
    play,
    room,
    work,
    rng,
    best,
    memory,
    price,
    temperature,
    moves,
    total,
    fewest,
    ahead,
):
    """Try `moves` changes of the order; return (words moved, fewest words seen, changes kept).

    work (turns, stack); rng (1,) uint64; best (N,) int32 receives the best order. `total` are the
    words moved so far, `fewest` the fewest seen. A change that moves d words more is kept with
    probability exp(-d / temperature). With `ahead` departures before a change depend on it.
    """
    turns, stack = work
    accepted = 0
    state = rng[0]
    for _ in range(moves):
        state, turned = propose(game, play, room, turns, stack, state)
        if turned == 0:
            continue
        a, b = np.int64(turns[0, 0]), np.int64(turns[0, 2]) - 1
        for x in range(1, turned):
            a = min(a, np.int64(turns[x, 0]))
            b = max(b, np.int64(turns[x, 2]) - 1)
        state, draw = below(state, np.int64(1 << 30))
        threshold = -temperature * np.log((draw + 1) / (1 << 30))
        rise, logged, parts = evaluate(game, play, room, a, b, memory, price, ahead)
        if rise <= threshold:
            keep(play, room, parts)
            accepted += 1
            total += rise
            if total < fewest:
                fewest = total
                copy_over(best, play.order)
        else:
            forget(play, room, logged)
            for x in range(turned - 1, -1, -1):
                i, j, k = np.int64(turns[x, 0]), np.int64(turns[x, 1]), np.int64(turns[x, 2])
                rotate(game, play, room.segment, i, i + k - j, k)
    rng[0] = state
    return total, fewest, accepted
