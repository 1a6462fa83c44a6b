"""Kernels that merge processors' own plays into steps, and that of list scheduling."""

import numpy as np

from dags._numba import inner_kernel, kernel

LOAD, STORE, COMPUTE, DELETE = range(4)
ABSENT, WAITING, STORED = range(3)  # of a value that is to be stored
BLOCKED, FINISHED = 3, 4  # besides the kinds of moves: what a processor is at
WINDOW = 64  # moves that a processor looks ahead for a load that it can make early


@kernel
def deal(indptr, indices, words, order, ends, far, owner, finish, free):
    """Give each segment of an order to the processor that can finish it first.

    indptr (n+1,), indices (m,): predecessor CSR; words (n,) int64; order (N,) the computed
    vertices, and ends (s,) where its segments end; far: the cost of a word of an operand that
    another processor computes; owner (n,) int32, -1 for inputs, finish (n,) and free (p,) float64
    are filled: when each value is there, and each processor free. An operand is paid for once.
    """
    processors = free.size
    seen = np.full(words.size, -1, np.int64)
    begin = 0
    for s in range(ends.size):
        arrival = np.zeros(processors)  # of the latest operand, on each processor
        present_words = np.zeros(processors)  # words that are there already
        read = 0
        for position in range(begin, ends[s]):
            for e in range(indptr[order[position]], indptr[order[position] + 1]):
                u = indices[e]
                if seen[u] == s:
                    continue
                seen[u] = s
                read += words[u]
                if owner[u] < 0:
                    continue
                present_words[owner[u]] += words[u]
                for q in range(processors):
                    arrival[q] = max(arrival[q], finish[u] + (q != owner[u]) * far * words[u])
        best, soonest = 0, np.inf
        for q in range(processors):
            end = max(free[q], arrival[q]) + ends[s] - begin + far * (read - present_words[q])
            if end < soonest:
                best, soonest = q, end
        for position in range(begin, ends[s]):
            owner[order[position]] = best
            finish[order[position]] = soonest
            seen[order[position]] = s
        free[best] = soonest
        begin = ends[s]


@inner_kernel
def occupancy(op, vertex, words, begins, held):
    """Fill held (k,) int64: words in fast memory after each move of its processor."""
    for q in range(begins.size - 1):
        occupied = 0
        for i in range(begins[q], begins[q + 1]):
            if op[i] == LOAD or op[i] == COMPUTE:
                occupied += words[vertex[i]]
            elif op[i] == DELETE:
                occupied -= words[vertex[i]]
            held[i] = occupied


@inner_kernel
def advance(op, vertex, slow, early, head, end, queue, queued, order, step, filled, filled_words):
    """Pass deletions, loads made early, and stores as something to do later.

    Return (head, queued, filled). A deletion of a value that waits to be stored is not passed.
    """
    while head < end:
        v = vertex[head]
        if op[head] == STORE:
            queue[queued] = head
            queued += 1
            slow[v] = WAITING
        elif op[head] == DELETE and slow[v] != WAITING:
            order[filled], step[filled] = head, filled_words
            filled += 1
        elif not early[head]:
            break
        head += 1
    return head, queued, filled


@inner_kernel
def state_of(op, vertex, slow, head, end):
    """Return the state of a processor: a kind of moves, BLOCKED or FINISHED.

    STORE if a value must be stored before it goes on: its own, or one that it loads.
    """
    if head == end:
        return FINISHED
    if op[head] == DELETE:
        return STORE
    if op[head] == LOAD and slow[vertex[head]] != STORED:
        return STORE if slow[vertex[head]] == WAITING else BLOCKED
    return op[head]


@inner_kernel
def load_early(
    op,
    vertex,
    words,
    slow,
    memory,
    held,
    early,
    deleted,
    begin,
    head,
    end,
    budget,
    order,
    step,
    filled,
    occupied,
):
    """Make loads ahead of their turn, for up to `budget` words, where there is room; return filled.

    held (k,), early (k,), deleted (n,): words in fast memory after each move, loads that were made
    early, and where a value was last seen to be deleted; the moves are those begin..end-1 of one
    processor, which is at `head`.
    """
    peak = held[head - 1] if head > begin else 0
    for i in range(head, min(head + WINDOW, end)):
        v = vertex[i]
        if op[i] == DELETE:
            deleted[v] = i
        elif op[i] == LOAD and not early[i] and slow[v] == STORED and words[v] <= budget:
            is_deleted = deleted[v] >= head and deleted[v] < i
            if not is_deleted and peak + words[v] <= memory:
                early[i] = 1
                budget -= words[v]
                peak += words[v]
                order[filled], step[filled] = i, occupied
                filled += 1
                for move in range(max(head - 1, begin), i):
                    held[move] += words[v]
        peak = max(peak, held[i])
        if peak >= memory or budget == 0:
            break
    return filled


@inner_kernel
def run_of(op, vertex, slow, early, head, end, limit):
    """Return how many computations a processor can make in a row, up to `limit`."""
    run = 0
    while head < end and run < limit:
        if op[head] == COMPUTE:
            run += 1
        elif op[head] == LOAD and not early[head]:
            break
        elif op[head] == DELETE and slow[vertex[head]] == WAITING:
            break
        head += 1
    return run


@inner_kernel
def next_step(op, vertex, slow, early, head, ends):
    """Return the kind of the next step, and how many moves a processor makes in it at most."""
    ready = np.zeros(5, np.int64)
    for q in range(head.size):
        ready[state_of(op, vertex, slow, head[q], ends[q])] += 1
    if ready[LOAD] and not ready[STORE]:
        return LOAD, op.size
    if ready[STORE] or not ready[COMPUTE]:
        return STORE, op.size
    limit = op.size
    for q in range(head.size):
        if state_of(op, vertex, slow, head[q], ends[q]) == COMPUTE:
            limit = min(limit, run_of(op, vertex, slow, early, head[q], ends[q], limit))
    return COMPUTE, limit


@kernel
def merge(op, vertex, words, memory, begins, slow, order, step):
    """Write the order of all moves and their steps; return how many could be made.

    op, vertex (k,): the moves of one processor after another; words (n,) int64; memory: that of
    each; begins (p+1,): where those of each begin; slow (n,) uint8: STORED for values in slow
    memory; order, step (k,) int32 are filled. Stores wait until somebody must have one made; then
    all make theirs. Otherwise all load who can, and while one loads, others load ahead as much; and
    when nobody can, all compute, as much in a row as the one with least: so nobody is idle who
    could compute.
    """
    head, ends = begins[:-1].copy(), begins[1:]
    queue = np.empty(op.size, np.int64)  # stores that wait, in the place of the processor's moves
    first, queued, moved = head.copy(), head.copy(), head.copy()
    held, early = np.empty(op.size, np.int64), np.zeros(op.size, np.uint8)
    deleted = np.full(words.size, -1, np.int64)
    filled, occupied, before = 0, 0, -1
    occupancy(op, vertex, words, begins, held)
    while filled < op.size and filled > before:
        before = filled
        for q in range(head.size):
            head[q], queued[q], filled = advance(
                op,
                vertex,
                slow,
                early,
                head[q],
                ends[q],
                queue,
                queued[q],
                order,
                step,
                filled,
                occupied,
            )
        kind, limit = next_step(op, vertex, slow, early, head, ends)
        for q in range(head.size):
            moved[q] = count = 0
            for place in range(first[q], queued[q] if kind == STORE else first[q]):
                order[filled], step[filled] = queue[place], occupied
                filled += 1
                slow[vertex[queue[place]]] = STORED
                first[q] = place + 1
            while kind != STORE and count < limit:
                if state_of(op, vertex, slow, head[q], ends[q]) != kind:
                    break
                count += 1
                order[filled], step[filled] = head[q], occupied
                moved[q] += words[vertex[head[q]]]
                filled += 1
                head[q], queued[q], filled = advance(
                    op,
                    vertex,
                    slow,
                    early,
                    head[q] + 1,
                    ends[q],
                    queue,
                    queued[q],
                    order,
                    step,
                    filled,
                    occupied,
                )
        for q in range(head.size if kind == LOAD else 0):
            filled = load_early(
                op, vertex, words, slow, memory, held, early, deleted,
                begins[q], head[q], ends[q], moved.max() - moved[q], order, step, filled, occupied,
            )  # fmt: skip
        occupied += 1
    return filled
