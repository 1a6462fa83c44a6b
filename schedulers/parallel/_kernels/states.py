"""States of the game of several processors, kept once up to symmetry, and the queue of them."""

from typing import Any, NamedTuple

import numpy as np

from dags._numba import lean_inner_kernel, lean_kernel, lean_part
from pebble.small._kernels.states import image

ONE = np.uint64(1)
NONE = np.uint64(0)

# Places in `at`.
NODES, ENTRIES, LEVEL, GOAL, WANTED, LIMIT, HASTE = range(7)


class Board(NamedTuple):
    """The game: operands (n,), above (h,), masks; the memory; prices of steps; room to work in.

    above[i] has the vertices with more than i of them on the longest path to a sink, themselves
    counted. starts (g + 1,) and exchanges are the symmetries of the DAG.
    choice_red (p, c) uint64, choice_vertex (p, c) int64: what each processor may do in a step;
    choices (p,), turn (p,): how many, and which is tried; red, image (p,) uint64: a state;
    path: the symmetries that were used, their number first.
    """

    operands: Any
    above: Any
    inputs: Any
    outputs: Any
    computed: Any
    memory: Any
    recompute: Any
    price: Any
    starts: Any
    exchanges: Any
    choice_red: Any
    choice_vertex: Any
    choices: Any
    turn: Any
    red: Any
    image: Any
    path: Any


class Store(NamedTuple):
    """The states that were met, and the queue of those to open.

    red (N, p), blue, done (N,) uint64; loaded, stored (N,) uint64, free (N,) uint8: how steps may
    go on from there; spent (N,) int32: least cost found; parent (N,) int32; kind (N,) uint8, moved,
    gone (N, p) int8: the step from there, with the vertex of each processor, and the one that made
    room for it, or -1, as the parent numbers them; key (N,) uint64; is_open (N,) uint8; table (T,)
    int32: places by key; entry_node, entry_spent, entry_next (E,), first (L,) int32: lists by
    estimated cost. In `at` are numbers: of nodes, of entries, the level that is opened, the goal
    that was found, the level that there is no room for; a cost that is of no interest any more; and
    by how much what is still due is multiplied, 1 for a search that proves.
    """

    red: Any
    blue: Any
    done: Any
    loaded: Any
    stored: Any
    free: Any
    spent: Any
    parent: Any
    moved: Any
    gone: Any
    kind: Any
    key: Any
    is_open: Any
    table: Any
    entry_node: Any
    entry_spent: Any
    entry_next: Any
    first: Any
    at: Any


@lean_part
def sort(red):
    """Sort the fast memories."""
    for q in range(1, red.size):
        x, place = red[q], q
        while place > 0 and red[place - 1] > x:
            red[place] = red[place - 1]
            place -= 1
        red[place] = x


@lean_part
def is_lower(board, first, last):
    """Return whether the fast memories of `board.red` have a lower image, and leave it there."""
    for q in range(board.red.size):
        board.image[q] = image(board.exchanges, first, last, board.red[q])
    sort(board.image)
    for q in range(board.red.size):
        if board.image[q] != board.red[q]:
            return board.image[q] < board.red[q]
    return False


@lean_inner_kernel
def settle(board, blue, done, loaded, stored):
    """Put the fast memories in order and lower the state by symmetries; return the other sets.

    Symmetries are tried one after the other until none makes (done, blue, fast memories) smaller.
    """
    sort(board.red)
    starts, exchanges = board.starts, board.exchanges
    count = starts.size - 1
    board.path[0] = 0
    swap = unchanged = 0
    while unchanged < count:
        unchanged += 1
        first, last = starts[swap], starts[swap + 1]
        done1 = image(exchanges, first, last, done)
        if done1 <= done:
            blue1 = image(exchanges, first, last, blue)
            lower = done1 < done or blue1 < blue
            if lower or blue1 == blue:
                fewer = is_lower(board, first, last)
                if lower or fewer:
                    for q in range(board.red.size):
                        board.red[q] = board.image[q]
                    done, blue = done1, blue1
                    loaded = image(exchanges, first, last, loaded)
                    stored = image(exchanges, first, last, stored)
                    unchanged = 0
                    board.path[0] += 1
                    if board.path[0] < board.path.size:
                        board.path[board.path[0]] = swap
        swap += 1
        if swap == count:
            swap = 0
    return blue, done, loaded, stored


@lean_part
def key_of(red, blue, done):
    """Return a number of a state whose fast memories are in order."""
    total = NONE
    for q in range(red.size):
        total = (total ^ red[q]) * np.uint64(0x9E3779B97F4A7C15)
        total ^= total >> np.uint64(29)
    total = (total ^ blue) * np.uint64(0x94D049BB133111EB)
    total ^= total >> np.uint64(31)
    total = (total ^ done) * np.uint64(0xD6E8FEB86659FD93)
    total ^= total >> np.uint64(32)
    return total * np.uint64(0x9E3779B97F4A7C15)


@lean_part
def is_same(store, node, red, blue, done):
    """Return whether a node has this state."""
    if store.blue[node] != blue or store.done[node] != done:
        return False
    for q in range(red.size):
        if store.red[node, q] != red[q]:
            return False
    return True


@lean_part
def push(store, node, level):
    """Put a node into the queue."""
    entry = store.at[ENTRIES]
    store.at[ENTRIES] += 1
    store.entry_node[entry], store.entry_spent[entry] = node, store.spent[node]
    store.entry_next[entry] = store.first[level]
    store.first[level] = entry
    store.is_open[node] = 1


@lean_kernel
def enter(store, board, blue, done, loaded, stored, free, spent, due, parent, kind):
    """Enter the state `board.red`, blue, done; return whether there was room.

    A state that is reached twice at one cost may go on as after either of the two.
    """
    at = store.at
    if spent + due >= at[LIMIT]:
        return True
    level = max(spent + due * at[HASTE], at[LEVEL])
    if level >= store.first.size:
        at[WANTED] = level
        return False
    if at[NODES] >= store.blue.size or at[ENTRIES] >= store.entry_node.size:
        return False
    blue, done, loaded, stored = settle(board, blue, done, loaded, stored)
    red = board.red
    key = key_of(red, blue, done)
    mask = np.uint64(store.table.size - 1)
    place = (key >> np.uint64(20)) & mask
    node = store.table[place]
    while node >= 0 and not (store.key[node] == key and is_same(store, node, red, blue, done)):
        place = (place + ONE) & mask
        node = store.table[place]
    if node >= 0 and store.spent[node] < spent:
        return True
    if node >= 0 and store.spent[node] == spent:
        loaded |= store.loaded[node]
        stored |= store.stored[node]
        free |= store.free[node]
        known = loaded == store.loaded[node] and stored == store.stored[node]
        if known and free == store.free[node]:
            return True
        store.loaded[node], store.stored[node], store.free[node] = loaded, stored, free
        if not store.is_open[node]:
            push(store, node, level)
        return True
    if node < 0:
        node = at[NODES]
        at[NODES] += 1
        store.table[place] = node
    for q in range(red.size):
        store.red[node, q] = red[q]
        store.moved[node, q] = board.choice_vertex[q, board.turn[q]]
    note_gone(store, board, node, parent)
    store.blue[node], store.done[node], store.key[node] = blue, done, key
    store.loaded[node], store.stored[node], store.free[node] = loaded, stored, free
    store.spent[node], store.parent[node], store.kind[node] = spent, parent, kind
    push(store, node, level)
    return True


@lean_part
def note_gone(store, board, node, parent):
    """Note the values that leave for others in the choices that are up."""
    for q in range(board.red.size):
        store.gone[node, q] = -1
        if parent >= 0:
            gone = store.red[parent, q] & ~board.choice_red[q, board.turn[q]]
            while gone:
                store.gone[node, q] += 1
                gone = gone >> ONE if not gone & ONE else NONE


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
        place = store.key[node] >> np.uint64(20) & mask
        while store.table[place] >= 0:
            place = (place + ONE) & mask
        store.table[place] = node
