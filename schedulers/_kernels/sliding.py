"""The kernel that plays an order with sliding. Access sequences are as in `eviction._kernels`."""

import numpy as np

from dags._numba import kernel
from schedulers._kernels.accesses import last_bit, new_bit_set, set_bit, step_value

LOAD, STORE, COMPUTE, DELETE = 0, 1, 2, 3


@kernel
def slide_by_cost(
    touched, start, following, step_of, name, words, output, blue, red, memory, price, op, vertex
):
    """Play an order; return (words loaded, words stored, victims, moves).

    touched (T,), start (N+1,), following (T,), step_of (T,), name (V,), words (V,) as in
    `Accesses`; output, blue, red (V,) uint8: what must be stored, is in slow and in fast memory.
    op, vertex (moves,): filled, unless they are empty.

    As `evict_by_cost`, `free` and `owed` hold the next accesses of what is in fast memory beside
    the operands at hand: values that cost nothing to drop, and values to be stored when they leave.
    """
    record = op.size > 0
    one = np.uint64(1)
    free, free_upper, free_top = new_bit_set(touched.size)
    owed, owed_upper, owed_top = new_bit_set(touched.size)
    kept = loads = stores = gone = moves = 0
    last_free = np.int64(-1)
    last_owed = np.int64(-1)
    for step in range(start.size - 1):
        a, b = start[step], start[step + 1]
        result = step_value(touched[b - 1])
        operands = place = 0
        under = -1  # the operand whose place the result takes
        for at in range(a, b - 1):
            x = touched[at]
            dies = x < 0
            if dies:
                x = ~x
            mask = one << np.uint64(at & 63)
            free[at >> 6] &= ~mask
            owed[at >> 6] &= ~mask
            if red[x]:
                kept -= words[x]
            operands += words[x]
            if dies and words[x] > place:
                under = x
                place = words[x]
        need = max(operands, operands - place + words[result])
        while kept > 0 and kept + need > memory:
            last_free = last_bit(free, free_upper, free_top, last_free)
            last_owed = last_bit(owed, owed_upper, owed_top, last_owed)
            store = last_free < 0
            if last_owed > last_free and not store:
                store = step_of[last_owed] - step > price * (step_of[last_free] - step)
            if store:
                use = last_owed
                owed[use >> 6] &= ~(one << np.uint64(use & 63))
            else:
                use = last_free
                free[use >> 6] &= ~(one << np.uint64(use & 63))
            y = step_value(touched[use])
            kept -= words[y]
            gone += 1
            red[y] = 0
            if not blue[y]:
                blue[y] = 1
                stores += words[y]
                if record:
                    op[moves] = STORE
                    vertex[moves] = name[y]
                moves += 1
            if record:
                op[moves] = DELETE
                vertex[moves] = name[y]
            moves += 1
        if need > memory:  # with nothing kept: some operand that is needed again makes way
            least = np.int64(-1)
            farthest = np.int64(-1)
            for at in range(a, b - 1):
                x = step_value(touched[at])
                if operands - words[x] + words[result] <= memory:
                    cost = words[x] if blue[x] or output[x] else price * words[x]
                    if least < 0 or cost < least or (cost == least and following[at] > farthest):
                        least = cost
                        farthest = np.int64(following[at])
                        under = x
            gone += 1
        for at in range(a, b - 1):
            x = step_value(touched[at])
            if not red[x]:
                red[x] = 1
                loads += words[x]
                if record:
                    op[moves] = LOAD
                    vertex[moves] = name[x]
                moves += 1
        if under >= 0 and not blue[under] and (output[under] or need > memory):
            blue[under] = 1
            stores += words[under]
            if record:
                op[moves] = STORE
                vertex[moves] = name[under]
            moves += 1
        if record:
            op[moves] = COMPUTE
            vertex[moves] = name[result]
        moves += 1
        red[result] = 1
        if under >= 0:
            red[under] = 0
            if record:
                op[moves] = DELETE
                vertex[moves] = name[under]
            moves += 1
        for at in range(a, b):
            x = step_value(touched[at])
            if not red[x]:
                continue
            if touched[at] >= 0:
                use = np.int64(following[at])
                kept += words[x]
                if blue[x] or output[x]:
                    set_bit(free, free_upper, free_top, use)
                    last_free = max(last_free, use)
                else:
                    set_bit(owed, owed_upper, owed_top, use)
                    last_owed = max(last_owed, use)
                continue
            if output[x] and not blue[x]:
                blue[x] = 1
                stores += words[x]
                if record:
                    op[moves] = STORE
                    vertex[moves] = name[x]
                moves += 1
            red[x] = 0
            if record:
                op[moves] = DELETE
                vertex[moves] = name[x]
            moves += 1
    return loads, stores, gone, moves
