"""The kernel that plays one block of an order after another.

Legend: ``indptr``, ``indices`` are predecessor CSR of n vertices; ``steps`` (B,) int32 the computed
vertices of a block; ``left`` (n,) int32 how often each value will still be read; ``use`` (n,) int32
the place of a value's next access in the block, -1 for none; ``flags`` (n,) uint8. A place counts
the accesses of the block: operands of a step, and then its result.
"""

from typing import NamedTuple

import numpy as np

from dags._numba import kernel
from schedulers._kernels.accesses import last_bit, new_bit_set, set_bit
from schedulers._kernels.candidates import clear_bit, dirty_leaves
from schedulers._kernels.moves import COMPUTE, DELETE, LOAD, STORE, WRITTEN, write

RED, BLUE, OUTPUT = 1, 2, 4
SETTLED = BLUE | OUTPUT  # leaving fast memory costs no store that is not owed anyway
CLEAN, DIRTY = 0, 1  # the two stacks of `later`


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
    at = name.size
    for step in range(steps.size - 1, -1, -1):
        v = steps[step]
        at -= 1
        name[at] = v
        following[at] = use[v]
        step_of[at] = step
        use[v] = at
        for e in range(indptr[v + 1] - 1, indptr[v] - 1, -1):
            u = indices[e]
            at -= 1
            name[at] = u
            following[at] = use[u]
            step_of[at] = step
            use[u] = at


@kernel
def wake(use, later, sizes, stack, bits, upper, top):
    """Make candidates of the values in a stack that the block touches; return the furthest place.

    bits, upper, top: a set of places, as `new_bit_set` makes it.
    """
    waiting = 0
    furthest = np.int64(-1)
    for i in range(sizes[stack]):
        x = later[stack, i]
        place = np.int64(use[x])
        if place < 0:
            later[stack, waiting] = x
            waiting += 1
        else:
            set_bit(bits, upper, top, place)
            furthest = max(furthest, place)
    sizes[stack] = waiting
    return furthest


@kernel
def step_of_candidate(waiting, step_of, place, end):
    """Return the step at which a candidate is used: `end` if values wait, -1 if there is none."""
    if waiting > 0:
        return np.int64(end)
    return np.int64(step_of[place]) if place >= 0 else np.int64(-1)


@kernel
def play_block(indptr, words, block, held, memory, price, op, vertex):
    """Play a block; return how many moves it takes.

    block: `Block`; held: `Memory`, of which `use` is as `look_ahead` fills it, and is -1 again
    behind it. op (k,) uint8, vertex (k,) int32: receive the moves.

    Values leave as in `evict_by_cost`; what the block does not touch is thought to be needed just
    behind its end.
    """
    # Fields that are read in a loop have their references counted, and take ten times as long.
    steps, name, following, step_of = block
    use, left, flags, later, sizes, state = held
    clean, clean_upper, clean_top = new_bit_set(name.size)
    dirty, dirty_upper, dirty_top = new_bit_set(name.size)
    far_clean = wake(use, later, sizes, CLEAN, clean, clean_upper, clean_top)
    far_dirty = wake(use, later, sizes, DIRTY, dirty, dirty_upper, dirty_top)
    kept, loads, stores = state[0], state[1], state[2]
    moves = np.int64(0)
    a = 0
    for step in range(steps.size):
        v = steps[step]
        b = a + indptr[v + 1] - indptr[v] + 1
        present = words[v]
        for at in range(a, b - 1):
            u = name[at]
            present += words[u]
            if flags[u] & RED:
                kept -= words[u]
                clear_bit(clean, at)
                clear_bit(dirty, at)
        while kept + present > memory:
            far_clean = last_bit(clean, clean_upper, clean_top, far_clean)
            far_dirty = last_bit(dirty, dirty_upper, dirty_top, far_dirty)
            early = step_of_candidate(sizes[CLEAN], step_of, far_clean, steps.size)
            late = step_of_candidate(sizes[DIRTY], step_of, far_dirty, steps.size)
            stack = DIRTY if dirty_leaves(early, late, step, price) else CLEAN
            if sizes[stack] > 0:
                sizes[stack] -= 1
                y = later[stack, sizes[stack]]
            elif stack == DIRTY:
                clear_bit(dirty, far_dirty)
                y = name[far_dirty]
            else:
                clear_bit(clean, far_clean)
                y = name[far_clean]
            kept -= words[y]
            if not flags[y] & BLUE:
                moves = write(op, vertex, moves, WRITTEN, STORE, y)
                stores += words[y]
                flags[y] |= BLUE
            moves = write(op, vertex, moves, WRITTEN, DELETE, y)
            flags[y] ^= RED
        for at in range(a, b - 1):
            u = name[at]
            left[u] -= 1
            if not flags[u] & RED:
                moves = write(op, vertex, moves, WRITTEN, LOAD, u)
                loads += words[u]
                flags[u] |= RED
        moves = write(op, vertex, moves, WRITTEN, COMPUTE, v)
        flags[v] |= RED
        for at in range(a, b):
            x = name[at]
            if left[x] == 0:
                if flags[x] & OUTPUT and not flags[x] & BLUE:
                    moves = write(op, vertex, moves, WRITTEN, STORE, x)
                    stores += words[x]
                    flags[x] |= BLUE
                moves = write(op, vertex, moves, WRITTEN, DELETE, x)
                flags[x] ^= RED
                continue
            kept += words[x]
            place = np.int64(following[at])
            if place < 0:
                stack = CLEAN if flags[x] & SETTLED else DIRTY
                later[stack, sizes[stack]] = x
                sizes[stack] += 1
            elif flags[x] & SETTLED:
                set_bit(clean, clean_upper, clean_top, place)
                far_clean = max(far_clean, place)
            else:
                set_bit(dirty, dirty_upper, dirty_top, place)
                far_dirty = max(far_dirty, place)
        a = b
    for at in range(name.size):
        use[name[at]] = -1
    state[0], state[1], state[2] = kept, loads, stores
    return moves
