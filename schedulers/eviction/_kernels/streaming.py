"""The kernel that plays one block of an order after another.

Legend: ``indptr``, ``indices`` are predecessor CSR of n vertices; ``steps`` (B,) int32 the computed
vertices of a block; ``left`` (n,) int32 how often each value will still be read; ``use`` (n,) int32
the place of a value's next access in the block, -1 for none; ``flags`` (n,) uint8. A place counts
the accesses of the block: operands of a step, and then its result.
"""

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
    dirty_leaves,
    furthest_candidates,
    new_candidates,
    note,
    set_bit,
)

RED, BLUE, OUTPUT = 1, 2, 4
SETTLED = BLUE | OUTPUT  # leaving fast memory costs no store that is not owed anyway
OWED = np.int64(1)
CLEAN, DIRTY = np.int64(0), np.int64(1)  # the two stacks of `later`


class Block(NamedTuple):
    """A block of an order: its steps, and its T accesses as `look_ahead` fills them."""

    steps: np.ndarray  # (B,) int32
    name: np.ndarray  # (T,) int32
    following: np.ndarray  # (T,) int32
    step_of: np.ndarray  # (T,) int32


class Memory(NamedTuple):
    """State of a play that lasts from block to block."""

    use: np.ndarray  # (n,) int32: -1 but while a block is played
    left: np.ndarray  # (n,) int32
    flags: np.ndarray  # (n,) uint8
    # Stacks of the values in fast memory that a block does not touch (any more): clean and dirty.
    later: np.ndarray  # (2, most values in fast memory) int32
    sizes: np.ndarray  # (2,) int64: entries of the stacks
    words: np.ndarray  # (3,) int64: words that are occupied, loaded, stored


@kernel
def look_ahead(indptr, indices, steps, use, name, following, step_of):
    """Fill, for each place, the vertex, the place of its next access or -1, and the step.

    name, following, step_of (T,) int32; use (n,) is -1 before and the first place of each after.
    """
    position = name.size
    for step in range(steps.size - 1, -1, -1):
        v = steps[step]
        position -= 1
        name[position] = v
        following[position] = use[v]
        step_of[position] = step
        use[v] = position
        for e in range(indptr[v + 1] - 1, indptr[v] - 1, -1):
            u = indices[e]
            position -= 1
            name[position] = u
            following[position] = use[u]
            step_of[position] = step
            use[u] = position


@lean_inner_kernel
def wake(held, stack, bits, upper, top):
    """Make candidates of the values in a stack that the block touches; return the furthest place.

    bits, upper, top: a set of places, as `new_bit_set` makes it.
    """
    waiting = 0
    furthest = NOTHING
    for i in range(held.sizes[stack]):
        x = held.later[stack, i]
        place = np.int64(held.use[x])
        if place < 0:
            held.later[stack, waiting] = x
            waiting += 1
        else:
            set_bit(bits, upper, top, place)
            furthest = max(furthest, place)
    held.sizes[stack] = waiting
    return furthest


@lean_part
def step_of_candidate(waiting, block, place):
    """Return the step at which a candidate is used: the end if values wait, -1 if there is none."""
    if waiting > 0:
        return np.int64(block.steps.size)
    return np.int64(block.step_of[place]) if place >= 0 else NOTHING


@lean_part
def next_to_leave(block, held, ahead, step, price, far_clean, far_dirty):
    """Return the value that leaves next, which is no candidate any more."""
    early = step_of_candidate(held.sizes[CLEAN], block, far_clean)
    late = step_of_candidate(held.sizes[DIRTY], block, far_dirty)
    stack = DIRTY if dirty_leaves(early, late, step, price) else CLEAN
    if held.sizes[stack] > 0:
        held.sizes[stack] -= 1
        return held.later[stack, held.sizes[stack]]
    if stack == DIRTY:
        clear_bit(ahead.dirty, far_dirty)
        return block.name[far_dirty]
    clear_bit(ahead.clean, far_clean)
    return block.name[far_clean]


@lean_part
def let_go(held, script, x, owed, moves):
    """Take x from fast memory, stored before if `owed`; return (next move, 1 if it was stored)."""
    stored = owed and not held.flags[x] & BLUE
    if stored:
        moves = note(script, moves, STORE, x)
        held.flags[x] |= BLUE
    held.flags[x] ^= RED
    return note(script, moves, DELETE, x), np.int64(stored)


@lean_part
def wait(held, stack, x):
    """Put x on the stack of values that the block does not touch any more."""
    held.later[stack, held.sizes[stack]] = x
    held.sizes[stack] += 1


@lean_inner_kernel
def play_steps(indptr, words, block, held, ahead, memory, price, script):
    """Play the steps of a block; return how many moves it takes. Parameters as in `play_block`."""
    flags, left, state = held.flags, held.left, held.words
    far_clean = wake(held, CLEAN, ahead.clean, ahead.clean_upper, ahead.clean_top)
    far_dirty = wake(held, DIRTY, ahead.dirty, ahead.dirty_upper, ahead.dirty_top)
    kept, loads, stores = state[0], state[1], state[2]
    moves = np.int64(0)
    a = 0
    for step in range(block.steps.size):
        v = block.steps[step]
        b = a + indptr[v + 1] - indptr[v] + 1
        present = words[v]
        for position in range(a, b - 1):
            u = block.name[position]
            present += words[u]
            if flags[u] & RED:
                kept -= words[u]
                clear_bit(ahead.clean, position)
                clear_bit(ahead.dirty, position)
        while kept + present > memory:
            far_clean, far_dirty = furthest_candidates(ahead, far_clean, far_dirty)
            y = next_to_leave(block, held, ahead, step, price, far_clean, far_dirty)
            kept -= words[y]
            moves, stored = let_go(held, script, y, OWED, moves)
            stores += stored * words[y]
        for position in range(a, b - 1):
            u = block.name[position]
            left[u] -= 1
            if not flags[u] & RED:
                moves = note(script, moves, LOAD, u)
                loads += words[u]
                flags[u] |= RED
        moves = note(script, moves, COMPUTE, v)
        flags[v] |= RED
        for position in range(a, b):
            x = block.name[position]
            if left[x] == 0:
                moves, stored = let_go(held, script, x, np.int64(flags[x] & OUTPUT), moves)
                stores += stored * words[x]
                continue
            kept += words[x]
            place = np.int64(block.following[position])
            settled = flags[x] & SETTLED
            if place < 0:
                wait(held, CLEAN if settled else DIRTY, x)
            else:
                far_clean, far_dirty = become_candidate(ahead, settled, place, far_clean, far_dirty)
        a = b
    state[0], state[1], state[2] = kept, loads, stores
    return moves


@kernel
def play_block(indptr, words, block, held, memory, price, op, vertex):
    """Play a block; return how many moves it takes.

    block: `Block`; held: `Memory`, of which `use` is as `look_ahead` fills it, and is -1 again
    behind it. op (k,) uint8, vertex (k,) int32: receive the moves.

    Values leave as in `evict_by_cost`; values that the block does not touch are thought to be
    needed just behind its end.
    """
    ahead = new_candidates(block.name.size)
    script = Script(op, vertex)
    moves = play_steps(indptr, words, block, held, ahead, memory, price, script)
    name, use = block.name, held.use
    for position in range(name.size):
        use[name[position]] = -1
    return moves
