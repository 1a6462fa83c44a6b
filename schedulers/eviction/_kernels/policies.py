"""Kernels that decide who leaves fast memory, and the one that turns that into moves.

Legend, for all of them: the access sequence ``touched`` (T,) int32 holds, step after step, the
operands of a vertex and then the vertex; the last access of a value is stored as its complement
``~x``. ``start`` (N+1,) bounds the steps. Values are numbered by first touch. ``words`` (V,) int64
sizes. ``settled`` (V,) uint8 is 1 where leaving fast memory costs no store that is not owed anyway:
inputs, outputs, and stored values; kernels write into it. ``victims`` and ``ends`` receive the
values that leave, and how many have left by the end of each step; both may be empty, and then
nothing is recorded.

The policies return (words loaded, words stored besides the outputs, victims). The departure of a
value stands in each of them: as a function of its own it made them two to three times slower.
"""

import numpy as np

from dags._numba import kernel, lean_kernel, lean_part
from schedulers.orders._kernels.accesses import (
    COMPUTE,
    DELETE,
    LOAD,
    STORE,
    Script,
    clear_bit,
    dirty_leaves_places,
    last_bit,
    new_bit_set,
    note,
    set_bit,
    step_value,
)

OWED = np.uint8(1)  # as `output` is


@kernel
def evict_lru(touched, start, words, settled, memory, recent, victims, ends):
    """Evict the least recently used value.

    recent (V,) integers of -1: the place of each value's last access so far. A value is in
    fast memory exactly if that is not behind `tail`, which moves forward as room is needed.
    """
    record = ends.size > 0
    occupied = loads = stores = free = tail = 0
    for step in range(start.size - 1):
        a, b = start[step], start[step + 1]
        dying = 0
        for position in range(a, b):
            x = touched[position]
            last = x < 0
            if last:
                x = ~x
            if recent[x] < tail:
                size = words[x]
                while occupied + size > memory:
                    y = touched[tail]
                    if y >= 0 and recent[y] == tail:
                        occupied -= words[y]
                        if not settled[y]:
                            stores += words[y]
                            settled[y] = 1
                        if record:
                            victims[free] = y
                        free += 1
                    tail += 1
                occupied += size
                if position < b - 1:
                    loads += size
            if last:
                dying += words[x]
            recent[x] = position
        occupied -= dying
        if record:
            ends[step] = free
    return loads, stores, free


@kernel
def evict_fifo(touched, start, words, settled, memory, entered, recent, victims, ends):
    """Evict the value that came first, passing over operands of the current step.

    entered, recent (V,) integers of -1: the places where each value last came in, and was last
    touched; entered is -1 for values that are not in fast memory.
    """
    record = ends.size > 0
    occupied = loads = stores = departures = head = 0
    for step in range(start.size - 1):
        a, b = start[step], start[step + 1]
        dying = 0
        for position in range(a, b):
            x = touched[position]
            last = x < 0
            if last:
                x = ~x
            recent[x] = position
            if entered[x] < 0:
                size = words[x]
                look = head
                while occupied + size > memory:
                    y = touched[look]
                    if y < 0:
                        y = ~y
                    if entered[y] == look:
                        if recent[y] < a:
                            occupied -= words[y]
                            entered[y] = -1
                            if not settled[y]:
                                stores += words[y]
                                settled[y] = 1
                            if record:
                                victims[departures] = y
                            departures += 1
                    elif look == head:
                        head += 1
                    look += 1
                occupied += size
                entered[x] = position
                if position < b - 1:
                    loads += size
            if last:
                dying += words[x]
        for position in range(a, b):
            if touched[position] < 0:
                entered[~touched[position]] = -1
        occupied -= dying
        if record:
            ends[step] = departures
    return loads, stores, departures


@kernel
def evict_furthest(touched, start, following, words, settled, memory, victims, ends):
    """Evict the value whose next use is furthest (Belady).

    following (T,): the place of each next access. A bit set over places holds the next access
    of everything in fast memory but the current operands: an access is a hit exactly if its own
    bit is set, and the highest bit is the value to evict.
    """
    record = ends.size > 0
    unit = np.uint64(1)
    bits, upper, top = new_bit_set(touched.size)
    kept = loads = stores = departures = 0
    furthest = np.int64(-1)
    a = start[0]
    for step in range(start.size - 1):
        b = start[step + 1]
        present = words[step_value(touched[b - 1])]
        for position in range(a, b - 1):
            size = words[step_value(touched[position])]
            old = bits[position >> 6]
            hit = np.int64((old >> np.uint64(position & 63)) & unit)
            bits[position >> 6] = old & ~(unit << np.uint64(position & 63))
            kept -= size * hit
            loads += size * (1 - hit)
            present += size
        while kept + present > memory:
            furthest = last_bit(bits, upper, top, furthest)
            bits[furthest >> 6] &= ~(unit << np.uint64(furthest & 63))
            y = touched[furthest]
            y = ~y if y < 0 else y
            kept -= words[y]
            if not settled[y]:
                stores += words[y]
                settled[y] = 1
            if record:
                victims[departures] = y
            departures += 1
        for position in range(a, b):
            x = touched[position]
            if x >= 0:
                use = np.int64(following[position])
                set_bit(bits, upper, top, use)
                kept += words[x]
                furthest = max(furthest, use)
        if record:
            ends[step] = departures
        a = b
    return loads, stores, departures


@kernel
def evict_by_cost(
    touched, start, following, landmarks, words, settled, memory, price, limit, victims, ends
):
    """Evict values of least cost for the time that room is won: reload, and store if owed.

    As `evict_furthest` with two bit sets: clean for settled values, dirty for those that must be
    stored when they leave; `dirty_leaves` chooses. landmarks: the step of every so many places. The
    play is left where it has moved more than `limit` words. Return also whether at twice the price
    all of it would be the same.
    """
    record = ends.size > 0
    unit = np.uint64(1)
    clean, clean_upper, clean_top = new_bit_set(touched.size)
    dirty, dirty_upper, dirty_top = new_bit_set(touched.size)
    kept = loads = stores = departures = 0
    alike = True
    far_clean = far_dirty = np.int64(-1)
    a = start[0]
    for step in range(start.size - 1):
        b = start[step + 1]
        present = words[step_value(touched[b - 1])]
        for position in range(a, b - 1):
            size = words[step_value(touched[position])]
            mask = unit << np.uint64(position & 63)
            hit = np.int64(
                ((clean[position >> 6] | dirty[position >> 6]) >> np.uint64(position & 63)) & unit
            )
            clean[position >> 6] &= ~mask
            dirty[position >> 6] &= ~mask
            kept -= size * hit
            loads += size * (1 - hit)
            present += size
        while kept + present > memory:
            far_clean = last_bit(clean, clean_upper, clean_top, far_clean)
            far_dirty = last_bit(dirty, dirty_upper, dirty_top, far_dirty)
            if dirty_leaves_places(start, landmarks, far_clean, far_dirty, step, price):
                if alike:
                    twice = 2 * price
                    alike = dirty_leaves_places(start, landmarks, far_clean, far_dirty, step, twice)
                y = step_value(touched[far_dirty])
                clear_bit(dirty, far_dirty)
                stores += words[y]
                settled[y] = 1
            else:
                y = step_value(touched[far_clean])
                clear_bit(clean, far_clean)
            kept -= words[y]
            if record:
                victims[departures] = y
            departures += 1
        for position in range(a, b):
            x = touched[position]
            if x >= 0:
                use = np.int64(following[position])
                kept += words[x]
                if settled[x]:
                    set_bit(clean, clean_upper, clean_top, use)
                    far_clean = max(far_clean, use)
                else:
                    set_bit(dirty, dirty_upper, dirty_top, use)
                    far_dirty = max(far_dirty, use)
        if record:
            ends[step] = departures
        if loads + stores > limit:
            break
        a = b
    return loads, stores, departures, alike


@lean_part
def let_go(script, position, name, blue, red, x, owed):
    """Take x from fast memory, stored before if `owed` and not blue; return the next move."""
    if owed and not blue[x]:
        position = note(script, position, STORE, name[x])
        blue[x] = 1
    red[x] = 0
    return note(script, position, DELETE, name[x])


@lean_kernel
def emit_moves(touched, start, name, victims, ends, blue, red, output, step, op, vertex):
    """Fill a block of moves from `step` on; return (the step to go on with, moves filled).

    victims, ends as recorded by a policy. blue, red (V,) uint8: values in slow and in fast memory,
    kept between calls; output (V,) uint8. op (k,) uint8, vertex (k,) int32: the block; a step is
    emitted whole or left for the next block.
    """
    script = Script(op, vertex)
    filled = np.int64(0)
    steps = start.size - 1
    while step < steps:
        a, b = start[step], start[step + 1]
        left = ends[step - 1] if step > 0 else 0
        if filled + 2 * (ends[step] - left) + 3 * (b - a) > op.size:
            break
        for k in range(left, ends[step]):
            filled = let_go(script, filled, name, blue, red, victims[k], OWED)
        for position in range(a, b - 1):
            x = step_value(touched[position])
            if not red[x]:
                filled = note(script, filled, LOAD, name[x])
                red[x] = 1
        v = step_value(touched[b - 1])
        filled = note(script, filled, COMPUTE, name[v])
        red[v] = 1
        for position in range(a, b):
            if touched[position] < 0:
                x = ~touched[position]
                filled = let_go(script, filled, name, blue, red, x, output[x])
        step += 1
    return step, filled
