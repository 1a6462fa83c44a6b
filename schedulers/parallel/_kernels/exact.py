"""Best-first search of the game of several processors, over sets of vertices kept as bits."""

import numpy as np

from dags._numba import count_bits, highest_bit, lean_kernel, lean_part
from pebble.small._kernels.states import (
    EXHAUSTED,
    FOUND,
    FULL,
    GOAL,
    LATER,
    LEVEL,
    NEW,
    RUNNING,
    enqueue,
    next_node,
)
from schedulers.parallel._kernels.states import (
    FREE,
    LOADED_SET,
    NONE,
    ONE,
    STORED_SET,
    enter,
    settle,
)

LOAD, STORE, COMPUTE = 0, 1, 2
# In `free`: after a computation, or first of all; after a load; a store.
ANY, LOADED, STORED = np.uint64(1), np.uint64(2), np.uint64(4)


@lean_part
def read_by(board, vertices):
    """Return the operands of a set of vertices."""
    operands = NONE
    while vertices:
        v = highest_bit(vertices)
        vertices ^= ONE << np.uint64(v)
        operands |= board.operands[v]
    return operands


@lean_part
def needs(board, held, blue, done):
    """Return (still to compute at least, values that are of use) in a state.

    `held` are the values in some fast memory.
    """
    if not board.recompute:
        remaining = board.computed & ~done
        return remaining, read_by(board, remaining)
    goals = board.outputs & ~blue
    useful = NONE
    sought = goals
    while sought:
        useful |= sought
        sought = read_by(board, sought) & ~useful
    remaining, sought = NONE, goals & ~held
    while sought:
        remaining |= sought
        sought = read_by(board, sought) & ~held & ~blue & ~remaining & board.computed
    return remaining, read_by(board, useful & board.computed)


@lean_part
def chain(board, rest):
    """Return the number of vertices on the longest path within a set."""
    longest, frontier = 0, rest
    while frontier:
        longest += 1
        left, next_ = frontier, NONE
        while left:  # those that read one of the set go on to the next round
            v = highest_bit(left)
            left ^= ONE << np.uint64(v)
            if board.operands[v] & frontier:
                next_ |= ONE << np.uint64(v)
        frontier = next_
    return longest


@lean_part
def computes_due(board, vertices):
    """Return the steps of computations that a set of vertices takes at least.

    Those above some height come before a path of that height, p in a step.
    """
    p = board.red.size
    if board.recompute:
        return max((count_bits(vertices) + p - 1) // p, chain(board, vertices))
    bound = 0
    for height in range(board.above.size):
        count = count_bits(vertices & board.above[height])
        if count == 0:
            break
        bound = max(bound, (count + p - 1) // p + height)
    return bound


@lean_part
def still_due(board, held, blue, done, vertices):
    """Return a lower bound on the cost of every way from a state to the end; -1 if there is none.

    Each vertex of `vertices` is computed, by some processor: operands that that one lacks, and that
    cannot be computed (under one-shot rules, again), are loaded there, and stored before if it is
    not blue. Each output that is not blue is stored. Loads are counted for vertices that share no
    such operands.
    """
    p = board.red.size
    available = board.inputs | done
    missed = read_by(board, vertices) & ~held & available
    unstored = board.outputs & ~blue
    if missed & ~blue | unstored & done & ~held:
        return -1
    bound = loads = passed = 0
    counted, unvisited = NONE, vertices
    while unvisited:
        v = highest_bit(unvisited)
        unvisited ^= ONE << np.uint64(v)
        wanted = board.operands[v] & available
        fewest = count_bits(wanted)
        fewest_passed = fewest
        for q in range(p):
            lacks = wanted & ~board.red[q]
            fewest = min(fewest, count_bits(lacks))
            fewest_passed = min(fewest_passed, count_bits(lacks & ~blue & ~unstored))
        bound, passed = max(bound, fewest), max(passed, fewest_passed)
        if fewest > 0 and not wanted & counted:
            counted |= wanted
            loads += fewest
    loads += count_bits(missed & ~counted)
    loads = max(bound, (loads + p - 1) // p)
    stores = (count_bits(unstored) + passed + p - 1) // p
    cost = computes_due(board, vertices) * board.price[COMPUTE]
    return cost + loads * board.price[LOAD] + stores * board.price[STORE]


@lean_part
def add_choice(board, q, red, v):
    """Note a choice of a processor in a step: its fast memory after it, and the vertex."""
    c = board.choices[q]
    board.choice_red[q, c] = red
    board.choice_vertex[q, c] = v
    board.choices[q] = c + 1


@lean_part
def add_gains(board, q, red, gains, keep):
    """Note that a processor may gain any value of a set, one of the others leaving if it is full.

    For each gain, operands stay that it needs; `keep` says whether gains have any.
    """
    full = count_bits(red) >= board.memory
    while gains:
        v = highest_bit(gains)
        bit = ONE << np.uint64(v)
        gains ^= bit
        if not full:
            add_choice(board, q, red | bit, v)
            continue
        leaving = red & ~board.operands[v] if keep else red
        while leaving:
            leaving_bit = ONE << np.uint64(highest_bit(leaving))
            leaving ^= leaving_bit
            add_choice(board, q, red & ~leaving_bit | bit, v)


@lean_part
def ready(board, red, candidates):
    """Return those of `candidates` whose operands are all in `red`."""
    candidates_ready = NONE
    while candidates:
        v = highest_bit(candidates)
        bit = ONE << np.uint64(v)
        candidates ^= bit
        if not board.operands[v] & ~red:
            candidates_ready |= bit
    return candidates_ready


@lean_part
def list_choices(store, board, node, kind, useful):
    """List the choices of each processor in a step of a kind; the first may be to do nothing.

    A value more in fast memory does no harm: so a processor with room loads a value of use if there
    is any and, where values may be computed again, computes.
    """
    blue, done = store.node[node]["third"], store.node[node]["done"]
    for q in range(board.red.size):
        red = store.sets[node, q]
        board.choices[q] = 0
        has_room = count_bits(red) < board.memory
        if kind == STORE:
            values = red & ~blue & (useful | board.outputs)
        elif kind == LOAD:
            values = blue & ~red & useful
        else:
            candidates = board.computed & ~red & (useful | board.outputs & ~blue)
            values = ready(board, red, candidates if board.recompute else board.computed & ~done)
        if kind == STORE or values == NONE or not has_room or not (kind == LOAD or board.recompute):
            add_choice(board, q, red, -1)
        if kind != STORE:
            add_gains(board, q, red, values, kind == COMPUTE)
            continue
        while values:
            v = highest_bit(values)
            values ^= ONE << np.uint64(v)
            add_choice(board, q, red, v)


@lean_part
def is_wanted(store, board, node, kind):
    """Return whether the choices that are up make a step: one at least, each vertex done once.

    Of processors that have the same values, the first has the choice that comes first. Under
    recomputation two may compute the same.
    """
    chosen, is_step = NONE, False
    for q in range(board.red.size):
        v = board.choice_vertex[q, board.turn[q]]
        if q > 0 and store.sets[node, q] == store.sets[node, q - 1]:
            if board.turn[q] < board.turn[q - 1]:
                return False, chosen
        if v < 0:
            continue
        bit = ONE << np.uint64(v)
        if chosen & bit and (kind == STORE or (kind == COMPUTE and not board.recompute)):
            return False, chosen
        chosen |= bit
        is_step = True
    return is_step, chosen


@lean_part
def goes_on(store, board, node, kind, chosen):
    """Return whether a step may follow those that led to a node.

    Loads and stores are made as late as they can: a step of loads is not followed by one of
    computations that reads none of the loaded values, nor a step of stores by one of loads or
    computations that needs none of them: that neither loads a value that was stored, nor takes the
    room of one.
    """
    p = board.red.size
    free = store.sets[node, p + FREE]
    if kind == STORE or free & ANY or (kind == LOAD and free & LOADED):
        return True
    stored, fresh = store.sets[node, p + STORED_SET], store.sets[node, p + LOADED_SET]
    if kind == LOAD and chosen & stored:
        return True
    for q in range(board.red.size):
        v = board.choice_vertex[q, board.turn[q]]
        if v < 0:
            continue
        if kind == COMPUTE and free & LOADED and board.operands[v] & fresh:
            return True
        red, after = store.sets[node, q], board.choice_red[q, board.turn[q]]
        if red & ~after & stored:
            return True
        held_back = stored & ~red  # it may have left this very processor, being of no use
        if free & STORED and held_back and count_bits(after) >= board.memory:
            return True
    return False


@lean_part
def follow(store, board, node, kind, chosen):
    """Enter the state that the choices that are up lead to; return whether there was room."""
    blue, done = store.node[node]["third"], store.node[node]["done"]
    if kind == STORE:
        blue |= chosen
    if kind == COMPUTE and not board.recompute:
        done |= chosen
    held = NONE
    for q in range(board.red.size):
        board.red[q] = board.choice_red[q, board.turn[q]]
        held |= board.red[q]
    remaining, useful = needs(board, held, blue, done)
    keep = useful | board.outputs & ~blue
    for q in range(board.red.size):
        board.red[q] &= keep
    blue &= useful | board.outputs
    due = still_due(board, held & keep, blue, done, remaining)
    if due < 0:
        return True
    loaded = chosen if kind == LOAD else NONE
    stored = chosen if kind == STORE else NONE
    free = LOADED if kind == LOAD else STORED if kind == STORE else ANY
    if board.recompute and kind == STORE and chosen & board.outputs:
        free = ANY  # what the output was computed from may be of no use any more
    spent = store.node[node]["spent"] + board.price[kind]
    return enter(store, board, blue, done, loaded, stored, free, spent, due, node, kind)


@lean_part
def open_node(store, board, node):
    """Enter all states that follow a node; return whether there was room."""
    held = NONE
    for q in range(board.red.size):
        held |= store.sets[node, q]
    _, useful = needs(board, held, store.node[node]["third"], store.node[node]["done"])
    for kind in range(3):
        list_choices(store, board, node, kind, useful)
        for q in range(board.red.size):
            board.turn[q] = 0
        q = 0
        while q >= 0:
            wanted, chosen = is_wanted(store, board, node, kind)
            if wanted and goes_on(store, board, node, kind, chosen):
                if not follow(store, board, node, kind, chosen):
                    return False
            q = board.red.size - 1
            while q >= 0:
                board.turn[q] += 1
                if board.turn[q] < board.choices[q]:
                    break
                board.turn[q] = 0
                q -= 1
    return True


@lean_kernel
def begin(store, board):
    """Enter the state before the first step, or say at which level."""
    if store.at[LATER] < 0:
        store.at[LATER] = 0
        return
    for q in range(board.red.size):
        board.red[q] = NONE
    enter(store, board, board.inputs, NONE, NONE, NONE, ANY, 0, 0, -1, 0)


@lean_kernel
def search(store, board, limit, steps):
    """Go on for some steps: FOUND a play below `limit`, EXHAUSTED all states, FULL or RUNNING."""
    for _ in range(steps):
        x = next_node(store, limit)
        if x < 0:
            return EXHAUSTED
        if not board.outputs & ~store.node[x]["third"]:
            store.at[GOAL] = x
            return FOUND
        store.node[x]["opened"] = 0
        if not open_node(store, board, x):
            if store.node[x]["opened"] == 0:
                store.node[x]["opened"] = NEW
                enqueue(store, x, store.at[LEVEL])
            return FULL
    return RUNNING


@lean_kernel
def settled(board, kind, blue, done, taken):
    """Leave in `board.red` the state after a step, and in `board.path` the symmetries used.

    `board.red` has the fast memories after the step. Values of no use leave.
    """
    if kind == STORE:
        blue |= taken
    if kind == COMPUTE and not board.recompute:
        done |= taken
    held = NONE
    for q in range(board.red.size):
        held |= board.red[q]
    _, useful = needs(board, held, blue, done)
    keep = useful | board.outputs & ~blue
    for q in range(board.red.size):
        board.red[q] &= keep
    settle(board, blue & (useful | board.outputs), done, NONE, NONE)
    return keep
