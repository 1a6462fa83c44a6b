"""The kernel that plays an order with sliding."""

from typing import NamedTuple

import numpy as np

from dags._numba import kernel, lean_inner_kernel, lean_part
from schedulers.orders._kernels.accesses import (
    COMPUTE,
    DELETE,
    LOAD,
    NOTHING,
    STORE,
    Script,
    become_candidate,
    clear_bit,
    dirty_leaves_places,
    furthest_candidates,
    new_candidates,
    note,
    step_value,
)

OWED = np.uint8(1)  # as `SlidingBoard.output` is
ANY = 1  # operand, in `Sequence.slides`; 0: none, otherwise one of the result's size


class Sequence(NamedTuple):
    """An access sequence: the arrays of `Accesses`."""

    touched: np.ndarray  # (T,) int32
    start: np.ndarray  # (N + 1,)
    following: np.ndarray  # (T,)
    landmarks: np.ndarray  # (T / 16 + 1,) int32
    name: np.ndarray  # (V,) int32
    words: np.ndarray  # (V,) int64
    slides: np.ndarray  # (V,) or (1,) uint8: onto which operands results slide


class SlidingBoard(NamedTuple):
    """The pebbles: (V,) uint8 marks of red, of blue, and of values that must end blue."""

    red: np.ndarray
    blue: np.ndarray
    output: np.ndarray


@lean_part
def take_operands(seq, board, held, a, b, onto, only):
    """Take the operands at places a..b-2 from the candidates.

    Return (their words, words of those that are red, the largest that dies or -1, its words). Only
    those that may be slid onto are said to die: none if `onto` is 0, of `only` words if not 0.
    """
    operands = occupied = place = 0
    under = -1
    for position in range(a, b - 1):
        x = seq.touched[position]
        dies = x < 0
        if dies:
            x = ~x
        clear_bit(held.clean, position)
        clear_bit(held.dirty, position)
        size = seq.words[x]
        if board.red[x]:
            occupied += size
        operands += size
        if dies and onto and size > place and (only == 0 or size == only):
            under = x
            place = size
    return operands, occupied, under, place


@lean_part
def cheapest_to_give_up(seq, board, a, b, room, only, price):
    """Return the operand that is given up at least cost for the result to take its place.

    Only operands of `room` words or more, and of `only` words where that is not 0; of equal cost,
    the one that is read last.
    """
    under = -1
    lowest = farthest = np.int64(-1)
    for position in range(a, b - 1):
        x = step_value(seq.touched[position])
        size = seq.words[x]
        if size >= room and (only == 0 or size == only):
            cost = size if board.blue[x] or board.output[x] else price * size
            if (
                lowest < 0
                or cost < lowest
                or (cost == lowest and seq.following[position] > farthest)
            ):
                lowest = cost
                farthest = np.int64(seq.following[position])
                under = x
    return under


@lean_part
def let_go(seq, board, script, x, owed, moves):
    """Take x from fast memory, stored before if `owed`; return (next move, words stored)."""
    stored = np.int64(0)
    if owed and not board.blue[x]:
        board.blue[x] = 1
        stored = seq.words[x]
        moves = note(script, moves, STORE, seq.name[x])
    board.red[x] = 0
    return note(script, moves, DELETE, seq.name[x]), stored


@lean_inner_kernel
def play_sliding(seq, board, held, memory, price, script):
    """Play an order; return (words loaded, words stored, victims, moves).

    seq: `Sequence` of V values; board: `SlidingBoard` over them; held: no `Candidates` yet; script:
    `Script` that receives the moves.
    """
    words = seq.words
    far_clean = far_dirty = NOTHING
    kept = loads = stores = departures = moves = np.int64(0)
    for step in range(seq.start.size - 1):
        a, b = seq.start[step], seq.start[step + 1]
        result = step_value(seq.touched[b - 1])
        onto = seq.slides[result] if seq.slides.size > 1 else seq.slides[0]
        only = np.int64(0) if onto == ANY else words[result]
        operands, occupied, under, place = take_operands(seq, board, held, a, b, onto, only)
        kept -= occupied
        need = max(operands, operands - place + words[result])
        while kept > 0 and kept + need > memory:
            far_clean, far_dirty = furthest_candidates(held, far_clean, far_dirty)
            if dirty_leaves_places(seq.start, seq.landmarks, far_clean, far_dirty, step, price):
                y = step_value(seq.touched[far_dirty])
                clear_bit(held.dirty, far_dirty)
            else:
                y = step_value(seq.touched[far_clean])
                clear_bit(held.clean, far_clean)
            kept -= words[y]
            departures += 1
            moves, stored = let_go(seq, board, script, y, OWED, moves)
            stores += stored
        forced = need > memory  # with nothing kept: some operand that is needed again makes way
        if forced:
            room = operands + words[result] - memory
            under = cheapest_to_give_up(seq, board, a, b, room, only, price)
            departures += 1
        for position in range(a, b - 1):
            x = step_value(seq.touched[position])
            if not board.red[x]:
                board.red[x] = 1
                loads += words[x]
                moves = note(script, moves, LOAD, seq.name[x])
        # The result slides onto this operand: it is stored before, and deleted after.
        if under >= 0 and (forced or board.output[under]) and not board.blue[under]:
            board.blue[under] = 1
            stores += words[under]
            moves = note(script, moves, STORE, seq.name[under])
        moves = note(script, moves, COMPUTE, seq.name[result])
        board.red[result] = 1
        if under >= 0:
            board.red[under] = 0
            moves = note(script, moves, DELETE, seq.name[under])
        for position in range(a, b):
            x = step_value(seq.touched[position])
            if not board.red[x]:
                continue
            if seq.touched[position] >= 0:
                kept += words[x]
                settled = board.blue[x] | board.output[x]
                use = np.int64(seq.following[position])
                far_clean, far_dirty = become_candidate(held, settled, use, far_clean, far_dirty)
            else:
                moves, stored = let_go(seq, board, script, x, board.output[x], moves)
                stores += stored
    return loads, stores, departures, moves


@kernel
def slide_by_cost(seq, board, memory, price, op, vertex):
    """Play an order as `play_sliding`; op, vertex (moves,) are filled, or empty to count alone."""
    held = new_candidates(seq.touched.size)
    return play_sliding(seq, board, held, memory, price, Script(op, vertex))
