"""Kernels that count for every memory size in one pass over an access sequence.

`touched` and `start` are as in `schedulers.eviction._kernels`; values have one word each.
"""

import numpy as np

from dags._numba import count_bits, highest_bit, kernel
from schedulers._kernels.accesses import last_bit, set_bit, step_value

# Words of the LRU stack's bit set that are counted one by one, not through the tree.
YOUNG = 8
# Places in the state that is kept between calls.
NEXT, DEPTH, LAST_HOLE, OLD, STATE = 0, 1, 2, 3, 4


@kernel
def _leaf_to_root(tree, word, change):
    node = word + (tree.size >> 1)
    while node > 0:
        tree[node] += change
        node >>= 1


@kernel
def _depth_of(bits, tree, slot, old, following):
    """Return how many slots are in use from `slot` up to the newest."""
    word = slot >> 6
    depth = count_bits(bits[word] >> np.uint64(slot & 63))
    for young in range(max(word + 1, old), ((following - 1) >> 6) + 1):
        depth += count_bits(bits[young])
    if word < old:
        node = word + (tree.size >> 1)
        while node > 1:
            if node & 1 == 0:
                depth += tree[node + 1]
            node >>= 1
    return depth


@kernel
def lru_depths(
    touched, start, spills, hits, stores, slot_of, deepest, bits, hole, hole_upper, hole_top,
    tree, value_at, state, step,
):  # fmt: skip
    """Follow the LRU stack from `step` on; return the step at which the slots run out, or N.

    A value's slot is younger the later it was touched, and its depth is the number of slots in
    use that are not older. A value that dies leaves its slot in use, as a hole. What comes to
    the top fills the youngest hole above where it came from, for so long are values pushed
    down: a memory larger than the hole's depth has room.

    spills (V,) uint8: 1 for a computed value that is no output. hits, stores (V + 2,) int64:
    how many operands were found at each depth, and how many spills had each as the largest.
    slot_of (V,) integers of -1, deepest (V,) of 0. bits, hole*: which slots are in use, which
    are holes; tree: twice as many nodes as words of slots, the slots in use below each, without
    the youngest words; value_at (slots,); state (STATE,) int64: next slot, depth of the stack,
    an upper bound on the youngest hole, words that are in the tree.
    """
    one = np.uint64(1)
    following = state[NEXT]
    depth = state[DEPTH]
    last_hole = state[LAST_HOLE]
    old = state[OLD]
    steps = start.size - 1
    while step < steps:
        a, b = start[step], start[step + 1]
        if following + (b - a) > value_at.size:
            break
        for at in range(a, b):
            x = step_value(touched[at])
            slot = np.int64(slot_of[x])
            if last_hole >= 0 and not hole[last_hole >> 6] & (one << np.uint64(last_hole & 63)):
                last_hole = last_bit(hole, hole_upper, hole_top, last_hole)
            if slot >= 0:
                found = _depth_of(bits, tree, slot, old, following)
                hits[found] += 1
                deepest[x] = max(deepest[x], found)
            freed = slot
            if last_hole > slot:
                freed = last_hole
                hole[freed >> 6] &= ~(one << np.uint64(freed & 63))
                if slot >= 0:
                    set_bit(hole, hole_upper, hole_top, slot)
                last_hole = max(slot, freed - 1)
            if freed >= 0:
                bits[freed >> 6] &= ~(one << np.uint64(freed & 63))
                if freed >> 6 < old:
                    _leaf_to_root(tree, freed >> 6, -1)
            else:
                depth += 1
            bits[following >> 6] |= one << np.uint64(following & 63)
            value_at[following] = x
            slot_of[x] = following
            following += 1
            if following & 63 == 0 and (following >> 6) - old > YOUNG:
                _leaf_to_root(tree, old, count_bits(bits[old]))
                old += 1
        for at in range(a, b):
            if touched[at] < 0:
                x = ~touched[at]
                slot = np.int64(slot_of[x])
                set_bit(hole, hole_upper, hole_top, slot)
                last_hole = max(last_hole, slot)
                if spills[x]:
                    stores[deepest[x]] += 1
        step += 1
    state[NEXT] = following
    state[DEPTH] = depth
    state[LAST_HOLE] = last_hole
    state[OLD] = old
    return step


@kernel
def compact_slots(
    bits, hole, value_at, slot_of, state, new_bits, new_hole, new_upper, new_top, new_tree, new_at
):
    """Move all slots in use to the oldest places of empty new arrays, in their order."""
    one = np.uint64(1)
    filled = np.int64(0)
    last_hole = np.int64(-1)
    for word in range((state[NEXT] + 63) >> 6):
        rest = bits[word]
        while rest != 0:
            lowest = rest & (~rest + one)
            rest ^= lowest
            if hole[word] & lowest:
                set_bit(new_hole, new_upper, new_top, filled)
                last_hole = filled
            else:
                x = value_at[(word << 6) + highest_bit(lowest)]
                new_at[filled] = x
                slot_of[x] = filled
            new_bits[filled >> 6] |= one << np.uint64(filled & 63)
            filled += 1
    old = max(0, (filled >> 6) - YOUNG)
    half = new_tree.size >> 1
    for word in range(old):
        new_tree[half + word] = count_bits(new_bits[word])
    for node in range(half - 1, 0, -1):
        new_tree[node] = new_tree[2 * node] + new_tree[2 * node + 1]
    state[NEXT] = filled
    state[LAST_HOLE] = last_hole
    state[OLD] = old


# Places in the state of `belady_depths`.
POINTS, TREE_END, SIZE_BEFORE, FRESH, PUSHED, BELADY_STATE = 0, 1, 2, 3, 4, 5
NO_TOKEN = np.int32(2**31 - 1)


@kernel
def peak_live(touched, start):
    """Return the most values that are needed at once: by a step, or before and after it."""
    seen = np.int64(-1)
    live = peak = 0
    for step in range(start.size - 1):
        dying = 0
        for at in range(start[step], start[step + 1]):
            x = step_value(touched[at])
            if x > seen:
                seen = x
                live += 1
            dying += touched[at] < 0
        peak = max(peak, live)
        live -= dying
    return peak


@kernel
def _join(total, rise, token, node):
    left = 2 * node
    total[node] = total[left] + total[left + 1]
    rise[node] = max(rise[left], total[left] + rise[left + 1])
    token[node] = min(token[left], token[left + 1])


@kernel
def _set_leaves(total, rise, token, change, level, first, end):
    """Bring points first..end-1 and the nodes above them up to date."""
    half = total.size >> 1
    for point in range(first, end):
        total[half + point] = change[point]
        rise[half + point] = change[point]
        token[half + point] = level[point]
    low, high = (half + first) >> 1, (half + end - 1) >> 1
    while low > 0:
        for node in range(low, high + 1):
            _join(total, rise, token, node)
        low >>= 1
        high >>= 1


@kernel
def _best_token(total, rise, token, point):
    """Return the smallest token at or before the first balanced point from `point` on."""
    half = total.size >> 1
    surplus = 0
    node = half + point
    while node > 1:
        if node & 1 == 0:
            surplus += total[node + 1]
        node >>= 1
    node = half + point
    if surplus > 0:
        while True:  # up to the first right neighbour in which the surplus is used up
            if node & 1 == 0:
                if rise[node + 1] >= surplus:
                    node += 1
                    break
                surplus -= total[node + 1]
            node >>= 1
        while node < half:
            node *= 2
            if rise[node] < surplus:
                surplus -= total[node]
                node += 1
    best = token[node]
    while node > 1:
        if node & 1:
            best = min(best, token[node - 1])
        node >>= 1
    return best


@kernel
def belady_depths(
    touched, start, spills, hits, stores, deepest, recent, point_of, where, change, level,
    pushed_value, pushed_point, total, rise, token, state, step,
):  # fmt: skip
    """Follow the critical stack from `step` on; return the step at which points run out, or N.

    See `schedulers.curves.belady` for what points, tokens and their balance are.

    spills (V,) uint8: 1 for a computed value that is no output. hits, stores (D+2,) int64: how
    many operands are found from each memory size on, and how many spills always are.
    deepest (V,) int32 of 0: the memory size from which on a value has always been found.
    recent (V,) of -1: the last step that touched a value; point_of (V,): the point at which it
    fell out of the current step. where (D+1,): the point of each token, for sizes up to D. change
    (P,) int32 and level (P,) int32: tokens less values at each point, and its token. pushed_value,
    pushed_point (P,): what fell out where, of what is still needed. total, rise, token (2P,)
    int32: a tree over points: sums of change, largest sums from the left, smallest tokens.
    """
    largest = where.size - 1
    points = state[POINTS]
    tree_end = state[TREE_END]
    before = state[SIZE_BEFORE]
    fresh = state[FRESH]
    pushed = state[PUSHED]
    steps = start.size - 1
    while step < steps:
        a, b = start[step], start[step + 1]
        size = b - a
        if points + 1 + size + before > level.size or pushed + before > pushed_value.size:
            break
        kept = 0
        for at in range(a, b):
            if step > 0 and recent[step_value(touched[at])] == step - 1:
                kept += 1
        group = points
        points += 1
        change[group] = 0
        level[group] = NO_TOKEN
        leaving = before - kept
        implicit = before
        for at in range(a, b):
            x = step_value(touched[at])
            if step > 0 and recent[x] == step - 1:
                recent[x] = step
                continue
            moved = NO_TOKEN
            if recent[x] < 0:
                fresh += 1
                if fresh <= largest:
                    moved = np.int32(fresh)
            else:
                end = points if size > before else group
                if end > tree_end:
                    _set_leaves(total, rise, token, change, level, tree_end, end)
                    tree_end = end
                origin = point_of[x]
                moved = _best_token(total, rise, token, origin)
                hits[moved] += 1
                deepest[x] = max(deepest[x], moved)
                source = where[moved]
                change[source] -= 1
                level[source] = NO_TOKEN
                change[origin] += 1
                _set_leaves(total, rise, token, change, level, source, source + 1)
                _set_leaves(total, rise, token, change, level, origin, origin + 1)
            recent[x] = step
            change[points] = 1
            level[points] = moved
            if moved != NO_TOKEN:
                where[moved] = points
            points += 1
            if leaving > 0:
                leaving -= 1
                change[group] -= 1
            else:
                implicit += 1
                source = where[implicit]
                change[source] -= 1
                level[source] = NO_TOKEN
                if source < tree_end:
                    _set_leaves(total, rise, token, change, level, source, source + 1)
            if size > before and group < tree_end:
                tree_end = group  # values went into this group while the tree has seen it
        while leaving > 0:
            change[points] = 1
            level[points] = implicit
            where[implicit] = points
            points += 1
            implicit -= 1
            leaving -= 1
            change[group] -= 1
        if step > 0:
            for at in range(start[step - 1], a):
                x = touched[at]
                if x >= 0 and recent[x] == step - 1:
                    point_of[x] = group
                    pushed_value[pushed] = x
                    pushed_point[pushed] = group
                    pushed += 1
        for at in range(a, b):
            if touched[at] < 0 and spills[~touched[at]]:
                stores[deepest[~touched[at]]] += 1
        before = size
        step += 1
    state[POINTS] = points
    state[TREE_END] = tree_end
    state[SIZE_BEFORE] = before
    state[FRESH] = fresh
    state[PUSHED] = pushed
    return step


@kernel
def compact_points(
    point_of, where, change, level, pushed_value, pushed_point, state, in_use, new_place,
    new_change, new_level, new_value, new_point,
):  # fmt: skip
    """Copy the points that matter into new arrays; between them, two carry all that was.

    A point matters if it has a token, or a value fell out there that is still needed. Of the
    others between two that do, only the sum of their changes and its largest partial sum can
    be seen. in_use, new_place (P,): room to work in.
    """
    points = state[POINTS]
    kept = 0
    for k in range(state[PUSHED]):
        x, point = pushed_value[k], pushed_point[k]
        if point_of[x] == point:
            in_use[point] = 1
            new_value[kept] = x
            new_point[kept] = point
            kept += 1
    filled = 0
    run = highest = 0
    for point in range(points):
        if not in_use[point] and level[point] == NO_TOKEN:
            run += change[point]
            highest = max(highest, run)
            continue
        if filled > 0:
            if highest > 0:
                new_change[filled] = highest
                new_level[filled] = NO_TOKEN
                filled += 1
            if run != highest:
                new_change[filled] = run - highest
                new_level[filled] = NO_TOKEN
                filled += 1
        run = highest = 0
        new_change[filled] = change[point]
        new_level[filled] = level[point]
        if level[point] != NO_TOKEN:
            where[level[point]] = filled
        new_place[point] = filled
        filled += 1
    if filled > 0:
        if highest > 0:
            new_change[filled] = highest
            new_level[filled] = NO_TOKEN
            filled += 1
        if run != highest:
            new_change[filled] = run - highest
            new_level[filled] = NO_TOKEN
            filled += 1
    for k in range(kept):
        new_point[k] = new_place[new_point[k]]
        point_of[new_value[k]] = new_point[k]
    state[POINTS] = filled
    state[TREE_END] = 0
    state[PUSHED] = kept
