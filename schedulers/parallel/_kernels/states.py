"""States of the game of several processors, as the store of all complete searches keeps them.

A node has the computed values in `done`, those in slow memory in `third`, and in `red` a number by
which states are told apart into lists. Its further sets are the p fast memories, in order, and:
values that the step before loaded, and stored; `free`, how steps may go on from there, and the kind
of the step; and, 16 bits a processor, the vertex of each in this step and the one that made room
for it, as the parent numbers them, one more than their numbers or 0.
"""

from typing import Any, NamedTuple

import numpy as np

from dags._numba import lean_inner_kernel, lean_part
from pebble.small._kernels.bits import NONE, ONE, lowest_bit, mixed
from pebble.small._kernels.states import (
    BEATEN,
    LEVEL,
    NEW,
    add_node,
    enqueue,
    has_room,
    image,
    list_of,
)

LOADED_SET, STORED_SET, FREE, MADE = 0, 1, 2, 3  # sets after the fast memories
KINDS = 3  # bit of a kind, above those of `free`
BYTE, LANE, LANES = 8, 16, 4  # bits of a vertex, of a processor; processors in a set


class ParallelBoard(NamedTuple):
    """The game: operands (n,), above (h,), masks; the memory; prices of steps; room to work in.

    above[i] has the vertices with more than i of them on the longest path to a sink, themselves
    counted. starts (g + 1,) and exchanges are the symmetries of the DAG. choice_red (p, c) uint64,
    choice_vertex (p, c) int64: the choices of each processor in a step; choices (p,), turn (p,):
    how many, and which is tried; red, image (p,) uint64: a state; path: the symmetries that were
    used, their number first. limit: a cost that is of no interest any more; haste: the factor of
    the words still due, 1 for a search that proves.
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
    limit: int
    haste: int


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
def settle(board, blue, chosen, loaded, stored):
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
        done1 = image(exchanges, first, last, chosen)
        if done1 <= chosen:
            blue1 = image(exchanges, first, last, blue)
            lower = done1 < chosen or blue1 < blue
            if lower or blue1 == blue:
                fewer = is_lower(board, first, last)
                if lower or fewer:
                    for q in range(board.red.size):
                        board.red[q] = board.image[q]
                    chosen, blue = done1, blue1
                    loaded = image(exchanges, first, last, loaded)
                    stored = image(exchanges, first, last, stored)
                    unchanged = 0
                    board.path[0] += 1
                    if board.path[0] < board.path.size:
                        board.path[board.path[0]] = swap
        swap += 1
        if swap == count:
            swap = 0
    return blue, chosen, loaded, stored


@lean_part
def node_of(s, board, i, blue):
    """Return the node of list i with the state `board.red` and blue, -1 if there is none."""
    x = s.first[i]
    while x >= 0:
        equal = s.node[x]["opened"] != BEATEN and s.node[x]["third"] == blue
        for q in range(board.red.size):
            equal &= s.sets[x, q] == board.red[q]
        if equal:
            break
        x = s.node[x]["sibling"]
    return x


@lean_part
def widen(s, board, x, loaded, stored, free, level):
    """Let a node go on as after another way to it, of the same cost, as well."""
    p = board.red.size
    further = loaded & ~s.sets[x, p + LOADED_SET] | stored & ~s.sets[x, p + STORED_SET]
    if further == NONE and free & ~s.sets[x, p + FREE] == NONE:
        return
    s.sets[x, p + LOADED_SET] |= loaded
    s.sets[x, p + STORED_SET] |= stored
    s.sets[x, p + FREE] |= free
    if s.node[x]["opened"] != NEW:
        s.node[x]["opened"] = NEW
        enqueue(s, x, level)


@lean_inner_kernel
def enter(s, board, blue, done, loaded, stored, free, spent, due, parent, kind):
    """Enter the state `board.red`, blue, done; return whether there was room.

    A state that is reached twice at one cost may go on as after either of the two.
    """
    if spent + due >= board.limit:
        return True
    level = max(spent + due * board.haste, s.at[LEVEL])
    if not has_room(s, level):
        return False
    blue, done, loaded, stored = settle(board, blue, done, loaded, stored)
    p, key = board.red.size, blue
    for q in range(p):
        key = mixed(mixed(key) ^ board.red[q])
    i = list_of(s, done, key)
    x = node_of(s, board, i, blue)
    if x >= 0:
        if s.node[x]["spent"] < spent:
            return True
        if s.node[x]["spent"] == spent:
            widen(s, board, x, loaded, stored, free, level)
            return True
        s.node[x]["opened"] = BEATEN
    x = add_node(s, i, done, key, blue, spent, parent, level)
    for q in range(p):
        s.sets[x, q] = board.red[q]
    s.sets[x, p + LOADED_SET], s.sets[x, p + STORED_SET] = loaded, stored
    s.sets[x, p + FREE] = free | ONE << np.uint64(KINDS + kind)
    note_step(s, board, x, parent)
    return True


@lean_part
def note_step(s, board, x, parent):
    """Note the vertices of the choices that are up, and the values that leave for them."""
    for column in range(board.red.size + MADE, s.sets.shape[1]):
        s.sets[x, column] = NONE
    for q in range(board.red.size if parent >= 0 else 0):
        leaving = s.sets[parent, q] & ~board.choice_red[q, board.turn[q]]
        lane = np.uint64(board.choice_vertex[q, board.turn[q]] + 1)
        if leaving:
            lane |= np.uint64(lowest_bit(leaving) + 1) << np.uint64(BYTE)
        column = board.red.size + MADE + q // LANES
        s.sets[x, column] |= lane << np.uint64(LANE * (q % LANES))
