"""Kernels of simulated annealing on sequences of computations. Legend as in `sequences`.

``seq`` (2, C) int32 has a sequence and a change of it, ``first`` (n,) int32 where each vertex is
computed first, ``times`` (n,) int32 how often, ``wanted`` (2, k) int32 the loads of its play.
"""

from typing import NamedTuple

import numpy as np

from dags._numba import lean_inner_kernel, lean_kernel
from schedulers.search._kernels.annealing import below
from schedulers.search._kernels.sequences import LOADED, NO_LIMIT, played

LONGEST = 8  # computations that move together
TRIES = 8  # computations that are looked at for one that is repeated
DEEPEST = 4  # computations that are added at once


class Line(NamedTuple):
    """A sequence, its change, and its record."""

    seq: np.ndarray  # (2, C) int32
    first: np.ndarray  # (n,) int32
    times: np.ndarray  # (n,) int32
    wanted: np.ndarray  # (2, C * widest) int32
    best: np.ndarray  # (C,) int32
    count: np.ndarray  # (3,) int64: length of the sequence, its loads, length of the best
    stack: np.ndarray  # (DEEPEST,) int32


LENGTH, LOADS, BEST = 0, 1, 2


@lean_inner_kernel
def survey(line, desk):
    """Note where vertices of the sequence are computed first, how often, and loads."""
    for v in range(line.first.size):
        line.first[v] = -1
        line.times[v] = 0
    for t in range(line.count[LENGTH] - 1, -1, -1):
        v = line.seq[0, t]
        line.first[v] = t
        line.times[v] += 1
    line.count[LOADS] = desk.count[LOADED]
    for x in range(desk.count[LOADED]):
        line.wanted[0, x] = desk.loads[0, x]
        line.wanted[1, x] = desk.loads[1, x]


@lean_inner_kernel
def without(line, position):
    """Leave out one computation; return the length of the change."""
    size = line.count[LENGTH]
    for t in range(size - 1):
        line.seq[1, t] = line.seq[0, t + (t >= position)]
    return size - 1


@lean_inner_kernel
def with_more(game, line, rng, position, u):
    """Compute u again before computation `position`, and perhaps operands before that.

    Return (generator, length of the change).
    """
    stack = line.stack
    depth, x = 1, 0
    stack[0] = u
    while x < depth:
        w = stack[x]
        x += 1
        for e in range(game.indptr[w], game.indptr[w + 1]):
            rng, draw = below(rng, np.int64(4))
            o = game.indices[e]
            if draw == 0 and depth < DEEPEST and game.is_input[o] == 0:
                stack[depth] = o
                depth += 1
    size = line.count[LENGTH]
    if size + depth > line.seq.shape[1]:
        return rng, np.int64(0)
    for t in range(position):
        line.seq[1, t] = line.seq[0, t]
    for y in range(depth):
        line.seq[1, position + y] = stack[depth - 1 - y]
    for t in range(position, size):
        line.seq[1, t + depth] = line.seq[0, t]
    return rng, size + depth


@lean_inner_kernel
def reads(game, v, u):
    """Return whether v reads u."""
    for e in range(game.indptr[v], game.indptr[v + 1]):
        if game.indices[e] == u:
            return True
    return False


@lean_inner_kernel
def bounds(game, line, t):
    """Return the places between which computation t may stand, roughly."""
    v = line.seq[0, t]
    low, high = 0, line.count[LENGTH]
    for e in range(game.indptr[v], game.indptr[v + 1]):
        position = line.first[game.indices[e]]
        if position < t:
            low = max(low, position + 1)
    if line.first[v] == t:
        for later in range(t + 1, high):
            w = line.seq[0, later]
            if w == v or reads(game, w, v):
                high = later
                break
    return low, high


@lean_inner_kernel
def beside(game, line, rng, t, target):
    """Return (generator, a place beside another reader of an operand of computation t)."""
    v = line.seq[0, t]
    rng, x = below(rng, game.indptr[v + 1] - game.indptr[v])
    u = game.indices[game.indptr[v] + x]
    rng, up = below(rng, np.int64(2))
    size = line.count[LENGTH]
    position = t
    while True:
        position += 1 if up else -1
        if position < 0 or position >= size:
            return rng, target
        if line.seq[0, position] == u or reads(game, line.seq[0, position], u):
            return rng, np.int64(position + 1 - up)


@lean_inner_kernel
def moved(line, i, j, target):
    """Move the computations [i, j) to before `target`; return the length, 0 for no change."""
    size = line.count[LENGTH]
    if i <= target <= j:
        return np.int64(0)
    k, span = 0, j - i
    for t in range(size + 1):
        if t == target:
            for x in range(span):
                line.seq[1, k] = line.seq[0, i + x]
                k += 1
        if t < size and not i <= t < j:
            line.seq[1, k] = line.seq[0, t]
            k += 1
    return size


@lean_inner_kernel
def propose(game, line, rng):
    """Write a random change of the sequence; return (generator, its length or 0 for none)."""
    size, loads = line.count[LENGTH], line.count[LOADS]
    rng, kind = below(rng, np.int64(16))
    rng, t = below(rng, size)
    if kind < 2:
        for _ in range(TRIES):
            if line.times[line.seq[0, t]] > 1:
                return rng, without(line, t)
            rng, t = below(rng, size)
    if loads > 0:
        rng, x = below(rng, loads)
        position, u = np.int64(line.wanted[0, x]), np.int64(line.wanted[1, x])
        if kind < 5 and game.is_input[u] == 0:
            return with_more(game, line, rng, position, u)
        if kind < 10:
            t = position
    j = t + 1
    if kind == 15:
        rng, length = below(rng, np.int64(LONGEST))
        j = min(size, j + length)
    low, high = bounds(game, line, t)
    rng, choice = below(rng, np.int64(8))
    target = low if choice == 0 else high
    if choice == 2 or choice == 3:
        rng, x = below(rng, high - low + 1)
        target = low + x
    elif choice >= 4:
        rng, target = beside(game, line, rng, t, np.int64(target))
    if j == t + 1:
        target = max(low, min(high, target))
    return rng, moved(line, t, j, target)


@lean_inner_kernel
def take(line, desk, size):
    """Let the change be the sequence."""
    for t in range(size):
        line.seq[0, t] = line.seq[1, t]
    line.count[LENGTH] = size
    survey(line, desk)


@lean_inner_kernel
def keep(line):
    """Let the sequence be the best one."""
    line.count[BEST] = line.count[LENGTH]
    for t in range(line.count[LENGTH]):
        line.best[t] = line.seq[0, t]


@lean_kernel
def anneal(game, desk, line, rng, memory, temperature, changes, total, fewest):
    """Try so many changes of a sequence; return (its cost, the least cost seen).

    Parameters
    ----------
    rng
        (1,) uint64, the generator's state.
    total, least
        The cost of the sequence, and the least seen so far.
    """
    state = rng[0]
    played(game, desk, line.seq[0], line.count[LENGTH], memory, NO_LIMIT)
    survey(line, desk)
    for _ in range(changes):
        state, size = propose(game, line, state)
        if size == 0:
            continue
        state, draw = below(state, np.int64(1 << 30))
        limit = total + np.int64(-temperature * np.log((draw + 1) / (1 << 30)))
        cost = played(game, desk, line.seq[1], size, memory, limit)
        if cost >= 0:
            take(line, desk, size)
            total = cost
            if total < fewest:
                fewest = total
                keep(line)
    rng[0] = state
    return total, fewest


@lean_kernel
def prune(game, desk, line, memory, total, first, tries):
    """Leave out computations that are done again, if the rest costs no more; return the cost.

    Parameters
    ----------
    total
        The cost of the sequence.
    first, tries
        The computation at which to begin, towards the front, and how many to try.
    """
    played(game, desk, line.seq[0], line.count[LENGTH], memory, NO_LIMIT)
    survey(line, desk)
    for t in range(first, max(first - tries, -1), -1):
        if line.times[line.seq[0, t]] > 1:
            size = without(line, t)
            cost = played(game, desk, line.seq[1], size, memory, total)
            if cost >= 0:
                take(line, desk, size)
                total = cost
    keep(line)
    return total
