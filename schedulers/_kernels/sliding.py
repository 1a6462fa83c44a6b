"""The kernel that plays an order with sliding."""

from typing import NamedTuple

import numpy as np

from dags._numba import inlined, kernel
from schedulers._kernels.accesses import last_bit, new_bit_set, set_bit, step_value
from schedulers._kernels.candidates import clear_bit, dirty_leaves_places
from schedulers._kernels.moves import COMPUTE, DELETE, LOAD, store, write


class Sequence(NamedTuple):
    """An access sequence: the arrays of `Accesses`."""

    touched: np.ndarray  # (T,) int32
    start: np.ndarray  # (N + 1,)
    following: np.ndarray  # (T,)
    landmarks: np.ndarray  # (T / 16 + 1,) int32
    name: np.ndarray  # (V,) int32
    words: np.ndarray  # (V,) int64


class Board(NamedTuple):
    """The pebbles: (V,) uint8 marks of what is red, what is blue, and what must end blue."""

    red: np.ndarray
    blue: np.ndarray
    output: np.ndarray


@inlined
def take_operands(touched, words, red, clean, dirty, a, b):
    """Take the operands at places a..b-2 from the candidates.

    Return (their words, words of those that are red, the largest that dies or -1, its words).
    """
    operands = here = place = 0
    under = -1
    for at in range(a, b - 1):
        x = touched[at]
        dies = x < 0
        if dies:
            x = ~x
        clear_bit(clean, at)
        clear_bit(dirty, at)
        if red[x]:
            here += words[x]
        operands += words[x]
        if dies and words[x] > place:
            under = x
            place = words[x]
    return operands, here, under, place


@kernel
def cheapest_to_give_up(touched, following, words, blue, output, a, b, room, price):
    """Return the operand that is given up at least cost for the result to take its place.

    Only operands of `room` words or more; of equal cost, the one that is read last.
    """
    under = -1
    least = farthest = np.int64(-1)
    for at in range(a, b - 1):
        x = step_value(touched[at])
        if words[x] >= room:
            cost = words[x] if blue[x] or output[x] else price * words[x]
            if least < 0 or cost < least or (cost == least and following[at] > farthest):
                least = cost
                farthest = np.int64(following[at])
                under = x
    return under


@kernel
def slide_by_cost(seq, board, memory, price, op, vertex):
    """Play an order; return (words loaded, words stored, victims, moves).

    seq: `Sequence` of V values; board: `Board` over them; op, vertex (moves,): filled; they have
    one place where moves are only counted. Candidates are kept as in `evict_by_cost`.
    """
    # Fields that are read in a loop have their references counted, and take ten times as long.
    touched, start, following, landmarks, name, words = seq
    red, blue, output = board
    record = np.int64(op.size > 1)
    clean, clean_upper, clean_top = new_bit_set(touched.size)
    dirty, dirty_upper, dirty_top = new_bit_set(touched.size)
    far_clean = far_dirty = np.int64(-1)
    kept = loads = stores = gone = 0
    moves = np.int64(0)
    for step in range(start.size - 1):
        a, b = start[step], start[step + 1]
        result = step_value(touched[b - 1])
        operands, here, under, place = take_operands(touched, words, red, clean, dirty, a, b)
        kept -= here
        need = max(operands, operands - place + words[result])
        while kept > 0 and kept + need > memory:
            far_clean = last_bit(clean, clean_upper, clean_top, far_clean)
            far_dirty = last_bit(dirty, dirty_upper, dirty_top, far_dirty)
            if dirty_leaves_places(start, landmarks, far_clean, far_dirty, step, price):
                y = step_value(touched[far_dirty])
                clear_bit(dirty, far_dirty)
            else:
                y = step_value(touched[far_clean])
                clear_bit(clean, far_clean)
            kept -= words[y]
            gone += 1
            moves, stored = store(blue, y, op, vertex, moves, record, name[y])
            stores += stored * words[y]
            red[y] = 0
            moves = write(op, vertex, moves, record, DELETE, name[y])
        forced = need > memory  # with nothing kept: some operand that is needed again makes way
        if forced:
            room = operands + words[result] - memory
            under = cheapest_to_give_up(touched, following, words, blue, output, a, b, room, price)
            gone += 1
        for at in range(a, b - 1):
            x = step_value(touched[at])
            if not red[x]:
                red[x] = 1
                loads += words[x]
                moves = write(op, vertex, moves, record, LOAD, name[x])
        if under >= 0 and (forced or output[under]):
            moves, stored = store(blue, under, op, vertex, moves, record, name[under])
            stores += stored * words[under]
        moves = write(op, vertex, moves, record, COMPUTE, name[result])
        red[result] = 1
        if under >= 0:
            red[under] = 0
            moves = write(op, vertex, moves, record, DELETE, name[under])
        for at in range(a, b):
            x = step_value(touched[at])
            if not red[x]:
                continue
            if touched[at] >= 0:
                use = np.int64(following[at])
                kept += words[x]
                if blue[x] or output[x]:
                    set_bit(clean, clean_upper, clean_top, use)
                    far_clean = max(far_clean, use)
                else:
                    set_bit(dirty, dirty_upper, dirty_top, use)
                    far_dirty = max(far_dirty, use)
                continue
            if output[x]:
                moves, stored = store(blue, x, op, vertex, moves, record, name[x])
                stores += stored * words[x]
            red[x] = 0
            moves = write(op, vertex, moves, record, DELETE, name[x])
    return loads, stores, gone, moves
