"""Best-first search of the game of several processors, over sets of vertices kept as bits."""

from typing import Any, NamedTuple

import numpy as np

from dags._numba import count_bits, highest_bit, lean_kernel, lean_part

LOAD, STORE, COMPUTE = 0, 1, 2
RUNNING, FOUND, EXHAUSTED, FULL = range(4)
ONE = np.uint64(1)
NONE = np.uint64(0)

# Places in `at`.
NODES, ENTRIES, LEVEL, GOAL, WANTED = range(5)


class Board(NamedTuple):
    """The game: operands, height (n,); masks; the machine; prices of steps; room to work in.

    `height` is the number of vertices on the longest path from a vertex to a sink. choice_red
    (p, c) uint64, choice_vertex (p, c) int64: what each processor may do in a step; choices (p,),
    turn (p,): how many, and which is tried; red (p,) uint64: the state that follows.
    """

    operands: Any
    height: Any
    inputs: Any
    outputs: Any
    computed: Any
    memory: Any
    recompute: Any
    price: Any
    choice_red: Any
    choice_vertex: Any
    choices: Any
    turn: Any
    red: Any


class Store(NamedTuple):
    """The states that were met, and the queue of those to open.

    red (N, p), blue, done (N,) uint64; spent (N,) int32: least cost found; parent (N,) int32;
    kind (N,) uint8 and moved (N, p) int8: the step from there, and the vertex of each processor or
    -1; is_open (N,) uint8; table (T,) int32: places by hash;
    entry_node, entry_spent, entry_next (E,), first (L,) int32: lists by estimated cost.
    """

    red: Any
    blue: Any
    done: Any
    spent: Any
    parent: Any
    moved: Any
    kind: Any
    is_open: Any
    table: Any
    entry_node: Any
    entry_spent: Any
    entry_next: Any
    first: Any
    at: Any


@lean_part
def read_by(board, vertices):
    """Return the operands of a set of vertices."""
    found = NONE
    while vertices:
        v = highest_bit(vertices)
        vertices ^= ONE << np.uint64(v)
        found |= board.operands[v]
    return found


@lean_part
def needs(board, held, blue, done):
    """Return (still to compute at least, values that are of use) in a state.

    `held` are the values in some fast memory.
    """
    if not board.recompute:
        rest = board.computed & ~done
        return rest, read_by(board, rest)
    goals = board.outputs & ~blue
    useful = NONE
    more = goals
    while more:
        useful |= more
        more = read_by(board, more) & ~useful
    rest, more = NONE, goals & ~held
    while more:
        rest |= more
        more = read_by(board, more) & ~held & ~blue & ~rest & board.computed
    return rest, read_by(board, useful & board.computed)


@lean_part
def still_due(board, held, blue, done, rest):
    """Return a lower bound on the cost of every way from a state to the end; -1 if there is none.

    Each vertex of `rest` is computed. Each operand that is in no fast memory and cannot be
    computed (under one-shot rules, again) is loaded, and each output that is not blue is stored.
    """
    p = board.red.size
    missed = read_by(board, rest) & ~held & (board.inputs | done)
    unstored = board.outputs & ~blue
    if missed & ~blue | unstored & done & ~held:
        return -1
    computes = (count_bits(rest) + p - 1) // p
    if not board.recompute:
        more = rest
        while more:
            v = highest_bit(more)
            more ^= ONE << np.uint64(v)
            computes = max(computes, board.height[v])
    loads, stores = (count_bits(missed) + p - 1) // p, (count_bits(unstored) + p - 1) // p
    return computes * board.price[COMPUTE] + loads * board.price[LOAD] + stores * board.price[STORE]


@lean_part
def hashed(red, blue, done):
    """Return a number of a state that does not depend on the order of its processors."""
    total = NONE
    for q in range(red.size):
        x = red[q] * np.uint64(0x9E3779B97F4A7C15)
        total += (x ^ (x >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    total ^= blue * np.uint64(0x94D049BB133111EB)
    total ^= total >> np.uint64(31)
    total += done * np.uint64(0xD6E8FEB86659FD93)
    total ^= total >> np.uint64(32)
    return total * np.uint64(0x9E3779B97F4A7C15)


@lean_part
def is_same(store, node, red, blue, done):
    """Return whether a node has this state, up to the order of the processors."""
    if store.blue[node] != blue or store.done[node] != done:
        return False
    used = NONE
    for q in range(red.size):
        hit = -1
        for r in range(red.size):
            if hit < 0 and not used >> np.uint64(r) & ONE and store.red[node, r] == red[q]:
                hit = r
        if hit < 0:
            return False
        used |= ONE << np.uint64(hit)
    return True


@lean_kernel
def enter(store, board, blue, done, spent, level, parent, kind):
    """Enter the state `board.red`, blue, done; return whether there was room."""
    red, at = board.red, store.at
    if level >= store.first.size:
        at[WANTED] = level
        return False
    if at[NODES] >= store.blue.size or at[ENTRIES] >= store.entry_node.size:
        return False
    mask = np.uint64(store.table.size - 1)
    place = (hashed(red, blue, done) >> np.uint64(20)) & mask
    while store.table[place] >= 0 and not is_same(store, store.table[place], red, blue, done):
        place = (place + ONE) & mask
    node = store.table[place]
    if node >= 0 and store.spent[node] <= spent:
        return True
    if node < 0:
        node = at[NODES]
        at[NODES] += 1
        store.table[place] = node
    for q in range(red.size):
        store.red[node, q] = red[q]
        store.moved[node, q] = board.choice_vertex[q, board.turn[q]]
    store.blue[node], store.done[node], store.spent[node] = blue, done, spent
    store.parent[node], store.kind[node], store.is_open[node] = parent, kind, 1
    entry = at[ENTRIES]
    at[ENTRIES] += 1
    store.entry_node[entry], store.entry_spent[entry] = node, spent
    store.entry_next[entry] = store.first[level]
    store.first[level] = entry
    return True


@lean_part
def add_choice(board, q, red, v):
    """Note what a processor may do in a step: its fast memory after it, and the vertex."""
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
        own = ONE << np.uint64(v)
        gains ^= own
        if not full:
            add_choice(board, q, red | own, v)
            continue
        leaving = red & ~board.operands[v] if keep else red
        while leaving:
            gone = ONE << np.uint64(highest_bit(leaving))
            leaving ^= gone
            add_choice(board, q, red & ~gone | own, v)


@lean_part
def ready(board, red, candidates):
    """Return those of `candidates` whose operands are all in `red`."""
    found = NONE
    while candidates:
        v = highest_bit(candidates)
        own = ONE << np.uint64(v)
        candidates ^= own
        if not board.operands[v] & ~red:
            found |= own
    return found


@lean_part
def list_choices(store, board, node, kind, useful):
    """List what each processor may do in a step of a kind; its first choice may be to do nothing.

    A value more in fast memory does no harm: so a processor with room loads what is of use if
    anything is and, where values may be computed again, computes.
    """
    blue, done = store.blue[node], store.done[node]
    for q in range(board.red.size):
        red = store.red[node, q]
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
    taken, some = NONE, False
    for q in range(board.red.size):
        v = board.choice_vertex[q, board.turn[q]]
        if q > 0 and store.red[node, q] == store.red[node, q - 1]:
            if board.turn[q] < board.turn[q - 1]:
                return False, taken
        if v < 0:
            continue
        own = ONE << np.uint64(v)
        if taken & own and (kind == STORE or (kind == COMPUTE and not board.recompute)):
            return False, taken
        taken |= own
        some = True
    return some, taken


@lean_part
def follow(store, board, node, kind, taken):
    """Enter the state that the choices that are up lead to; return whether there was room."""
    blue, done = store.blue[node], store.done[node]
    if kind == STORE:
        blue |= taken
    if kind == COMPUTE and not board.recompute:
        done |= taken
    held = NONE
    for q in range(board.red.size):
        board.red[q] = board.choice_red[q, board.turn[q]]
        held |= board.red[q]
    rest, useful = needs(board, held, blue, done)
    keep = useful | board.outputs & ~blue
    for q in range(board.red.size):
        board.red[q] &= keep
    blue &= useful | board.outputs
    due = still_due(board, held, blue, done, rest)
    if due < 0:
        return True
    spent = store.spent[node] + board.price[kind]
    return enter(store, board, blue, done, spent, spent + due, node, kind)


@lean_part
def open_node(store, board, node):
    """Enter all states that follow a node; return whether there was room."""
    held = NONE
    for q in range(board.red.size):
        held |= store.red[node, q]
    _, useful = needs(board, held, store.blue[node], store.done[node])
    for kind in range(3):
        list_choices(store, board, node, kind, useful)
        for q in range(board.red.size):
            board.turn[q] = 0
        q = 0
        while q >= 0:
            wanted, taken = is_wanted(store, board, node, kind)
            if wanted and not follow(store, board, node, kind, taken):
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
def search(store, board, steps):
    """Open up to `steps` states, cheapest first; return RUNNING, FOUND, EXHAUSTED or FULL."""
    at = store.at
    while steps > 0:
        while at[LEVEL] < store.first.size and store.first[at[LEVEL]] < 0:
            at[LEVEL] += 1
        if at[LEVEL] >= store.first.size:
            return EXHAUSTED
        entry = store.first[at[LEVEL]]
        node = store.entry_node[entry]
        if store.is_open[node] and store.entry_spent[entry] == store.spent[node]:
            if not board.outputs & ~store.blue[node]:
                at[GOAL] = node
                return FOUND
            if not open_node(store, board, node):
                return FULL
            store.is_open[node] = 0
            steps -= 1
        # states of this very level may have come in front of the entry
        unlink(store, entry, at[LEVEL])
    return RUNNING


@lean_part
def unlink(store, entry, level):
    """Take an entry out of its list."""
    if store.first[level] == entry:
        store.first[level] = store.entry_next[entry]
        return
    other = store.first[level]
    while store.entry_next[other] != entry:
        other = store.entry_next[other]
    store.entry_next[other] = store.entry_next[entry]


@lean_kernel
def fill_table(store):
    """Enter all nodes into an empty table."""
    mask = np.uint64(store.table.size - 1)
    for node in range(store.at[NODES]):
        place = hashed(store.red[node], store.blue[node], store.done[node]) >> np.uint64(20) & mask
        while store.table[place] >= 0:
            place = (place + ONE) & mask
        store.table[place] = node
