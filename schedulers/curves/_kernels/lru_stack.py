"""Kernels that count the words of LRU at every memory size in one pass over an access sequence.

`touched` and `start` are as in `schedulers.eviction._kernels.policies`; values have one word each.
"""

import numpy as np

from dags._numba import count_bits, highest_bit, inner_kernel, kernel
from schedulers.orders._kernels.accesses import last_bit, set_bit, step_value

# Words of the LRU stack's bit set that are counted one by one, not through the tree.
YOUNG = 8
# Places in the state that is kept between calls.
NEXT, DEPTH, LAST_HOLE, OLD, STATE = 0, 1, 2, 3, 4


@inner_kernel
def _leaf_to_root(tree, word, change):
    node = word + (tree.size >> 1)
    while node > 0:
        tree[node] += change
        node >>= 1


@inner_kernel
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

    A value's slot is younger the later it was touched, and its depth is the number of slots in use
    that are not older. A value that dies leaves its slot in use, as a hole. A value that comes to
    the top fills the youngest hole above where it came from, for so long are values pushed down: a
    memory larger than the hole's depth has room.

    spills (V,) uint8: 1 for a computed value that is no output. hits, stores (V + 2,) int64:
    how many operands were found at each depth, and how many spills had each as the largest.
    slot_of (V,) integers of -1, deepest (V,) of 0. bits, hole*: which slots are in use, which
    are holes; tree: twice as many nodes as words of slots, the slots in use below each, without
    the youngest words; value_at (slots,); state (STATE,) int64: next slot, depth of the stack,
    an upper bound on the youngest hole, words that are in the tree.
    """
    unit = np.uint64(1)
    following = state[NEXT]
    depth = state[DEPTH]
    last_hole = state[LAST_HOLE]
    old = state[OLD]
    steps = start.size - 1
    while step < steps:
        a, b = start[step], start[step + 1]
        if following + (b - a) > value_at.size:
            break
        for position in range(a, b):
            x = step_value(touched[position])
            slot = np.int64(slot_of[x])
            if last_hole >= 0 and not hole[last_hole >> 6] & (unit << np.uint64(last_hole & 63)):
                last_hole = last_bit(hole, hole_upper, hole_top, last_hole)
            if slot >= 0:
                found = _depth_of(bits, tree, slot, old, following)
                hits[found] += 1
                deepest[x] = max(deepest[x], found)
            freed = slot
            if last_hole > slot:
                freed = last_hole
                hole[freed >> 6] &= ~(unit << np.uint64(freed & 63))
                if slot >= 0:
                    set_bit(hole, hole_upper, hole_top, slot)
                last_hole = max(slot, freed - 1)
            if freed >= 0:
                bits[freed >> 6] &= ~(unit << np.uint64(freed & 63))
                if freed >> 6 < old:
                    _leaf_to_root(tree, freed >> 6, -1)
            else:
                depth += 1
            bits[following >> 6] |= unit << np.uint64(following & 63)
            value_at[following] = x
            slot_of[x] = following
            following += 1
            if following & 63 == 0 and (following >> 6) - old > YOUNG:
                _leaf_to_root(tree, old, count_bits(bits[old]))
                old += 1
        for position in range(a, b):
            if touched[position] < 0:
                x = ~touched[position]
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
    unit = np.uint64(1)
    filled = np.int64(0)
    last_hole = np.int64(-1)
    for word in range((state[NEXT] + 63) >> 6):
        remaining = bits[word]
        while remaining != 0:
            lowest = remaining & (~remaining + unit)
            remaining ^= lowest
            if hole[word] & lowest:
                set_bit(new_hole, new_upper, new_top, filled)
                last_hole = filled
            else:
                x = value_at[(word << 6) + highest_bit(lowest)]
                new_at[filled] = x
                slot_of[x] = filled
            new_bits[filled >> 6] |= unit << np.uint64(filled & 63)
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
