"""The replay kernel of one fast memory."""

import numpy as np

from dags._numba import kernel

# Per-vertex flags.
RED, BLUE, DONE, INPUT = 1, 2, 4, 8

# Places in the counters that the kernel keeps between blocks of moves.
OCCUPIED, PEAK, RECOMPUTES, MOVES, WORDS, COUNTERS = 0, 1, 2, 3, 7, 11

LEGAL, NO_SUCH_VERTEX, MEMORY_FULL, MISSING_PREDECESSOR, BAD_FLAGS = range(5)

# LOAD, STORE, COMPUTE, DELETE: the flags looked at, what they must be, what the move toggles,
# and the sign with which it changes the occupied words.
LOOK = np.array([RED | BLUE, RED | BLUE, RED | INPUT | DONE, RED], np.uint8)
MUST = np.array([BLUE, RED, 0, RED], np.uint8)
TOGGLE = np.array([RED, BLUE, RED, RED], np.uint8)
CHANGE = np.array([1, 0, 1, -1], np.int64)
COMPUTE_CODE, DELETE_CODE = 2, 3
ANY = 1  # operand of `slides`


@kernel
def replay(indptr, indices, words, op, vertex, memory, recompute, slides, flags, counters):
    """Play moves on; return (status, step, predecessor).

    indptr (n+1,), indices (m,): predecessor CSR; words (n,) int64; op (k,) uint8 and vertex
    (k,) int32: the moves; flags (n,) uint8 and counters (COUNTERS,) int64: state and totals,
    kept between calls; slides (n,) or (1,) uint8: `pebble.rules.slides`. A COMPUTE that slides and
    the DELETE after it must be in one call.
    """
    n = flags.size
    look = LOOK.copy()
    if recompute:
        look[COMPUTE_CODE] = RED | INPUT
    occupied = counters[OCCUPIED]
    peak = counters[PEAK]
    recomputes = counters[RECOMPUTES]
    moves = np.zeros(4, np.int64)
    moved = np.zeros(4, np.int64)
    status = LEGAL
    place = 0
    detail = 0
    for step in range(op.size):
        code = op[step]
        v = vertex[step]
        if v < 0 or v >= n:
            status, place = NO_SUCH_VERTEX, step
            break
        flag = flags[v]
        if (flag & look[code]) != MUST[code]:
            status, place = BAD_FLAGS, step
            break
        size = words[v]
        after = occupied + CHANGE[code] * size
        if code == COMPUTE_CODE:
            for e in range(indptr[v], indptr[v + 1]):
                if not flags[indices[e]] & RED:
                    status, place, detail = MISSING_PREDECESSOR, step, indices[e]
                    break
            if status != LEGAL:
                break
            if flag & DONE:
                recomputes += 1
            flag |= DONE
        if after > memory:
            slid = 0
            onto = slides[v] if slides.size > 1 else slides[0]
            if onto and code == COMPUTE_CODE and step + 1 < op.size:
                if op[step + 1] == DELETE_CODE:
                    u = vertex[step + 1]
                    for e in range(indptr[v], indptr[v + 1]):
                        if indices[e] == u and (onto == ANY or words[u] == size):
                            slid = words[u]
            if after - slid > memory:
                status, place = MEMORY_FULL, step
                break
            peak = max(peak, after - slid)
        else:
            peak = max(peak, after)
        occupied = after
        flags[v] = flag ^ TOGGLE[code]
        moves[code] += 1
        moved[code] += size
    counters[OCCUPIED] = occupied
    counters[PEAK] = peak
    counters[RECOMPUTES] = recomputes
    for code in range(4):
        counters[MOVES + code] += moves[code]
        counters[WORDS + code] += moved[code]
    return status, place, detail
