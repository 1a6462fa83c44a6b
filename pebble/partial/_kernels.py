"""The replay kernel of partial computation."""

from dags._numba import kernel, lean_inner_kernel

# Per-vertex flags.
RED, BLUE = 1, 2
LOAD, STORE, COMPUTE, DELETE = range(4)
NO_OPERAND = -1
# Places in the counters that the kernel keeps between blocks of moves; as in `pebble._kernels`.
OCCUPIED, PEAK, MOVES, WORDS = 0, 1, 3, 7
# The rules, by the codes of `pebble.Violation`; 0 for a legal move.
LEGAL = 0
NO_SUCH_VERTEX, ALREADY_RED, NOT_BLUE, MEMORY_FULL, NOT_RED, ALREADY_BLUE = range(1, 7)
IS_INPUT, ALREADY_COMPUTED, MISSING_PREDECESSOR = 7, 8, 9
NOT_AN_OPERAND, ALREADY_AGGREGATED, ONLY_PARTLY_COMPUTED, PARTIAL_VALUE_GONE = range(12, 16)


@lean_inner_kernel
def edge_of(indptr, indices, v, u):
    """Return the number of the edge from u to v, or -1; rows are rising."""
    low, high = indptr[v], indptr[v + 1]
    while low < high:
        middle = (low + high) // 2
        if indices[middle] < u:
            low = middle + 1
        else:
            high = middle
    return low if low < indptr[v + 1] and indices[low] == u else -1


@lean_inner_kernel
def unusable(flags, left, u):
    """Return why u cannot be aggregated now, or LEGAL."""
    if left[u]:
        return ONLY_PARTLY_COMPUTED
    return LEGAL if flags[u] & RED else MISSING_PREDECESSOR


@lean_inner_kernel
def broken_rule(indptr, indices, code, v, u, flags, left, added):
    """Return (rule, vertex): the rule that a move breaks, room aside, and where; LEGAL for none."""
    n = flags.size
    if v < 0 or v >= n:
        return NO_SUCH_VERTEX, 0
    red, blue = flags[v] & RED, flags[v] & BLUE
    if code == LOAD:
        return (ALREADY_RED if red else LEGAL if blue else NOT_BLUE), 0
    if code == STORE:
        return (NOT_RED if not red else ALREADY_BLUE if blue else LEGAL), 0
    if code == DELETE:
        return (LEGAL if red else NOT_RED), 0
    first, last = indptr[v], indptr[v + 1]
    if first == last:
        return IS_INPUT, 0
    if u != NO_OPERAND:
        edge = edge_of(indptr, indices, v, u)
        if edge < 0:
            return NOT_AN_OPERAND, u
        if added[edge]:
            return ALREADY_AGGREGATED, u
        first, last = edge, edge + 1
    elif not left[v]:
        return ALREADY_COMPUTED, 0
    for edge in range(first, last):
        if not added[edge]:
            why = unusable(flags, left, indices[edge])
            if why != LEGAL:
                return why, indices[edge]
    begun = left[v] < indptr[v + 1] - indptr[v]
    return (PARTIAL_VALUE_GONE if begun and not red else LEGAL), 0


@kernel
def replay(indptr, indices, words, op, vertex, operand, memory, flags, left, added, counters):
    """Play moves on; return (rule, step, vertex).

    indptr (n+1,), indices (m,): predecessor CSR; words (n,) int64; op (k,) uint8, vertex and
    operand (k,) int32: the moves; flags (n,) uint8, left (n,) int64 operands still to be aggregated
    into each value, added (m,) bool the edges that have been, and counters int64: state and
    totals, kept between calls.
    """
    for step in range(op.size):
        code, v = op[step], vertex[step]
        rule, where = broken_rule(indptr, indices, code, v, operand[step], flags, left, added)
        if rule != LEGAL:
            return rule, step, where
        if code == DELETE:
            flags[v] ^= RED
            counters[OCCUPIED] -= words[v]
            continue
        if code == STORE:
            flags[v] |= BLUE
        elif not flags[v] & RED:
            if counters[OCCUPIED] + words[v] > memory:
                return MEMORY_FULL, step, 0
            counters[OCCUPIED] += words[v]
            counters[PEAK] = max(counters[PEAK], counters[OCCUPIED])
            flags[v] |= RED
        if code == COMPUTE:
            flags[v] &= RED
            if operand[step] != NO_OPERAND:
                added[edge_of(indptr, indices, v, operand[step])] = True
                left[v] -= 1
            else:
                added[indptr[v] : indptr[v + 1]] = True
                left[v] = 0
            counters[MOVES + COMPUTE] += left[v] == 0
        else:
            counters[MOVES + code] += 1
            counters[WORDS + code] += words[v]
    return LEGAL, 0, 0
