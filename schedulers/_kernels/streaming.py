"""The kernel that plays one block of an order after another.

Legend: ``indptr``, ``indices`` are predecessor CSR of n vertices; ``steps`` (B,) int32 the computed
vertices of a block; ``left`` (n,) int32 how often each value will still be read; ``use`` (n,) int32
the place of a value's next access in the block, -1 for none; ``flags`` (n,) uint8. A place counts
the accesses of the block: operands of a step, and then its result.
"""

import numpy as np

from dags._numba import kernel
from schedulers._kernels.accesses import last_bit, new_bit_set, set_bit

LOAD, STORE, COMPUTE, DELETE = 0, 1, 2, 3
RED, BLUE, OUTPUT = 1, 2, 4
SETTLED = BLUE | OUTPUT  # leaving fast memory costs no store that is not owed anyway
FREE, OWED = 0, 1  # the two stacks of `later`


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
def play_block(
    indptr, words, steps, name, following, step_of, use, left, flags, later, sizes, state, memory,
    price, op, vertex,
):  # fmt: skip
    """Play a block; return how many moves it takes.

    name, following, step_of (T,), use (n,): as `look_ahead` fills them; use is -1 again behind it.
    later (2, most values in fast memory) int32 and sizes (2,) int64: stacks of the values in fast
    memory that this block does not touch (any more); those that are settled, and those that must
    be stored when they leave. state (3,) int64: words that are occupied, loaded, stored. op (k,)
    uint8, vertex (k,) int32: receive the moves.

    Values leave as in `evict_by_cost`; what the block does not touch is thought to be needed just
    behind its end.
    """
    one = np.uint64(1)
    free, free_upper, free_top = new_bit_set(name.size)
    owed, owed_upper, owed_top = new_bit_set(name.size)
    last_free = np.int64(-1)
    last_owed = np.int64(-1)
    kept, loads, stores = state[0], state[1], state[2]
    for stack in range(2):
        waiting = 0
        for i in range(sizes[stack]):
            x = later[stack, i]
            place = np.int64(use[x])
            if place < 0:
                later[stack, waiting] = x
                waiting += 1
            elif stack == FREE:
                set_bit(free, free_upper, free_top, place)
                last_free = max(last_free, place)
            else:
                set_bit(owed, owed_upper, owed_top, place)
                last_owed = max(last_owed, place)
        sizes[stack] = waiting
    moves = 0
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
                mask = ~(one << np.uint64(at & 63))
                free[at >> 6] &= mask
                owed[at >> 6] &= mask
        while kept + present > memory:
            last_free = last_bit(free, free_upper, free_top, last_free)
            last_owed = last_bit(owed, owed_upper, owed_top, last_owed)
            early = -1  # no value of this kind
            if sizes[FREE] > 0:
                early = steps.size
            elif last_free >= 0:
                early = step_of[last_free]
            late = -1
            if sizes[OWED] > 0:
                late = steps.size
            elif last_owed >= 0:
                late = step_of[last_owed]
            if early < 0 or (late > early and late - step > price * (early - step)):
                if sizes[OWED] > 0:
                    sizes[OWED] -= 1
                    y = later[OWED, sizes[OWED]]
                else:
                    owed[last_owed >> 6] &= ~(one << np.uint64(last_owed & 63))
                    y = name[last_owed]
            elif sizes[FREE] > 0:
                sizes[FREE] -= 1
                y = later[FREE, sizes[FREE]]
            else:
                free[last_free >> 6] &= ~(one << np.uint64(last_free & 63))
                y = name[last_free]
            kept -= words[y]
            if not flags[y] & BLUE:
                op[moves] = STORE
                vertex[moves] = y
                moves += 1
                stores += words[y]
                flags[y] |= BLUE
            op[moves] = DELETE
            vertex[moves] = y
            moves += 1
            flags[y] ^= RED
        for at in range(a, b - 1):
            u = name[at]
            left[u] -= 1
            if not flags[u] & RED:
                op[moves] = LOAD
                vertex[moves] = u
                moves += 1
                loads += words[u]
                flags[u] |= RED
        op[moves] = COMPUTE
        vertex[moves] = v
        moves += 1
        flags[v] |= RED
        for at in range(a, b):
            x = name[at]
            if left[x] == 0:
                if flags[x] & OUTPUT and not flags[x] & BLUE:
                    op[moves] = STORE
                    vertex[moves] = x
                    moves += 1
                    stores += words[x]
                    flags[x] |= BLUE
                op[moves] = DELETE
                vertex[moves] = x
                moves += 1
                flags[x] ^= RED
                continue
            kept += words[x]
            place = np.int64(following[at])
            settled = flags[x] & SETTLED
            if place < 0:
                stack = FREE if settled else OWED
                later[stack, sizes[stack]] = x
                sizes[stack] += 1
            elif settled:
                set_bit(free, free_upper, free_top, place)
                last_free = max(last_free, place)
            else:
                set_bit(owed, owed_upper, owed_top, place)
                last_owed = max(last_owed, place)
        a = b
    for at in range(name.size):
        use[name[at]] = -1
    state[0], state[1], state[2] = kept, loads, stores
    return moves
