"""The replay kernel of the game on a hierarchy."""

import numpy as np

from dags._numba import kernel, lean_inner_kernel

LOAD, STORE, COMPUTE, DELETE = range(4)
# The rules, by the codes of `pebble.Violation`; 0 for a legal move.
LEGAL = 0
NO_SUCH_VERTEX, MEMORY_FULL, IS_INPUT, ALREADY_COMPUTED, MISSING_PREDECESSOR = 1, 4, 7, 8, 9
NO_SUCH_LEVEL, NOT_AT_LEVEL, ALREADY_AT_LEVEL = 31, 32, 33
DONE = np.uint8(1)  # in row 0 of what is held
# Rows of the counters, one column a level.
OCCUPIED, PEAK, LOADS, STORES, COMPUTES, COUNTERS = 0, 1, 2, 3, 4, 5


@lean_inner_kernel
def broken_rule(indptr, indices, code, v, level, last, recompute, held):
    """Return (rule, level or vertex): the rule that a move breaks, room aside; LEGAL for none."""
    if v < 0 or v >= held.shape[1]:
        return NO_SUCH_VERTEX, 0
    if level >= last or (code == COMPUTE and level > 1):
        return NO_SUCH_LEVEL, level
    if code == DELETE:
        return (LEGAL if held[level, v] else NOT_AT_LEVEL), level
    if code != COMPUTE:
        source, target = (level + 1, level) if code == LOAD else (level, level + 1)
        if not held[source, v]:
            return NOT_AT_LEVEL, source
        return (ALREADY_AT_LEVEL if held[target, v] else LEGAL), target
    if indptr[v] == indptr[v + 1]:
        return IS_INPUT, 0
    if held[1, v]:
        return ALREADY_AT_LEVEL, 1
    if held[0, v] and not recompute:
        return ALREADY_COMPUTED, 0
    for e in range(indptr[v], indptr[v + 1]):
        if not held[1, indices[e]]:
            return MISSING_PREDECESSOR, indices[e]
    return LEGAL, 1


@kernel
def replay(indptr, indices, words, op, vertex, levels, room, recompute, held, counters):
    """Play moves; return (rule, step, level or vertex).

    indptr (n+1,), indices (m,): predecessor CSR; words (n,) int64; op (k,), vertex (k,), levels
    (k,): the moves; room (L+1,) int64 words of each level; held (L+1, n) uint8: what is at each
    level, and in row 0 what has been computed; counters (COUNTERS, L+1) int64.
    """
    last = held.shape[0] - 1
    for step in range(op.size):
        code, v, level = op[step], vertex[step], np.int64(levels[step])
        rule, where = broken_rule(indptr, indices, code, v, level, last, recompute, held)
        if rule != LEGAL:
            return rule, step, where
        if code == DELETE:
            held[level, v] = 0
            counters[OCCUPIED, level] -= words[v]
            continue
        target = level + 1 if code == STORE else level
        if target < last and counters[OCCUPIED, target] + words[v] > room[target]:
            return MEMORY_FULL, step, target
        held[target, v] = 1
        counters[OCCUPIED, target] += words[v]
        counters[PEAK, target] = max(counters[PEAK, target], counters[OCCUPIED, target])
        if code == COMPUTE:
            counters[COMPUTES, 0] += 1
            counters[COMPUTES, 1] += held[0, v]
            held[0, v] = DONE
        else:
            counters[LOADS if code == LOAD else STORES, level] += words[v]
    return LEGAL, 0, 0


@kernel
def mark_present(op, vertex, level, held, keep):
    """Clear keep (k,) for deletions of what is not at their level; held (L+1, n) begins empty."""
    for step in range(op.size):
        code, v, at = op[step], vertex[step], np.int64(level[step])
        if code == DELETE:
            keep[step] = held[at, v] == 1
            held[at, v] = 0
        else:
            held[at + 1 if code == STORE else at, v] = 1
